"""The process of one edge in plain loops, written apart from the sampler, to judge its events."""

import math

DAY_US = 86_400e6
LEARNING_RATE, CAP, FLOOR, FLOOR_COUNT, PRUNE = 0.30, 1.0, 0.20, 5, 0.01


def learned_days(count, age_days, default, low, high=120.0):
    ratio = math.log(1 + count / 10)
    days = default if age_days < 1 else low + (high - low) * ratio / (1 + ratio)
    return min(max(days, low), high)


class Weight:
    """w of one edge: value and integral since the last event, closed forms."""

    def __init__(self, half_life, learned_from=None):
        self.half_life, self.learned_from = half_life, learned_from
        self.default, self.count, self.weight = half_life, 0, 0.0

    def remains(self):
        """Where decay ends, and what the weight is from then on."""
        if self.count >= FLOOR_COUNT:
            return min(FLOOR, self.weight), min(FLOOR, self.weight)
        return PRUNE, 0.0

    def falls(self):
        if math.isinf(self.half_life):
            return math.inf
        return self.half_life * math.log2(self.weight / self.remains()[0])

    def value(self, days):
        if days > self.falls():
            return self.remains()[1]
        return self.weight * 2 ** (-days / self.half_life)

    def area(self, days):
        if math.isinf(self.half_life):
            return self.weight * days
        decays = min(days, self.falls())
        lost = self.weight * (1 - 2 ** (-decays / self.half_life))
        return self.half_life / math.log(2) * lost + self.remains()[1] * (days - decays)

    def event(self, time_us, days):
        """An event so many days after the last one."""
        value = self.value(days) if self.count else 0.0
        if value == 0.0:
            self.count, self.born = 0, time_us
        self.count, self.weight = self.count + 1, min(CAP, value + LEARNING_RATE)
        if self.learned_from is not None:
            age = (time_us - self.born) / DAY_US
            self.half_life = learned_days(self.count, age, self.default, self.learned_from)


class Power:
    """Σ (age + τ)^−d of one edge."""

    def __init__(self, exponent, offset):
        self.exponent, self.offset, self.ages = exponent, offset, []

    def area(self, days):
        p = 1 - self.exponent
        return sum(
            ((age + days + self.offset) ** p - (age + self.offset) ** p) / p for age in self.ages
        )

    def event(self, time_us, days):
        self.ages = [age + days for age in self.ages] + [0.0]


def signal_of(truth, edge, namespace):
    if truth.law == "power_law":
        return Power(truth.power_exponent, truth.power_offset_days)
    low = None
    if truth.law == "learned_observed":
        low = max(3.0, truth.half_life_days[edge]) if namespace == "shared" else 3.0
    return Weight(truth.half_life_days[edge], low)


def mass(signal, base_rate, gain, activity, begin_us, end_us):
    """∫ λ dt from the last event at ``begin_us`` to ``end_us``, span by span of the activity."""
    total = 0.0
    start, level = activity
    for span in range(len(level)):
        first, last = max(int(start[span]), begin_us), min(int(start[span + 1]), end_us)
        if first < last and level[span] > 0:
            x, y = (first - begin_us) / DAY_US, (last - begin_us) / DAY_US
            area = signal.area(y) - signal.area(x)
            total += level[span] * (base_rate * (y - x) + gain * area)
    return total


def masses(graph, truth, gain=1.0):
    """(∫ λ dt over each gap between events, and over what is left after the last), edge by edge.

    ``gain`` multiplies the true gain: another world than the one that the events came from.
    """
    end = int(truth.activity.start_us[-1])
    for edge in range(graph.edge_count):
        events = slice(int(graph.event_ptr[edge]), int(graph.event_ptr[edge + 1]))
        times = graph.event_time[events].tolist()
        signal = signal_of(truth, edge, graph.namespaces[graph.edge_namespace[edge]])
        rates = truth.base_rate[edge], gain * truth.gain[edge]
        found, last = [], None
        for time in times:
            if last is not None:
                found.append(mass(signal, *rates, truth.activity, last, time))
            signal.event(time, 0.0 if last is None else (time - last) / DAY_US)
            last = time
        yield found, mass(signal, *rates, truth.activity, last, end)


def waits(graph, truth, gain=1.0):
    """The gaps of all edges end to end, in expected events.

    What is left of one edge is the beginning of the next edge's first gap: so every gap but the
    last, which is left out, is a whole one, and all are Exp(1) where the truth is true.
    """
    left, found = 0.0, []
    for gaps, rest in masses(graph, truth, gain):
        for gap in gaps:
            found.append(left + gap)
            left = 0.0
        left += rest
    return found

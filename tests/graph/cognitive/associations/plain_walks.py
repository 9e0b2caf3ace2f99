"""Spreading activation in plain Python: every walk is walked. The oracle."""

import math


def scaled_rows(rows, scale):
    """[{neighbour: activation}] of [{neighbour: weight}]."""
    scaled = []
    for row in rows:
        total = sum(row.values())
        change = {
            "raw": lambda w: w,
            "saturating": lambda w: 1 - math.exp(-w / 3),
            "share": lambda w, total=total: w / total,
        }[scale]
        scaled.append({other: change(w) for other, w in row.items()})
    return scaled


def emissions(rows, rules, seed):
    """[(memory, activation, hop)] of one seed: every walk, or what the recursion emits."""
    found = []
    expanded = set()

    def walk(at, activation, hop):
        for other, weight in rows[at].items():
            if other != seed:
                found.append((other, activation * weight, hop))
                if hop < rules.hebbian_depth:
                    walk(other, activation * weight, hop + 1)

    def recur(at, attenuation, hop):
        expanded.add(at)
        for other in sorted(rows[at], key=lambda o: (-rows[at][o], o)):
            reached = rows[at][other] * attenuation
            if reached > 0.01 and other not in expanded:
                found.append((other, reached, hop))
                if hop < rules.hebbian_depth:
                    recur(other, reached * 0.5, hop + 1)

    (walk if rules.walk == "bfs" else recur)(seed, 1.0, 1)
    return found


def credits(rows, rules, seed):
    """[(memory, best activation, summed activation, hop)]: walks by level, emissions one by one."""
    found = emissions(rows, rules, seed)
    if rules.walk == "dfs":
        return [(memory, a, a, hop) for memory, a, hop in found]
    levels = {}
    for memory, activation, hop in found:
        levels.setdefault((hop, memory), []).append(activation)
    return [(m, max(all_of), sum(all_of), hop) for (hop, m), all_of in sorted(levels.items())]


def expand(weights, rules, seeds):
    """{memory: (energy, activation, origin, hop)} of one query; seeds are [(memory, score)]."""
    rows = scaled_rows(weights, rules.weight_scale)
    best, sums = {}, {}
    for seed, score in seeds:
        for memory, activation, total, hop in credits(rows, rules, seed):
            if activation < rules.least_activation():
                continue
            energy = rules.hebbian_gain * score * strength(rules, activation)
            key = (energy, activation if memory in best and best[memory][2] == seed else -1)
            if memory not in best or key > (
                best[memory][0], best[memory][1] if best[memory][2] == seed else -1
            ):  # fmt: skip
                best[memory] = energy, activation, seed, hop
            sums[memory] = sums.get(memory, 0.0) + rules.hebbian_gain * score * strength(
                rules, total
            )
    if rules.paths == "sum":
        return {memory: (sums[memory], *rest[1:]) for memory, rest in best.items()}
    return best


def strength(rules, activation):
    return min(activation / 5, 1.0) if rules.hebbian_score == "similarity_plus" else activation

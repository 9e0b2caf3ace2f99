"""Several ways of doing the same work, in turn, round by round, in one process."""

import os
import time

from tests.benchmarks.values import Value

FEWER = os.environ.get("BENCH_ROUNDS")


def rounds_of(usual):
    """How many rounds: as many as a benchmark says, or BENCH_ROUNDS for a quick look."""
    return int(FEWER) if FEWER else usual


class Contest:
    """Ours against peers: the peers first in each round, then ours, which pytest-benchmark times.

    Args:
        benchmark: the fixture.
        ours: what we time.
        peers: name → what does the same work; each may be cut into named parts by returning
            nothing but its answer.
        rounds: how many.
        warm: whether the peers have a round beforehand that does not count; ours always has.
    """

    def __init__(self, benchmark, ours, peers=None, rounds=5, warm=True):
        self.benchmark, self.ours, self.peers = benchmark, ours, peers or {}
        self.rounds, self.warm = rounds_of(rounds), warm
        self.seconds = {name: [] for name in ("ours", *self.peers)}
        self.processor = {name: [] for name in ("ours", *self.peers)}
        self.answers = {}

    def run(self):
        """All rounds; then ``seconds``, ``processor`` and ``answers`` are there."""
        self.answers["ours"] = self.ours()  # compiled by this call
        if self.warm:
            for name, work in self.peers.items():
                self.answers[name] = work()
        self.benchmark.pedantic(self._timed, ("ours", self.ours), setup=self._peers_first,
                                rounds=self.rounds)  # fmt: skip
        return self

    def _peers_first(self):
        for name, work in self.peers.items():
            self._timed(name, work)

    def _timed(self, name, work):
        self.answers.pop(name, None)  # what it holds is free before the next
        processor, began = time.process_time(), time.perf_counter()
        self.answers[name] = work()
        self.seconds[name].append(time.perf_counter() - began)
        self.processor[name].append(time.process_time() - processor)

    def against(self, peer, label=None, share=1.0, **goal):
        """How many times faster than a peer, by round; ``share``: what part of our work it did."""
        pairs = zip(self.seconds[peer], self.seconds["ours"], strict=True)
        return Value(
            f"against {label or peer}", "×", tuple(p / share / o for p, o in pairs), **goal
        )

    def wall(self, name="ours", label=None, **goal):
        """Seconds of one of them."""
        return Value(label or name, "s", tuple(self.seconds[name]), **goal)

    def cpu(self, name="ours", label=None, **goal):
        """Processor seconds of one of them, all threads summed."""
        return Value(label or f"{name}, processor time of all threads", "CPU-s",
                     tuple(self.processor[name]), **goal)  # fmt: skip

    def each(self, count, label, unit="ns", scale=1e9, name="ours", **goal):
        """Time of one of ``count`` pieces of the work."""
        return Value(label, unit, tuple(s / count * scale for s in self.seconds[name]), **goal)

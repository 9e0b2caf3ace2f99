"""Several ways of doing the same work, in turn, round by round, in one process."""

import os
import time

from tests.benchmarks.values import Value

FEWER = os.environ.get("BENCH_ROUNDS")
AGAIN = "ours, called again and again"


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
        again: so many calls of ours in a row begin each round, ``AGAIN`` the mean of one of them.
            Ours alone, right after its peers, finds the processor's caches full of their data:
            that is much of the time of a call of a millisecond, and nothing of one of a second.
    """

    def __init__(self, benchmark, ours, peers=None, rounds=5, warm=True, again=0):
        self.benchmark, self.ours, self.peers = benchmark, ours, peers or {}
        self.rounds, self.warm, self.again = rounds_of(rounds), warm, again
        self.seconds = {name: [] for name in ("ours", AGAIN, *self.peers)}
        self.processor = {name: [] for name in ("ours", AGAIN, *self.peers)}
        self.answers = {}

    def run(self):
        """All rounds; then ``seconds``, ``processor`` and ``answers`` are there."""
        self.answers["ours"] = self.ours()  # compiled by this call
        if self.warm:
            for name, work in self.peers.items():
                self.answers[name] = work()
        self.benchmark.pedantic(self._timed, ("ours", self.ours), setup=self._before,
                                rounds=self.rounds)  # fmt: skip
        return self

    def _before(self):
        if self.again:
            self.ours()
            self._timed(AGAIN, lambda: [self.ours() for _ in range(self.again)][-1], self.again)
        for name, work in self.peers.items():
            self._timed(name, work)

    def _timed(self, name, work, calls=1):
        self.answers.pop(name, None)  # what it holds is free before the next
        processor, began = time.process_time(), time.perf_counter()
        self.answers[name] = work()
        self.seconds[name].append((time.perf_counter() - began) / calls)
        self.processor[name].append((time.process_time() - processor) / calls)

    def against(self, peer, label=None, share=1.0, ours="ours", **goal):
        """How many times faster than a peer, by round; ``share``: what part of our work it did."""
        pairs = zip(self.seconds[peer], self.seconds[ours], strict=True)
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

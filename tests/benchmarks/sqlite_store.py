"""A plain SQLite store of the published rules: what people would use instead of hebb_lab.

Written from the rules (rules.md §1, documented) and the facts of the shipped store (neuralmind.md
§1.0 and §1.7): one table of undirected edges with a namespace, WAL, synchronous=NORMAL. Where the
shipped store is slower than it need be, this one is not, so that the comparison is fair: nodes are
integers; both node columns have an index and the planner its statistics; one connection stays
open, whose statements are prepared once; a decay pass has been run, so that reading decays nothing.
"""

import math
import sqlite3
from collections import defaultdict
from itertools import combinations

import numpy as np

DAY_US = 86_400_000_000

TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE synapses (
    node_a INTEGER NOT NULL, node_b INTEGER NOT NULL, namespace TEXT NOT NULL,
    weight REAL NOT NULL, activation_count INTEGER NOT NULL,
    last_activated INTEGER NOT NULL, as_of INTEGER NOT NULL,
    PRIMARY KEY (node_a, node_b, namespace), CHECK (node_a < node_b)
);
CREATE INDEX by_node_b ON synapses (node_b, namespace);
CREATE INDEX by_namespace ON synapses (namespace);
"""

EDGE = """SELECT weight, activation_count, last_activated, as_of FROM synapses
WHERE node_a = ? AND node_b = ? AND namespace = ?"""

UPSERT = """INSERT INTO synapses VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (node_a, node_b, namespace) DO UPDATE SET weight = excluded.weight,
activation_count = excluded.activation_count, last_activated = excluded.last_activated,
as_of = excluded.as_of"""

FADE = """UPDATE synapses SET as_of = :now,
weight = faded(weight, activation_count, last_activated, as_of, namespace, :now)"""

PRUNE = "DELETE FROM synapses WHERE weight < :least AND activation_count < :proven"

NEIGHBOURS = """SELECT node_b, namespace, weight FROM synapses WHERE node_a = ?1
UNION ALL SELECT node_a, namespace, weight FROM synapses WHERE node_b = ?1"""


class SqliteStore:
    """Edges in a file, reinforced, decayed and walked one call at a time.

    Args:
        path: of the file.
        rules: documented ones: continuous decay, weights as they are, no gates.
        branch: the active branch's namespace.
    """

    def __init__(self, path, rules, branch=None):
        self.rules = rules
        self.factors = {
            "shared": rules.read_shared, "personal": rules.read_personal, branch: rules.read_branch,
        }  # fmt: skip
        self.base = sqlite3.connect(path, isolation_level=None, cached_statements=256)
        self.base.executescript(TABLES)
        self.base.create_function("faded", 6, self._faded, deterministic=True)

    def close(self):
        """Let go of the file."""
        self.base.close()

    def reinforce(self, nodes, now, namespace="personal", strength=1.0):
        """Every pair of a window, all or nothing: decayed to now, then Δw added and capped."""
        rules = self.rules
        gain = rules.learning_rate * min(max(strength, 0.0), rules.strength_max)
        rows = []
        for a, b in combinations(sorted(set(nodes)), 2):
            weight, count = 0.0, 0
            found = self.base.execute(EDGE, (a, b, namespace)).fetchone()
            if found is not None:
                weight, count = self._faded(*found, namespace, now), found[1]
                if self._is_pruned(weight, count):
                    weight, count = 0.0, 0
            weight = min(rules.weight_cap, weight + gain)
            rows.append((a, b, namespace, weight, count + 1, now, now))
        self.base.execute("BEGIN")
        try:
            self.base.executemany(UPSERT, rows)
        except BaseException:
            self.base.execute("ROLLBACK")
            raise
        self.base.execute("COMMIT")

    def decay(self, now):
        """One pass over all edges, and the planner's statistics of what is left."""
        limits = {"least": self.rules.prune_below, "proven": self.rules.potentiation_count}
        self.base.execute("BEGIN")
        self.base.execute(FADE, {"now": now})
        self.base.execute(PRUNE, limits)
        self.base.execute("COMMIT")
        self.base.execute("ANALYZE")

    def edges(self):
        """(node_a, node_b, namespace) → weight."""
        rows = self.base.execute("SELECT node_a, node_b, namespace, weight FROM synapses")
        return {row[:3]: row[3] for row in rows}

    def spread(self, seeds, k=None):
        """The best k nodes without the seeds, [(node, energy)], by (energy as float32, id).

        Args:
            seeds: node → energy.
            k: None: all nodes.
        """
        rules, energy = self.rules, dict(seeds)
        score = defaultdict(float)
        for _ in range(rules.hops):
            arrived = defaultdict(float)
            for node, level in energy.items():
                row = self._neighbours(node)
                sent = level * rules.spread_decay
                if rules.hub_degree is not None and len(row) > rules.hub_degree:
                    sent *= math.sqrt(rules.hub_degree / len(row))
                for other, weight in row.items():
                    arrived[other] += sent * weight
            for node, level in arrived.items():
                score[node] += level
            energy = arrived
        ranked = [(np.float32(v), node) for node, v in score.items() if node not in seeds]
        return [(node, float(v)) for v, node in sorted(ranked, reverse=True)[:k]]

    def plan(self):
        """How the planner finds neighbours."""
        return " ".join(r[3] for r in self.base.execute(f"EXPLAIN QUERY PLAN {NEIGHBOURS}", (0,)))

    def _neighbours(self, node):
        """Neighbour → weight, namespaces merged."""
        factors, row = self.factors, {}
        for other, namespace, weight in self.base.execute(NEIGHBOURS, (node,)):
            factor = factors.get(namespace)
            if factor:
                row[other] = row.get(other, 0.0) + weight * factor
        return row

    def _faded(self, weight, count, last_activated, as_of, namespace, now):
        rules = self.rules
        age = self._half_lives(count, now - last_activated, namespace)
        age -= self._half_lives(count, as_of - last_activated, namespace)
        faded = weight * 2.0**-age
        if count >= rules.potentiation_count:
            return max(faded, min(rules.potentiation_floor, weight))
        return faded

    def _half_lives(self, count, age_us, namespace):
        """Age in half-lives, the learned one as of that age (rules.md §1)."""
        rules, age = self.rules, age_us / DAY_US
        default = rules.half_life_default_days(namespace)
        if rules.half_life == "fixed":
            return age / default
        confidence = 2.0 ** (-age / default)
        ratio = math.log(1 + count / 10)
        low, high = rules.half_life_min_days, rules.half_life_max_days
        learned = low + (high - low) * ratio / (1 + ratio)
        return age / min(max((1 - confidence) * default + confidence * learned, low), high)

    def _is_pruned(self, weight, count):
        return weight < self.rules.prune_below and count < self.rules.potentiation_count

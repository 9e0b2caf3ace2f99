"""All layers of the cognitive graph in a folder of files, and back.

    from hebb_lab.graph.stored import read_graphs, save_graphs
    save_graphs("graphs", dataset.memories, OBSERVED)
    graphs = read_graphs("graphs")
    graphs.associations.to_scipy(), graphs.tags.edges_frame(), graphs.directory.find("Ada")

| holds | ``file_format: page`` | ``container`` | layout |
|---|---|---|---|
| associations | hebbian.graph | hebbian.graph | HCSR: the page's V3; container |
| chain | temporal.chain | temporal.chain | TPCH: the older header; container |
| pairs and edges of tags | coactivation.dat | coactivation.tracker | COAX |
| entities | entity-directory.graph | entity-directory.edir | EDIR |
| their names | entity-directory-names.idx | the same | plain |
| hyperedges | hyper-entity.graph | hypergraph.hyeg | HYEG |
| types | entity-types.reg, relation-types.reg | ….treg | REG |
| relations (ours) | entity-relations.graph | entity-relations.hyeg | HYEG, two entities each |
| types, roles (ours) | hyperedge-types.reg, hyperedge-roles.reg | ….treg | REG |

The page says in whose header layer 1 and the chain begin; what it gives no header of is a
container in both formats. Spector has no file for relations (its code has hyperedges of two in
their place), nor for types and roles of hyperedges other than its own.

Kept exactly: weights, cycles, bridge scores and flags of edges; pointers, sessions and times;
counts and edges of tags; links, types and merges of entities; weights, types, roles and ids of
hyperedges and relations. Not in the files, for the layouts have no room:

- names of memories; the case of names of entities; cap and other rules;
- incidence. The page has it in the file, the code rebuilds it; HYEG as described holds none, so
  that it is rebuilt here whatever ``rules.incidence`` says. An entity that was pushed out of a
  hyperedge has its role + 256 there, so that what is rebuilt is what was;
- in how many lists a tag was, from which cross-capture's strengths are made, and which memories
  carry it: both are counted from the memories;
- which memory stated a relation last, but for its time;
- with ``entity_links: subject`` the links that hyperedges take their fan factors from.

With ``tag_counts_from: recall`` tags are learned from recalls, of which memories alone know
nothing: pairs and edges are empty then, unless `save_layers` gets layers that were taught.
"""

from hebb_lab.graph.stored.read import StoredGraphs, read_graphs
from hebb_lab.graph.stored.save import LearnedLayers, learn_layers, save_graphs, save_layers
from hebb_lab.graph.stored.tags import StoredTags

__all__ = [
    "LearnedLayers",
    "StoredGraphs",
    "StoredTags",
    "learn_layers",
    "read_graphs",
    "save_graphs",
    "save_layers",
]

"""Files of stored graphs as Spector Memory lays them out: read, write, and refuse what is broken.

| kind | file of the page | magic | reads | writes |
|---|---|---|---|---|
| Hebbian edges | hebbian.graph | HCSR | container 1; the page's V3; HGPH 1, 2 | container, page |
| temporal chain | temporal.chain | TPCH | container 2; the older header | container, page |
| tag pairs, STDP | coactivation.dat | COAX | container 2 | container |
| hyperedges | hyper-entity.graph | HYEG | container 2 | container |
| type registry | entity-types.reg | REG | container 1; TREG | container, legacy |
| entity directory | entity-directory.graph | EDIR | container 1 | container |
| its names | entity-directory-names.idx | none | plain | plain |

A container begins with the 64 bytes of ``SMKM`` (header.py), in the byte order of the machine that
wrote it: little-endian on x86 and ARM. The older headers are big-endian before little-endian data.
Offsets are in bytes from the start of the file:

    HCSR  64 edge capacity i32, cycle i32, 8 spare; 80 offsets i32 × (nodes + 1); then edges of 12:
          neighbour i32, weight f32, last cycle u16, bridge u8, flags u8
          the page's V3: 0 magic, version, nodes, edge capacity, edges, cycle (i32 big-endian);
          24 offsets, then edges, both as above
          HGPH: 0 magic, version, nodes, degree (i32 big-endian); 16 of each node its degree i32 and
          so many edges of 12 bytes (version 1: 8, neighbour and weight)
    TPCH  64 of each node previous, next, session, seconds since 1970: i32, −1 for none
          older: 0 magic, version, nodes, count (i32 big-endian); 16 nodes
    COAX  64 pair slots i32, edge slots i32; 72 pairs of 32: hash, hash i64, count i32, flags i32;
          then edges of 40: source, target i64, weight f32, 4 spare, last ms i64, count i32,
          flags i32; then big-endian: pairs, edges, tags i32, of each tag hash i64, length i32,
          UTF-8; bandits i32 of 32: context i64, profile u8, 3 spare, mean f32, total, positive
          i32, last ms i64
    HYEG  64 entity capacity, next hyperedge, next vertex, hyperedges i32; 80 hyperedges of 32: id,
          type i32, weight f32, vertices, first vertex, memory i32, ms i64; vertices of 8: entity,
          role i32
    REG   64 of each name its length u16, UTF-8, id i32
          TREG: 0 magic, version, names (i32 big-endian); 12 length i32, UTF-8, id i32, big-endian
    EDIR  64 link capacity, links in use i32, 8 spare; 80 nodes of 64: type i32, 4 spare, hash of
          the name i64, first link i32, links i32, room for links i32, merged into i32, 32 spare;
          then links of 8: memory i32, weight f32
    names 0 kind u8; names i32, of each length i32, UTF-8, id i32, big-endian

Written from a description of the layout, without a file that Spector wrote: round trips prove that
this reader and this writer agree. EDIR is a best effort, for Spector's own two ways of storing it
differ. Not read: its bundles, COAX before version 2 and HYEG with a stored incidence, whose bytes
are not described.

`hebb_lab.graph.stored` writes what layers learned as such files, all of a folder at once, and reads
it again.

A length or a count is compared with the size of the file before anything is allocated, and every
refusal is an ``InputError`` with the file, the byte and what to do.
"""

from hebb_lab.graph.files.chain import ChainFile, read_chain, write_chain
from hebb_lab.graph.files.coactivation import (
    CoActivationFile,
    read_co_activation,
    write_co_activation,
)
from hebb_lab.graph.files.detect import GraphFile, read_graph_file
from hebb_lab.graph.files.encoding.hashes import java_string_hash, tag_hash
from hebb_lab.graph.files.encoding.slots import slot_count
from hebb_lab.graph.files.entities import (
    EntityDirectoryFile,
    read_entity_directory,
    write_entity_directory,
)
from hebb_lab.graph.files.hebbian import HebbianFile, read_hebbian, write_hebbian
from hebb_lab.graph.files.hyperedges import HyperedgeFile, read_hyperedges, write_hyperedges
from hebb_lab.graph.files.names import NamesFile, read_names, write_names
from hebb_lab.graph.files.registry import RegistryFile, read_registry, write_registry

__all__ = [
    "ChainFile",
    "CoActivationFile",
    "EntityDirectoryFile",
    "GraphFile",
    "HebbianFile",
    "HyperedgeFile",
    "NamesFile",
    "RegistryFile",
    "java_string_hash",
    "read_chain",
    "read_co_activation",
    "read_entity_directory",
    "read_graph_file",
    "read_hebbian",
    "read_hyperedges",
    "read_names",
    "read_registry",
    "slot_count",
    "tag_hash",
    "write_chain",
    "write_co_activation",
    "write_entity_directory",
    "write_hebbian",
    "write_hyperedges",
    "write_names",
    "write_registry",
]

// Spreading activation for one query under one configuration, by all threads of a block.
//
// Energies are added with atomics, in doubles whatever REAL is: their last bits depend on the order
// in which threads arrive, and a score may round to the float32 beside (one in 10⁸) or a tie of the
// frontier that they decide may fall either way. Everything else is the same for any order: sums
// of rows, counts, selection.
#include "select.cuh"
#include "walk.cuh"

// Energy that is too small to be a normal number does not travel on: where a device flushed it to
// 0, "was 0 before" would hold twice.
__device__ inline bool is_normal(double value) { return value >= 2.2250738585072014e-308; }

// Where several threads may store the same number in one place.
__device__ inline void store(double* at, double value) {
    atomicExch((u64*)at, (u64)__double_as_longlong(value));
}

struct Queries {
    const i64 *time, *seed_ptr;
    const int* seed_ids;
    const float* seed_energy;
    const i64* exclude_ptr;
    const int* exclude_ids;
};

// How one configuration reads.
struct Reading {
    i64 hops;
    double spread_decay, hub_degree;
    bool source_row;
    i64 frontier;
};

// What one block works in. energy, arrived and score are all 0 between queries, and stay so for
// the next walk.
struct Workspace {
    double *energy, *arrived, *score;          // [N]
    double* sent;                              // [N]
    int *reached, *frontier, *next;            // [N] lists of nodes
    int* begin;                                // [N + 1]
    real* row;                                 // [capacity]
    int *owner, *long_rows;                    // [capacity], [capacity / LONG_ROW + 1]
    u64 *kept, *sorted;                        // [k]
    i64 capacity;
};

struct Shared {
    Selecting selecting;
    Adding adding;
    int pieces[MOST_THREADS];
    int reached, next;
    i64 task;
};

// Give the seeds their energy; a seed named twice has both.
__device__ inline void seed(const Queries& queries, i64 q, Workspace& own, Shared& shared) {
    i64 first = queries.seed_ptr[q];
    FOR_BLOCK(i, queries.seed_ptr[q + 1] - first) {
        double energy = queries.seed_energy[first + i];
        int node = queries.seed_ids[first + i];
        if (is_normal(energy) && atomicAdd(&own.energy[node], energy) == 0)
            own.frontier[atomicAdd(&shared.next, 1)] = node;
    }
    __syncthreads();
}

// Send the energy of one part of the frontier along its edges.
__device__ inline void send(const Adjacency& graph, const Part& part, Workspace& own,
                            Shared& shared) {
    i64 base = part.begin[part.first];
    FOR_BLOCK(i, part.slots()) {
        int f = part.owner[i];
        double gain = own.sent[f] * part.row[i];
        if (!is_normal(gain)) continue;  // a dead edge, or a product that underflows
        int target = graph.col[graph.row_ptr[part.nodes[f]] + base + i - part.begin[f]];
        if (atomicAdd(&own.arrived[target], gain) == 0)
            own.next[atomicAdd(&shared.next, 1)] = target;
    }
    __syncthreads();
}

// What has arrived becomes score, and energy of the next hop.
__device__ inline void settle(i64 count, Workspace& own, Shared& shared) {
    FOR_BLOCK(i, count) {
        int node = own.next[i];
        double arrived = own.arrived[node];
        if (own.score[node] == 0) own.reached[atomicAdd(&shared.reached, 1)] = node;
        own.score[node] += arrived;
        own.energy[node] = arrived;
        own.arrived[node] = 0;
    }
    __syncthreads();
}

// Keep the nodes of most energy (ties: higher id) in the frontier, from `next`; their number.
__device__ inline i64 limited(i64 count, i64 limit, Workspace& own, Shared& shared) {
    int* list = own.next;
    own.next = own.frontier;
    own.frontier = list;
    if (count <= limit) return count;
    const double* energy = own.energy;
    Cut cut = cut_for([=](i64 i) { return ordered(energy[list[i]]); }, count, limit,
                      shared.selecting);
    auto tied = [=](i64 i) {
        return cut.is_at(ordered(energy[list[i]])) ? (u64)list[i] + 1 : 0ull;
    };
    Cut by_id = {0, 0, -1};
    __syncthreads();
    if (cut.ties > 0) by_id = cut_for(tied, count, cut.ties, shared.selecting);
    if (threadIdx.x == 0) shared.next = 0;
    __syncthreads();
    FOR_BLOCK(i, count) {
        int node = list[i];
        u64 key = ordered(energy[node]), id = (u64)node + 1;
        bool stays = cut.is_above(key) ||
                     (cut.is_at(key) && (by_id.is_above(id) || by_id.is_at(id)));
        if (stays) own.next[atomicAdd(&shared.next, 1)] = node;
        else own.energy[node] = 0;
    }
    __syncthreads();
    own.frontier = own.next;
    own.next = list;
    return shared.next;
}

// One hop from the frontier to `next`; the number of pairs that this thread has counted.
template <typename Weights>
__device__ i64 hop(const Adjacency& graph, const Weights& weights, const Reading& reading,
                   i64 count, Workspace& own, Shared& shared) {
    i64 pairs = 0;
    number_slots(graph, own.frontier, count, own.begin, shared.pieces);
    for (i64 first = 0; first < count;) {
        i64 stop = end_of_part(own.begin, first, count, own.capacity);
        Part part = {own.frontier, own.begin, first, stop, own.row, own.owner};
        read_rows(graph, part, weights);
        with_totals(graph, part, own.long_rows, shared.adding, [&](i64 f, Totals totals) {
            int node = own.frontier[f];
            double sent = own.energy[node] * reading.spread_decay;
            own.energy[node] = 0;
            pairs += totals.degree;
            if (totals.degree > reading.hub_degree)
                sent *= sqrt(reading.hub_degree / totals.degree);
            if (reading.source_row && totals.sum > 0) sent /= totals.sum;
            own.sent[f] = sent;
        });
        send(graph, part, own, shared);
        first = stop;
    }
    return pairs;
}

// energy(v) = sum over hops and senders u: energy(u) w(u, v) spread_decay hub(u) / sum(u); the best
// k by (score as float32, id) into ids and scores.
template <typename Weights>
__device__ void spread_one(const Adjacency& graph, const Weights& weights, const Reading& reading,
                           const Queries& queries, i64 q, i64 k, Workspace& own, Shared& shared,
                           int* ids, float* scores, u64* edges) {
    if (threadIdx.x == 0) {
        shared.reached = shared.next = 0;
        *edges = 0;
    }
    __syncthreads();
    seed(queries, q, own, shared);
    i64 count = shared.next, pairs = 0;
    for (i64 step = 0; step < reading.hops && count > 0; step++) {
        __syncthreads();  // everyone has read shared.next
        if (threadIdx.x == 0) shared.next = 0;
        __syncthreads();
        pairs += hop(graph, weights, reading, count, own, shared);
        count = shared.next;
        settle(count, own, shared);
        count = limited(count, reading.frontier, own, shared);
    }
    FOR_BLOCK(i, count) own.energy[own.frontier[i]] = 0;
    if (pairs) atomicAdd(edges, (u64)pairs);
    i64 barred = queries.exclude_ptr[q];
    __syncthreads();
    FOR_BLOCK(i, queries.exclude_ptr[q + 1] - barred)
        store(&own.score[queries.exclude_ids[barred + i]], 0.0);
    __syncthreads();
    const double* score = own.score;
    const int* reached = own.reached;
    auto keys = [=](i64 i) {
        float value = (float)score[reached[i]];
        return value > 0.0f ? rank_key(value, reached[i]) : 0ull;
    };
    i64 found = best_of(keys, shared.reached, k, own.kept, own.sorted, shared.selecting);
    write_found(own.sorted, found, k, ids, scores);
    FOR_BLOCK(i, shared.reached) own.score[reached[i]] = 0;
    __syncthreads();
}

// The next task of a block that stays: whoever is done first takes it.
__device__ inline i64 next_task(u64* taken, Shared& shared) {
    __syncthreads();
    if (threadIdx.x == 0) shared.task = (i64)atomicAdd(taken, 1ull);
    __syncthreads();
    return shared.task;
}

#define QUERY_PARAMETERS                                                                          \
    const i64 *query_time, const i64 *seed_ptr, const int *seed_ids, const float *seed_energy,    \
        const i64 *exclude_ptr, const int *exclude_ids
#define QUERIES {query_time, seed_ptr, seed_ids, seed_energy, exclude_ptr, exclude_ids}

#define READ_PARAMETERS                                                                           \
    const i64 *hops, const double *spread_decay, const double *hub_degree,                        \
        const unsigned char *source_row, const i64 *frontier
#define READING(c) {hops[c], spread_decay[c], hub_degree[c], source_row[c] != 0, frontier[c]}

// [B, 3, N] zeros, [B, N], [B, 3, N], [B, N + 1], [B, capacity], [B, 2, capacity], [B, 2, k]
#define WORKSPACE_PARAMETERS                                                                      \
    double *levels, double *sent, int *lists, int *begin, real *row, int *slots, u64 *keys
__device__ inline Workspace workspace_of(double* levels, double* sent, int* lists, int* begin,
                                         real* row, int* slots, u64* keys, i64 nodes, i64 capacity,
                                         i64 k) {
    i64 b = blockIdx.x;
    double* level = levels + b * 3 * nodes;
    int *list = lists + b * 3 * nodes, *slot = slots + b * 2 * capacity;
    u64* key = keys + b * 2 * k;
    Workspace own = {level, level + nodes, level + 2 * nodes, sent + b * nodes,
                     list, list + nodes, list + 2 * nodes, begin + b * (nodes + 1),
                     row + b * capacity, slot, slot + capacity, key, key + k, capacity};
    return own;
}

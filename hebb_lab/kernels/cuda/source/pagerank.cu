// Personalised PageRank by forward push (Andersen, Chung, Lang 2006): a block takes a (query,
// configuration) at a time and pushes all residuals above the tolerance at once, until none is.
//
// p = restart · s + (1 − restart) · Wᵀ p. The rows of a query are worked out when a node is first
// pushed and kept in the block's workspace. Residuals are added with atomics: last bits depend on
// the order in which threads arrive.
#include "asof.cuh"
#include "spread.cuh"

struct Pushing {
    double restart, tolerance;
    double *rank, *residual;  // [N]
    double* total;            // [N] sums of rows, -1 for one without weight, 0 while not known
    real* share;                    // [slots] merged weights of the rows that are known
    double home_mass;                 // of seeds' energies
};

// Add to a residual; a node that crosses the tolerance joins `next`. Sums only grow between two
// pushes, so exactly one of the threads sees it cross.
__device__ inline void add_residual(const Pushing& push, int node, double mass, double tolerance,
                                    Workspace& own, Shared& shared) {
    if (!is_normal(mass)) return;
    double before = atomicAdd(&push.residual[node], mass);
    if (before <= tolerance && before + mass > tolerance)
        own.next[atomicAdd(&shared.next, 1)] = node;
}

// Share a mass out over the seeds.
__device__ inline void send_home(const Pushing& push, const Queries& queries, i64 q, double mass,
                                 double tolerance, Workspace& own, Shared& shared) {
    i64 first = queries.seed_ptr[q];
    FOR_BLOCK(i, queries.seed_ptr[q + 1] - first)
        add_residual(push, queries.seed_ids[first + i],
                     mass * (queries.seed_energy[first + i] / push.home_mass), tolerance,
                     own, shared);
    __syncthreads();
}

// Rows of frontier nodes that are not known yet; the pairs that this thread has counted.
template <typename Weights>
__device__ i64 learn_rows(const Adjacency& graph, const Weights& weights, const Pushing& push,
                          i64 count, Workspace& own, Shared& shared) {
    if (threadIdx.x == 0) shared.next = 0;
    __syncthreads();
    FOR_BLOCK(i, count)
        if (push.total[own.frontier[i]] == 0) {
            own.next[atomicAdd(&shared.next, 1)] = own.frontier[i];
            own.reached[atomicAdd(&shared.reached, 1)] = own.frontier[i];
        }
    __syncthreads();
    i64 unknown = shared.next, pairs = 0;
    number_slots(graph, own.next, unknown, own.begin, shared.pieces);
    for (i64 first = 0; first < unknown;) {
        i64 stop = end_of_part(own.begin, first, unknown, own.capacity);
        Part part = {own.next, own.begin, first, stop, own.row, own.owner};
        read_rows(graph, part, weights);
        with_totals(graph, part, own.long_rows, shared.adding, [&](i64 f, Totals totals) {
            push.total[own.next[f]] = totals.sum > 0 ? totals.sum : -1.0;
            pairs += totals.degree;
        });
        i64 base = own.begin[first];
        FOR_BLOCK(i, part.slots()) {
            i64 f = own.owner[i];
            push.share[graph.row_ptr[own.next[f]] + base + i - own.begin[f]] = own.row[i];
        }
        __syncthreads();
        first = stop;
    }
    return pairs;
}

// Move each frontier node's residual into its rank and what it sends; mass of nodes without edges.
__device__ inline double take_residuals(const Pushing& push, i64 count, Workspace& own,
                                      Shared& shared, double* stranded) {
    if (threadIdx.x == 0) *stranded = 0;
    __syncthreads();
    FOR_BLOCK(f, count) {
        int node = own.frontier[f];
        double mass = push.residual[node];
        push.residual[node] = 0;
        push.rank[node] += push.restart * mass;
        double sent = (1 - push.restart) * mass;
        own.sent[f] = push.total[node] > 0 ? sent / push.total[node] : 0.0;
        if (!(push.total[node] > 0)) atomicAdd(stranded, sent);
    }
    if (threadIdx.x == 0) shared.next = 0;
    __syncthreads();
    return *stranded;
}

// Push everything in the frontier once; `next` is what exceeds the tolerance then.
__device__ inline void push_all(const Adjacency& graph, const Pushing& push, i64 count,
                                Workspace& own, Shared& shared) {
    number_slots(graph, own.frontier, count, own.begin, shared.pieces);
    FOR_BLOCK(i, own.begin[count]) {
        i64 f = last_at_most(own.begin, 0, count, i);
        i64 slot = graph.row_ptr[own.frontier[f]] + i - own.begin[f];
        if (push.share[slot] > 0)
            add_residual(push, graph.col[slot], own.sent[f] * push.share[slot], push.tolerance,
                         own, shared);
    }
    __syncthreads();
}

// All residuals above the tolerance, until there is none; the pairs that this thread has counted.
template <typename Weights>
__device__ i64 push_out(const Adjacency& graph, const Weights& weights, const Pushing& push,
                        const Queries& queries, i64 q, Workspace& own, Shared& shared,
                        double* stranded) {
    i64 pairs = 0;
    send_home(push, queries, q, 1, 0, own, shared);
    for (i64 count = shared.next; count > 0; count = shared.next) {
        int* list = own.next;
        own.next = own.frontier;
        own.frontier = list;
        __syncthreads();  // everyone has read shared.next
        pairs += learn_rows(graph, weights, push, count, own, shared);
        double homeless = take_residuals(push, count, own, shared, stranded);
        push_all(graph, push, count, own, shared);
        if (homeless > 0) send_home(push, queries, q, homeless, push.tolerance, own, shared);
    }
    return pairs;
}

// Zero what this query has touched: nodes with a rank, and those that wait with a residual below
// the tolerance, which are neighbours of them or seeds.
__device__ inline void clean(const Adjacency& graph, const Pushing& push, const Queries& queries,
                             i64 q, Workspace& own, Shared& shared) {
    number_slots(graph, own.reached, shared.reached, own.begin, shared.pieces);
    FOR_BLOCK(i, own.begin[shared.reached]) {
        i64 f = last_at_most(own.begin, 0, shared.reached, i);
        store(&push.residual[graph.col[graph.row_ptr[own.reached[f]] + i - own.begin[f]]], 0.0);
    }
    FOR_BLOCK(i, shared.reached) {
        push.rank[own.reached[i]] = 0;
        push.total[own.reached[i]] = 0;
    }
    i64 first = queries.seed_ptr[q];
    FOR_BLOCK(i, queries.seed_ptr[q + 1] - first)
        store(&push.residual[queries.seed_ids[first + i]], 0.0);
    __syncthreads();
}

extern "C" __global__ void pagerank(
    const i64* row_ptr, const int* col, const i64* event_ptr, const i64* time,
    const float* strength, const short* edge_namespace, const int* edge_id, const real* weight,
    const int* reinforcements, const real* half_life_days, const double* table,
    const i64* trace_first, const i64* trace_stop, const double* mix, const double* read_weight,
    QUERY_PARAMETERS, WORKSPACE_PARAMETERS, real* share,  // [B, slots]
    u64* taken, int* ids, float* scores, u64* edges,
    double restart, double tolerance,
    i64 nodes, i64 all_slots, i64 spaces, i64 traces, i64 configs, i64 asked, i64 k,
    i64 capacity) {
    __shared__ Shared shared;
    __shared__ double stranded;
    Workspace own = workspace_of(levels, sent, lists, begin, row, slots, keys, nodes, capacity, k);
    Adjacency graph = {row_ptr, col};
    Queries queries = QUERIES;
    Pushing push = {restart, tolerance, own.score, own.arrived, own.energy,
                    share + blockIdx.x * all_slots, 0};
    for (i64 task = next_task(taken, shared); task < configs * asked;
         task = next_task(taken, shared)) {
        i64 q = task / configs, c = task % configs, place = c * asked + q, pairs = 0;
        AsOf weights = {event_ptr, time, strength, edge_namespace, edge_id, weight,
                        reinforcements, half_life_days, table, mix, read_weight + c * spaces,
                        spaces, traces, trace_first[c], trace_stop[c], query_time[q]};
        double home = 0;  // in order, by every thread for itself
        for (i64 i = seed_ptr[q]; i < seed_ptr[q + 1]; i++) home += seed_energy[i];
        push.home_mass = home;
        if (threadIdx.x == 0) {
            shared.reached = shared.next = 0;
            edges[place] = 0;
        }
        __syncthreads();
        if (is_normal(push.home_mass))
            pairs = push_out(graph, weights, push, queries, q, own, shared, &stranded);
        if (pairs) atomicAdd(edges + place, (u64)pairs);
        __syncthreads();
        const double* rank = push.rank;
        const int* reached = own.reached;
        i64 barred = exclude_ptr[q], barred_count = exclude_ptr[q + 1] - barred;
        FOR_BLOCK(i, barred_count) store(&push.rank[exclude_ids[barred + i]], -1.0);
        __syncthreads();
        auto found_keys = [=](i64 i) {
            float value = (float)rank[reached[i]];
            return value > 0.0f ? rank_key(value, reached[i]) : 0ull;
        };
        i64 found = best_of(found_keys, shared.reached, k, own.kept, own.sorted, shared.selecting);
        write_found(own.sorted, found, k, ids + place * k, scores + place * k);
        FOR_BLOCK(i, barred_count) store(&push.rank[exclude_ids[barred + i]], 0.0);
        clean(graph, push, queries, q, own, shared);
    }
}

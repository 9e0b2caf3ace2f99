// Spreading activation: a block takes a (query, configuration) at a time and works in its own part
// of global memory, which the next task uses again.
#include "asof.cuh"
#include "spread.cuh"

// Through the graph as it was strictly before each query's time.
extern "C" __global__ void spread(
    const i64* row_ptr, const int* col, const i64* event_ptr, const i64* time,
    const float* strength, const short* edge_namespace, const int* edge_id, const real* weight,
    const int* reinforcements, const real* half_life_days, const double* table,
    const i64* trace_first, const i64* trace_stop, const double* mix, const double* read_weight,
    READ_PARAMETERS, QUERY_PARAMETERS, WORKSPACE_PARAMETERS, u64* taken,
    int* ids, float* scores, u64* edges,  // [C, Q, k], [C, Q, k], [C, Q]
    i64 nodes, i64 spaces, i64 traces, i64 configs, i64 asked, i64 k, i64 capacity) {
    __shared__ Shared shared;
    Workspace own = workspace_of(levels, sent, lists, begin, row, slots, keys, nodes, capacity, k);
    Adjacency graph = {row_ptr, col};
    Queries queries = QUERIES;
    for (i64 task = next_task(taken, shared); task < configs * asked;
         task = next_task(taken, shared)) {
        // Configurations of one query run side by side: they read the same events.
        i64 q = task / configs, c = task % configs, place = c * asked + q;
        Reading reading = READING(c);
        AsOf weights = {event_ptr, time, strength, edge_namespace, edge_id, weight,
                        reinforcements, half_life_days, table, mix, read_weight + c * spaces,
                        spaces, traces, trace_first[c], trace_stop[c], query_time[q]};
        spread_one(graph, weights, reading, queries, q, k, own, shared, ids + place * k,
                   scores + place * k, edges + place);
    }
}

// Through weights that stand still.
extern "C" __global__ void spread_rows(
    const i64* row_ptr, const int* col, const real* weight,  // [slots, C]
    READ_PARAMETERS, QUERY_PARAMETERS, WORKSPACE_PARAMETERS, u64* taken,
    int* ids, float* scores, u64* edges,
    i64 nodes, i64 configs, i64 asked, i64 k, i64 capacity) {
    __shared__ Shared shared;
    Workspace own = workspace_of(levels, sent, lists, begin, row, slots, keys, nodes, capacity, k);
    Adjacency graph = {row_ptr, col};
    Queries queries = QUERIES;
    for (i64 task = next_task(taken, shared); task < configs * asked;
         task = next_task(taken, shared)) {
        i64 q = task / configs, c = task % configs, place = c * asked + q;
        Reading reading = READING(c);
        Standing weights = {weight, configs, c};
        spread_one(graph, weights, reading, queries, q, k, own, shared, ids + place * k,
                   scores + place * k, edges + place);
    }
}

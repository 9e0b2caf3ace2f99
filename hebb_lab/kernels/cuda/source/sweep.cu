// The decay sweep: all edges as of strictly before T times, without a state per event.
//
// As in replay, a thread walks one edge under one trace; bit-identical for any grid.
#include "events.cuh"

extern "C" __global__ void weights_at(
    const i64* event_ptr, const i64* time, const float* strength, const int* size,
    const float* npmi, const short* edge_namespace, const int* order, const double* table,
    const i64* when,  // [T] ascending
    real* weight, unsigned char* alive,  // [T, E, K]
    i64 edges, i64 spaces, i64 traces, i64 times) {
    FOR_EACH(i, edges * traces) {
        i64 edge = order[i / traces], k = i % traces;
        Rule rule = rule_of(table, spaces, traces, edge_namespace[edge], k);
        Trace trace = unborn(rule);
        i64 m = event_ptr[edge], last = event_ptr[edge + 1];
        for (i64 t = 0; t < times; t++) {
            double found;
            for (; m < last && time[m] < when[t]; m++)
                apply(rule, event_at(time, strength, size, npmi, m), trace, &found);
            bool pruned = true;
            double seen = 0.0;
            if (trace.alive)
                seen = weight_as_of(rule, trace.weight, trace.count, trace.half_life,
                                    trace.state_us, trace.active_us, when[t], &pruned);
            i64 at = (t * edges + edge) * traces + k;
            weight[at] = pruned ? (real)0 : (real)seen;
            alive[at] = !pruned;
        }
    }
}

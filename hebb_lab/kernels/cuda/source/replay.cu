// Replay: every edge's weight before and after each of its events, for all K traces.
//
// Sequential in an edge's events, parallel over edges × traces (fitting.md, findings 1-3). Traces
// are the fastest axis, so that a warp writes [M, K] in whole lines. Edges do not interact and
// nothing is added up across threads: the result is bit-identical for any grid.
#include "events.cuh"

extern "C" __global__ void replay(
    const i64* event_ptr, const i64* time, const float* strength, const int* size,
    const float* npmi, const short* edge_namespace,
    const int* order,     // [E] edges, most events first: a warp's edges end together
    const double* table,  // [18, S, K]
    real* weight, int* reinforcements,  // [M, K]
    real* half_life_days, real* before,  // [M, K], or null
    i64 edges, i64 spaces, i64 traces) {
    FOR_EACH(i, edges * traces) {
        i64 edge = order[i / traces], k = i % traces;
        Rule rule = rule_of(table, spaces, traces, edge_namespace[edge], k);
        Trace trace = unborn(rule);
        i64 last = event_ptr[edge + 1];
        Event ahead = {0, 0.0, 0, 0.0};
        if (event_ptr[edge] < last) ahead = event_at(time, strength, size, npmi, event_ptr[edge]);
        for (i64 m = event_ptr[edge]; m < last; m++) {
            Event event = ahead;  // the next one is on its way while this one is applied
            if (m + 1 < last) ahead = event_at(time, strength, size, npmi, m + 1);
            double found;
            Outcome outcome = apply(rule, event, trace, &found);
            bool applied = outcome == TAUGHT || outcome == WEAKENED, alive = applied && trace.alive;
            i64 at = m * traces + k;
            weight[at] = alive ? (real)trace.weight : (real)0;
            reinforcements[at] = outcome == KEPT_OUT ? SKIPPED : alive ? (int)trace.count : 0;
            if (half_life_days) {
                bool stored = applied && rule.mode == LEARNED_OBSERVED;
                half_life_days[at] = stored ? (real)trace.half_life : (real)0;
            }
            if (before) before[at] = (real)found;
        }
    }
}

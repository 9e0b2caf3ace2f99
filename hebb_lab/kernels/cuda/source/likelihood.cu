// The log likelihood of a point process with rate mu + beta w(t), by a replay that stores no state
// (fitting.md, finding 8 and §3.1). In doubles whatever REAL is; bit-identical for any grid.
#include "events.cuh"

// The integral of w over `days` after an event: decay to where it ends, and what remains then.
__device__ inline double area_after(const Rule& rule, const Trace& trace, double days) {
    double weight = trace.weight, half_life = rule.default_days, end, remains;
    if (!trace.alive) return 0.0;
    if (trace.count >= rule.potentiation_count && rule.floor_holds) {
        end = rule.floor_lifts ? rule.floor : min(rule.floor, weight);
        remains = end;
    } else {
        end = rule.prune_below;
        remains = 0.0;
        if (weight < end) return 0.0;
    }
    if (weight <= end && remains == end) return end * days;
    if (rule.mode == NONE) return weight * days;
    if (end > 0.0) {
        double falls = half_life * log2(weight / end);  // days until the end
        if (days > falls) return half_life / LN2 * (weight - end) + remains * (days - falls);
    }
    return -half_life / LN2 * weight * expm1(-LN2 * days / half_life);
}

extern "C" __global__ void log_likelihood(
    const i64* event_ptr, const i64* time, const float* strength, const int* size,
    const float* npmi, const short* edge_namespace, const int* order, const double* table,
    const double* base_rate, const double* gain,  // [K] per day
    double* out,                                  // [E, K]
    i64 edges, i64 spaces, i64 traces, i64 until_us) {
    FOR_EACH(i, edges * traces) {
        i64 edge = order[i / traces], k = i % traces;
        Rule rule = rule_of(table, spaces, traces, edge_namespace[edge], k);
        Trace trace = unborn(rule);
        double logs = 0.0, area = 0.0, found;
        i64 first_us = 0, last_us = 0;
        bool taught = false;
        for (i64 m = event_ptr[edge]; m < event_ptr[edge + 1] && time[m] < until_us; m++) {
            Event event = event_at(time, strength, size, npmi, m);
            if (event.size > rule.window_max) continue;
            Trace gap = trace;  // as the last event left it
            Outcome outcome = apply(rule, event, trace, &found);
            area += area_after(rule, gap, (event.time - last_us) / DAY_US);
            if (outcome == TAUGHT) {
                if (taught) logs += log(base_rate[k] + gain[k] * found);
                else first_us = event.time;
                taught = true;
            }
            last_us = event.time;
        }
        if (taught) area += area_after(rule, trace, (until_us - last_us) / DAY_US);
        double days = (until_us - first_us) / DAY_US;
        out[edge * traces + k] = taught ? logs - base_rate[k] * days - gain[k] * area : 0.0;
    }
}

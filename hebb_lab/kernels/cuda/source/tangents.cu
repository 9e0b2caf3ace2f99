// Replay of one trace whose half-life is its own after each event, and derivatives with respect to
// P parameters (fitting.md §3.2). In doubles whatever REAL is; bit-identical for any grid.
//
// What an event makes of a derivative is a share of the one before and a share of the features of
// the half-life in force. Both hang on weights alone: which bound held is seen by where they stand.
#include "events.cuh"

struct Shares {
    double slope, feature;
};

// Of the weight that an event found, `times` half-lives after `old`; 0 on a dead edge.
__device__ inline Shares shares_of_found(const Rule& rule, const Trace& old, double times,
                                         double found) {
    Shares none = {0.0, 0.0}, whole = {1.0, 0.0};
    bool holds = old.count >= rule.potentiation_count && rule.floor_holds;
    if (holds && old.weight < rule.floor && !rule.floor_lifts) return whole;  // the weight stands
    if (holds && found <= rule.floor) return none;
    if (!(found > 0.0)) return none;
    Shares faded = {two_to_minus(times), found * LN2 * times};
    return faded;
}

// Of the weight after an event: none on a newborn edge and where the cap or 0 binds.
__device__ inline Shares shares_after(const Rule& rule, const Event& event, const Trace& trace,
                                      bool lived, const Shares& found) {
    Shares none = {0.0, 0.0}, whole = {1.0, 0.0};
    if (!lived || !(trace.weight > 0.0) || trace.weight >= rule.cap) return none;
    return rule.decay_before || event.strength < 0.0 ? found : whole;
}

extern "C" __global__ void replay_tangents(
    const i64* event_ptr, const i64* time, const float* strength, const int* size,
    const float* npmi, const short* edge_namespace, const int* order, const double* table,
    const double* half_life_days,                         // [M], in force after each event
    const double* features,                               // [M, P]
    double* weight, int* reinforcements, double* before,  // [M]
    double* weight_tangent, double* before_tangent,       // [M, P], zeros
    i64 edges, i64 spaces, i64 width) {
    FOR_EACH(i, edges) {
        i64 edge = order[i], last = event_ptr[edge];  // the event whose half-life is in force
        Rule rule = rule_of(table, spaces, 1, edge_namespace[edge], 0);
        Trace trace = unborn(rule);
        for (i64 m = event_ptr[edge]; m < event_ptr[edge + 1]; m++) {
            Event event = event_at(time, strength, size, npmi, m);
            Trace old = trace;
            double found;
            rule.default_days = half_life_days[last];
            Outcome outcome = apply(rule, event, trace, &found);
            bool applied = outcome == TAUGHT || outcome == WEAKENED, alive = applied && trace.alive;
            weight[m] = alive ? trace.weight : 0.0;
            reinforcements[m] = outcome == KEPT_OUT ? SKIPPED : alive ? (int)trace.count : 0;
            before[m] = found;
            if (outcome == KEPT_OUT) continue;
            if (old.alive) {
                double times = (event.time - old.state_us) / DAY_US / half_life_days[last];
                bool lived = outcome == TAUGHT ? trace.count > 1 : alive;  // a newborn has one
                Shares of_found = shares_of_found(rule, old, times, found);
                Shares after = shares_after(rule, event, trace, lived, of_found);
                for (i64 p = 0; p < width; p++) {
                    double slope = weight_tangent[last * width + p];
                    double feature = features[last * width + p];
                    i64 at = m * width + p;
                    before_tangent[at] = of_found.slope * slope + of_found.feature * feature;
                    weight_tangent[at] = after.slope * slope + after.feature * feature;
                }
            }
            last = m;
        }
    }
}

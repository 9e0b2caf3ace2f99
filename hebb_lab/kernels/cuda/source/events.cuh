// One edge under one trace, event by event. Registers are doubles whatever REAL is: a recurrence
// with thresholds must not flip one because its weight was rounded on the way.
#include "decay.cuh"

struct Trace {
    bool alive;
    double weight;
    i64 count;  // reinforcements since birth
    double half_life;
    i64 born_us, active_us, state_us;
};

struct Event {
    i64 time;
    double strength;
    i64 size;
    double npmi;
};

enum Outcome { KEPT_OUT, REFUSED, TAUGHT, WEAKENED };

__device__ inline Event event_at(const i64* time, const float* strength, const int* size,
                                 const float* npmi, i64 m) {
    Event event = {time[m], (double)strength[m], size[m], (double)npmi[m]};
    return event;
}

__device__ inline Trace unborn(const Rule& rule) {
    Trace trace = {false, 0.0, 0, rule.default_days, 0, 0, 0};
    return trace;
}

// Decay over the gap; `found` is the weight that the event meets, 0 on a dead edge.
__device__ inline void meet(const Rule& rule, const Event& event, Trace& trace, double* found) {
    bool pruned;
    double decayed = weight_as_of(rule, trace.weight, trace.count, trace.half_life, trace.state_us,
                                  trace.active_us, event.time, &pruned);
    trace.alive = !pruned;
    *found = pruned ? 0.0 : decayed;
    if (rule.decay_before || rule.compounding || event.strength < 0.0) trace.weight = decayed;
    if (trace.alive && rule.decay_before && rule.compounding && event.strength >= 0.0) {
        double age =
            half_lives(rule, trace.count, trace.half_life, event.time - trace.active_us);
        trace.weight = faded(rule, trace.weight, trace.count, age, &pruned);  // one more pass
        trace.alive = !pruned;
    }
}

__device__ inline double gain_of(const Rule& rule, const Event& event) {
    double gain = rule.rate * min(event.strength, rule.strength_max);
    return rule.inverse_size ? gain / (event.size - 1) : gain;
}

// Decay over the gap, floor, prune (which resets the count), add or weaken, cap (rules.md §1).
__device__ inline Outcome apply(const Rule& rule, const Event& event, Trace& trace,
                                double* found) {
    *found = 0.0;
    if (event.size > rule.window_max) return KEPT_OUT;
    if (trace.alive) meet(rule, event, trace, found);
    if (!trace.alive) {
        if (event.strength < 0.0 || event.npmi < rule.npmi_min) return REFUSED;
        trace.alive = true;
        trace.weight = 0.0;
        trace.count = 0;
        trace.born_us = event.time;
    }
    trace.state_us = event.time;
    if (event.strength < 0.0) {
        trace.weight = max(0.0, trace.weight - min(-event.strength, 1.0));
        bool weak = rule.prune_below > 0.0 && trace.weight <= rule.prune_below;
        trace.alive = !weak || trace.count >= rule.potentiation_count;
        return WEAKENED;
    }
    trace.weight = min(rule.cap, trace.weight + gain_of(rule, event));
    trace.count++;
    trace.active_us = event.time;
    if (rule.mode == LEARNED_OBSERVED) {
        bool young = event.time - trace.born_us < (i64)DAY_US;
        double days = young ? rule.default_days : learned_days(rule, trace.count);
        trace.half_life = clamped(rule, days);
    }
    return TAUGHT;
}

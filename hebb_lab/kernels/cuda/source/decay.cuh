// How a weight fades: the innermost step of replay and of every walk (rules.md §1).
#include "types.cuh"

// Half-life modes, as hebb_lab.kernels.parameters numbers them.
#define FIXED 0
#define LEARNED 1
#define LEARNED_OBSERVED 2
#define NONE 3

// The rules of one trace in one namespace.
struct Rule {
    double rate, strength_max, cap;
    i64 window_max;
    bool inverse_size;
    double npmi_min;
    bool decay_before;
    int mode;
    double default_days, low_days, high_days;
    bool compounding;
    i64 interval_us, potentiation_count;
    double floor;
    bool floor_holds, floor_lifts;
    double prune_below;
};

// table [18, S, K]: threads of neighbouring traces read neighbouring numbers.
__device__ inline Rule rule_of(const double* table, i64 spaces, i64 traces, i64 space, i64 k) {
    const double* at = table + space * traces + k;
    const i64 step = spaces * traces;
    Rule rule;
    rule.rate = at[0 * step];
    rule.strength_max = at[1 * step];
    rule.cap = at[2 * step];
    rule.window_max = (i64)at[3 * step];
    rule.inverse_size = at[4 * step] != 0.0;
    rule.npmi_min = at[5 * step];
    rule.decay_before = at[6 * step] != 0.0;
    rule.mode = (int)at[7 * step];
    rule.default_days = at[8 * step];
    rule.low_days = at[9 * step];
    rule.high_days = at[10 * step];
    rule.compounding = at[11 * step] != 0.0;
    rule.interval_us = (i64)at[12 * step];
    rule.potentiation_count = (i64)at[13 * step];
    rule.floor = at[14 * step];
    rule.floor_holds = at[15 * step] != 0.0;
    rule.floor_lifts = at[16 * step] != 0.0;
    rule.prune_below = at[17 * step];
    return rule;
}

__device__ inline double two_to_minus(double age) { return exp2(-age); }
__device__ inline float two_to_minus(float age) { return exp2f(-age); }

__device__ inline double clamped(const Rule& rule, double days) {
    return min(max(days, rule.low_days), rule.high_days);
}

// lo + (hi - lo) r / (1 + r), r = ln(1 + count/10)
__device__ inline double learned_days(const Rule& rule, i64 count) {
    double ratio = log(1.0 + count / 10.0);
    return rule.low_days + (rule.high_days - rule.low_days) * ratio / (1.0 + ratio);
}

// Age in half-lives; a learned half-life is read at that age: confidence = 2^(-age/default),
// half-life = (1 - confidence) default + confidence learned.
__device__ inline double half_lives(const Rule& rule, i64 count, double half_life, i64 age_us) {
    if (rule.mode == NONE) return 0.0;
    double age = age_us / DAY_US;
    if (rule.mode == LEARNED_OBSERVED) return age / half_life;
    if (rule.mode == FIXED) return age / rule.default_days;
    double confidence = two_to_minus(age / rule.default_days);
    double mixed = (1.0 - confidence) * rule.default_days + confidence * learned_days(rule, count);
    return age / clamped(rule, mixed);
}

// Half-lives that compounding passes apply: each the whole age again (neuralmind.md §1.4).
__device__ inline double of_passes(const Rule& rule, i64 count, double half_life, i64 first_us,
                                   i64 passes, i64 active_us) {
    if (rule.mode == NONE) return 0.0;
    if (rule.mode == LEARNED) {
        double total = 0.0;
        for (i64 i = 0; i < passes; i++) {
            i64 age_us = first_us + i * rule.interval_us - active_us;
            total += half_lives(rule, count, half_life, age_us);
        }
        return total;
    }
    double days = passes * ((first_us - active_us) / DAY_US);
    days += rule.interval_us / DAY_US * (passes * (passes - 1.0) / 2.0);
    return days / (rule.mode == LEARNED_OBSERVED ? half_life : rule.default_days);
}

// weight · 2^(-age), not below the floor of a potentiated edge; whether that prunes the edge.
template <typename Number>
__device__ inline Number faded(const Rule& rule, Number weight, i64 count, double age,
                               bool* pruned) {
    Number decayed = weight * two_to_minus((Number)age);
    if (count >= rule.potentiation_count && rule.floor_holds) {
        Number floor = (Number)rule.floor;
        if (!rule.floor_lifts) floor = min(floor, weight);
        *pruned = false;
        return max(decayed, floor);
    }
    // Both sides in the same precision: 0.02 halved is not below 0.01 in float32 either.
    *pruned = decayed < (Number)rule.prune_below;
    return decayed;
}

// The weight at now_us, of a state at state_us after a last reinforcement at active_us, which a
// penalty does not move; whether the edge is pruned by then.
template <typename Number>
__device__ inline Number weight_as_of(const Rule& rule, Number weight, i64 count, double half_life,
                                      i64 state_us, i64 active_us, i64 now_us, bool* pruned) {
    double age;
    if (rule.compounding) {
        i64 before = floor_division(state_us, rule.interval_us);
        i64 passes = floor_division(now_us, rule.interval_us) - before;
        *pruned = false;
        if (passes <= 0) return weight;
        i64 first_us = (before + 1) * rule.interval_us;
        age = of_passes(rule, count, half_life, first_us, passes, active_us);
    } else {
        age = half_lives(rule, count, half_life, now_us - active_us);
        if (state_us > active_us) age -= half_lives(rule, count, half_life, state_us - active_us);
    }
    return faded(rule, weight, count, age, pruned);
}

// Merged weights of a node's edges as of strictly before a time, slot by slot.
#include "decay.cuh"

// The tensors of a TemporalGraph and its state after each event, as one configuration reads them.
struct AsOf {
    const i64 *event_ptr, *time;
    const float* strength;
    const short* edge_namespace;
    const int* edge_id;
    const real* weight;          // [M, K]
    const int* reinforcements;   // [M, K]
    const real* half_life_days;  // [M, K], or null
    const double* table;         // [18, S, K]
    const double* mix;           // [K]
    const double* read_weight;   // [S]
    i64 spaces, traces, first_trace, stop_trace;
    i64 now_us;

    // The weight of the edge in a slot, or -1 where it is not alive. Averaged over the
    // configuration's traces, times its namespace's read weight.
    __device__ real operator()(i64 slot) const {
        i64 edge = edge_id[slot], space = edge_namespace[edge];
        double read = read_weight[space];
        if (!(read > 0.0)) return -1;
        i64 first = event_ptr[edge];
        i64 last = first_at_least(time, first, event_ptr[edge + 1], now_us) - 1;
        if (last < first) return -1;
        real merged = -1;
        for (i64 k = first_trace; k < stop_trace; k++) {
            bool pruned;
            real own = of_trace(k, space, first, last, &pruned);
            if (!pruned) merged = max(merged, (real)0) + (real)(mix[k] * read) * own;
        }
        return merged;
    }

    __device__ real of_trace(i64 k, i64 space, i64 first, i64 m, bool* pruned) const {
        *pruned = true;
        while (m >= first && reinforcements[m * traces + k] == SKIPPED) m--;
        if (m < first || reinforcements[m * traces + k] == 0) return 0;
        i64 active = m;  // the last reinforcement, which a penalty does not move
        while (active > first &&
               (strength[active] < 0.0f || reinforcements[active * traces + k] == SKIPPED))
            active--;
        i64 at = m * traces + k;
        Rule rule = rule_of(table, spaces, traces, space, k);
        double half_life = half_life_days ? (double)half_life_days[at] : 0.0;
        return weight_as_of(rule, weight[at], reinforcements[at], half_life, time[m], time[active],
                            now_us, pruned);
    }
};

// A graph whose weights stand still: [slots, C]; 0 or less is no edge.
struct Standing {
    const real* weight;
    i64 configs, config;

    __device__ real operator()(i64 slot) const {
        real own = weight[slot * configs + config];
        return own > 0 ? own : (real)-1;
    }
};

// What is left of memories: a thread a memory, for all configurations. Bit-identical for any grid.
#include "types.cuh"

extern "C" __global__ void decay_scores(
    const float* importance, const i64* created, const i64* accessed, const i64* count,  // [N]
    const double* half_life, const double* gain, const i64* cap,                         // [C]
    const unsigned char* from_created,                                                   // [C]
    float* score,                                                                        // [C, N]
    i64 memories, i64 configs, i64 now) {
    FOR_EACH(n, memories) {
        double weight = max((double)importance[n], 0.0);
        for (i64 c = 0; c < configs; c++) {
            i64 anchor = from_created[c] ? created[n] : accessed[n];
            double age = now > anchor ? (double)(now - anchor) : 0.0;
            double left = exp2(-age / (half_life[c] * (1.0 + gain[c] * weight)));
            double lift = 0.0;
            if (cap[c] > 0)
                lift = log2(1.0 + (double)min(count[n], cap[c])) / log2(1.0 + (double)cap[c]);
            score[c * memories + n] = (float)(weight * left * (1.0 + lift));
        }
    }
}

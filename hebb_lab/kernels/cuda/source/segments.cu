// Kernels over segments. Bit-identical for any grid.
#include "select.cuh"

// Positions of the best k of each segment by (value, id), both descending: a block a (segment,
// configuration).
extern "C" __global__ void segment_top_k(
    const double* values,  // [C, L]
    const int* ids, const i64* pointer,
    i64* places,  // [C, S, k], -1 past the end
    i64* kept,    // [B, k]
    i64 configs, i64 segments, i64 length, i64 k) {
    __shared__ Selecting shared;
    i64* own = kept + blockIdx.x * k;
    for (i64 task = blockIdx.x; task < configs * segments; task += gridDim.x) {
        i64 c = task / segments, s = task % segments, first = pointer[s];
        const double* value = values + c * length + first;
        const int* id = ids + first;
        i64 count = pointer[s + 1] - first;
        auto keys = [=](i64 i) { return ordered(value[i]); };
        Cut cut = cut_for(keys, count, k, shared), by_id = {0, 0, -1};
        auto tied = [=](i64 i) { return cut.is_at(keys(i)) ? (u64)(u32)id[i] + 1 : 0ull; };
        __syncthreads();
        if (cut.ties > 0) by_id = cut_for(tied, count, cut.ties, shared);
        if (threadIdx.x == 0) shared.kept = 0;
        __syncthreads();
        FOR_BLOCK(i, count) {
            u64 key = keys(i), tie = (u64)(u32)id[i] + 1;
            if (cut.is_above(key) || (cut.is_at(key) && (by_id.is_above(tie) || by_id.is_at(tie))))
                own[atomicAdd((u64*)&shared.kept, 1ull)] = i;
        }
        __syncthreads();
        i64 found = shared.kept;
        i64* out = places + task * k;
        FOR_BLOCK(i, found) {
            i64 mine = own[i], place = 0;
            for (i64 j = 0; j < found; j++) {
                i64 other = own[j];
                place += value[other] > value[mine] ||
                         (value[other] == value[mine] && id[other] > id[mine]);
            }
            out[place] = first + mine;
        }
        FOR_BLOCK(i, k) if (i >= found) out[i] = -1;
        __syncthreads();
    }
}

// Batched recall: candidates are settled with exact products, and ranked under the tie rule.
#include "select.cuh"

// Inner products of float32 vectors, summed in float64: a block a candidate. The order of the sum
// depends on the block's width alone. An id of -1 has none.
extern "C" __global__ void inner_products(
    const float* vectors, const float* asked,  // [N, d], [Q, d]
    const int* candidates,                     // [rows, width], row r of query r % queries
    double* products,                          // [rows, width]
    i64 rows, i64 width, i64 queries, i64 size) {
    __shared__ double sums[MOST_THREADS];
    for (i64 at = blockIdx.x; at < rows * width; at += gridDim.x) {
        int node = candidates[at];
        const float* query = asked + at / width % queries * size;
        double sum = 0.0;
        if (node >= 0) FOR_BLOCK(i, size) sum += (double)vectors[node * size + i] * query[i];
        sums[threadIdx.x] = sum;
        __syncthreads();
        int threads = blockDim.x;
        while (threads > 1) {
            int half = (threads + 1) / 2;
            if ((int)threadIdx.x < threads - half) sums[threadIdx.x] += sums[threadIdx.x + half];
            __syncthreads();
            threads = half;
        }
        if (threadIdx.x == 0) products[at] = sums[0];
        __syncthreads();
    }
}

// The best k of each query and configuration among its candidates by similarity and all nodes with
// an energy, by similarity + boost · energy.
extern "C" __global__ void rank_candidates(
    const int* near, const double* near_product,      // [Q, T], -1 past the end
    const int* lit, const double* lit_product,        // [C, Q, D] nodes with an energy
    const float* energy, const double* boost,         // [C, Q, D], [C]
    const i64* exclude_ptr, const int* exclude_ids,
    int* ids, float* scores,  // [C, Q, k]
    u64* keys,                // [B, T + D + 2 k]
    i64 configs, i64 queries, i64 near_count, i64 lit_count, i64 k) {
    __shared__ Selecting shared;
    const i64 count = lit_count + near_count;
    u64 *key = keys + blockIdx.x * (count + 2 * k), *kept = key + count;
    for (i64 task = blockIdx.x; task < configs * queries; task += gridDim.x) {
        i64 c = task / queries, q = task % queries;
        const int *own_near = near + q * near_count, *own_lit = lit + task * lit_count;
        const double *product = near_product + q * near_count,
                     *own_product = lit_product + task * lit_count;
        const float* own_energy = energy + task * lit_count;
        double gain = boost[c];
        i64 first = exclude_ptr[q], barred = exclude_ptr[q + 1];
        auto has = [](const int* list, i64 from, i64 to, int node) {
            for (i64 i = from; i < to; i++)
                if (list[i] == node) return true;
            return false;
        };
        FOR_BLOCK(i, count) {
            bool is_lit = i < lit_count;
            int node = is_lit ? own_lit[i] : own_near[i - lit_count];
            key[i] = 0;
            if (node < 0 || has(exclude_ids, first, barred, node)) continue;
            if (!is_lit && has(own_lit, 0, lit_count, node)) continue;  // it competes with energy
            double score = is_lit ? own_product[i] + gain * own_energy[i] : product[i - lit_count];
            key[i] = rank_key((float)score, node);
        }
        __syncthreads();
        i64 found = best_of([=](i64 i) { return key[i]; }, count, k, kept, kept + k, shared);
        write_found(kept + k, found, k, ids + task * k, scores + task * k);
        __syncthreads();
    }
}

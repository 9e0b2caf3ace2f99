// Kernels over lists, a thread an entry. All are bit-identical for any grid.
#include "types.cuh"

// The pairs numbered [first, first + count) of all lists, as keys a · 2³² + b with a < b.
extern "C" __global__ void list_pairs(
    const int* ids, const i64* pointer,
    const i64* pair_ptr,  // [S + 1] pairs before each list
    i64* pairs,           // [count]
    i64 lists, i64 first, i64 count) {
    FOR_EACH(p, count) {
        i64 list = last_at_most(pair_ptr, 0, lists, first + p);
        i64 number = first + p - pair_ptr[list];
        // Row i of the triangle below the diagonal starts at i (i - 1) / 2. The square root is a
        // guess that rounding may put off by one.
        i64 i = (i64)((1.0 + sqrt(1.0 + 8.0 * (double)number)) / 2.0);
        while (i * (i - 1) / 2 > number) i--;
        while ((i + 1) * i / 2 <= number) i++;
        int one = ids[pointer[list] + i], other = ids[pointer[list] + number - i * (i - 1) / 2];
        pairs[p] = (i64)min(one, other) << 32 | (i64)max(one, other);
    }
}

// For each entry of the list `left` of each pair of lists: its place in ids, and whether the list
// `right` has it too.
extern "C" __global__ void common_entries(
    const int* ids, const i64* pointer, const i64* left, const i64* right,  // [P]
    const i64* entry_ptr,  // [P + 1] entries before each pair
    i64* place, unsigned char* is_common,  // [entries]
    i64 pairs, i64 entries) {
    FOR_EACH(e, entries) {
        i64 p = last_at_most(entry_ptr, 0, pairs, e);
        i64 at = pointer[left[p]] + e - entry_ptr[p], last = pointer[right[p] + 1];
        i64 other = first_at_least(ids, pointer[right[p]], last, ids[at]);
        place[e] = at;
        is_common[e] = other < last && ids[other] == ids[at];
    }
}

// The nodes 1, 2, … steps after each start, -1 past a chain's end.
extern "C" __global__ void follow(
    const int* after, const int* start, int* out,  // [N], [S], [S, steps]
    i64 starts, i64 steps) {
    FOR_EACH(s, starts) {
        int node = start[s];
        for (i64 step = 0; step < steps; step++) {
            if (node >= 0) node = after[node];
            out[s * steps + step] = node;
        }
    }
}

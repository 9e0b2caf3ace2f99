// The best k of many under the one tie rule, by all threads of a block.
//
// A radix selection on 64-bit keys, 8 bits a pass: cost follows the number of items, whatever k is,
// and the result does not depend on their order. What is kept is ordered by counting, for each, how
// many are greater: k² / threads comparisons.
#include "types.cuh"

__device__ inline u32 bits_of(float value) { return __float_as_uint(value); }
__device__ inline u64 bits_of(double value) { return (u64)__double_as_longlong(value); }

// Bits that order as the numbers do, negative ones too; -0 is 0. Never 0 for a number.
__device__ inline u32 ordered(float value) {
    u32 bits = bits_of(value + 0.0f);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
__device__ inline u64 ordered(double value) {
    u64 bits = bits_of(value + 0.0);
    return bits >> 63 ? ~bits : bits | 0x8000000000000000ull;
}
__device__ inline float from_ordered(u32 bits) {
    return __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

// (score as float32, id): both descending is the key descending. 0 means nothing.
__device__ inline u64 rank_key(float score, int id) {
    return (u64)ordered(score) << 32 | (u32)id;
}
__device__ inline int id_of(u64 key) { return (int)(u32)key; }
__device__ inline float score_of(u64 key) { return from_ordered((u32)(key >> 32)); }

// What the threads of a block share while they select.
struct Selecting {
    u32 histogram[256], group[16];
    int digit, is_whole;
    i64 wanted, kept;
};

// The cut: items with a key above `key` on the bits of `mask` are in. Of those equal to it there,
// the best `ties` are in, or all where ties is below 0.
struct Cut {
    u64 key, mask;
    i64 ties;
    __device__ bool is_above(u64 item) const { return (item & mask) > key; }
    __device__ bool is_at(u64 item) const { return (item & mask) == key; }
};

// Thread 0 walks down the histogram to the digit where the wanted one lies.
__device__ inline void find_digit(Selecting& shared) {
    i64 wanted = shared.wanted;
    shared.digit = -1;
    for (int g = 15; g >= 0; g--) {
        if (shared.group[g] < wanted) {
            wanted -= shared.group[g];
            continue;
        }
        int digit = g * 16 + 15;
        while (shared.histogram[digit] < wanted) wanted -= shared.histogram[digit--];
        shared.digit = digit;
        shared.is_whole = shared.histogram[digit] == wanted;
        break;
    }
    shared.wanted = wanted;
}

// Where to cut `count` items so that the k greatest keys are in; every thread has the answer.
// `keys(i)` is 0 for an item that does not compete.
template <typename Keys>
__device__ Cut cut_for(const Keys& keys, i64 count, i64 k, Selecting& shared) {
    Cut cut = {0, 0, -1};
    if (threadIdx.x == 0) shared.wanted = k;
    for (int shift = 56; shift >= 0; shift -= 8) {
        FOR_BLOCK(i, 256) shared.histogram[i] = 0;
        __syncthreads();
        FOR_BLOCK(i, count) {
            u64 key = keys(i);
            if (key && cut.is_at(key)) atomicAdd(&shared.histogram[key >> shift & 255], 1u);
        }
        __syncthreads();
        FOR_BLOCK(g, 16) {
            u32 sum = 0;
            for (int i = 0; i < 16; i++) sum += shared.histogram[g * 16 + i];
            shared.group[g] = sum;
        }
        __syncthreads();
        if (threadIdx.x == 0) find_digit(shared);
        __syncthreads();
        // Fewer than k compete: all are in. Only the first pass can find that.
        if (shared.digit < 0) return cut;
        cut.key |= (u64)shared.digit << shift;
        cut.mask |= 255ull << shift;
        if (shared.is_whole) return cut;
    }
    cut.ties = shared.wanted;
    return cut;
}

// Keep the k greatest of keys that are all different, greatest first, in `sorted`; their number.
template <typename Keys>
__device__ i64 best_of(const Keys& keys, i64 count, i64 k, u64* kept, u64* sorted,
                       Selecting& shared) {
    if (k <= 0) return 0;
    Cut cut = cut_for(keys, count, k, shared);
    if (threadIdx.x == 0) shared.kept = 0;
    __syncthreads();
    FOR_BLOCK(i, count) {
        u64 key = keys(i);
        if (key && (cut.is_above(key) || cut.is_at(key)))
            kept[atomicAdd((u64*)&shared.kept, 1ull)] = key;
    }
    __syncthreads();
    i64 found = shared.kept;
    FOR_BLOCK(i, found) {
        i64 place = 0;
        for (i64 j = 0; j < found; j++) place += kept[j] > kept[i];
        sorted[place] = kept[i];
    }
    __syncthreads();
    return found;
}

// Write the best k and fill what is left: id -1, score -inf.
__device__ inline void write_found(const u64* sorted, i64 found, i64 k, int* ids, float* scores) {
    FOR_BLOCK(i, k) {
        ids[i] = i < found ? id_of(sorted[i]) : -1;
        scores[i] = i < found ? score_of(sorted[i]) : __uint_as_float(0xff800000u);
    }
}

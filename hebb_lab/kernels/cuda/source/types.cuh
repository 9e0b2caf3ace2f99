// What every kernel is written in. No header is included: NVRTC has none, and needs none.
//
// REAL is double or float: how weights and energies are stored. Times are subtracted as 64-bit
// integers and ages are doubles whatever REAL is: float32 seconds since 1970 step by 128 s.

#ifndef REAL
#define REAL double
#endif

typedef REAL real;
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#define DAY_US 86400000000.0
#define LN2 0.69314718055994530942
#define SKIPPED (-1)
#define MOST_THREADS 256  // of a block whose threads work together

// Grid-stride: any grid finishes any amount of work. The count is worked out once.
#define FOR_EACH(i, count)                                                                        \
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x, end_of_##i = (count);                \
         i < end_of_##i; i += (i64)gridDim.x * blockDim.x)

// The threads of one block share the work of one block.
#define FOR_BLOCK(i, count)                                                                       \
    for (i64 i = threadIdx.x, end_of_##i = (count); i < end_of_##i; i += blockDim.x)

__device__ inline i64 floor_division(i64 a, i64 b) {  // b > 0; times before 1970 are negative
    i64 quotient = a / b;
    return quotient * b > a ? quotient - 1 : quotient;
}

// Where in [first, last) the value is found last: the greatest i with sorted[i] <= value.
template <typename Number>
__device__ inline i64 last_at_most(const Number* sorted, i64 first, i64 last, i64 value) {
    while (last - first > 1) {
        i64 middle = first + (last - first) / 2;
        if (sorted[middle] <= value) first = middle;
        else last = middle;
    }
    return first;
}

// The first i in [first, last) with sorted[i] >= value, or last.
template <typename Number>
__device__ inline i64 first_at_least(const Number* sorted, i64 first, i64 last, i64 value) {
    while (first < last) {
        i64 middle = first + (last - first) / 2;
        if (sorted[middle] < value) first = middle + 1;
        else last = middle;
    }
    return first;
}

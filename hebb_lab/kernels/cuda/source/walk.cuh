// What walks share: the rows of a list of nodes, read by all threads of a block.
//
// The slots of all rows in a list are numbered through, so that a hub's row and a hundred short
// ones keep the threads equally busy.
#include "types.cuh"

#define LONG_ROW 64  // slots; a longer row is summed by the whole block, a shorter one by a thread

struct Adjacency {
    const i64* row_ptr;
    const int* col;
};

// A part of a list of nodes with its rows, in the block's own workspace.
struct Part {
    const int* nodes;
    int* begin;   // [count + 1] slots before each node of the whole list
    i64 first, stop;
    real* row;    // weights of the part's slots, -1 for a dead edge
    int* owner;   // which node of the list each of them belongs to
    __device__ i64 slots() const { return begin[stop] - begin[first]; }
};

// begin[i] = slots of the first i nodes. Each thread counts a piece, thread 0 adds the pieces up.
__device__ inline void number_slots(const Adjacency& graph, const int* nodes, i64 count,
                                    int* begin, int* pieces) {
    i64 piece = (count + blockDim.x - 1) / blockDim.x;
    i64 first = min(piece * threadIdx.x, count), stop = min(first + piece, count);
    int own = 0;
    for (i64 i = first; i < stop; i++)
        own += (int)(graph.row_ptr[nodes[i] + 1] - graph.row_ptr[nodes[i]]);
    pieces[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < (int)blockDim.x; i++) {
            int next = sum + pieces[i];
            pieces[i] = sum;
            sum = next;
        }
        begin[count] = sum;
    }
    __syncthreads();
    int sum = pieces[threadIdx.x];
    for (i64 i = first; i < stop; i++) {
        begin[i] = sum;
        sum += (int)(graph.row_ptr[nodes[i] + 1] - graph.row_ptr[nodes[i]]);
    }
    __syncthreads();
}

// As many nodes from `first` on as have at most `capacity` slots; at least one, whose row fits.
__device__ inline i64 end_of_part(const int* begin, i64 first, i64 count, i64 capacity) {
    return max(last_at_most(begin, first, count + 1, begin[first] + capacity), first + 1);
}

// Weights of the part's slots: -1 for a dead edge.
template <typename Weights>
__device__ void read_rows(const Adjacency& graph, const Part& part, const Weights& weights) {
    i64 base = part.begin[part.first];
    FOR_BLOCK(i, part.slots()) {
        i64 f = last_at_most(part.begin, part.first, part.stop, base + i);
        part.owner[i] = (int)f;
        part.row[i] = weights(graph.row_ptr[part.nodes[f]] + base + i - part.begin[f]);
    }
    __syncthreads();
}

// Whether slot i of a row is the first alive one of its neighbour; parallel edges lie together.
__device__ inline bool is_first_alive(const real* row, const int* neighbours, i64 i) {
    if (row[i] < 0) return false;
    for (i64 j = i - 1; j >= 0 && neighbours[j] == neighbours[i]; j--)
        if (row[j] >= 0) return false;
    return true;
}

struct Totals {
    i64 degree;  // distinct alive neighbours
    double sum;  // of their weights
};

// One thread over a whole row.
__device__ inline Totals totals_of(const real* row, const int* neighbours, i64 length) {
    Totals totals = {0, 0};
    i64 counted = -1;
    for (i64 i = 0; i < length; i++) {
        if (row[i] < 0) continue;
        if (neighbours[i] != counted) totals.degree++;
        counted = neighbours[i];
        totals.sum += row[i];
    }
    return totals;
}

// What the threads of a block share while they add up a long row.
struct Adding {
    int degree[MOST_THREADS];
    double sum[MOST_THREADS];
    int long_rows;
};

// All threads over one row, in an order that depends on the block's width alone.
__device__ inline Totals totals_together(const real* row, const int* neighbours, i64 length,
                                         Adding& shared) {
    int degree = 0;
    double sum = 0;
    FOR_BLOCK(i, length) {
        degree += is_first_alive(row, neighbours, i);
        sum += max(row[i], (real)0);
    }
    shared.degree[threadIdx.x] = degree;
    shared.sum[threadIdx.x] = sum;
    __syncthreads();
    int width = blockDim.x;
    while (width > 1) {
        int half = (width + 1) / 2;
        if ((int)threadIdx.x < width - half) {
            shared.degree[threadIdx.x] += shared.degree[threadIdx.x + half];
            shared.sum[threadIdx.x] += shared.sum[threadIdx.x + half];
        }
        __syncthreads();
        width = half;
    }
    Totals totals = {shared.degree[0], shared.sum[0]};
    __syncthreads();
    return totals;
}

// `use(f, totals)` once for each node f of the part, by one thread. long_rows is a list in the
// workspace with room for slots / LONG_ROW entries.
template <typename Use>
__device__ void with_totals(const Adjacency& graph, const Part& part, int* long_rows,
                            Adding& shared, const Use& use) {
    if (threadIdx.x == 0) shared.long_rows = 0;
    __syncthreads();
    i64 base = part.begin[part.first];
    FOR_BLOCK(i, part.stop - part.first) {
        i64 f = part.first + i, length = part.begin[f + 1] - part.begin[f];
        if (length > LONG_ROW) long_rows[atomicAdd(&shared.long_rows, 1)] = (int)f;
        else use(f, totals_of(part.row + (part.begin[f] - base),
                              graph.col + graph.row_ptr[part.nodes[f]], length));
    }
    __syncthreads();
    int count = shared.long_rows;
    for (int i = 0; i < count; i++) {
        i64 f = long_rows[i], length = part.begin[f + 1] - part.begin[f];
        Totals totals = totals_together(part.row + (part.begin[f] - base),
                                        graph.col + graph.row_ptr[part.nodes[f]], length, shared);
        if (threadIdx.x == 0) use(f, totals);
    }
    __syncthreads();
}

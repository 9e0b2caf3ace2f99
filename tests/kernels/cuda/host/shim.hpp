// CUDA C++ on the host: enough of the language to run the kernels' own text, thread by thread.
//
// Nothing here is a GPU: threads of a block are threads of the processor (or run one after the
// other where they do not wait for each other), blocks run one after the other, memory is coherent.
// It finds wrong results, races inside a block, missing barriers and indices out of range. It does
// not find what depends on a device's memory order, on blocks side by side, or on its compiler.
#pragma once
#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __shared__ static  // blocks run one after the other, so one copy serves all

struct Index {
    unsigned x;
};
inline thread_local Index threadIdx, blockIdx, blockDim, gridDim;

using std::max;
using std::min;

namespace host {

inline std::barrier<>* block_barrier = nullptr;

template <typename Body>
void in_place(long long blocks, int threads, int t, Body body, std::barrier<>* barrier) {
    threadIdx = {(unsigned)t};
    blockDim = {(unsigned)threads};
    gridDim = {(unsigned)blocks};
    for (long long b = 0; b < blocks; b++) {
        blockIdx = {(unsigned)b};
        body();
        if (barrier) barrier->arrive_and_wait();  // the next block uses the same shared memory
    }
}

template <typename Body>
void run(long long blocks, int threads, bool together, Body body) {
    if (!together || threads == 1) {
        for (int t = 0; t < threads; t++) in_place(blocks, threads, t, body, nullptr);
        return;
    }
    std::barrier<> barrier(threads);
    block_barrier = &barrier;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; t++)
        all.emplace_back([&, t] { in_place(blocks, threads, t, body, &barrier); });
    for (auto& each : all) each.join();
    block_barrier = nullptr;
}

template <typename... Parameters, std::size_t... Places>
void call(void (*kernel)(Parameters...), void** arguments, std::index_sequence<Places...>) {
    kernel(*(Parameters*)arguments[Places]...);
}

// Run a kernel with arguments that are given by their addresses.
template <typename... Parameters>
void launch(void (*kernel)(Parameters...), long long blocks, int threads, bool together,
            void** arguments) {
    run(blocks, threads, together,
        [=] { call(kernel, arguments, std::index_sequence_for<Parameters...>{}); });
}

template <typename Parameter>
std::string kind() {
    if constexpr (std::is_pointer_v<Parameter>)
        return "p" + std::to_string(sizeof(std::remove_pointer_t<Parameter>));
    return (std::is_floating_point_v<Parameter> ? "f" : "i") + std::to_string(sizeof(Parameter));
}

// What a kernel takes: p, f or i and a size, for each parameter.
template <typename... Parameters>
std::string kinds(void (*)(Parameters...)) {
    return (std::string() + ... + kind<Parameters>());
}

}  // namespace host

inline void __syncthreads() {
    if (host::block_barrier) host::block_barrier->arrive_and_wait();
}

template <typename Number, typename More>
Number atomicAdd(Number* at, More more) {
    return std::atomic_ref<Number>(*at).fetch_add((Number)more);
}

template <typename Number>
Number atomicExch(Number* at, Number value) {
    return std::atomic_ref<Number>(*at).exchange(value);
}

inline std::uint32_t __float_as_uint(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float __uint_as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }

// One exported function a kernel, and one that says what it takes.
#define HOST_KERNEL(space, name)                                                                  \
    extern "C" void host_##name(long long blocks, int threads, int together, void** arguments) {  \
        host::launch(space::name, blocks, threads, together, arguments);                          \
    }                                                                                             \
    extern "C" const char* kinds_##name() {                                                       \
        static const std::string kinds = host::kinds(space::name);                                \
        return kinds.c_str();                                                                     \
    }

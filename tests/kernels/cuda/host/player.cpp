// Plays launches that were recorded into a file, each argument in memory of its own and of exactly
// its own size: for runs under sanitizers. A kernel that is not there is passed over. Included behind the kernels and `find` (their table).
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void take(FILE* file, void* to, std::size_t size) {
    if (size && std::fread(to, 1, size, file) != size) std::exit(3);
}

template <typename Number>
static Number number(FILE* file) {
    Number value;
    take(file, &value, sizeof value);
    return value;
}

int main(int, char** arguments) {
    FILE* file = std::fopen(arguments[1], "rb");
    if (!file) return 3;
    for (long long launches = number<long long>(file); launches > 0; launches--) {
        char name[64] = {};
        take(file, name, number<long long>(file));
        long long blocks = number<long long>(file), threads = number<long long>(file);
        long long count = number<long long>(file);
        std::vector<void*> values(count), addresses(count);
        std::vector<bool> owned(count);
        for (long long i = 0; i < count; i++) {
            long long size = number<long long>(file);  // -1: a number, -2: null
            owned[i] = size >= 0;
            if (size == -2) values[i] = nullptr;
            else if (size == -1) take(file, &values[i], 8);
            else take(file, values[i] = std::malloc(size), size);
            addresses[i] = &values[i];
        }
        if (auto* start = find(name)) start(blocks, (int)threads, 1, addresses.data());
        for (long long i = 0; i < count; i++)
            if (owned[i]) std::free(values[i]);
    }
    std::puts("played");
}

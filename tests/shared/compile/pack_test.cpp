// Packs: kernels recorded by one process run in others without a compiler, damaged packs are refused, and what is
// missing is named.
#include "support/backends.hpp"
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;
using runtime::kernel_pack;

SINTER_FUNCTION(pack_test_bump, (double x)->double { return x > 1 ? x * x : x - 1; })

namespace {

const char* const raw_text =
    "template <class T> __global__ void scale(const T* x, T* y, T by, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = by * x[i];\n}\n";

/// Several kernels of every kind: fused maps, reductions, scans, a sort, a scatter, users' functions and texts.
double compute(int more) {
    array<double> x = arange<double>(1000.0) / 500.0;
    double result = sum(vectorize(pack_test_bump)(x)).item() + cumsum(x).item(999) + sort(-x).item(0);
    array<int64_t> at = {3, 5, 3};
    array<double> y = zeros<double>({10});
    scatter_add(y, at, array<double>{1, 2, 3});
    result += y.item(3);
    constexpr elementwise_kernel<"T x", "T z", "z = x * x", "pack_test_squares"> squares;
    array<double> z = squares(x);
    result += z.item(500);
    static const elementwise_kernel<"T x", "T z", "z = x * PACKED_FACTOR", "pack_test_options"> factor(
        {"-DPACKED_FACTOR=3", "--maxrregcount=64"});
    array<double> scaled = factor(x);
    result += scaled.item(1);
    if (runtime::current_device().is_cuda()) {
        raw_kernel scale(raw_text, "scale<double>");
        array<double> w = zeros<double>({1000});
        scale({4}, {256}, x, out(w), 2.0, 1000);
        result += w.item(250);
    }
    if (more == 0) return result;
    array<double> chain = x;  // another kernel for each number
    for (int i = 0; i < more; ++i) chain = tanh(chain) * 3.0;
    result += max(chain - x).item();
    return result;
}

bool maps_nvrtc() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find("nvrtc") != std::string::npos) return true;
    return false;
}

bool on_device() { return is_device_executable; }

/// A process that computes what `compute` does, with these variables besides those that the backend needs.
finished run(std::vector<std::string> environment) {
    environment.push_back(on_device() ? "SINTER_BACKEND=cuda" : "SINTER_BACKEND=host");
    for (const char* name : {"LD_LIBRARY_PATH", "CUDA_HOME", "SINTER_EMULATED_CACHE", "SINTER_EMULATED_DEVICES"}) {
        bool given = false;
        for (const std::string& e : environment) given = given || e.rfind(std::string(name) + "=", 0) == 0;
        if (!given && std::getenv(name)) environment.push_back(inherited(name));
    }
    return child_process(environment, "what a child process computes with packs").wait();
}

/// The full code of kernels is there, and in the cache, when they have run.
std::vector<std::string> with_compiler(const std::string& cache) {
    return {inherited("PATH"), "SINTER_TIERS=0", "SINTER_CACHE_DIR=" + cache};
}

/// No NVRTC in CUDA's folder, no compiler on the path or by name, and an empty cache.
std::vector<std::string> without_compiler(const scratch_folder& cache) {
    return {"CUDA_HOME=/nonexistent", "PATH=", on_device() ? "SINTER_SHOW=" : "SINTER_CXX=/nonexistent/c++",
            "SINTER_CACHE_DIR=" + cache.path};
}

template <class... Word>
std::vector<std::string> plus(std::vector<std::string> words, Word... more) {
    (words.push_back(more), ...);
    return words;
}

std::string result_of(const finished& f) {
    const std::size_t at = f.output.find("result "), end = f.output.find(' ', at + 7);
    return at == std::string::npos ? "none: " + f.output : f.output.substr(at, end - at);
}

std::string slurp(const std::string& path) {
    std::string text;
    REQUIRE(runtime::read_file(path.c_str(), text));
    return text;
}

void spill(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

bool has_compiler() {
    return !test_backends::usable_backends().empty() && test_backends::usable_backends().back().compiles();
}

std::string small_pack(int kernels) {
    codegen::sequence<runtime::code_target> targets{runtime::cuda_code_target(8, 0), runtime::host_target()};
    std::vector<std::string> hashes, payloads;
    for (int i = 0; i < kernels; ++i) {
        hashes.push_back(std::string(62, 'a') + std::to_string(10 + i));
        payloads.push_back(std::string(std::size_t(37 * i), char('0' + i)));
    }
    codegen::sequence<kernel_pack::entry> entries;
    for (int i = 0; i < kernels; ++i) entries.push_back({hashes[std::size_t(i)], payloads[std::size_t(i)]});
    return runtime::make_pack(targets, entries);
}

std::string refusal(const std::string& bytes) {
    try {
        kernel_pack("p.bin", bytes);
        return "";
    } catch (const io_error& e) {
        return e.what();
    }
}

}  // namespace

TEST_CASE("what a child process computes with packs") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    try {
        std::string linked;
        if (const char* path = std::getenv("PACK_TEST_LINKED")) {
            linked = slurp(path);
            use_pack(std::as_bytes(std::span<const char>(linked)));
        }
        array<float> early = exp(arange<float>(10.0f));
        const std::int64_t packed = explain(early).packed();
        const double result =
            compute(std::getenv("PACK_TEST_MORE") ? std::atoi(std::getenv("PACK_TEST_MORE")) : 0) + early.item(1);
        const counters_t c = counters();
        std::printf("result %.9f compiled %lld disk %lld pack %lld explained %lld %s\n", result,
                    static_cast<long long>(c.kernels_compiled), static_cast<long long>(c.disk_hits),
                    static_cast<long long>(c.pack_hits), static_cast<long long>(packed),
                    maps_nvrtc() ? "NVRTC is loaded" : "no NVRTC");
        std::fflush(stdout);
    } catch (const error& e) {
        std::printf("%s: %s\n",
                    dynamic_cast<const io_error*>(&e)       ? "io_error"
                    : dynamic_cast<const device_error*>(&e) ? "device_error"
                                                            : "error",
                    e.what());
    }
}

TEST_CASE("a program runs from a recorded pack with neither compiler nor cache") {
    if (!has_compiler()) return;
    const scratch_folder folder, cache, empty, empty_too;
    const std::string pack = folder.path + "/pack.bin";
    const finished plain = run(with_compiler(cache.path));
    const finished recorded = run(plus(with_compiler(cache.path), "SINTER_RECORD=" + pack));
    CAPTURE(recorded.output);
    REQUIRE(result_of(recorded) == result_of(plain));
    CHECK(has(recorded, "compiled 0"));  // from the disk cache, and recorded none the less
    CHECK(has(recorded, "pack 0 explained 0"));
    const finished packed = run(plus(without_compiler(empty), "SINTER_PACK=" + pack));
    CAPTURE(packed.output);
    CHECK(result_of(packed) == result_of(plain));
    CHECK(has(packed, "compiled 0 disk 0 pack "));
    CHECK(has(packed, "explained 1 no NVRTC"));
    CHECK_FALSE(has(packed, "pack 0"));
    const finished linked = run(plus(without_compiler(empty_too), "PACK_TEST_LINKED=" + pack));
    CAPTURE(linked.output);
    CHECK(result_of(linked) == result_of(plain));
    CHECK(has(linked, "compiled 0 disk 0 pack "));
}

TEST_CASE("several processes record into one pack, which keeps what was there") {
    if (!has_compiler()) return;
    const scratch_folder folder, cache, empty;
    const std::string pack = folder.path + "/pack.bin";
    run(plus(with_compiler(cache.path), "SINTER_RECORD=" + pack));
    const std::size_t few = kernel_pack(pack, slurp(pack)).entries().size();
    std::vector<child_process> children;
    for (int i = 1; i < 6; ++i) {
        std::vector<std::string> words = plus(
            with_compiler(cache.path), "SINTER_RECORD=" + pack, inherited("LD_LIBRARY_PATH"), inherited("CUDA_HOME"),
            inherited("SINTER_EMULATED_CACHE"), on_device() ? "SINTER_BACKEND=cuda" : "SINTER_BACKEND=host");
        words.push_back("PACK_TEST_MORE=" + std::to_string(i));
        children.emplace_back(words, "what a child process computes with packs");
    }
    for (child_process& c : children) {
        const finished f = c.wait();
        CAPTURE(f.output);
        CHECK(has(f, "result"));
        CHECK_FALSE(has(f, "not recorded"));
    }
    const std::string bytes = slurp(pack);
    CHECK(kernel_pack(pack, bytes).entries().size() == few + 5);
    CHECK(kernel_pack(pack, bytes).targets().size() == 1);
    const finished f = run(plus(without_compiler(empty), "PACK_TEST_MORE=3", "SINTER_PACK=" + pack));
    CAPTURE(f.output);
    CHECK(has(f, "compiled 0 disk 0 pack "));
    // Nothing but the pack is left behind, and recording what is there does not touch it.
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a kernel that is in no pack and cannot be compiled is an error that names the pack") {
    if (!has_compiler() || on_device()) return;  // another NVRTC than the emulated one may be found on a machine
    const scratch_folder folder, cache, empty;
    const std::string pack = folder.path + "/pack.bin";
    run(plus(with_compiler(cache.path), "SINTER_RECORD=" + pack));
    const finished f = run(plus(without_compiler(empty), "PACK_TEST_MORE=1", "SINTER_PACK=" + pack));
    CAPTURE(f.output);
    CHECK(has(f, "device_error"));
    CHECK(has(f, "no C++ compiler"));
    CHECK(has(f, "the pack " + pack + " has "));
    CHECK(has(f, "not this one: record it again with SINTER_RECORD"));
    // The same without the backend's name: nothing is interpreted silently where a pack was asked for.
    spill(pack, runtime::make_pack({runtime::cuda_code_target(8, 0)}, {}));
    const finished other = run(plus(without_compiler(empty), "SINTER_PACK=" + pack));
    CAPTURE(other.output);
    CHECK(has(other, "device_error"));
    CHECK(has(other, "has kernels for sm_80 only, and this is "));
}

TEST_CASE("a pack that cannot be read or written is an io_error before anything is computed") {
    const scratch_folder folder, cache;
    const std::string text = folder.path + "/notes.txt";
    spill(text, "my notes, which are no pack of kernels and shall stay as they are, whatever is recorded");
    for (const char* variable : {"SINTER_PACK=", "SINTER_RECORD="}) {
        const finished f = run(plus(with_compiler(cache.path), variable + text));
        CAPTURE(f.output);
        CHECK(has(f, "io_error: [pack] " + text + " is no pack of kernels"));
        CHECK_FALSE(has(f, "result"));
        const finished absent = run(plus(with_compiler(cache.path), variable + folder.path + "/none/pack.bin"));
        CAPTURE(absent.output);
        CHECK(has(absent, "io_error: [pack] " + folder.path + "/none/pack.bin (from SINTER_"));
        CHECK(has(absent, "No such file or directory"));
    }
    CHECK(slurp(text).rfind("my notes", 0) == 0);
}

TEST_CASE("every damage of a pack is noticed, and said with its place") {
    const std::string good = small_pack(5);
    const kernel_pack pack("p.bin", good);
    CHECK(pack.entries().size() == 5);
    CHECK(pack.entries()[4].payload == std::string(148, '4'));
    CHECK(pack.targets()[1] == runtime::host_target());
    CHECK(kernel_pack("p.bin", small_pack(0)).entries().empty());
    CHECK(refusal("") == "[pack] p.bin is empty: no run has recorded kernels there");
    CHECK(refusal(good.substr(0, 20)) == "[pack] p.bin is truncated: 20 bytes are less than its header");
    CHECK(refusal(good.substr(0, good.size() - 3)) == "[pack] p.bin is truncated: " + std::to_string(good.size() - 3) +
                                                          " of " + std::to_string(good.size()) + " bytes");
    CHECK(refusal(good + "xy") == "[pack] p.bin has 2 bytes after its end");
    std::string last = good;
    last.back() ^= 1;
    CHECK(refusal(last) == "[pack] p.bin is damaged: kernel 5 of 5, at byte " + std::to_string(good.size() - 148 - 96) +
                               ", does not have its checksum");
    std::string older = good;
    std::memcpy(older.data() + 8, "0.0.7\0\0", 8);
    CHECK(refusal(older) == "[pack] p.bin was recorded by sinter 0.0.7, this is " SINTER_VERSION ": record it again");
    std::string swapped = good;
    std::swap(swapped[16], swapped[23]);
    CHECK(refusal(swapped) == "[pack] p.bin was recorded on a machine of another byte order");
    int unnoticed = 0;
    for (std::size_t at = 0; at < good.size(); ++at)
        for (int bit : {0, 3, 7}) {
            std::string bad = good;
            bad[at] ^= char(1 << bit);
            unnoticed += refusal(bad).empty();
        }
    for (std::size_t size = 0; size < good.size(); ++size) unnoticed += refusal(good.substr(0, size)).empty();
    std::mt19937 generator(5);
    for (int n = 0; n < 20'000; ++n) {
        std::string bad = good;
        for (unsigned changes = 1 + generator() % 8; changes > 0; --changes)
            bad[generator() % bad.size()] = char(generator());
        unnoticed += bad != good && refusal(bad).empty();
    }
    CHECK(unnoticed == 0);
}

TEST_CASE("code runs on processors with all its instruction sets and on GPUs of no older minor capability") {
    using runtime::runs_code_of;
    const runtime::code_target old = "host\tx86_64\tA\tfpu sse2 avx2", wider = "host\tx86_64\tB\tfpu avx2 avx512f sse2",
                               arm = "host\taarch64\tC\tfpu";
    CHECK(runs_code_of(old, wider));
    CHECK_FALSE(runs_code_of(wider, old));
    CHECK_FALSE(runs_code_of(arm, old));
    CHECK_FALSE(runs_code_of("host\tx86_64\tA\tavx51", wider));
    CHECK(runs_code_of(runtime::host_target(), runtime::host_target()));
    auto sm = runtime::cuda_code_target;
    CHECK(runs_code_of(sm(8, 0), sm(8, 9)));
    CHECK_FALSE(runs_code_of(sm(8, 9), sm(8, 6)));
    CHECK_FALSE(runs_code_of(sm(8, 0), sm(9, 0)));
    CHECK_FALSE(runs_code_of(sm(9, 0), sm(10, 0)));
    CHECK(runs_code_of(sm(10, 0), sm(10, 3)));
    CHECK_FALSE(runs_code_of(sm(9, 0), old));
}

// Reductions and scans of every schedule have the same bits each time, in every process, and wherever steps are stored.
#include "support/backends.hpp"
#include "support/child_process.hpp"

#include <sinter/runtime/base/sha256.hpp>
#include <sinter/sinter.hpp>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

/// The bits of results, one after the other.
class digest {
public:
    template <class T>
    void add(const array<T>& results) {
        const std::vector<T> elements = to_vector(reshape(results, {results.size()}));
        bytes_.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
    }
    std::string value() const { return runtime::sha256(bytes_); }

private:
    std::string bytes_;
};

array<float> drawn(const dims& shape) { return random::generator(11).normal<float>(0, 1, shape).eval(); }

/// Pending, or stored where steps are.
template <class T>
array<T> step(const array<T>& a, bool stores) {
    return stores ? a.copy().eval() : a;
}

// One row, long and short rows, those that registers, a thread block or several hold; columns, few, many, short and
// tall; axes between.
void add_reductions(digest& d, const dims& shape, int axis, bool stores) {
    const array<float> x = drawn(shape), scaled = step(array<float>(x * 1.5f - 0.25f), stores);
    d.add(array<float>(sum(scaled, axis)));
    d.add(array<float>(mean(x, axis)));
    d.add(array<float>(var(x, axis)));
    d.add(array<float>(max(scaled, axis)));
    d.add(array<std::int64_t>(argmin(x, axis)));
    d.add(array<std::complex<float>>(prod(astype<std::complex<float>>(x) * std::complex<float>(0.5f, 0.5f), axis)));
    const array<float> e = step(array<float>(exp(x - step(array<float>(max(x, axis, keepdims)), stores))), stores);
    d.add(array<float>(e / step(array<float>(sum(e, axis, keepdims)), stores)));
    d.add(array<float>(2.0f * cumsum(scaled, axis)));
}

std::string digest_of_all(bool stores) {
    digest d;
    add_reductions(d, {200'003}, 0, stores);
    add_reductions(d, {3, 50'257}, 1, stores);
    add_reductions(d, {5, 20'001}, 1, stores);
    add_reductions(d, {31, 4097}, 1, stores);
    add_reductions(d, {333, 77}, 1, stores);
    add_reductions(d, {333, 77}, 0, stores);
    add_reductions(d, {40'961, 3}, 0, stores);
    add_reductions(d, {3, 40'961}, 0, stores);
    add_reductions(d, {9, 129, 33}, 1, stores);
    return d.value();
}

}  // namespace

TEST_CASE("what a child process reduces") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    on_every_backend([](const tested_backend& b) {
        std::printf("reduced by %s to %s\n", b.name.c_str(), digest_of_all(false).c_str());
    });
    std::fflush(stdout);
}

TEST_CASE("reductions and scans have the same bits in ten runs, in another process, and where their steps are stored") {
    std::vector<std::string> environment;
    for (const char* name : {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "SINTER_CACHE_DIR",
                             "SINTER_EMULATED_CACHE", "SINTER_EMULATED_DEVICES"})
        if (std::getenv(name)) environment.push_back(inherited(name));
    const finished other = child_process(environment, "what a child process reduces").wait();
    CAPTURE(other.output);
    on_every_backend([&](const tested_backend& b) {
        const std::string first = digest_of_all(false);
        for (int run = 1; run < (b.is_interpreter() ? 2 : 10); ++run) CHECK(digest_of_all(false) == first);
        CHECK(digest_of_all(true) == first);
        CHECK(has(other, "reduced by " + b.name + " to " + first));
    });
}

// Kernels in CUDA C++ that users write: what goes in and out, templates, options, and what is said where they cannot
// run.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

const char* const saxpy_text = R"(
extern "C" __global__ void saxpy(const float* x, const float* y, float* z, float a, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" __global__ void add_one(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
)";

array<float> ramp(std::int64_t n) { return astype<float>(arange(n)) / 4; }

void on_gpus(void (*body)()) {
    on_compiling_backends([&](const tested_backend& b) {
        if (b.is_cuda()) body();
    });
}

}  // namespace

TEST_CASE("a raw_kernel reads arrays and expressions, and writes into memory of its own") {
    on_gpus([] {
        raw_kernel saxpy(saxpy_text, "saxpy");
        for (std::int64_t n : {1, 33, 4097}) {
            array<float> x = ramp(n), y = x * x, z = zeros<float>({n}), old = z;
            auto blocks = static_cast<std::uint32_t>((n + 255) / 256);
            saxpy({blocks}, {256}, x, y + 1, out(z), 2.0f, static_cast<long long>(n));
            CHECK(bool(all(z == 2.0f * x + (y + 1))));
            CHECK(bool(all(old == 0)));
            saxpy({blocks}, {256}, x(slice(none, none, -1)), y, out(z), 1.0f, static_cast<long long>(n));
            CHECK(bool(all(z == x(slice(none, none, -1)) + y)));
            saxpy({blocks}, {256}, z, y, out(z), 1.0f, static_cast<long long>(n));
            CHECK(bool(all(z == x(slice(none, none, -1)) + y + y)));
        }
    });
}

TEST_CASE("inout keeps what is there, in the same memory when nobody else has it") {
    on_gpus([] {
        raw_kernel add_one(saxpy_text, "add_one");
        array<float> x = ramp(100), before = x;
        add_one({1}, {128}, inout(x), 100);
        CHECK(bool(all(x == before + 1)));
        CHECK(bool(all(before == ramp(100))));
        const float* address = x.data();
        array<float> later = x * 2;
        later.eval();
        add_one({1}, {128}, inout(x), 100);
        CHECK(x.data() == address);
        CHECK(bool(all(x == before + 2)));
        CHECK(bool(all(later == before * 2 + 2)));
        array<float> pending = x + 0.5f;
        add_one({1}, {128}, inout(x), 100);
        CHECK(bool(all(pending == before + 2.5f)));
        CHECK(bool(all(x == before + 3)));
    });
}

TEST_CASE("templates have names with their arguments, structures go in by value, and options reach the compiler") {
    on_gpus([] {
        raw_kernel scale(R"(
            struct range { float low, high; };
            namespace mine {
            template <class T, int K>
            __global__ void scale(const T* x, T* y, range r, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = x[i] * K * FACTOR + (T)(r.high - r.low);
            }
            }
        )",
                         "mine::scale<double, 3>", {"-DFACTOR=2"});
        struct range {
            float low, high;
        };
        array<double> x = linspace(0, 1, 65), y = empty<double>({65});
        scale({2}, {64}, x, out(y), range{1, 5}, 65);
        CHECK(bool(all(y == x * 3 * 2 + 4.0)));
        auto before = counters();
        scale({2}, {64}, x + 1, out(y), range{1, 5}, 65);
        CHECK(counters().kernels_compiled <= before.kernels_compiled + 1);
        CHECK(counters().launches == before.launches + 2);
        CHECK(bool(all(y == (x + 1) * 3 * 2 + 4.0)));
    });
}

TEST_CASE("a raw_kernel says what is wrong") {
    on_every_backend([](const tested_backend& b) {
        raw_kernel saxpy(saxpy_text, "saxpy");
        array<float> x = ramp(4);
        if (!b.is_cuda()) {
            CHECK_THROWS_WITH_AS(saxpy({1}, {32}, x, x, out(x), 2.0f, 4LL),
                                 "[raw_kernel] saxpy is CUDA C++ and needs a GPU, but the current device is <CPU>: "
                                 "elementwise_kernel and "
                                 "SINTER_FUNCTION run everywhere",
                                 device_error);
            CHECK(x.shape() == dims{4});
            return;
        }
        CHECK_THROWS_WITH_AS(saxpy({0}, {32}, x, x, out(x), 2.0f, 4LL),
                             "[raw_kernel] saxpy is launched with a grid of (0, 1, 1) blocks of (32, 1, 1) threads",
                             value_error);
        raw_kernel wrong("extern \"C\" __global__ void k(float* x) {\n    x[0] = undeclared;\n}", "k");
        try {
            wrong({1}, {1}, out(x));
            CHECK(false);
        } catch (const compile_error& e) {
            std::string text = e.what();
            CHECK(text.find("undeclared") != std::string::npos);
            CHECK(text.find("   2 |     x[0] = undeclared;") != std::string::npos);
        }
        array<float> elsewhere = [] {
            device_scope on(device::cpu());
            return ramp(4).eval();
        }();
        CHECK_THROWS_AS(saxpy({1}, {32}, elsewhere, x, out(x), 2.0f, 4LL), device_error);
        CHECK_THROWS_AS(saxpy({1}, {32}, x, x, out(elsewhere), 2.0f, 4LL), device_error);
        array<float> y = x + 1, shared = y;
        CHECK_THROWS_AS(saxpy({1}, {1, 1, 4096}, x, x, out(y), 2.0f, 4LL), device_error);
        // A call that is refused leaves its arguments as they are.
        CHECK(to_vector(elsewhere) == to_vector(ramp(4)));
        CHECK(to_vector(x) == to_vector(ramp(4)));
        CHECK(to_vector(y) == to_vector(ramp(4) + 1));
    });
}

// NVRTC without a device: every architecture the library is built for compiles, and failures carry log and source.
#include <doctest/doctest.h>

#include <cstdio>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <string>
#include <utility>

using namespace sinter;

namespace {

bool nvrtc_is_here() {
    std::string why;
    if (runtime::nvrtc_available(&why)) return true;
    std::printf("skipped: %s\n", why.c_str());
    return false;
}

// One call of each kind of mathematical function, in both precisions and by overload.
const std::string math_source = R"(
extern "C" __global__ void math(const float* x, float* y, const double* u, double* v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i];
    double b = u[i];
    y[i] = expf(a) + exp(a) + log1p(a) + pow(a, 2.5f) + erfinv(a) + lgammaf(a) + j0f(a) + cyl_bessel_i0f(a) +
           normcdff(a) + rsqrtf(a) + fmaxf(a, 1.0f) + fmaf(a, a, a) + copysign(a, 1.0f) + rintf(a) + abs(a) + isnan(a);
    v[i] = exp(b) + erf(b) + tgamma(b) + atan2(b, 1.0) + fma(b, b, b) + nextafter(b, 1.0) + isinf(b) + __dadd_rn(b, b);
    unsigned long long bits = __umulhi(3u, 4u) + __float_as_int(a) + __double_as_longlong(b) + __popc(7);
    y[i] += __shfl_xor_sync(0xffffffffu, a, 1) + (float)bits + make_float4(1, 2, 3, 4).w;
}
)";

}  // namespace

TEST_CASE("the minimal NVRTC still has the mathematical functions, on every architecture") {
    if (!nvrtc_is_here()) return;
    const auto before = counters().kernels_compiled;
    for (auto [major, minor] : {std::pair(7, 5), std::pair(8, 0), std::pair(9, 0), std::pair(10, 0)}) {
        const std::string target = runtime::cuda_target(major, minor);
        CAPTURE(target);
        const std::string image = runtime::compile_cuda(math_source, major, minor);
        if (target.substr(0, 3) == "sm_") CHECK(image.substr(1, 3) == "ELF");
        else CHECK(image.find(".target sm_") != std::string::npos);
    }
    CHECK(counters().kernels_compiled == before + 4);
}

TEST_CASE("a device newer than NVRTC gets PTX, and one too old gets an exception") {
    if (!nvrtc_is_here()) return;
    CHECK(runtime::cuda_target(9, 0) == "sm_90");
    CHECK(runtime::cuda_target(99, 9).substr(0, 8) == "compute_");
    CHECK_THROWS_AS(runtime::cuda_target(1, 0), device_error);
    const std::string ptx = runtime::compile_cuda("extern \"C\" __global__ void k(int* x) { *x = 7; }", 99, 9);
    CHECK(ptx.find(".visible .entry k(") != std::string::npos);
    CHECK(ptx.back() == '\0');
}

TEST_CASE("multiplications and additions are contracted only where fma is written") {
    if (!nvrtc_is_here()) return;
    const std::string body = "(float* x) { *x = x[0] * x[1] + x[2]; }";
    const std::string ptx = runtime::compile_cuda("extern \"C\" __global__ void k" + body, 99, 9);
    CHECK(ptx.find("fma") == std::string::npos);
}

TEST_CASE("a kernel that does not compile throws the log and the numbered source") {
    if (!nvrtc_is_here()) return;
    const auto before = counters().kernels_compiled;
    std::string message;
    try {
        runtime::compile_cuda("extern \"C\" __global__ void k(int* x) {\n    *x = nothing;\n}\n", 9, 0);
    } catch (const compile_error& e) {
        message = e.what();
    }
    CHECK(message.substr(0, 9) == "[compile]");
    CHECK(message.find("identifier \"nothing\" is undefined") != std::string::npos);
    CHECK(message.find("   2 |     *x = nothing;") != std::string::npos);
    CHECK(counters().kernels_compiled == before);
}

TEST_CASE("the identity of NVRTC names the options that change its output") {
    if (!nvrtc_is_here()) return;
    const std::string identity = runtime::nvrtc_identity();
    CHECK(identity.find("libnvrtc") != std::string::npos);
    CHECK(identity.find("--fmad=false") != std::string::npos);
    CHECK(identity == runtime::nvrtc_identity());
}

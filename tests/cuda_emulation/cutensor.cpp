// libcutensor.so.2 of an emulated machine, for tests: contractions by plain loops, in the order of a stream; it refuses
// what cuTENSOR's manual excludes.
#include <library_types.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "half_precision.hpp"
#include "products.hpp"

using namespace cuda_emulation;

namespace {

enum status { success = 0, invalid_value = 7, not_supported = 15, insufficient_workspace = 19 };
constexpr std::uint64_t work_bytes = 256;  // what every plan asks for: too little memory shows

struct tensor {
    std::vector<std::int64_t> extent, stride;
    cudaDataType type = CUDA_R_32F;
    std::uint32_t alignment = 0;
};

struct operand {
    tensor as;
    std::vector<std::int32_t> modes;

    std::int64_t stride_of(std::int32_t mode) const {
        const auto at = std::find(modes.begin(), modes.end(), mode);
        return at == modes.end() ? 0 : as.stride[static_cast<std::size_t>(at - modes.begin())];
    }
    std::int64_t span() const {
        std::int64_t last = 0;
        for (std::size_t i = 0; i < as.extent.size(); ++i) last += (as.extent[i] - 1) * as.stride[i];
        return last + 1;
    }
};

struct contraction {
    operand a, b, c;
    const char* compute = nullptr;
};

struct loop {
    std::int64_t extent, a, b, c;
};

// The loops over the result's modes, and those that are summed over.
struct loops {
    std::vector<loop> outer, inner;

    explicit loops(const contraction& x) {
        std::map<std::int32_t, std::int64_t> extents;
        for (const operand* o : {&x.a, &x.b, &x.c})
            for (std::size_t i = 0; i < o->modes.size(); ++i) extents[o->modes[i]] = o->as.extent[i];
        for (const auto& [mode, extent] : extents) {
            const loop l{extent, x.a.stride_of(mode), x.b.stride_of(mode), x.c.stride_of(mode)};
            const bool is_kept = std::count(x.c.modes.begin(), x.c.modes.end(), mode) > 0;
            (is_kept ? outer : inner).push_back(l);
        }
    }
};

template <class Body>
void walk(const std::vector<loop>& all, std::size_t i, std::int64_t a, std::int64_t b, std::int64_t c, Body&& body) {
    if (i == all.size()) return body(a, b, c);
    for (std::int64_t k = 0; k < all[i].extent; ++k)
        walk(all, i + 1, a + k * all[i].a, b + k * all[i].b, c + k * all[i].c, body);
}

template <class T, int Bits>
void contract(const contraction& x, const void* a, const void* b, void* d) {
    using S = sum_type<T>;
    const T *left = device_elements<T>(a, x.a.span()), *right = device_elements<T>(b, x.b.span());
    T* to = device_elements<T>(d, x.c.span());
    const loops all(x);
    walk(all.outer, 0, 0, 0, 0, [&](std::int64_t p, std::int64_t q, std::int64_t r) {
        S sum = 0;
        walk(all.inner, 0, p, q, 0, [&](std::int64_t i, std::int64_t j, std::int64_t) {
            sum += read_as<Bits>(static_cast<S>(left[i])) * read_as<Bits>(static_cast<S>(right[j]));
        });
        to[r] = static_cast<T>(sum);
    });
}

using contract_function = void(const contraction&, const void*, const void*, void*);

contract_function* function_of(const contraction& x) {
    const std::string in = x.compute;
    const bool tf32 = in == "TF32", in_float = in == "32F" || in == "3XTF32";
    switch (x.a.as.type) {
        case CUDA_R_16F: return in == "32F" ? contract<binary16, 23> : nullptr;
        case CUDA_R_16BF: return in == "32F" ? contract<brain, 23> : nullptr;
        case CUDA_R_32F:
            return in_float       ? contract<float, 23>
                   : tf32         ? contract<float, 10>
                   : in == "16BF" ? contract<float, 7>
                                  : nullptr;
        case CUDA_R_64F: return in == "64F" ? contract<double, 23> : nullptr;
        case CUDA_C_32F:
            return in_float ? contract<std::complex<float>, 23> : tf32 ? contract<std::complex<float>, 10> : nullptr;
        case CUDA_C_64F: return in == "64F" ? contract<std::complex<double>, 23> : nullptr;
        default: return nullptr;
    }
}

bool has(const operand& o, std::int32_t mode) { return std::count(o.modes.begin(), o.modes.end(), mode) > 0; }

// Whether modes are named once in each operand, sizes agree, and no mode is of one operand alone.
bool is_valid(const contraction& x) {
    std::map<std::int32_t, std::int64_t> extents;
    for (const operand* o : {&x.a, &x.b, &x.c})
        for (std::size_t i = 0; i < o->modes.size(); ++i) {
            if (std::count(o->modes.begin(), o->modes.end(), o->modes[i]) != 1) return false;
            const auto [at, is_new] = extents.emplace(o->modes[i], o->as.extent[i]);
            if (!is_new && at->second != o->as.extent[i]) return false;
            if (has(x.a, o->modes[i]) + has(x.b, o->modes[i]) + has(x.c, o->modes[i]) < 2) return false;
        }
    return x.a.as.type == x.b.as.type && x.a.as.type == x.c.as.type;
}

bool is_aligned(const operand& o, const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % o.as.alignment == 0;
}

std::atomic<long long> plans{0};
std::atomic<bool> refuses{false};

}  // namespace

extern "C" {

const char* CUTENSOR_COMPUTE_DESC_32F = "32F";
const char* CUTENSOR_COMPUTE_DESC_64F = "64F";
const char* CUTENSOR_COMPUTE_DESC_TF32 = "TF32";
const char* CUTENSOR_COMPUTE_DESC_3XTF32 = "3XTF32";
const char* CUTENSOR_COMPUTE_DESC_16BF = "16BF";

std::size_t cutensorGetVersion() { return 20801; }

const char* cutensorGetErrorString(int s) {
    return s == success         ? "CUTENSOR_STATUS_SUCCESS"
           : s == invalid_value ? "CUTENSOR_STATUS_INVALID_VALUE"
           : s == not_supported ? "CUTENSOR_STATUS_NOT_SUPPORTED"
                                : "CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE";
}

int cutensorCreate(void** handle) {
    *handle = new int(0);
    return success;
}

int cutensorCreateTensorDescriptor(void* handle, tensor** made, std::uint32_t modes, const std::int64_t* extent,
                                   const std::int64_t* stride, cudaDataType type, std::uint32_t alignment) {
    if (!handle || alignment == 0 || alignment & (alignment - 1)) return invalid_value;
    for (std::uint32_t i = 0; i < modes; ++i)
        if (extent[i] < 1 || stride[i] < 1) return invalid_value;
    *made = new tensor{{extent, extent + modes}, {stride, stride + modes}, type, alignment};
    return success;
}

int cutensorDestroyTensorDescriptor(tensor* t) {
    delete t;
    return success;
}

int cutensorCreateContraction(void*, contraction** made, const tensor* a, const std::int32_t* modes_a, int with_a,
                              const tensor* b, const std::int32_t* modes_b, int with_b, const tensor* c,
                              const std::int32_t* modes_c, int with_c, const tensor* d, const std::int32_t* modes_d,
                              const char* compute) {
    auto operand_of = [](const tensor* t, const std::int32_t* modes) {
        return operand{*t, {modes, modes + t->extent.size()}};
    };
    contraction x{operand_of(a, modes_a), operand_of(b, modes_b), operand_of(c, modes_c), compute};
    if (with_a != 1 || with_b != 1 || with_c != 1) return not_supported;
    if (d != c || operand_of(d, modes_d).modes != x.c.modes || !is_valid(x)) return invalid_value;
    if (refuses || !function_of(x)) return not_supported;
    *made = new contraction(x);
    return success;
}

int cutensorDestroyOperationDescriptor(contraction* x) {
    delete x;
    return success;
}

int cutensorCreatePlanPreference(void*, int** made, int algorithm, int compiles) {
    if (algorithm != -1 || compiles != 0) return not_supported;
    *made = new int(algorithm);
    return success;
}

int cutensorDestroyPlanPreference(int* p) {
    delete p;
    return success;
}

int cutensorEstimateWorkspaceSize(void*, const contraction*, const int*, int how, std::uint64_t* bytes) {
    *bytes = work_bytes;
    return how >= 1 && how <= 3 ? success : invalid_value;
}

int cutensorCreatePlan(void*, contraction** plan, const contraction* x, const int*, std::uint64_t most) {
    if (most < work_bytes) return insufficient_workspace;
    *plan = new contraction(*x);
    ++plans;
    return success;
}

int cutensorDestroyPlan(contraction* plan) {
    delete plan;
    return success;
}

int cutensorPlanGetAttribute(void*, const contraction*, int what, void* value, std::size_t bytes) {
    if (what != 0 || bytes != sizeof work_bytes) return invalid_value;
    std::memcpy(value, &work_bytes, sizeof work_bytes);
    return success;
}

int cutensorContract(void*, const contraction* plan, const void* alpha, const void* a, const void* b, const void* beta,
                     const void* c, void* d, void* workspace, std::uint64_t bytes, cudaStream_t stream) {
    if (bytes < work_bytes || reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0) return insufficient_workspace;
    if (c != d || !is_aligned(plan->a, a) || !is_aligned(plan->b, b) || !is_aligned(plan->c, d)) return invalid_value;
    const bool wide = plan->a.as.type == CUDA_R_64F || plan->a.as.type == CUDA_C_64F;
    auto number = [&](const void* at) {
        return wide ? *static_cast<const double*>(at) : *static_cast<const float*>(at);
    };
    if (number(alpha) != 1 || number(beta) != 0) return not_supported;
    auto work = [x = *plan, a, b, d, workspace] {
        std::memset(device_elements<char>(workspace, work_bytes), 0xA5, work_bytes);
        function_of(x)(x, a, b, d);
    };
    return enqueue_work(stream, work) ? success : invalid_value;
}

/// Plans so far, and whether contractions are refused from now on; no functions of cuTENSOR's.
long long emulated_cutensor_plans() { return plans; }
void emulated_cutensor_refuse(int yes) { refuses = yes != 0; }
}

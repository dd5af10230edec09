// libcufft.so of an emulated machine, for tests: the host's FFTW on device memory, in the order of a stream; like cuFFT
// it leaves nothing of use in what is transformed to real numbers.
#include <cufftXt.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "half_precision.hpp"
#include "library_calls.hpp"

using namespace cuda_emulation;

namespace {

constexpr std::size_t work_bytes = 256;  // what every plan asks for: too little memory shows

struct emulated_plan {
    bool allocates = true, made = false;
    cudaStream_t stream = nullptr;
    void* work = nullptr;
    int rank = 0;
    long long n[3] = {}, in[3] = {}, out[3] = {}, idist = 0, odist = 0, batch = 1;
    cudaDataType in_type = CUDA_C_32F, out_type = CUDA_C_32F;

    bool is_real(cudaDataType t) const { return t == CUDA_R_16F || t == CUDA_R_32F || t == CUDA_R_64F; }
    // Of a complex number.
    unsigned bytes() const {
        return in_type == CUDA_R_16F || in_type == CUDA_C_16F   ? 4
               : in_type == CUDA_R_32F || in_type == CUDA_C_32F ? 8
                                                                : 16;
    }
    // Elements from the first to the last one of a side.
    std::int64_t span(const long long* stride, long long distance, cudaDataType type) const {
        std::int64_t last = (batch - 1) * distance;
        const bool half = !is_real(type) && (is_real(in_type) || is_real(out_type));
        for (int i = 0; i < rank; ++i) last += (half && i == rank - 1 ? n[i] / 2 : n[i] - 1) * stride[i];
        return last + 1;
    }
};

std::mutex guard;
std::map<int, emulated_plan> plans;
int last_plan = 0;

emulated_plan* find_plan(int handle) {
    auto found = plans.find(handle);
    return found == plans.end() ? nullptr : &found->second;
}

struct dimension {
    std::ptrdiff_t n, is, os;
};

void* fftw_function(bool is_single, const char* name) {
    static void* libraries[2] = {dlopen("libfftw3.so.3", RTLD_NOW), dlopen("libfftw3f.so.3", RTLD_NOW)};
    void* f = libraries[is_single]
                  ? dlsym(libraries[is_single], ((is_single ? "fftwf_" : "fftw_") + std::string(name)).c_str())
                  : nullptr;
    if (!f) {
        std::fprintf(stderr, "emulated library: no %s of FFTW; install libfftw3-double3 and libfftw3-single3\n", name);
        std::abort();
    }
    return f;
}

template <class Real>
void transform(const emulated_plan& p, void* from, void* to, int direction) {
    const bool single = sizeof(Real) == 4, forward_real = p.is_real(p.in_type), backward_real = p.is_real(p.out_type);
    dimension axes[3], batch{p.batch, p.idist, p.odist};
    for (int i = 0; i < p.rank; ++i) axes[i] = {p.n[i], p.in[i], p.out[i]};
    const unsigned flags = 1u << 6 | 1u << 1;
    std::lock_guard lock(guard);
    void* plan = nullptr;
    const char* run = "execute_dft";
    using plan_real = void*(int, const dimension*, int, const dimension*, void*, void*, unsigned);
    using plan_complex = void*(int, const dimension*, int, const dimension*, void*, void*, int, unsigned);
    if (forward_real || backward_real) {
        auto* make = reinterpret_cast<plan_real*>(
            fftw_function(single, forward_real ? "plan_guru64_dft_r2c" : "plan_guru64_dft_c2r"));
        plan = make(p.rank, axes, 1, &batch, from, to, flags);
        run = forward_real ? "execute_dft_r2c" : "execute_dft_c2r";
    } else {
        auto* make = reinterpret_cast<plan_complex*>(fftw_function(single, "plan_guru64_dft"));
        plan = make(p.rank, axes, 1, &batch, from, to, direction, flags);
    }
    if (!plan) {
        std::fprintf(stderr, "emulated library: FFTW makes no such plan\n");
        std::abort();
    }
    reinterpret_cast<void (*)(void*, void*, void*)>(fftw_function(single, run))(plan, from, to);
    reinterpret_cast<void (*)(void*)>(fftw_function(single, "destroy_plan"))(plan);
}

// Half precision is transformed as float.
template <class Stored>
void transform_stored(const emulated_plan& p, Stored* in, std::int64_t have, Stored* out, std::int64_t want,
                      int direction) {
    if constexpr (std::is_floating_point_v<Stored>) return transform<Stored>(p, in, out, direction);
    else {
        std::vector<float> wide_in(in, in + have), wide_out(out, out + want);
        transform<float>(p, wide_in.data(), wide_out.data(), direction);
        std::copy(wide_out.begin(), wide_out.end(), out);
    }
}

template <class Stored>
void execute(const emulated_plan& p, void* from, void* to, int direction) {
    auto parts = [&](cudaDataType t) { return p.is_real(t) ? 1 : 2; };
    const std::int64_t have = p.span(p.in, p.idist, p.in_type) * parts(p.in_type),
                       want = p.span(p.out, p.odist, p.out_type) * parts(p.out_type);
    std::memset(device_elements<char>(p.work, work_bytes), 0xA5, work_bytes);
    Stored* in = device_elements<Stored>(from, have);
    Stored* out = device_elements<Stored>(to, want);
    transform_stored<Stored>(p, in, have, out, want, direction);
    if (p.is_real(p.out_type) && from != to) std::fill(in, in + have, Stored(std::nanf("")));
}

}  // namespace

extern "C" {

// The version of the headers, as every library of CUDA's tells its own.
cufftResult cufftGetProperty(libraryPropertyType which, int* value) {
    if (which != MAJOR_VERSION && which != MINOR_VERSION && which != PATCH_LEVEL) return CUFFT_INVALID_VALUE;
    *value = which == MAJOR_VERSION ? CUFFT_VER_MAJOR : which == MINOR_VERSION ? CUFFT_VER_MINOR : CUFFT_VER_PATCH;
    return CUFFT_SUCCESS;
}

cufftResult cufftCreate(cufftHandle* handle) {
    std::lock_guard lock(guard);
    plans[*handle = ++last_plan];
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
    std::lock_guard lock(guard);
    return plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int on) {
    std::lock_guard lock(guard);
    emulated_plan* p = find_plan(handle);
    if (!p || p->made) return CUFFT_INVALID_PLAN;
    p->allocates = on;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    std::lock_guard lock(guard);
    emulated_plan* p = find_plan(handle);
    if (!p) return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* work) {
    std::lock_guard lock(guard);
    emulated_plan* p = find_plan(handle);
    if (!p) return CUFFT_INVALID_PLAN;
    p->work = work;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType in_type, long long* onembed, long long ostride,
                                long long odist, cudaDataType out_type, long long batch, std::size_t* work,
                                cudaDataType execution) {
    std::lock_guard lock(guard);
    emulated_plan* p = find_plan(handle);
    if (!p || p->made) return CUFFT_INVALID_PLAN;
    // A distance must be one even where a single transform never uses it.
    if (rank < 1 || rank > 3 || batch < 1 || istride < 1 || ostride < 1 || idist < 1 || odist < 1)
        return CUFFT_INVALID_VALUE;
    if (execution != CUDA_C_16F && execution != CUDA_C_32F && execution != CUDA_C_64F) return CUFFT_INVALID_TYPE;
    p->rank = rank;
    p->in_type = in_type, p->out_type = out_type;
    if (p->bytes() != (execution == CUDA_C_16F ? 4 : execution == CUDA_C_32F ? 8 : 16)) return CUFFT_INVALID_TYPE;
    if (p->bytes() == 4 && ((p->is_real(in_type) && istride != 1) || (p->is_real(out_type) && ostride != 1)))
        return CUFFT_INVALID_VALUE;
    p->idist = idist, p->odist = odist, p->batch = batch;
    const bool half[2] = {!p->is_real(in_type) && p->is_real(out_type), p->is_real(in_type) && !p->is_real(out_type)};
    for (int i = rank; i-- > 0;) {
        if (n[i] < 1 || (p->bytes() == 4 && (n[i] & (n[i] - 1)))) return CUFFT_INVALID_SIZE;
        p->n[i] = n[i];
        p->in[i] = i == rank - 1 ? istride : p->in[i + 1] * inembed[i + 1];
        p->out[i] = i == rank - 1 ? ostride : p->out[i + 1] * onembed[i + 1];
        const bool last = i == rank - 1;
        if (inembed[i] < (last && half[0] ? n[i] / 2 + 1 : n[i]) ||
            onembed[i] < (last && half[1] ? n[i] / 2 + 1 : n[i]))
            return CUFFT_INVALID_VALUE;
    }
    p->made = true;
    *work = work_bytes;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtExec(cufftHandle handle, void* from, void* to, int direction) {
    emulated_plan p;
    {
        std::lock_guard lock(guard);
        emulated_plan* found = find_plan(handle);
        if (!found || !found->made) return CUFFT_INVALID_PLAN;
        p = *found;
    }
    if (!p.allocates && !p.work) return CUFFT_NO_WORKSPACE;
    if (reinterpret_cast<std::uintptr_t>(from) % p.bytes() || reinterpret_cast<std::uintptr_t>(to) % p.bytes())
        return CUFFT_UNALIGNED_DATA;
    const bool enqueued = enqueue_work(p.stream, [=] {
        (p.bytes() == 16  ? execute<double>
         : p.bytes() == 8 ? execute<float>
                          : execute<binary16>)(p, from, to, direction);
    });
    return enqueued ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

}  // extern "C"

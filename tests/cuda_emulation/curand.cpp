// libcurand.so of an emulated machine, for tests: the real library's generators on the host, on device memory and in
// the order of a stream. Generators on the host and tables are the real ones.
#include <curand.h>

#include <memory>

#include "library_calls.hpp"

using namespace cuda_emulation;

namespace {

void* real_library() {
    static void* const library = [] {
        std::string folders = EMULATION_REAL_LIBRARIES ":/usr/local/cuda/lib64:";
        void* found = nullptr;
        for (std::size_t colon; !found && (colon = folders.find(':')) != std::string::npos; folders.erase(0, colon + 1))
            for (const char* name : {"/libcurand.so.10", "/libcurand.so"})
                if (!found && colon) found = dlopen((folders.substr(0, colon) + name).c_str(), RTLD_NOW | RTLD_LOCAL);
        return found;
    }();
    return library;
}

template <class Function>
Function* real(const char* name) {
    void* f = real_library() ? dlsym(real_library(), name) : nullptr;
    if (!f) {
        std::fprintf(stderr, "emulated library: no %s of cuRAND, which runs on the host too; install nvidia-curand\n",
                     name);
        std::abort();
    }
    return reinterpret_cast<Function*>(f);
}
#define REAL(name) real<decltype(name)>(#name)

struct emulated_generator {
    curandGenerator_t host = nullptr;
    bool on_device = false;
    cudaStream_t stream = nullptr;
};
emulated_generator* of(curandGenerator_t g) { return reinterpret_cast<emulated_generator*>(g); }

curandStatus_t create(curandGenerator_t* generator, curandRngType_t kind, bool on_device) {
    auto g = std::make_unique<emulated_generator>();
    g->on_device = on_device;
    const curandStatus_t status = REAL(curandCreateGeneratorHost)(&g->host, kind);
    if (status == CURAND_STATUS_SUCCESS) *generator = reinterpret_cast<curandGenerator_t>(g.release());
    return status;
}

// Draws at once on the host, and when the stream comes to it on a device; what the library refuses then is a bug.
template <class T, class Draw>
curandStatus_t draw(curandGenerator_t generator, T* to, std::size_t n, Draw from_host) {
    emulated_generator* g = of(generator);
    if (!g->on_device) return from_host(g->host, to);
    const bool enqueued = enqueue_work(g->stream, [host = g->host, to, n, from_host] {
        const curandStatus_t status = from_host(host, device_elements<T>(to, static_cast<std::int64_t>(n)));
        if (status == CURAND_STATUS_SUCCESS) return;
        std::fprintf(stderr, "emulated library: cuRAND answers %d\n", static_cast<int>(status));
        std::abort();
    });
    return enqueued ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

// What moves a generator has to come after what it was asked for before.
template <class Move>
curandStatus_t move(curandGenerator_t generator, Move by) {
    emulated_generator* g = of(generator);
    if (!g->on_device || !g->stream) return by(g->host);
    auto run = [host = g->host, by] { by(host); };
    return enqueue_work(g->stream, run) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace

extern "C" {

curandStatus_t curandGetProperty(libraryPropertyType which, int* value) {
    return REAL(curandGetProperty)(which, value);
}

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t kind) {
    return create(generator, kind, true);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t kind) {
    return create(generator, kind, false);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    emulated_generator* g = of(generator);
    const curandStatus_t status =
        move(generator, [](curandGenerator_t host) { return REAL(curandDestroyGenerator)(host); });
    delete g;
    return status;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (!of(generator)->on_device) return CURAND_STATUS_TYPE_ERROR;
    of(generator)->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return move(generator,
                [seed](curandGenerator_t host) { return REAL(curandSetPseudoRandomGeneratorSeed)(host, seed); });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return move(generator, [offset](curandGenerator_t host) { return REAL(curandSetGeneratorOffset)(host, offset); });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    return REAL(curandSetGeneratorOrdering)(of(generator)->host, order);
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* to, std::size_t n) {
    return draw(generator, to, n,
                [n](curandGenerator_t g, unsigned int* at) { return REAL(curandGenerate)(g, at, n); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, std::size_t n) {
    return draw(generator, to, n,
                [n](curandGenerator_t g, float* at) { return REAL(curandGenerateUniform)(g, at, n); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, std::size_t n) {
    return draw(generator, to, n,
                [n](curandGenerator_t g, double* at) { return REAL(curandGenerateUniformDouble)(g, at, n); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, std::size_t n, float mean,
                                    float deviation) {
    return draw(generator, to, n,
                [=](curandGenerator_t g, float* at) { return REAL(curandGenerateNormal)(g, at, n, mean, deviation); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, std::size_t n, double mean,
                                          double deviation) {
    return draw(generator, to, n, [=](curandGenerator_t g, double* at) {
        return REAL(curandGenerateNormalDouble)(g, at, n, mean, deviation);
    });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, std::size_t n, float mean,
                                       float deviation) {
    return draw(generator, to, n, [=](curandGenerator_t g, float* at) {
        return REAL(curandGenerateLogNormal)(g, at, n, mean, deviation);
    });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, std::size_t n, double mean,
                                             double deviation) {
    return draw(generator, to, n, [=](curandGenerator_t g, double* at) {
        return REAL(curandGenerateLogNormalDouble)(g, at, n, mean, deviation);
    });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* to, std::size_t n, double mean) {
    return draw(generator, to, n,
                [=](curandGenerator_t g, unsigned int* at) { return REAL(curandGeneratePoisson)(g, at, n, mean); });
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[], curandDirectionVectorSet_t set) {
    return REAL(curandGetDirectionVectors32)(vectors, set);
}
curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
    return REAL(curandGetScrambleConstants32)(constants);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[], curandDirectionVectorSet_t set) {
    return REAL(curandGetDirectionVectors64)(vectors, set);
}
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
    return REAL(curandGetScrambleConstants64)(constants);
}

}  // extern "C"

// Bodies of libraries.hpp.
#pragma once

#include <atomic>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/fork.hpp>
#include <sinter/runtime/base/process/process_end.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const shared_library* open_cuda_library(const char* name, int version_ahead) {
    const counted_time time(counter_table.library_us);
    return new shared_library(cuda_library_names(name, version_ahead), cuda_library_directories());
}

SINTER_INLINE const shared_library& cublas_library() {
    static const shared_library& l = *open_cuda_library("libcublas", 0);
    return l;
}

SINTER_INLINE const shared_library& cusolver_library() {
    static const shared_library& l = *open_cuda_library("libcusolver", 1);
    return l;
}

SINTER_INLINE const shared_library& cufft_library() {
    static const shared_library& l = *open_cuda_library("libcufft", 1);
    return l;
}

// The library's own number has not changed between CUDA 12 and 13.
SINTER_INLINE const shared_library& curand_library() {
    static const shared_library& l =
        *new shared_library({"libcurand.so.10", "libcurand.so"}, cuda_library_directories());
    return l;
}

SINTER_INLINE const shared_library& cutensor_library() {
    static const shared_library& l =
        *new shared_library({"libcutensor.so.2", "libcutensor.so"}, cuda_library_directories());
    return l;
}

/// Threads that open libraries before they are needed. `opening` is held while one does, so that neither a child nor a
/// process that ends finds the loader in the middle of its work.
struct background_openings {
    std::mutex opening, list;
    std::atomic<bool> is_closed{false};
    background_thread threads[3];  ///< guarded by `list`

    static background_openings& all() {
        static background_openings& o = *new background_openings;
        return o;
    }
    /// Waits for what is being opened, and lets nothing more be: a process that ends would destroy what a library's
    /// constructors are at work on.
    static void close() {
        all().is_closed.store(true);
        std::lock_guard lock(all().list);
        for (background_thread& t : all().threads) t.join();
    }
};

SINTER_INLINE void open_on_thread(int which, void* (*open)(void*)) {
    constexpr auto lock = [] {
        background_openings::all().list.lock();
        background_openings::all().opening.lock();
    };
    constexpr auto unlock = [] {
        background_openings::all().opening.unlock();
        background_openings::all().list.unlock();
    };
    constexpr auto begin_child = [] {
        for (background_thread& t : background_openings::all().threads) t.forget();
        background_openings::all().opening.unlock();
        background_openings::all().list.unlock();
    };
    static const bool handled = handle_forks(fork_order::libraries, {lock, unlock, begin_child});
    static_cast<void>(handled);
    close_at_end(background_openings::close);
    std::lock_guard guard(background_openings::all().list);
    if (!background_openings::all().is_closed) background_openings::all().threads[which].start(open, nullptr);
}

// By the first that a program calls; it waits for what has been begun here as for what another thread opens.
template <const shared_library& (&Library)()>
void* open_library(void*) {
    std::lock_guard lock(background_openings::all().opening);
    if (background_openings::all().is_closed) return nullptr;
    Library();
    return nullptr;
}

SINTER_INLINE void open_in_background(codegen::routine what) {
    static std::atomic<unsigned> begun{0};
    // cuSOLVER brings cuBLAS along; tridiagonal systems are solved by kernels.
    const bool solves = codegen::is_linalg(what) && what != codegen::routine::gtsv;
    const unsigned which = codegen::is_product(what) ? 1 : solves ? 2 : codegen::is_fourier(what) ? 4 : 0;
    if ((begun.load(std::memory_order_relaxed) & which) == which) return;
    if (begun.fetch_or(which, std::memory_order_relaxed) & which) return;
    if (which == 1) open_on_thread(0, open_library<cublas_library>);
    if (which == 2) open_on_thread(1, open_library<cusolver_library>);
    if (which == 4) open_on_thread(2, open_library<cufft_library>);
}

SINTER_INLINE const shared_library& host_lapack_library() {
    static const shared_library& l = *new shared_library(
        {"libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so", "libcblas.so.3", "libblas.so.3"});
    return l;
}

template <bool IsSingle>
const shared_library& fftw_of() {
    static const shared_library& l = *new shared_library([] {
        const std::string stem = IsSingle ? "libfftw3f" : "libfftw3";
        // The library of threads brings the other one along.
        const shared_library threads({stem + "_threads.so.3"});
        return threads ? threads : shared_library({stem + ".so.3"});
    }());
    return l;
}

SINTER_INLINE const shared_library& fftw_library(bool is_single) {
    return is_single ? fftw_of<true>() : fftw_of<false>();
}

SINTER_INLINE const shared_library& zlib_library() {
    static const shared_library& l = *new shared_library({"libz.so.1", "libz.so"});
    return l;
}

SINTER_INLINE const shared_library& png_library() {
    static const shared_library& l = *new shared_library({"libpng16.so.16", "libpng16.so"});
    return l;
}

SINTER_INLINE const shared_library& nccl_library() {
    static const shared_library& l = *new shared_library({"libnccl.so.2", "libnccl.so"}, cuda_library_directories());
    return l;
}

// Both are called with a communicator of NCCL's, which is opened before.
SINTER_INLINE const shared_library& cublasmp_library() {
    static const shared_library& l =
        *new shared_library({"libcublasmp.so.0", "libcublasmp.so"}, cuda_library_directories());
    return l;
}

SINTER_INLINE const shared_library& cusolvermp_library() {
    static const shared_library& l =
        *new shared_library({"libcusolverMp.so.0", "libcusolverMp.so"}, cuda_library_directories());
    return l;
}

// Each is linked with its own MPI, which a process must not mix.
template <bool IsMpich>
const shared_library& scalapack_of() {
    static const shared_library& l = *new shared_library([] {
        const std::string stem = IsMpich ? "libscalapack-mpich.so" : "libscalapack-openmpi.so";
        return shared_library({stem + ".2.2", stem + ".2.1", stem, "libscalapack.so"});
    }());
    return l;
}

SINTER_INLINE const shared_library& scalapack_library(bool is_mpich) {
    return is_mpich ? scalapack_of<true>() : scalapack_of<false>();
}

// The version of one of CUDA's libraries by its function of the form cublasGetProperty(which, &value).
SINTER_INLINE std::string property_version(const shared_library& l, const char* function) {
    auto* get = l.function<int(int, int*)>(function);
    std::string version;
    for (int which = 0; get && which < 3; ++which) {
        int value = 0;
        if (get(which, &value) != 0) return {};
        version.append(which ? "." : "").append(std::to_string(value));
    }
    return version;
}

SINTER_INLINE library_report report_of(const char* name, const shared_library& l, std::string version) {
    return {name, std::move(version), l.path(), l.why()};
}

SINTER_INLINE std::string openblas_version(const shared_library& l) {
    auto* config = l.function<const char*()>("openblas_get_config");
    return config ? config() : "";
}

SINTER_INLINE library_report fftw_report(bool is_single) {
    const shared_library& l = fftw_library(is_single);
    const auto* version = static_cast<const char*>(l.symbol(is_single ? "fftwf_version" : "fftw_version"));
    return report_of(is_single ? "FFTW (float)" : "FFTW (double)", l, version ? version : "");
}

// Of a number whose digits are in pairs, as 20801.
SINTER_INLINE std::string decimal_version(int v) {
    return codegen::joined({v / 10000, ".", v / 100 % 100, ".", v % 100});
}

SINTER_INLINE std::string nccl_version() {
    auto* get = nccl_library().function<int(int*)>("ncclGetVersion");
    int version = 0;
    if (!get || get(&version) != 0) return {};
    return decimal_version(version);
}

SINTER_INLINE std::string cutensor_version() {
    auto* get = cutensor_library().function<std::size_t()>("cutensorGetVersion");
    if (!get) return {};
    return decimal_version(static_cast<int>(get()));
}

SINTER_INLINE std::string cublasmp_version() {
    auto* get = cublasmp_library().function<int(int*)>("cublasMpGetVersion");
    int version = 0;
    if (!get || get(&version) != 0) return {};
    return decimal_version(version);
}

// The MPI that the program is linked with: the first line of what it calls itself, up to a comma.
SINTER_INLINE std::string mpi_version(const shared_library& mpi) {
    auto* get = mpi.function<int(char*, int*)>("MPI_Get_library_version");
    std::string text(8192, '\0');  // the longest of MPICH's
    int length = 0;
    if (!get || get(text.data(), &length) != 0) return {};
    return text.substr(0, text.find_first_of(std::string_view(",\n\0", 3)));
}

// What moves messages between ranks, and the library of matrices of the program's MPI: another one must not be loaded.
SINTER_INLINE void add_distributed_reports(codegen::sequence<library_report>& all) {
    all.push_back(report_of("NCCL", nccl_library(), nccl_version()));
    all.push_back(report_of("cuBLASMp", cublasmp_library(), cublasmp_version()));
    all.push_back(report_of("cuSOLVERMp", cusolvermp_library(), ""));
    const shared_library mpi = shared_library::of_program("MPI_Get_library_version");
    const std::string version = mpi_version(mpi);
    all.push_back(report_of("MPI", mpi, version));
    if (mpi) all.push_back(report_of("ScaLAPACK", scalapack_library(version.starts_with("MPICH")), ""));
    else all.push_back({"ScaLAPACK", "", "", "not looked for: the program is not linked with MPI"});
}

SINTER_INLINE codegen::sequence<library_report> library_reports() {
    codegen::sequence<library_report> all;
    all.push_back(nvrtc_report());
    all.push_back(report_of("cuBLAS", cublas_library(), property_version(cublas_library(), "cublasGetProperty")));
    all.push_back(
        report_of("cuSOLVER", cusolver_library(), property_version(cusolver_library(), "cusolverGetProperty")));
    all.push_back(report_of("cuFFT", cufft_library(), property_version(cufft_library(), "cufftGetProperty")));
    all.push_back(report_of("cuRAND", curand_library(), property_version(curand_library(), "curandGetProperty")));
    all.push_back(report_of("cuTENSOR", cutensor_library(), cutensor_version()));
    const shared_library& lapack = host_lapack_library();
    all.push_back(report_of("OpenBLAS", lapack, openblas_version(lapack)));
    all.push_back(fftw_report(false));
    all.push_back(fftw_report(true));
    auto* zlib_version = zlib_library().function<const char*()>("zlibVersion");
    all.push_back(report_of("zlib", zlib_library(), zlib_version ? zlib_version() : ""));
    auto* png_version = png_library().function<const char*(const void*)>("png_get_libpng_ver");
    all.push_back(report_of("libpng", png_library(), png_version ? png_version(nullptr) : ""));
    add_distributed_reports(all);
    return all;
}

}  // namespace sinter::inline SINTER_ABI::runtime

// One run of a linear algebra routine on a GPU: where its memory is, and how libraries are called; must not know what a
// routine does.
#pragma once

#include <algorithm>
#include <mutex>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/library/linalg/cusolver_types.hpp>
#include <sinter/runtime/library/linalg/linalg_task.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// A stream's cuSOLVER, and memory on the host that its functions work in.
struct cusolver_handle {
    std::mutex guard;
    void* handle = nullptr;
    void* stream = nullptr;  ///< that it has been told of
    void* params = nullptr;
    void* jacobi = nullptr;  ///< how gesvdj iterates
    double shift = 0;        ///< what gesvdp had to add to the singular values
    codegen::sequence<char> host_work;
};

/// Throws out_of_memory or device_error that names a call, unless its status is that it was successful.
void check_cusolver(int status, const char* what);

/// A function of cuSOLVER by name; throws device_error when there is none.
void* cusolver_symbol(const char* name);
template <class Function>
Function* cusolver_function(const char* name) {
    return reinterpret_cast<Function*>(cusolver_symbol(name));
}

/// The cuSOLVER of this thread's stream, opened at its first use.
cusolver_handle& cusolver_of(device where);

/// The memory that a library's function asks for.
struct cuda_work {
    int elements = 0;
    std::size_t on_device = 0, on_host = 0;
};

/// The matrices of a stack that cusolverDnXsyevBatched takes at once; it says so nowhere, and fails beyond.
inline constexpr std::int64_t most_of_syev_batched = 65535;

/// One run of a routine on a device, or, without memory, the question how much it needs.
struct cuda_run {
    prepared_linalg& r;
    cusolver_handle& own;
    void *solver, *params;
    device where;
    void* blas = nullptr;
    char* const* at = nullptr;
    char *info = nullptr, *marks = nullptr, *lists[2] = {}, *pivots = nullptr, *copy = nullptr, *moves = nullptr,
         *identities = nullptr, *vectors = nullptr, *work = nullptr;

    template <class Function>
    Function* function(int i) const {
        return reinterpret_cast<Function*>(r.functions[i]);
    }
    bool has(std::uint8_t option) const { return r.task.call.has(option); }
    int leading(int n) const { return std::max(n, 1); }
    int trans() const { return has(codegen::call_info::adjoint) ? 2 : has(codegen::call_info::transposed) ? 1 : 0; }
    int uplo() const { return has(codegen::call_info::upper) ? linalg_constants::upper : linalg_constants::lower; }
    int batch() const { return static_cast<int>(r.task.batch); }
    int* infos() const { return reinterpret_cast<int*>(info); }
    int* pivots_at(int array) const { return reinterpret_cast<int*>(at[array]); }
    int lwork() const { return static_cast<int>(r.work[0] / codegen::size_of(r.task.type)); }
    int element() const;
    int real_element() const;
    int complex_element() const;

    /// The addresses of a stack's matrices, in the memory for one of two such lists.
    void** list(int which, char* first, std::int64_t stride, std::int64_t count) const;
    void** list(int which, char* first, std::int64_t stride) const { return list(which, first, stride, r.task.batch); }
    /// -1, 0 or 1 in the type of the elements.
    const void* number(int value) const;
    /// Memory on the host for functions that may still work in it when they return.
    void* host_work() const;
    /// What becomes of a call's status.
    void asked(int status) const;
    void solved(int status) const;
    void multiplied(int status) const;
    /// Eigenvalues, in real numbers side by side, of matrices of n by n that lie `apart` bytes from each other; by the
    /// function that stands at `which`.
    void solve_syev_batched(int which, int uplo, int n, char* a, int ld, std::int64_t apart, char* values, char* memory,
                            std::size_t bytes, std::size_t host_bytes) const;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_run.ipp>
#endif

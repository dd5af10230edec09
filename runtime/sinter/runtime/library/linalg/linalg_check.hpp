// Compares at compile time what cusolver_types.hpp assumes of cuSOLVER and cuBLAS with the toolkit's own headers; must
// define nothing else.
#pragma once

#include <sinter/runtime/library/linalg/cusolver_types.hpp>

#if SINTER_HAS_CUDA

#include <cublas_api.h>
#include <cusolverDn.h>

#include <type_traits>

namespace sinter::inline SINTER_ABI::runtime {

/// A type as plain C passes it for matrices of any type: enumerations are int, handles and elements void.
template <class T>
struct untyped {
    using type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
template <class T>
inline constexpr bool is_element = std::is_same_v<T, double> || std::is_same_v<T, cuDoubleComplex>;
template <class T>
    requires(is_element<T> || (std::is_class_v<T> && !std::is_const_v<T>))
struct untyped<T*> {
    using type = void*;
};
template <class T>
    requires is_element<T>
struct untyped<const T*> {
    using type = const void*;
};
template <class T>
    requires std::is_pointer_v<T>
struct untyped<T*> {
    using type = typename untyped<std::remove_const_t<T>>::type*;
};
template <class T>
    requires std::is_pointer_v<T>
struct untyped<T* const> {
    using type = typename untyped<T>::type* const;
};
template <class T>
    requires std::is_pointer_v<T>
struct untyped<const T*> {
    using type = const typename untyped<T>::type*;
};
template <class R, class... A>
struct untyped<R(A...)> {
    using type = typename untyped<R>::type(typename untyped<A>::type...);
};

template <class Ours, class Theirs>
inline constexpr bool same_untyped = std::is_same_v<Ours, typename untyped<Theirs>::type>;

static_assert(same_untyped<cusolver_types::create, decltype(cusolverDnCreate)>);
static_assert(same_untyped<cusolver_types::set_stream, decltype(cusolverDnSetStream)>);
static_assert(same_untyped<cusolver_types::create_params, decltype(cusolverDnCreateParams)>);
static_assert(same_untyped<cusolver_types::getrf_size, decltype(cusolverDnDgetrf_bufferSize)>);
static_assert(same_untyped<cusolver_types::getrf, decltype(cusolverDnDgetrf)>);
static_assert(same_untyped<cusolver_types::getrs, decltype(cusolverDnDgetrs)>);
static_assert(same_untyped<cusolver_types::potrf_size, decltype(cusolverDnDpotrf_bufferSize)>);
static_assert(same_untyped<cusolver_types::potrf, decltype(cusolverDnZpotrf)>);
static_assert(same_untyped<cusolver_types::potrf_batched, decltype(cusolverDnZpotrfBatched)>);
static_assert(same_untyped<cusolver_types::geqrf_size, decltype(cusolverDnDgeqrf_bufferSize)>);
static_assert(same_untyped<cusolver_types::geqrf, decltype(cusolverDnDgeqrf)>);
static_assert(same_untyped<cusolver_types::orgqr_size, decltype(cusolverDnDorgqr_bufferSize)>);
static_assert(same_untyped<cusolver_types::orgqr, decltype(cusolverDnZungqr)>);
static_assert(same_untyped<cusolver_types::ormqr_size, decltype(cusolverDnDormqr_bufferSize)>);
static_assert(same_untyped<cusolver_types::ormqr, decltype(cusolverDnZunmqr)>);
static_assert(same_untyped<cusolver_types::syevd_size, decltype(cusolverDnXsyevd_bufferSize)>);
static_assert(same_untyped<cusolver_types::syevd, decltype(cusolverDnXsyevd)>);
static_assert(same_untyped<cusolver_types::create_info, decltype(cusolverDnCreateGesvdjInfo)>);
static_assert(same_untyped<cusolver_types::gesvdj_size, decltype(cusolverDnZgesvdj_bufferSize)>);
static_assert(same_untyped<cusolver_types::gesvdj, decltype(cusolverDnZgesvdj)>);
static_assert(same_untyped<cusolver_types::gesvdj_batched_size, decltype(cusolverDnDgesvdjBatched_bufferSize)>);
static_assert(same_untyped<cusolver_types::gesvdj_batched, decltype(cusolverDnZgesvdjBatched)>);
static_assert(same_untyped<cusolver_types::gesvdp_size, decltype(cusolverDnXgesvdp_bufferSize)>);
static_assert(same_untyped<cusolver_types::gesvdp, decltype(cusolverDnXgesvdp)>);
static_assert(same_untyped<cublas_linalg_types::getrf_batched, decltype(cublasZgetrfBatched)>);
static_assert(same_untyped<cublas_linalg_types::getrs_batched, decltype(cublasDgetrsBatched)>);
static_assert(same_untyped<cublas_linalg_types::getri_batched, decltype(cublasDgetriBatched)>);
static_assert(same_untyped<cublas_linalg_types::geqrf_batched, decltype(cublasDgeqrfBatched)>);
static_assert(same_untyped<cublas_linalg_types::trsm, decltype(cublasZtrsm_v2)>);
static_assert(same_untyped<cublas_linalg_types::gemm, decltype(cublasZgemm_v2)>);
static_assert(same_untyped<cublas_linalg_types::gemm_strided, decltype(cublasZgemmStridedBatched)>);
static_assert(same_untyped<cublas_linalg_types::trsm_batched, decltype(cublasDtrsmBatched)>);

static_assert(linalg_constants::lower == CUBLAS_FILL_MODE_LOWER && linalg_constants::upper == CUBLAS_FILL_MODE_UPPER);
static_assert(linalg_constants::left == CUBLAS_SIDE_LEFT && linalg_constants::right == CUBLAS_SIDE_RIGHT);
static_assert(linalg_constants::unit == CUBLAS_DIAG_UNIT && CUBLAS_DIAG_NON_UNIT == 0);
static_assert(CUBLAS_OP_N == 0 && CUBLAS_OP_T == 1 && CUBLAS_OP_C == 2);
static_assert(CUSOLVER_EIG_MODE_NOVECTOR == 0 && CUSOLVER_EIG_MODE_VECTOR == 1);
static_assert(linalg_constants::cusolver_alloc_failed == CUSOLVER_STATUS_ALLOC_FAILED && CUSOLVER_STATUS_SUCCESS == 0);

// Since CUDA 12.6.
#if CUSOLVER_VERSION >= 11701
static_assert(same_untyped<cusolver_types::syev_batched_size, decltype(cusolverDnXsyevBatched_bufferSize)>);
static_assert(same_untyped<cusolver_types::syev_batched, decltype(cusolverDnXsyevBatched)>);
static_assert(same_untyped<cusolver_types::geev_size, decltype(cusolverDnXgeev_bufferSize)>);
static_assert(same_untyped<cusolver_types::geev, decltype(cusolverDnXgeev)>);
#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

// Compares at compile time what curand_types.hpp assumes of cuRAND with the toolkit's own header; must define nothing
// else.
#pragma once

#include <sinter/runtime/library/curand_types.hpp>

#if SINTER_HAS_CUDA

#include <curand.h>

#include <type_traits>

namespace sinter::inline SINTER_ABI::runtime {

/// A parameter as plain C passes it: enumerations are int, generators and streams void*.
template <class T>
struct curand_plain {
    using type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
template <>
struct curand_plain<curandGenerator_t> {
    using type = void*;
};
template <>
struct curand_plain<cudaStream_t> {
    using type = void*;
};
template <>
struct curand_plain<curandGenerator_t*> {
    using type = void**;
};
template <class Ours, class Theirs>
inline constexpr bool same_curand = false;
template <class Ours, class... P>
inline constexpr bool same_curand<Ours, curandStatus_t(P...)> =
    std::is_same_v<Ours, int(typename curand_plain<P>::type...)>;

static_assert(same_curand<curand_types::create, decltype(curandCreateGenerator)>);
static_assert(same_curand<curand_types::create, decltype(curandCreateGeneratorHost)>);
static_assert(same_curand<curand_types::destroy, decltype(curandDestroyGenerator)>);
static_assert(same_curand<curand_types::set_stream, decltype(curandSetStream)>);
static_assert(same_curand<curand_types::set_seed, decltype(curandSetPseudoRandomGeneratorSeed)>);
static_assert(same_curand<curand_types::set_offset, decltype(curandSetGeneratorOffset)>);
static_assert(same_curand<curand_types::set_ordering, decltype(curandSetGeneratorOrdering)>);
static_assert(same_curand<curand_types::words, decltype(curandGenerate)>);
static_assert(same_curand<curand_types::floats, decltype(curandGenerateUniform)>);
static_assert(same_curand<curand_types::doubles, decltype(curandGenerateUniformDouble)>);
static_assert(same_curand<curand_types::normal_floats, decltype(curandGenerateNormal)>);
static_assert(same_curand<curand_types::normal_doubles, decltype(curandGenerateNormalDouble)>);
static_assert(same_curand<curand_types::normal_floats, decltype(curandGenerateLogNormal)>);
static_assert(same_curand<curand_types::normal_doubles, decltype(curandGenerateLogNormalDouble)>);
static_assert(same_curand<curand_types::counts, decltype(curandGeneratePoisson)>);
static_assert(same_curand<curand_types::directions_32, decltype(curandGetDirectionVectors32)>);
static_assert(same_curand<curand_types::constants_32, decltype(curandGetScrambleConstants32)>);
static_assert(same_curand<curand_types::directions_64, decltype(curandGetDirectionVectors64)>);
static_assert(same_curand<curand_types::constants_64, decltype(curandGetScrambleConstants64)>);

static_assert(curand_constants::success == CURAND_STATUS_SUCCESS);
static_assert(curand_constants::version_mismatch == CURAND_STATUS_VERSION_MISMATCH);
static_assert(curand_constants::not_initialized == CURAND_STATUS_NOT_INITIALIZED);
static_assert(curand_constants::allocation_failed == CURAND_STATUS_ALLOCATION_FAILED);
static_assert(curand_constants::type_error == CURAND_STATUS_TYPE_ERROR);
static_assert(curand_constants::out_of_range == CURAND_STATUS_OUT_OF_RANGE);
static_assert(curand_constants::length_not_multiple == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
static_assert(curand_constants::double_required == CURAND_STATUS_DOUBLE_PRECISION_REQUIRED);
static_assert(curand_constants::launch_failure == CURAND_STATUS_LAUNCH_FAILURE);
static_assert(curand_constants::preexisting_failure == CURAND_STATUS_PREEXISTING_FAILURE);
static_assert(curand_constants::initialization_failed == CURAND_STATUS_INITIALIZATION_FAILED);
static_assert(curand_constants::arch_mismatch == CURAND_STATUS_ARCH_MISMATCH);
static_assert(curand_constants::internal_error == CURAND_STATUS_INTERNAL_ERROR);
static_assert(curand_constants::xorwow == CURAND_RNG_PSEUDO_XORWOW);
static_assert(curand_constants::mrg32k3a == CURAND_RNG_PSEUDO_MRG32K3A);
static_assert(curand_constants::mtgp32 == CURAND_RNG_PSEUDO_MTGP32);
static_assert(curand_constants::mt19937 == CURAND_RNG_PSEUDO_MT19937);
static_assert(curand_constants::philox4_32_10 == CURAND_RNG_PSEUDO_PHILOX4_32_10);
static_assert(curand_constants::best == CURAND_ORDERING_PSEUDO_BEST);
static_assert(curand_constants::seeded == CURAND_ORDERING_PSEUDO_SEEDED);
static_assert(curand_constants::legacy == CURAND_ORDERING_PSEUDO_LEGACY);
static_assert(curand_constants::dynamic == CURAND_ORDERING_PSEUDO_DYNAMIC);
static_assert(curand_constants::directions_32 == CURAND_DIRECTION_VECTORS_32_JOEKUO6);
static_assert(curand_constants::scrambled_32 == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
static_assert(curand_constants::directions_64 == CURAND_DIRECTION_VECTORS_64_JOEKUO6);
static_assert(curand_constants::scrambled_64 == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

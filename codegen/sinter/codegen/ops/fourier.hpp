// Discrete Fourier transforms as libraries take them, and what they mean; must not know the libraries.
#pragma once

#include <optional>
#include <sinter/codegen/base/layout.hpp>
#include <sinter/codegen/ops/routine.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Transforms over up to three axes that nest, and a stack of them that one distance describes. Strides and distances
/// count elements of their own side, real or complex.
struct transform_task {
    static constexpr int most_axes = 3;

    routine what = routine::fft;
    bool inverse = false;
    dtype type = dtype::float64;  ///< of real and imaginary parts
    int rank = 0;
    std::int64_t size[most_axes] = {};  ///< in the order of the axes; of the real side where there is one
    std::int64_t in_stride[most_axes] = {}, out_stride[most_axes] = {};
    std::int64_t batch = 1, in_distance = 0, out_distance = 0;

    friend bool operator==(const transform_task&, const transform_task&) = default;
};

/// The task of a call whose operand, of this type, lies like this and whose result is row-major; nullopt where no
/// single one does it: the operand must be rearranged.
std::optional<transform_task> find_transform(const call_info& c, dtype type, const layout& operand);

/// The number of points from this one on whose transforms take the least work, a product of twos, threes and fives: the
/// arithmetic of its steps, by the operations of the small transforms of 4, 2, 3 and 5 points and the products between
/// them, and of what reads and writes all points besides. An odd number has no transform of half as many complex
/// points, and counts twice.
std::int64_t fast_length(std::int64_t least);

/// The transform by its definition in long double, by powers of two and otherwise by Bluestein's convolution; operand
/// and result are row-major. irfft ignores imaginary parts that a real result cannot have.
void fourier_reference(const call_info& c, dtype type, const dims& shape, const void* from, void* to);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/ops/fourier.ipp>
#endif

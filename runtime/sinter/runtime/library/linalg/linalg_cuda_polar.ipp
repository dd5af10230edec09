// Bodies of linalg_cuda_polar.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/polar_cuda.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/library/blas_cuda.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_polar.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_svd.hpp>

#if SINTER_HAS_CUDA

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// x times a + b x'x + c (x'x)^2 takes singular values between zero and one closer to one.
struct polar_step {
    double a, b, c;
};

// How often a value is multiplied by 3.4445, by the polynomial of Jordan et al., Muon (2024), until those of `epsilon`
// beside the largest are between 0.68 and 1.2, from where Newton and Schulz's of fifth order brings them to one.
SINTER_INLINE int growing_polar_steps(dtype t, std::int64_t q) {
    const double epsilon = codegen::real_of(t) == dtype::float64 ? 0x1p-52 : 0x1p-23;
    namespace ieee = codegen::ieee;
    return static_cast<int>(ieee::ceil(ieee::log(ieee::sqrt(static_cast<double>(q)) / epsilon) / ieee::log(3.4445))) -
           2;
}

SINTER_INLINE void prepare_polar(prepared_linalg& p, device where) {
    const written_text& text = find_text(codegen::polar_cuda(p.task.type), where);
    p.polar = {text.kernel("take_adjoint"), text.kernel("divide_by_norm"), text.kernel("add_diagonal")};
}

// With the polar decomposition u h of the adjoint of r, h's eigenvectors are what makes the columns of that adjoint
// orthogonal; see Nakatsukasa and Higham, Stable and efficient spectral divide and conquer algorithms (2013). Products
// alone lead to u, whatever the condition: where singular values stay below one, they are nothing beside the largest.
SINTER_INLINE void cuda_polar::polarise_columns(const cuda_svd_layout& l) const {
    const linalg_task& t = r.task;
    const auto columns = static_cast<std::uint32_t>(t.batch * l.q);
    const bool has_vectors = has(codegen::call_info::vectors);
    void *factors = work + l.factors, *given = work + l.given, *x = work + l.units, *g = work + l.rotations,
         *y = work + l.columns, *squares = work + l.lengths;
    std::int64_t rows = l.p;
    int q = static_cast<int>(l.q);
    void* taken[] = {&factors, &rows, &given, &squares, &q};
    launch_cuda(where, r.polar.take_adjoint, {columns}, {codegen::polar_threads}, 0, taken);
    void* divided[] = {&given, &squares, &x, &q};
    launch_cuda(where, r.polar.divide_by_norm, {columns}, {codegen::polar_threads}, 0, divided);
    auto multiply = [&](void* a, void* b, void* to, bool adjoint = false, double kept = 0) {
        auto square = [&](void* data) { return stack_operand{data, l.q, l.q * l.q}; };
        multiply_stack({q, q, q, square(a), square(b), square(to), adjoint, 1, kept});
    };
    auto improve = [&](polar_step s) {
        multiply(x, x, g, true);
        multiply(x, g, y);
        void* added[] = {&g, &s.c, &s.b, &q};
        launch_cuda(where, r.polar.add_diagonal, {columns}, {codegen::polar_threads}, 0, added);
        multiply(y, g, x, false, s.a);
    };
    for (int i = 0; i < growing_polar_steps(t.type, l.q); ++i) improve({3.4445, -4.7750, 2.0315});
    const int last_steps = codegen::real_of(t.type) == dtype::float64 ? 4 : 3;
    for (int i = 0; i < last_steps; ++i) improve({15. / 8, -10. / 8, 3. / 8});
    multiply(x, given, g, true);
    const std::int64_t size = l.q * l.q * codegen::size_of(t.type);
    solve_syev_batched(1, linalg_constants::lower, q, static_cast<char*>(g), q, size, static_cast<char*>(squares),
                       work + l.bytes, static_cast<std::size_t>(r.work[0] - l.bytes),
                       static_cast<std::size_t>(r.work[1]));
    if (has_vectors) multiply(given, g, y);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

#endif

// error: sinter: [solve] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [inv] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [det] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()
// error: sinter: [slogdet] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [cholesky] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [cholesky_solve] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()
// error: sinter: [solve_triangular] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [solve_tridiagonal] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [lu_factor] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [lu_solve] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [lu] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()
// error: sinter: [qr] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [eigh] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [eigvalsh] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [eig] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()
// error: sinter: [eigvals] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [svd] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [svdvals] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()
// error: sinter: [cond] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [matrix_rank] bfloat16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [pinv] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()
// error: sinter: [lstsq] float16 is unsupported in linear algebra: convert with astype<float>()
// error: sinter: [expm] bfloat16 is unsupported in linear algebra: convert with astype<float>()
#include <sinter/sinter.hpp>

void wrong(sinter::array<sinter::half> h, sinter::array<sinter::bfloat16> b, sinter::array<sinter::complex_half> c) {
    using namespace sinter;
    linalg::solve(h, h);
    linalg::inv(b);
    linalg::det(c);
    linalg::slogdet(h);
    linalg::cholesky(b);
    linalg::cholesky_solve(c, c);
    linalg::solve_triangular(h, h * 2);
    linalg::solve_tridiagonal(b, b, b, b);
    linalg::lu_factor(h);
    linalg::lu_solve(linalg::lu_factor_result<bfloat16>(), b);
    linalg::lu(c);
    linalg::qr(h);
    linalg::eigh(b);
    linalg::eigvalsh(h);
    linalg::eig(c);
    linalg::eigvals(b);
    linalg::svd(h);
    linalg::svdvals(c);
    linalg::cond(h);
    linalg::matrix_rank(b);
    linalg::pinv(c);
    linalg::lstsq(h, h);
    linalg::expm(b);
}

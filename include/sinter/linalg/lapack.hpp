// LAPACK's routines under their own names, in the memory where the arrays lie: nothing is copied, matrices are
// overwritten.
#pragma once

#include <sinter/linalg/decompositions.hpp>

namespace sinter::inline SINTER_ABI::linalg::lapack {

// Names and order of arguments are LAPACK's, without sizes, leading dimensions, work space and info. Matrices are read
// as LAPACK reads them, by columns: a row-major array of shape (…, N, M) is a stack of M x N matrices, each the
// transpose of what indexing shows, so a right-hand side is a row. 'U' and 'L' mean the triangle of the matrix as
// LAPACK sees it; for symmetric matrices it is the other one of the array. Each is run at once, one call for a stack.
//
// An array that is overwritten has to be its memory's only holder, row-major and sinter's own: value_error otherwise.
// Arrays of results (pivots, tau, w, s, u, vt) are replaced by new ones. shape_error where shapes do not fit. When info
// is not zero, linalg_error naming routine and matrix: at once on the CPU, and on a GPU, which is not waited for, where
// what was overwritten is read.

namespace detail {

using namespace sinter::linalg::detail;

/// Runs a routine in the memory of operand 0; returns its results.
codegen::sequence<handle> run_in_place(std::string_view name, const call_info& c,
                                       std::initializer_list<const handle*> operands);
/// One that data can make fail, by its name.
inline codegen::sequence<handle> run_in_place(const call_info& c, std::initializer_list<const handle*> operands) {
    return run_in_place(to_string(c.why), c, operands);
}

/// The option of a letter of LAPACK's; throws value_error for one that is none of `letters`.
std::uint8_t option_of(std::string_view routine, const char* argument, char given, std::string_view letters,
                       std::initializer_list<int> options);
std::uint8_t triangle_of(std::string_view routine, char uplo);
std::uint8_t vectors_of(std::string_view routine, const char* argument, char job);
std::uint8_t operation_of(std::string_view routine, const char* argument, char trans);

template <class T>
concept element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
                  std::same_as<T, std::complex<double>>;

}  // namespace detail

/// LU factors with partial pivoting; pivots count from 1. Singular matrices are an error, as info > 0 is.
template <detail::element T>
void getrf(array<T>& a, array<std::int32_t>& ipiv) {
    auto r = detail::run_in_place({codegen::routine::getrf, 0, codegen::purpose::getrf}, {&a.get_handle()});
    a = array<T>(r[0]);
    ipiv = array<std::int32_t>(r[1]);
}

/// b becomes the x with op(a) x = b for factors of getrf; trans is 'N', 'T' or 'C'.
template <detail::element T>
void getrs(char trans, const array<T>& a, const array<std::int32_t>& ipiv, array<T>& b) {
    const auto how = detail::operation_of("getrs", "trans", trans);
    auto r = detail::run_in_place("getrs", {codegen::routine::getrs, how},
                                  {&b.get_handle(), &a.get_handle(), &ipiv.get_handle()});
    b = array<T>(r[0]);
}

/// b becomes the x with a x = b for a of three diagonals; unlike LAPACK's it leaves these as they are.
template <detail::element T>
void gtsv(const array<T>& dl, const array<T>& d, const array<T>& du, array<T>& b) {
    auto r = detail::run_in_place({codegen::routine::gtsv, 0, codegen::purpose::gtsv},
                                  {&b.get_handle(), &dl.get_handle(), &d.get_handle(), &du.get_handle()});
    b = array<T>(r[0]);
}

/// Cholesky's factor in one triangle of a; the other stays as it is.
template <detail::element T>
void potrf(char uplo, array<T>& a) {
    const auto how = detail::triangle_of("potrf", uplo);
    auto r = detail::run_in_place({codegen::routine::potrf, how, codegen::purpose::potrf}, {&a.get_handle()});
    a = array<T>(r[0]);
}

namespace detail {

template <class T>
void solve_triangle(std::string_view name, std::uint8_t how, const array<T>& a, array<T>& b) {
    auto r = run_in_place(name, {codegen::routine::trsm, how}, {&b.get_handle(), &a.get_handle()});
    b = array<T>(r[0]);
}

}  // namespace detail

/// b becomes the x with op(a) x = b, or x op(a) = b where side is 'R' (BLAS, with alpha = 1).
template <detail::element T>
void trsm(char side, char uplo, char transa, char diag, const array<T>& a, array<T>& b) {
    using c = codegen::call_info;
    const auto how = static_cast<std::uint8_t>(
        detail::option_of("trsm", "side", side, "LR", {0, c::right}) | detail::triangle_of("trsm", uplo) |
        detail::operation_of("trsm", "transa", transa) | detail::option_of("trsm", "diag", diag, "NU", {0, c::unit}));
    detail::solve_triangle("trsm", how, a, b);
}

/// b becomes the x with a x = b for a's factor of potrf.
template <detail::element T>
void potrs(char uplo, const array<T>& a, array<T>& b) {
    using c = codegen::call_info;
    const auto triangle = detail::triangle_of("potrs", uplo),
               adjoint = static_cast<std::uint8_t>(triangle | c::adjoint);
    detail::solve_triangle("potrs", triangle ? adjoint : triangle, a, b);
    detail::solve_triangle("potrs", triangle ? triangle : adjoint, a, b);
}

/// Householder's reflectors below r's diagonal, and their factors tau.
template <detail::element T>
void geqrf(array<T>& a, array<T>& tau) {
    auto r = detail::run_in_place("geqrf", {codegen::routine::geqrf}, {&a.get_handle()});
    a = array<T>(r[0]);
    tau = array<T>(r[1]);
}

namespace detail {

template <class T>
void form_q(std::string_view name, array<T>& a, const array<T>& tau) {
    auto r = run_in_place(name, {codegen::routine::orgqr}, {&a.get_handle(), &tau.get_handle()});
    a = array<T>(r[0]);
}

}  // namespace detail

/// The first columns of q from the reflectors of geqrf; of complex matrices LAPACK calls it ungqr.
template <detail::element T>
void orgqr(array<T>& a, const array<T>& tau) {
    detail::form_q("orgqr", a, tau);
}
/// orgqr by the name that LAPACK has for complex matrices.
template <detail::element T>
void ungqr(array<T>& a, const array<T>& tau) {
    detail::form_q("ungqr", a, tau);
}

namespace detail {

template <class T>
void multiply_by_q(std::string_view name, char side, char trans, const array<T>& a, const array<T>& tau, array<T>& c) {
    using i = codegen::call_info;
    constexpr bool is_complex = codegen::is_complex(dtype_of<T>);
    const auto how = static_cast<std::uint8_t>(
        option_of(name, "side", side, "LR", {0, i::right}) |
        option_of(name, "trans", trans, is_complex ? "NC" : "NT", {0, is_complex ? i::adjoint : i::transposed}));
    auto r = run_in_place(name, {codegen::routine::ormqr, how}, {&c.get_handle(), &a.get_handle(), &tau.get_handle()});
    c = array<T>(r[0]);
}

}  // namespace detail

/// c becomes op(q) c, or c op(q) where side is 'R', for the square q of the reflectors of geqrf, which is not formed:
/// trans is 'N' or 'T', of complex matrices 'N' or 'C'; of these LAPACK calls it unmqr.
template <detail::element T>
void ormqr(char side, char trans, const array<T>& a, const array<T>& tau, array<T>& c) {
    detail::multiply_by_q("ormqr", side, trans, a, tau, c);
}
/// ormqr by the name that LAPACK has for complex matrices.
template <detail::element T>
void unmqr(char side, char trans, const array<T>& a, const array<T>& tau, array<T>& c) {
    detail::multiply_by_q("unmqr", side, trans, a, tau, c);
}

namespace detail {

template <class T>
void decompose_hermitian(purpose why, char jobz, char uplo, array<T>& a, array<real_part<T>>& w) {
    const auto how =
        static_cast<std::uint8_t>(vectors_of(to_string(why), "jobz", jobz) | triangle_of(to_string(why), uplo));
    auto r = run_in_place({codegen::routine::syevd, how, why}, {&a.get_handle()});
    a = array<T>(r[0]);
    w = array<real_part<T>>(r[1]);
}

}  // namespace detail

/// Eigenvalues, ascending, and with jobz = 'V' eigenvectors in place of a; of complex matrices LAPACK calls it heevd.
template <detail::element T>
void syevd(char jobz, char uplo, array<T>& a, array<detail::real_part<T>>& w) {
    detail::decompose_hermitian(detail::purpose::syevd, jobz, uplo, a, w);
}
/// syevd by the name that LAPACK has for complex matrices.
template <detail::element T>
void heevd(char jobz, char uplo, array<T>& a, array<detail::real_part<T>>& w) {
    detail::decompose_hermitian(detail::purpose::heevd, jobz, uplo, a, w);
}

namespace detail {

template <class T>
void decompose(purpose why, char jobz, array<T>& a, array<real_part<T>>& s, array<T>& u, array<T>& vt) {
    using c = codegen::call_info;
    const bool on_gpu = a.device().is_cuda();
    const auto how = static_cast<std::uint8_t>(
        option_of(to_string(why), "jobz", jobz, "NSA", {0, c::vectors, c::vectors | c::full}) |
        (on_gpu ? c::plain_v : 0));
    auto r = run_in_place({codegen::routine::gesvd, how, why}, {&a.get_handle()});
    a = array<T>(r[0]);
    s = array<real_part<T>>(r[2]);
    if (how & c::vectors) {
        u = array<T>(r[1]);
        vt = array<T>(r[3]);
        if (on_gpu) vt = conj(vt).mT();
    }
}

}  // namespace detail

/// Singular values, descending, and with jobz = 'A' or 'S' vectors: all, or as many as there are values; with 'N' u and
/// vt stay as they are. a is left with nothing of use. (On a GPU vt is a view of v.)
template <detail::element T>
void gesdd(char jobz, array<T>& a, array<detail::real_part<T>>& s, array<T>& u, array<T>& vt) {
    detail::decompose(detail::purpose::gesdd, jobz, a, s, u, vt);
}

/// The same with letters for u and vt apart, of which 'N' leaves its array as it is.
template <detail::element T>
void gesvd(char jobu, char jobvt, array<T>& a, array<detail::real_part<T>>& s, array<T>& u, array<T>& vt) {
    const auto for_u = detail::option_of("gesvd", "jobu", jobu, "NSA", {0, 1, 2}),
               for_vt = detail::option_of("gesvd", "jobvt", jobvt, "NSA", {0, 1, 2});
    array<T> left, right;
    detail::decompose(detail::purpose::gesvd, "NSA"[std::max(for_u, for_vt)], a, s, left, right);
    const auto least = slice(s.shape(-1));
    if (for_u) u = for_u < for_vt ? array<T>(left(ellipsis, least, all)) : left;
    if (for_vt) vt = for_vt < for_u ? array<T>(right(ellipsis, all, least)) : right;
}

/// Eigenvalues and with jobvr = 'V' right eigenvectors of any square matrices, always complex where LAPACK's are pairs
/// of real numbers; left ones are not computed, so jobvl is 'N'. a is left with nothing of use. On a GPU a is complex.
template <detail::element T>
void geev(char jobvl, char jobvr, array<T>& a, array<detail::complex_of<T>>& w, array<detail::complex_of<T>>& vr) {
    detail::option_of("geev", "jobvl", jobvl, "N", {0});
    if (a.device().is_cuda() && !codegen::is_complex(dtype_of<T>))
        throw type_error("[geev] real matrices have no complex vectors in place on a GPU: convert a with astype");
    const auto how = detail::vectors_of("geev", "jobvr", jobvr);
    auto r = detail::run_in_place({codegen::routine::geev, how, codegen::purpose::geev}, {&a.get_handle()});
    using C = detail::complex_of<T>;
    a = array<T>(r[0]);
    w = array<C>(r[1]);
    if (how) vr = array<C>(r[2]);
}

}  // namespace sinter::inline SINTER_ABI::linalg::lapack

#if SINTER_HEADER_ONLY
#include <sinter/linalg/lapack.ipp>
#endif

// Products of matrices and linear algebra.
#include "module.hpp"

#include <limits>

namespace array_api {

namespace {

/// A function of two arrays in their common type.
template <char... Kinds, class F>
ndarray of_two(std::string_view name, const ndarray& a, const ndarray& b, F&& f) {
    const std::vector<ndarray> both = promoted({a, b});
    return visit<Kinds...>(name, both[0], [&]<class T>(const array<T>& x) { return f(x, as<T>(both[1])); });
}

template <class F>
ndarray matrices(std::string_view name, const ndarray& x, F&& f) {
    return visit<'f', 'c'>(name, x, f);
}

sinter::linalg::norm_order order_of(nb::handle ord) {
    if (nb::isinstance<nb::str>(ord)) return nb::cast<const char*>(ord);
    return nb::cast<double>(ord);
}

/// One tolerance, or one for each matrix.
sinter::detail::any_operand tolerance(nb::handle x) {
    if (!nb::isinstance<ndarray>(x)) return nb::cast<double>(x);
    return visit_type<'f'>("rtol", nb::cast<ndarray&>(x).value->type,
                           [&]<class T>(T) { return sinter::detail::any_operand(as<T>(nb::cast<ndarray&>(x))); });
}

/// The norm of all elements or of those along axes, which become one axis at the end.
ndarray vector_norm(const ndarray& x, nb::handle axis, bool keep, nb::handle ord) {
    const int rank = x.value->shape.size();
    dims over, last, kept = x.value->shape;
    if (axis.is_none()) over = sinter::detail::all_axes(rank);
    else
        for (std::int64_t a : dims_of(axis)) over.push_back(sinter::codegen::normalize_axis("vector_norm", a, rank));
    for (int i = 0; i < over.size(); ++i) {
        last.push_back(i - over.size());
        kept[static_cast<int>(over[i])] = 1;
    }
    return matrices("vector_norm", x, [&](const auto& e) {
        const auto moved = sinter::moveaxis(e, over, last);
        dims shape;
        std::int64_t count = 1;
        for (int i = 0; i < rank; ++i)
            if (i < rank - over.size()) shape.push_back(moved.shape()[i]);
            else count *= moved.shape()[i];
        shape.push_back(count);
        const auto n = sinter::linalg::norm(sinter::reshape(moved, shape), order_of(ord), -1);
        return keep ? sinter::reshape(n, kept) : n;
    });
}

ndarray tensordot(const ndarray& a, const ndarray& b, nb::handle axes) {
    const auto over = [&]() -> sinter::tensordot_axes {
        if (PyIndex_Check(axes.ptr())) return integer_of(axes);
        return {dims_of(axes[0]), dims_of(axes[1])};
    }();
    return of_two<'i', 'u', 'f', 'c'>("tensordot", a, b,
                                      [&](const auto& x, const auto& y) { return sinter::tensordot(x, y, over); });
}

void define_products(nb::module_& m) {
    m.def("matmul", [](const ndarray& a, const ndarray& b) {
        return of_two<'i', 'u', 'f', 'c'>("matmul", a, b,
                                          [](const auto& x, const auto& y) { return sinter::matmul(x, y); });
    });
    m.def("outer", [](const ndarray& a, const ndarray& b) {
        return of_two<'i', 'u', 'f', 'c'>("outer", a, b,
                                          [](const auto& x, const auto& y) { return sinter::outer(x, y); });
    });
    m.def("vecdot", [](const ndarray& a, const ndarray& b, std::int64_t axis) {
        return of_two<'i', 'u', 'f', 'c'>("vecdot", a, b,
                                          [&](const auto& x, const auto& y) { return sinter::vecdot(x, y, axis); });
    });
    m.def("cross", [](const ndarray& a, const ndarray& b, std::int64_t axis) {
        return of_two<'i', 'u', 'f', 'c'>(
            "cross", a, b, [&](const auto& x, const auto& y) { return sinter::cross(x, y, {.axis = axis}); });
    });
    m.def("tensordot", tensordot);
    m.def("diagonal", [](const ndarray& x, nb::handle offset) {
        return visit_any("diagonal", x, [&](const auto& e) { return sinter::diagonal(e, integer_of(offset), -2, -1); });
    });
    m.def("trace", [](const ndarray& x, nb::handle offset, nb::handle type) {
        const ndarray y{sinter::detail::record_cast(x.value, type_or(type, x.value->type))};
        return visit_any("trace", y, [&]<class T>(const array<T>& e) {
            const auto t = sinter::trace(e, integer_of(offset), -2, -1);
            return type.is_none() ? wrapped(t) : wrapped(sinter::astype<T>(t));
        });
    });
}

}  // namespace

void define_linalg(nb::module_& m) {
    namespace linalg = sinter::linalg;
    define_products(m);
    m.def("cholesky", [](const ndarray& x, bool upper) {
        return matrices("cholesky", x, [&](const auto& e) { return linalg::cholesky(e, {.upper = upper}); });
    });
    m.def("det", [](const ndarray& x) { return matrices("det", x, [](const auto& e) { return linalg::det(e); }); });
    m.def("inv", [](const ndarray& x) { return matrices("inv", x, [](const auto& e) { return linalg::inv(e); }); });
    m.def("eigvalsh",
          [](const ndarray& x) { return matrices("eigvalsh", x, [](const auto& e) { return linalg::eigvalsh(e); }); });
    m.def("svdvals",
          [](const ndarray& x) { return matrices("svdvals", x, [](const auto& e) { return linalg::svdvals(e); }); });
    m.def("solve", [](const ndarray& a, const ndarray& b) {
        return of_two<'f', 'c'>("solve", a, b, [](const auto& x, const auto& y) { return linalg::solve(x, y); });
    });
    m.def("eigh", [](const ndarray& x) {
        return visit<'f', 'c'>("eigh", x, [](const auto& e) {
            const auto r = linalg::eigh(e);
            return tuple_of({wrapped(r.eigenvalues), wrapped(r.eigenvectors)});
        });
    });
    m.def("qr", [](const ndarray& x, const char* mode) {
        return visit<'f', 'c'>("qr", x, [&](const auto& e) {
            const auto r = linalg::qr(e, mode);
            return tuple_of({wrapped(r.q), wrapped(r.r)});
        });
    });
    m.def("svd", [](const ndarray& x, bool full_matrices) {
        return visit<'f', 'c'>("svd", x, [&](const auto& e) {
            const auto r = linalg::svd(e, {.full_matrices = full_matrices});
            return tuple_of({wrapped(r.u), wrapped(r.s), wrapped(r.vh)});
        });
    });
    m.def("slogdet", [](const ndarray& x) {
        return visit<'f', 'c'>("slogdet", x, [](const auto& e) {
            const auto r = linalg::slogdet(e);
            return tuple_of({wrapped(r.sign), wrapped(r.logabsdet)});
        });
    });
    m.def("matrix_norm", [](const ndarray& x, bool keep, nb::handle ord) {
        return matrices("matrix_norm", x, [&](const auto& e) {
            return linalg::norm(e, {.ord = order_of(ord), .axis = {-2, -1}, .keepdims = keep});
        });
    });
    m.def("vector_norm", vector_norm);
    m.def("matrix_power", [](const ndarray& x, std::int64_t n) {
        return visit<'i', 'u', 'f', 'c'>("matrix_power", x, [&](const auto& e) { return linalg::matrix_power(e, n); });
    });
    m.def("matrix_rank", [](const ndarray& x, nb::handle rtol) {
        return matrices("matrix_rank", x, [&](const auto& e) {
            return rtol.is_none() ? linalg::matrix_rank(e) : linalg::matrix_rank(e, {.rtol = tolerance(rtol)});
        });
    });
    m.def("pinv", [](const ndarray& x, nb::handle rtol) {
        return matrices("pinv", x, [&]<class T>(const array<T>& e) {
            using R = decltype(std::abs(T()));
            if (!rtol.is_none()) return linalg::pinv(e, {.rcond = tolerance(rtol)});
            const double larger = static_cast<double>(std::max(e.shape(-1), e.shape(-2)));
            return linalg::pinv(e, {.rcond = larger * std::numeric_limits<R>::epsilon()});
        });
    });
}

}  // namespace array_api

// Bodies of norms.hpp.
#pragma once

#include <sinter/array/printing/digits.hpp>
#include <sinter/linalg/norms.hpp>

namespace sinter::inline SINTER_ABI::linalg {

SINTER_INLINE norm_order::norm_order(const char* name) {
    const std::string_view text = name;
    if (text != "fro" && text != "nuc")
        throw value_error("[norm] an order is a number, fro or nuc, not " + std::string(text));
    kind = text == "fro" ? what::frobenius : what::nuclear;
}

namespace detail {

SINTER_INLINE dims checked_axes(const norm_axes& axes, int rank) {
    if (axes.list.size() < 1 || axes.list.size() > 2)
        throw value_error("[norm] vectors have one axis and matrices two, not " + to_string(axes.list));
    dims over;
    for (std::int64_t a : axes.list) over.push_back(codegen::normalize_axis("norm", a, rank));
    if (over.size() == 2 && over[0] == over[1])
        throw value_error("[norm] the two axes are the same: " + to_string(over));
    return over;
}

SINTER_INLINE void throw_order(purpose why, const char* what, const norm_order& ord) {
    const std::string name = ord.kind == norm_order::what::frobenius ? "fro"
                             : ord.kind == norm_order::what::nuclear ? "nuc"
                                                                     : number_text(ord.p);
    throw value_error("[" + std::string(to_string(why)) + "] no norm of " + std::string(what) + " of order " + name);
}

SINTER_INLINE void require_elements(const dims& shape, const dims& over) {
    for (std::int64_t axis : over)
        if (shape[static_cast<int>(axis)] == 0)
            throw value_error("[norm] an array of shape " + to_string(shape) + " has no element to reduce");
}

SINTER_INLINE void throw_half(const char* operation, dtype type) {
    throw type_error("[" + std::string(operation) + "] " + std::string(to_string(type)) +
                     " has no inverses and singular values: convert with astype<" +
                     (codegen::is_complex(type) ? "std::complex<float>" : "float") + ">()");
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI::linalg

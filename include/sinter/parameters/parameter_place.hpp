// Where an array stands in a set of parameters: names as `layers.0.w`, and what is told of it; must not know Boost.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A member's name, or an element's number, in what stands above; its text is made where it is wanted.
struct parameter_place {
    const parameter_place* above = nullptr;
    const char* name = nullptr;
    std::size_t number = 0;

    std::string text() const;
};

/// Throws what is being handled again, with the place behind the operation, where it is a shape_error, type_error,
/// value_error or index_error.
[[noreturn]] void rethrow_at(const parameter_place& where);
/// Throws shape_error: the lists of two sets are not of one length.
[[noreturn]] void throw_lengths(std::string_view operation, const parameter_place& where, std::size_t a, std::size_t b);

/// Arrays one behind the other along one axis, row-major, as a type that holds them all.
handle record_flattened(codegen::span<const handle> arrays, dtype type);
/// Throws shape_error unless a flat array has one axis of this length.
void require_flat(const dims& shape, std::int64_t count);
/// The elements of a flat array from `from` on as an array of a shape and a type.
handle record_part(const handle& flat, std::int64_t from, const dims& shape, dtype type);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parameters/parameter_place.ipp>
#endif

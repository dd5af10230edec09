// Bodies of parameter_place.hpp.
#pragma once

#include <sinter/functions/joining.hpp>
#include <sinter/parameters/parameter_place.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::string parameter_place::text() const {
    const std::string own = name ? name : std::to_string(number);
    return above && above->above ? above->text() + "." + own : own;
}

/// `[operation] what` as `[operation] place: what`.
SINTER_INLINE std::string text_at(const char* text, const parameter_place& where) {
    std::string all = text;
    const std::size_t end = all.find("] ");
    return all.insert(end == std::string::npos ? 0 : end + 2, where.text() + ": ");
}

SINTER_INLINE void rethrow_at(const parameter_place& where) {
    try {
        throw;
    } catch (const shape_error& e) {
        throw shape_error(text_at(e.what(), where));
    } catch (const type_error& e) {
        throw type_error(text_at(e.what(), where));
    } catch (const value_error& e) {
        throw value_error(text_at(e.what(), where));
    } catch (const index_error& e) {
        throw index_error(text_at(e.what(), where));
    }
}

SINTER_INLINE void throw_lengths(std::string_view operation, const parameter_place& where, std::size_t a,
                                 std::size_t b) {
    throw shape_error("[" + std::string(operation) + "] " + (where.above ? where.text() : std::string("the list")) +
                      ": of different lengths: " + std::to_string(a) + " and " + std::to_string(b));
}

SINTER_INLINE handle record_flattened(codegen::span<const handle> arrays, dtype type) {
    if (arrays.empty()) return store(type, dims(0), nullptr);
    codegen::sequence<handle> flat;
    for (const handle& a : arrays) flat.push_back(record_reshape(a, dims(a->shape.product())));
    return record_concatenate("flatten", flat, type, 0);
}

SINTER_INLINE void require_flat(const dims& shape, std::int64_t count) {
    if (shape.size() != 1 || shape[0] != count)
        throw shape_error("[unflatten] " + std::to_string(count) + " elements along one axis are wanted, not shape " +
                          to_string(shape));
}

SINTER_INLINE handle record_part(const handle& flat, std::int64_t from, const dims& shape, dtype type) {
    const handle part =
        record_view(flat, codegen::sliced(codegen::contiguous(flat->shape), 0, from, 1, shape.product()));
    return record_cast(record_reshape(part, shape), type);
}

}  // namespace sinter::inline SINTER_ABI::detail

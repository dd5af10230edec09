// The untyped side of the language: what expressions and functions of arrays record, as ordinary functions.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/value.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

using codegen::layout;
using runtime::handle;

/// Collects an expression in postfix order while it is walked.
struct recorder {
    codegen::sequence<runtime::code> codes;
    codegen::sequence<runtime::value*> inputs;  ///< each once, unless there are many
    codegen::sequence<codegen::scalar_value> scalars;
    bool has_moved_from = false;  ///< an input is what an array holds that has been moved from

    void add_input(const handle& h);
    void add_scalar(const codegen::scalar_value& v) {
        codes.push_back({runtime::code::what::scalar, static_cast<std::uint8_t>(v.type),
                         static_cast<std::uint16_t>(scalars.size())});
        scalars.push_back(v);
    }
    void add_invoke(const codegen::component& c) {
        codes.push_back({runtime::code::what::invoke, static_cast<std::uint8_t>(c.which),
                         static_cast<std::uint16_t>(c.of->number)});
    }
    /// A scalar that has been added, counted from 0.
    void add_scalar_again(std::size_t which) {
        codes.push_back({runtime::code::what::scalar, static_cast<std::uint8_t>(scalars[which].type),
                         static_cast<std::uint16_t>(which)});
    }
    /// A whole number that is part of the program: kernels are compiled for its value.
    void add_literal(dtype t, std::int16_t value) {
        codes.push_back(
            {runtime::code::what::literal, static_cast<std::uint8_t>(t), static_cast<std::uint16_t>(value)});
    }
    void add_op(codegen::op o) { codes.push_back({runtime::code::what::apply, static_cast<std::uint8_t>(o), 0}); }
    void add_fast() { codes.push_back({runtime::code::what::fast, 0, 0}); }
    void add_cast(dtype t) { codes.push_back({runtime::code::what::cast, static_cast<std::uint8_t>(t), 0}); }
};

/// This thread's recorder, empty: it keeps its lists' memory from expression to expression.
recorder& fresh_recorder();

[[noreturn]] void throw_does_not_fit(std::string_view operation, const std::string& number, dtype type);

/// Throws value_error for a negative power of integers (NumPy's ValueError).
void require_natural_exponent(const codegen::scalar_value& exponent);

/// The device that a statement over these inputs runs on; throws device_error when they live on different ones.
device device_of(std::string_view operation, codegen::span<runtime::value* const> inputs);

/// Records an expression; throws value_error for one whose arrays have been moved to another one.
handle record(const recorder& r, dtype type, const dims& shape);

/// One operation over values and numbers; for callers that know types only at run time.
handle record_apply(codegen::op o, codegen::span<const handle> operands);
handle record_cast(const handle& x, dtype type);
handle record_scalar(const codegen::scalar_value& v, const dims& shape);

/// A view of a value: a layout over its elements.
handle record_view(const handle& base, const layout& how);
handle record_broadcast(std::string_view operation, const handle& base, const dims& shape);
/// What numpy.reshape makes of a shape, with at most one -1; throws value_error or shape_error.
dims reshaped(const dims& from, const dims& shape);
handle record_reshape(const handle& base, const dims& shape);

/// Each element's own row-major number, int64.
handle record_index(const dims& shape);
/// Memory that will be overwritten.
handle record_empty(dtype type, const dims& shape);

/// Throws value_error naming the operation when a reduction has no identity and there is no element along the axes.
void require_elements(std::string_view operation, codegen::reduction how, const dims& shape, std::uint8_t axes);
/// A reduction over axes; `keepdims` leaves them with size one. Throws as that does.
handle record_reduce(codegen::reduction how, const handle& x, std::uint8_t axes, bool keepdims);

/// The partial results of a reduction along an axis, of the operand's shape.
handle record_scan(codegen::reduction how, const handle& x, int axis);

/// Throws index_error when there are indices along an axis without elements: where a result is empty no kernel looks at
/// them.
void require_indexable(std::string_view operation, std::int64_t size, int axis, const dims& indices);

/// Elements at index arrays, see gather_info.
handle record_gather(const handle& base, codegen::span<const handle> indices, codegen::gather_info how);

/// The base with a value written at a layout; the value is converted and broadcast.
handle record_update(const handle& base, const handle& value, const layout& where);

/// Whether the last axis is the one along which memory is contiguous, or will be once the value is stored. The answer
/// is the same before and after evaluation, so that what a library computes does not depend on when its operands are
/// computed.
bool walks_rows(const runtime::value& v);

/// A shape's leading axes, and a shape of such axes and a matrix.
dims stack_of(const dims& shape);
dims of_stack(const dims& stack, std::int64_t rows, std::int64_t columns);
/// The leading axes of two stacks of matrices broadcast; throws shape_error with both whole shapes.
dims broadcast_stacks(std::string_view operation, const dims& a, const dims& b);

/// Half precision as float32 or complex64, in which sums of products are formed; anything else as it is.
handle record_widened(const handle& x);

/// A routine over the rows along an axis, which makes `count` elements of each, along that axis again; `other` is its
/// second operand, if it has one.
handle record_of_rows(const codegen::call_info& how, const handle& x, int axis, std::int64_t count, dtype type,
                      const handle& other = {});
/// The rows along an axis sorted, or the positions that sort them (argsort).
handle record_sort(const codegen::call_info& how, const handle& x, int axis);

/// The same elements in row-major memory of their own, pending.
handle contiguous_copy(const handle& x);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/record.ipp>
#endif

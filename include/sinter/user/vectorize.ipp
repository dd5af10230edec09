// Bodies of vectorize.hpp.
#pragma once

#include <sinter/user/vectorize.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE codegen::sequence<handle> record_invoke(const codegen::invocation& f,
                                                      codegen::span<const function_argument> args) {
    dims shape;
    for (std::size_t i = 0; i < args.size(); ++i)
        if (args[i].array && !f.is_whole(i))
            shape = codegen::broadcast_shapes(f.function->name, shape, args[i].array->shape);
    codegen::sequence<handle> results;
    for (std::uint32_t which = 0; which < f.results.size(); ++which) {
        recorder& r = fresh_recorder();
        for (const function_argument& a : args) {
            if (a.array) r.add_input(a.array);
            else r.add_scalar(a.number);
        }
        r.add_invoke({&f, which});
        results.push_back(record(r, f.results[which], shape));
    }
    return results;
}

SINTER_INLINE handle record_combined(const codegen::invocation& f, const handle& a, const handle& b) {
    const function_argument args[] = {{a, {}}, {b, {}}};
    return record_invoke(f, args)[0];
}

SINTER_INLINE handle record_slice(const handle& x, int axis, std::int64_t start, std::int64_t step,
                                  std::int64_t count) {
    return record_view(x, codegen::sliced(codegen::contiguous(x->shape), axis, start, step, count));
}

SINTER_INLINE handle record_fold(const codegen::invocation& f, const handle& x, int axis) {
    handle pairs = x, rest;  // `rest` stands after everything in `pairs`
    for (std::int64_t n = x->shape[axis]; n > 1; n /= 2) {
        if (n % 2) {
            handle last = record_slice(pairs, axis, n - 1, 1, 1);
            rest = rest ? record_combined(f, last, rest) : last;
        }
        pairs = record_combined(f, record_slice(pairs, axis, 0, 2, n / 2), record_slice(pairs, axis, 1, 2, n / 2));
    }
    if (rest) pairs = record_combined(f, pairs, rest);
    return record_reshape(pairs, codegen::kept_shape(x->shape, static_cast<std::uint8_t>(1 << axis)));
}

SINTER_INLINE handle record_accumulate(const codegen::invocation& f, const handle& x, int axis) {
    std::int64_t n = x->shape[axis];
    if (n < 2) return x;
    handle even = record_slice(x, axis, 0, 2, n / 2), odd = record_slice(x, axis, 1, 2, n / 2);
    handle sums = record_accumulate(f, record_combined(f, even, odd), axis), result = record_empty(x->type, x->shape);
    auto put = [&](std::int64_t start, std::int64_t count, const handle& v) {
        if (count > 0)
            result = record_update(result, v, codegen::sliced(codegen::contiguous(x->shape), axis, start, 2, count));
    };
    std::int64_t inner = (n - 1) / 2;
    put(0, 1, record_slice(x, axis, 0, 1, 1));
    put(1, n / 2, sums);
    put(2, inner, record_combined(f, record_slice(sums, axis, 0, 1, inner), record_slice(x, axis, 2, 2, inner)));
    return result;
}

SINTER_INLINE void throw_nothing_to_reduce(const codegen::invocation& f, const dims& shape) {
    throw value_error("[reduce] an array of shape " + to_string(shape) + " has no element for " + f.function->name +
                      " to combine, and no identity is given");
}

}  // namespace sinter::inline SINTER_ABI::detail

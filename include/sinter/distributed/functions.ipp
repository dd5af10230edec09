// Bodies of functions.hpp.
#pragma once

#include <sinter/distributed/functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE distributed_ref record_distributed_product(const distributed_ref& v, std::uint8_t axes, bool keepdims) {
    constexpr auto prod = codegen::reduction::prod;
    distributed_ref product = record_distributed_reduce(prod, v, axes, keepdims);
    if (codegen::kind_rank(v->type) < 2) return product;
    const distributed_ref signs = make_distributed(v->session, v->shape, v->where, record_signs(v->local), v->moves);
    const dtype type = product->type;
    return make_derived({std::move(product), record_distributed_reduce(prod, signs, axes, keepdims)}, type,
                        [](std::span<const handle> h) { return record_zero_of_overflow(h[0], h[1]); });
}

}  // namespace sinter::inline SINTER_ABI::detail

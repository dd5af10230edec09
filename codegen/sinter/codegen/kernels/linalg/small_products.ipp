// Bodies of small_products.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/small_products.hpp>
#include <sinter/codegen/print/fill_text.hpp>

#include <algorithm>
#include <limits>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* small_products_text =
#include <sinter/codegen/kernels/linalg/text/small_products.cuh>
    ;

SINTER_INLINE bool takes_small_products(dtype t, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k) {
    return (t == dtype::float32 || t == dtype::float64) && std::max(n, k) <= small_product &&
           (count >= least_small_products || count * m >= least_small_rows) &&
           count * m <= std::numeric_limits<std::int32_t>::max();
}

SINTER_INLINE kernel_source small_products_cuda(dtype t, std::int64_t columns) {
    const std::string width = columns <= 4 ? "4" : std::to_string(small_product);
    return {"small_products_" + std::string(to_string(t)) + "_" + width,
            "typedef " + type_text(t) + " element;\n" + fill_text(small_products_text, {{"width", width}})};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

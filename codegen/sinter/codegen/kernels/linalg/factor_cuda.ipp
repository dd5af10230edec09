// Bodies of factor_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/factor_cuda.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* factor_text =
#include <sinter/codegen/kernels/linalg/text/factor.cuh>
    ;

SINTER_INLINE panel_source factor_cuda(dtype t, bool tall, bool any_rows) {
    panel_source p;
    p.width = std::min(most_panel_columns, (tall ? 128 : 256) / static_cast<int>(size_of(t)));
    p.threads = tall ? 1024 : 512;
    const std::string least = real_of(t) == dtype::float64 ? "1e-300" : "1e-36f", type(to_string(t)),
                      sizes = "constexpr int width = " + std::to_string(p.width) +
                              ", moves = " + std::to_string(panel_moves) + ";\n",
                      threads = std::to_string(p.threads);
    const auto text = [&](bool exchanges) {
        return fill_text(factor_text, {{"threads", threads}, {"any_rows", any_rows}, {"exchanges", exchanges}});
    };
    p.source = {
        "factor_panel_" + type + (tall ? "_tall" : "") + (any_rows ? "_any" : ""),
        linalg_element(t) + linalg_grid_barrier() + sizes +
            "// What is as far from zero as this and as far from infinity has an inverse.\nconstexpr real least = " +
            least + ";\n" + text(false)};
    p.exchange = {"exchange_rows_" + type + (tall ? "_tall" : ""), linalg_element(t) + sizes + text(true)};
    return p;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

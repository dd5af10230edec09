// Bodies of tiled_products.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/tiled_products.hpp>
#include <sinter/codegen/print/fill_text.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* tiled_products_text =
#include <sinter/codegen/kernels/linalg/text/tiled_products.cuh>
    ;

SINTER_INLINE product_tiles tiles_of_products(dtype t, std::int64_t count, std::int64_t m, std::int64_t n,
                                              std::int64_t k) {
    constexpr int small_tile = 64, large_tile = 128;
    constexpr std::int64_t fill_a_gpu = 256, fewest_terms = 256, step = 16;
    auto divided = [](std::int64_t x, std::int64_t by) { return (x + by - 1) / by; };
    auto tiles = [&](int side) { return divided(m, side) * divided(n, side); };
    // Which pad hardly more than small ones.
    const bool pads_alike = 4 * 8 * tiles(large_tile) <= 9 * tiles(small_tile);
    if (size_of(t) < 8 && pads_alike && tiles(large_tile) * count >= fill_a_gpu)
        return {large_tile, tiles(large_tile), k, 1};
    const std::int64_t blocks = tiles(small_tile) * count;
    std::int64_t parts = size_of(t) < 4 ? 1 : std::min(fill_a_gpu / blocks, k / fewest_terms);
    parts = std::max<std::int64_t>(parts, 1);
    const std::int64_t terms = divided(divided(k, parts), step) * step;
    return {small_tile, tiles(small_tile), terms, divided(k, terms)};
}

SINTER_INLINE bool takes_tiled_products(dtype t, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k) {
    constexpr std::int64_t least_terms = 8, least_blocks = 32, most = 0x7fffff00;
    if (kind_rank(t) > 1 || k < least_terms || count * m * n == 0 || std::max({m, n, k}) > most) return false;
    const product_tiles s = tiles_of_products(t, count, m, n, k);
    return s.tiles <= most && s.tiles * count * s.parts >= least_blocks && s.tiles * s.side * s.side <= 2 * m * n;
}

SINTER_INLINE kernel_source tiled_products_cuda(dtype t, int side) {
    const bool is_bool = t == dtype::bool_;
    const std::string store = "*to = (element)sum;";
    const std::string add = "if (gridDim.z > 1) atomicAdd((word*)to, sum);\n    else " + store;
    return {"tiled_products_" + std::string(to_string(t)) + "_" + std::to_string(side),
            "typedef " + type_text(t) + " element;\ntypedef unsigned " + (size_of(t) < 8 ? "int" : "long long") +
                " word;\n" +
                fill_text(tiled_products_text, {{"carried", std::to_string(side / 16)},
                                                {"side", std::to_string(side)},
                                                {"each", std::to_string(side / 16)},
                                                {"write", size_of(t) < 4 ? store : add},
                                                {"combine", is_bool ? "|=" : "+="},
                                                {"times", is_bool ? "&" : "*"}})};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

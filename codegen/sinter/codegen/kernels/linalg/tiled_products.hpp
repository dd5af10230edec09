// Products of matrices of integers and bool as text: a thread block computes a tile; pure, must not know who runs it.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// How a stack of products is shared out among thread blocks.
struct product_tiles {
    int side;            ///< rows and columns of a tile: the larger where such ones fill a GPU
    std::int64_t tiles;  ///< of one product
    std::int64_t terms;  ///< of a sum that one thread block forms
    std::int64_t parts;  ///< of a sum, more than one where there are few tiles and the type can be added to in memory
};

product_tiles tiles_of_products(dtype t, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k);

/// Whether products of m x k by k x n matrices, `count` of them, are computed by tiles: of integers and bool that fill
/// half of their tiles and enough thread blocks. Other ones are sums of products in a kernel of their own. One H200
/// multiplies matrices of int32 so 3 to 20 times as fast, but 16 x 4096 by 4096 x 4096 in 222 us where that takes 165.
bool takes_tiled_products(dtype t, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k);

/// A kernel `multiply` of blocks of 256 threads, tiles along x, products along y and parts of sums along z: sums wrap
/// as the type does.
kernel_source tiled_products_cuda(dtype t, int side);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/tiled_products.ipp>
#endif

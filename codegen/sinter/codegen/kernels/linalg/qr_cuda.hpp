// CUDA text of QR factors of stacks of large matrices, a panel of columns at a time with products between; pure.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// `reflect_panel`, a block or a cluster for each matrix, `take_reflectors` and `form_triangle`, which say what a
/// panel's reflectors do to other columns as products (Schreiber and Van Loan, A storage-efficient WY representation,
/// 1989), and `begin_q`.
kernel_source qr_cuda(dtype t);

/// Threads of a block.
inline constexpr int qr_threads = 256;
/// Blocks that may share a panel as one cluster, and rows that each of them has at least.
inline constexpr int most_qr_blocks = 16, least_qr_rows = 512;
/// Columns of a panel.
constexpr int qr_width(dtype t) { return size_of(t) == 16 ? 8 : 16; }
/// Elements of workspace that the blocks of one matrix tell each other sums in.
constexpr std::int64_t qr_sums(dtype t) { return 2 * (most_qr_blocks + 1) * qr_width(t); }

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/qr_cuda.ipp>
#endif

// Columns made orthogonal by polar decompositions of whole stacks, where they are too many to go round in pairs.
#pragma once

#include <sinter/runtime/library/linalg/linalg_cuda_qr.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

struct cuda_svd_layout;

/// Finds the kernels between the products.
void prepare_polar(prepared_linalg& p, device where);

/// The part of gesvd's runs that takes the place of rotations.
struct cuda_polar : cuda_qr {
    void polarise_columns(const cuda_svd_layout& l) const;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_polar.ipp>
#endif

// The CUDA text of maps whose accesses all lie along one axis: several neighbours per thread, the last of which may be
// fewer; must not know reductions.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Neighbours along one axis.
class flat_map_writer final : public cuda_writer {
public:
    using cuda_writer::cuda_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    /// What is computed for a thread's neighbours in fewer steps: its type and name, and whether it has the bits of the
    /// exact operations.
    struct element_check {
        std::string type, name, passes;
    };
    void write_checked_neighbours(const texts& packed, const sequence<element_check>& checks);
    void write_flat_neighbours(const texts& packed, texts& single, const sequence<element_check>& checks);
    void append_single(texts& arguments);
    std::string least_dividend() const;
    sequence<element_check> element_checks() const;
    void write_neighbours(const texts& packed, const sequence<element_check>& checks);
    void write_pack_stores();
    void write_packs(const texts& packed, texts& single);
};

/// Of `mapping::elements`: flat where the schedule is, else over a grid.
kernel_source print_elements(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/maps/flat_map_writer.ipp>
#endif

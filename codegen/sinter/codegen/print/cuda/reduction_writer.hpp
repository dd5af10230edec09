// The CUDA text of reductions in the orders of reduce_tree.hpp: how accumulators combine, and calls of the functions
// that combine them; must not know which threads have which elements.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <array>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels with reductions and scans share.
class reduction_writer : public cuda_writer {
public:
    using cuda_writer::cuda_writer;

protected:
    void write_for(std::size_t r, const std::string& direct, const std::string& with_index = "");
    sequence<std::size_t> reductions_of(int stage = any_stage) const;
    void per_reduction(const std::string& direct, const std::string& with_index = "", int stage = any_stage);
    bool indexed(std::size_t r) const { return is_indexed(k_.reductions[r].how); }
    std::string with_index(std::size_t r, const std::string& direct, const std::string& index) const {
        return indexed(r) ? direct + ", " + index : direct;
    }
    void write_identity(std::size_t r, const std::string& condition, const std::string& name,
                        const std::string& at = "");
    std::string values_at(std::size_t r, const std::string& name, const std::string& at = "") const;
    const stage_facts& of(int stage) const { return facts_.stages[static_cast<std::size_t>(stage)]; }
    std::size_t combined_as(std::size_t r) const { return facts_.alike[r]; }
    int tree_groups() const { return facts_.share.tree; }
    int most_results_of_group() const;
    std::string combine(std::size_t r) const;
    void write_shared_buffer(int buffers);
    void write_sizes();
    void begin_reduction();
    std::string reduce_text(const std::string& function, std::size_t r, const std::string& first,
                            const std::string& at = "") const;
    std::string levels_text(const std::string& function, std::size_t r, const std::string& first,
                            const std::array<std::string, 2>& from, const std::string& to = "a") const;
    void write_combine(std::size_t r);

private:
    void write_reduces();
    void write_warp_lanes();
    void write_row_reduces();
    void write_extreme(std::size_t r);
    void write_staging_functions();
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/reduction_writer.ipp>
#endif

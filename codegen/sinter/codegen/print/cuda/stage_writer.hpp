// The CUDA text of a stage of a reduction for one element: what it computes, what it adds to accumulators, and what
// follows them; must not know which threads have which elements.
#pragma once

#include <sinter/codegen/print/cuda/reduction_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels share that reduce and do not scan.
class stage_writer : public reduction_writer {
public:
    using reduction_writer::reduction_writer;

protected:
    void write_origins(int stage, const std::string& has_any);
    void write_accumulate();
    texts accumulate_arguments(const std::string& first, const std::string& at, const std::string& to,
                               const std::string& lane) const;
    void write_epilogue();
    void write_last_check(const std::string& writer, const std::string& counter, const std::string& count);
    bool reduces_in(int stage) const { return !of(stage).combined.empty(); }
    sequence<std::size_t> left_stores(int stage, bool aligned) const;
    void write_element_function(int stage, bool aligned, bool by_inverse);
    void write_turn(bool row, bool inside);
    void write_persistent_values(int stage);

private:
    std::string lane_type(std::size_t r) const;
    void write_accumulation(std::size_t r);
    std::string stored_element(std::size_t s) const;
    std::string staged_element(int buffer, const std::string& at) const;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/stage_writer.ipp>
#endif

// The CUDA text of a stage over a row's elements: loads, what is computed for a thread's groups, and stores; must not
// know where the results of threads combine.
#pragma once

#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/print/cuda/rows/row_group_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels share that go over the elements of rows in stages.
class row_element_writer : public row_group_writer {
public:
    using row_group_writer::row_group_writer;

protected:
    void write_persistent_arrays();
    void write_element_stage(int stage, callback<void()> write);
    void write_element_functions(int stage, bool aligned = false);
    sequence<std::uint32_t> arrays_to_load(int stage) const;
    sequence<std::uint32_t> inputs_of(int stage) const;
    void write_element_arrays(const sequence<std::uint32_t>& arrays);
    void write_element_loads(const sequence<std::uint32_t>& arrays);
    void write_group_loads(const sequence<std::uint32_t>& arrays);
    void write_single_loads(std::uint32_t i);
    texts element_arguments(int stage, const char* is_first, const std::string& to, const std::string& at) const;
    void write_element_groups(int stage);
    void open_groups(bool to_combine);
    void write_group_elements(int stage);
    void write_group_stores(int stage);
    using write_elements = callback<void(const std::string& element, const texts& more)>;
    void write_by_inverse(int stage, write_elements write);
    void open_inexact(int stage, write_elements write);

private:
    void write_element_array(std::uint32_t i);
    void write_group_lanes(int stage, bool to_combine);
    void write_left_values(int stage);
    void write_end_reduces(int stage);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/row_element_writer.ipp>
#endif

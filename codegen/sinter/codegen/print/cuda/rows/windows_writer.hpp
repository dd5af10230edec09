// The CUDA text of reductions over short windows of constant size: each value that a thread's windows share is written
// once. Must not know rows of other lengths.
#pragma once

#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/print/cuda/stage_writer.hpp>
#include <sinter/codegen/schedule/facts/windows.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// Several windows per thread, side by side along one axis. The order of reductions counts from a window's first
/// element, so that parts of neighbouring windows are the same sums where they cover the same elements.
class windows_writer final : public stage_writer {
public:
    using stage_writer::stage_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_outer_position();
    void write_across_position();
    void write_origin_pointers();
    void write_shared_windows();
    void write_windows();
    void write_outer_results();
    void write_across_results();
    bool is_named(const std::string& text, std::string& name);
    std::string named(const std::string& type, const std::string& text, const std::string& end = "");
    std::string loaded(std::uint32_t a, int window, const dims& at);
    std::string gathered(std::uint32_t i, int window, const dims& at);
    std::string numbered(std::uint32_t i, const dims& at);
    void stand_at(std::uint32_t a, const dims& at);
    std::string computed(std::uint32_t i, int window, const dims& at);
    std::string combined(std::size_t r, const std::string& x, const std::string& y);
    std::string reduced(std::size_t r, int window);
    std::string stride(std::uint32_t a, int axis) const;
    sequence<std::uint32_t> loads(bool shared) const;
    bool across() const { return slides_across(k_, k_.how); }

    text_map names_;  ///< from texts to the numbers of the variables that hold them
};

kernel_source print_windows(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/windows_writer.ipp>
#endif

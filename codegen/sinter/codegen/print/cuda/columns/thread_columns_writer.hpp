// The CUDA text of reductions of short columns, a thread per column: one thread has all of it, or eight have a lane of
// its order each, and what later stages need stays in their registers. Must not know columns that a grid reduces.
#pragma once

#include <sinter/codegen/print/cuda/stage_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A thread per column, or eight.
class thread_columns_writer final : public stage_writer {
public:
    using stage_writer::stage_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_thread_per_column();
    void write_threads_per_column();
    void write_column_arrays();
    void write_column_stages();
    void open_columns();
    void write_column_loads();
    void write_column_places();
    void write_own_column();
    void write_shared_column();
    void write_column_stage(int stage);
    void write_column_row_stage(int stage);
    texts column_arguments(int stage, const std::string& first, const std::string& at, const std::string& lane,
                           const std::string& place) const;
    void write_column_elements(int stage);
    void write_column_loop(int stage);
    void write_column_results(int stage);
};

kernel_source print_thread_per_column(const kernel& k);
kernel_source print_threads_per_column(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/columns/thread_columns_writer.ipp>
#endif

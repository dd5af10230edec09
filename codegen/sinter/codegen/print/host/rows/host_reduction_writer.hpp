// The C++ text of reductions in the orders of reduce_tree.hpp: how lanes and parts combine, and what follows; must not
// know loops over rows and columns.
#pragma once

#include <sinter/codegen/print/host/rows/host_place_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels with reductions and scans share.
class host_reduction_writer : public host_place_writer {
public:
    using host_place_writer::host_place_writer;

protected:
    std::string combine(std::size_t r, const std::string& x, const std::string& xi, const std::string& y,
                        const std::string& yi) const;
    std::string per_reduction(const std::string& direct, const std::string& with_index = "",
                              int stage = any_stage) const;
    void write_for(std::size_t r, const std::string& text);
    void write_reduces();
    void write_epilogue();
    void write_reduction_parameters();
    void write_origin_variables(int stage);
    void write_origins(const std::string& begins);
    void write_accumulation(const std::string& lane, const std::string& position);
    void write_lane_arrays(int lanes = row_lanes);
    void write_accumulator(std::size_t r, const std::string& to, const std::string& from);
    void write_four(std::size_t r, const std::string& a, const std::string& b, const std::string& c,
                    const std::string& d);

private:
    void write_row_reduce(std::size_t r);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_reduction_writer.ipp>
#endif

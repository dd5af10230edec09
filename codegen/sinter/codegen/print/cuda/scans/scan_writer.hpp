// The CUDA text that scans and selections share: the body before and behind them, and dynamic tile ids; must not know
// how lines are shared out among threads.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/reduction_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What scans and selections share.
class scan_writer : public reduction_writer {
public:
    using reduction_writer::reduction_writer;

protected:
    void write_scan_functions();
    void write_scan_bodies();
    texts scan_arguments(int stage, const std::string& at, const std::string& place, bool packed) const;
    void write_scan_arrays(const std::string& extents);
    void write_scan_zeros(const std::string& place);
    std::string accumulated(std::size_t r, const std::string& place) const;
    void write_scan_buffer(int count);
    std::string element_place(const std::string& c) const {
        return joined({scan_.is_resident() ? "[" : "[q][", c, "]"});
    }
    void write_running_values(const std::string& place, const std::string& is_first);
    void write_tile_id();

private:
    void write_soon();
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/scans/scan_writer.ipp>
#endif

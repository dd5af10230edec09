// The C++ text of operands of short rows that are taken side by side: tiles in which elements of one place in their
// rows are neighbours; must not know what is computed of them.
#pragma once

#include <sinter/codegen/print/host/rows/host_fours_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows that are transposed before they are read and after they are written.
class host_turned_writer : public host_fours_writer {
public:
    using host_fours_writer::host_fours_writer;

protected:
    void write_turning_functions();
    void write_turned_tiles();
    void write_turned_loads(const std::string& row, const std::string& count);
    void write_turned_stores(const std::string& row, const std::string& count);

private:
    void write_turning(dtype type, bool is_load);
    std::string turning(std::size_t access, bool is_load, const std::string& row, const std::string& count) const;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_turned_writer.ipp>
#endif

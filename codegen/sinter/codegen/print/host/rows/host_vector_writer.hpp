// The C++ text of rows of few elements, vectorised over rows: many side by side, element after element; must not know
// what becomes of their results.
#pragma once

#include <sinter/codegen/print/host/rows/host_turned_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows side by side.
class host_vector_writer : public host_turned_writer {
public:
    using host_turned_writer::host_turned_writer;

protected:
    void find_places();
    void write_vectorised_reduces();
    void write_vectorised_lanes();
    void write_vectorised_values();
    void write_vectorised_results(int stage);
    void write_vectorised_persistent(int stage);
    void write_places();

private:
    bool fills_lanes(std::size_t r) const;
    bool is_turned_load(std::uint32_t i) const;
    std::string lanes_of(std::size_t r) const;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_vector_writer.ipp>
#endif

// The C++ text of rows of few elements, vectorised over rows: many side by side, element after element; must not know
// what becomes of their results.
#pragma once

#include <sinter/codegen/print/host/rows/host_fours_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows side by side.
class host_vector_writer : public host_fours_writer {
public:
    using host_fours_writer::host_fours_writer;

protected:
    void write_vectorised_lanes();
    void write_vectorised_values();
    void write_vectorised_results(int stage);
    void write_vectorised_persistent(int stage);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_vector_writer.ipp>
#endif

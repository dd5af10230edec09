// The printer behind emit_host: what stands around every kernel; must not know schedules one by one.
#pragma once

#include <sinter/codegen/print/host/host_tile_writer.hpp>
#include <sinter/codegen/print/written_by.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A kernel's source; a class for each family of schedules says what its functions do.
class host_writer : public host_tile_writer {
public:
    explicit host_writer(const kernel& k);
    host_writer(const host_writer&) = delete;
    host_writer& operator=(const host_writer&) = delete;
    /// What stands before a family's functions and entry points, and the whole source. To be called once each.
    void write_beginning();
    kernel_source source();

protected:
    void write_function_head(const std::string& name, const std::string& more = "");

    std::string name_;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_writer.ipp>
#endif

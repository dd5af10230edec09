// Writes tables as text by printf's formats; must not know files.
#pragma once

#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/runtime/base/byte_stream.hpp>

namespace sinter::inline SINTER_ABI {

struct savetxt_options;

namespace detail {

/// Writes rows of elements; throws value_error for a format that numbers do not have.
void write_text_table(runtime::byte_sink& to, dtype type, const dims& table, const char* data,
                      const savetxt_options& options);

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/io/text_table_write.ipp>
#endif

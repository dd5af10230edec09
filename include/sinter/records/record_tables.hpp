// Records as tables of text with the members' names in the first line; must not know Boost.
#pragma once

#include <sinter/io/text_table.hpp>
#include <sinter/records/record_columns.hpp>

namespace sinter::inline SINTER_ABI {

/// How tables of records are written and read as text.
struct csv_options {
    short_text delimiter = ",";  ///< one character
};

}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::detail {

/// Writes a table of text: the members' names, then a line for each record of one axis, numbers as str has them.
void write_csv(const std::string& path, codegen::span<const record_column> columns, const csv_options& options);
/// The columns of such a table in the order in which they are wanted. Throws io_error for a member that the first line
/// does not name, and where a field is no such number.
codegen::sequence<handle> read_csv_columns(const std::string& path, codegen::span<const wanted_member> members,
                                           const csv_options& options);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/records/record_tables.ipp>
#endif

// Arrays of one length as the columns of records, whatever the records' type: printed, in files; must not know Boost.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A member of records by its name, and its values.
struct record_column {
    std::string name;
    handle values;
};

/// Throws shape_error unless all are arrays of one shape.
void require_columns(std::string_view operation, codegen::span<const record_column> columns);

/// The columns' bytes in host memory, all computed together.
codegen::sequence<std::vector<char>> columns_on_host(codegen::span<const record_column> columns);

/// str or repr as NumPy's record arrays have it: `[(1., 2) (3., 4)]`, `rec.array([…], dtype=[…])`.
std::string format_records(codegen::span<const record_column> columns, bool repr);

/// Writes a structured .npy file.
void save_records(const std::string& path, codegen::span<const record_column> columns);

/// A member that is looked for in a file.
struct wanted_member {
    const char* name;
    dtype type;
};
/// The columns of a structured .npy file in the order in which they are wanted. Throws io_error for a member that the
/// file has not, type_error for one that would lose its fraction or imaginary part.
codegen::sequence<handle> load_records(const std::string& path, codegen::span<const wanted_member> members);
/// The same of the records that one of so many ranks has where the first axis is split; gives the shape of all.
codegen::sequence<handle> load_records(const std::string& path, codegen::span<const wanted_member> members, dims* whole,
                                       int ranks, int rank);

/// Whether a file is an .npz archive, by its first bytes.
bool is_archive(const std::string& path);
/// Throws io_error: a file has no such member.
[[noreturn]] void throw_no_member(const std::string& operation, const std::string& path, const std::string& name);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/records/record_columns.ipp>
#endif

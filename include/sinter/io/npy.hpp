// NumPy's .npy format (NumPy enhancement proposal 1): headers, and elements as the machine wants them; must not know
// arrays or devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/base/byte_stream.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

using runtime::byte_source;
using runtime::file_place;

/// A member of the records that an .npy file holds, `offset` bytes behind their beginning.
struct npy_field {
    std::string name;
    dtype type = dtype::float64;
    bool byte_swapped = false;
    std::size_t offset = 0;
};

/// What the header of an .npy file says, checked against the file's size.
struct npy_header {
    dtype type = dtype::float64;
    dims shape;
    bool fortran_order = false;
    bool byte_swapped = false;  ///< the file is big-endian
    std::size_t data_offset = 0;
    std::int64_t data_bytes = 0;
    codegen::sequence<npy_field> fields = {};  ///< not empty: of records, and what is said of elements is not
    std::int64_t record_bytes = 0;
};

/// Parses a header (format 1.0, 2.0 or 3.0). `start` is the beginning of the file, all of it or at least the header;
/// `size` is the whole file's. Throws io_error naming the file and the byte where it is wrong.
/// Records are refused unless they are allowed.
npy_header parse_npy_header(std::string_view start, std::int64_t size, const file_place& where,
                            bool allows_records = false);

/// Reads the header of a file of `size` bytes and nothing behind it.
npy_header read_npy_header(byte_source& from, std::int64_t size, const file_place& where, bool allows_records = false);

/// Longest beginning of a file that a header can occupy: NumPy's limit of 10,000 characters and its prefix.
inline constexpr std::size_t npy_header_limit = 10012;

/// Bytes that numpy.save writes before the data of a row-major array. Throws type_error for complex32.
std::string make_npy_header(dtype type, const dims& shape);
/// The same of records, whose type NumPy writes as a list of names and types: `[('x', '<f4'), ('n', '<i8')]`.
std::string make_npy_record_header(codegen::span<const npy_field> fields, const dims& shape);
/// That list of names and types by what writes a type.
std::string npy_record_descr(codegen::span<const npy_field> fields, std::string (*text_of)(dtype));

/// Turns the bytes of one element round when the file's order is another, and any nonzero bool into true.
void to_machine_order(char* element, const npy_field& f);

/// The elements behind a header in the file's order of axes and the machine's order of bytes; any nonzero bool is true.
class npy_elements final : public byte_source {
public:
    npy_elements(byte_source& from, const npy_header& header) : from_(from), header_(header) {}
    /// A whole number of elements.
    void read(char* to, std::size_t count) override;

private:
    byte_source& from_;
    npy_header header_;
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/io/npy.ipp>
#endif

// Reads and writes NumPy's .npy files from and to host memory; must not know arrays or devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/dims.hpp>
#include <sinter/codegen/dtype.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

/// What the header of an .npy file says, checked against the file's size.
struct npy_header {
    dtype type = dtype::float64;
    dims shape;
    bool fortran_order = false;
    bool byte_swapped = false;  ///< the file is big-endian
    std::size_t data_offset = 0;
    std::int64_t data_bytes = 0;
};

/// Parses a header (format 1.0, 2.0 or 3.0). `start` is the beginning of the file, all of it or at least its first
/// npy_header_limit bytes; `size` is the whole file's. Throws io_error naming `path` and the byte where it is wrong.
npy_header parse_npy_header(std::string_view start, std::int64_t size, const std::string& path);

/// Longest beginning of a file that a header can occupy: NumPy's limit of 10,000 characters and its prefix.
inline constexpr std::size_t npy_header_limit = 10012;

/// Bytes that numpy.save writes before the data of a row-major array. Throws type_error for bfloat16.
std::string make_npy_header(dtype type, const dims& shape);

/// An .npy file open for reading.
class npy_file {
public:
    /// Opens the file and checks its header; throws io_error.
    explicit npy_file(const std::string& path);
    ~npy_file();
    npy_file(const npy_file&) = delete;
    npy_file& operator=(const npy_file&) = delete;

    const npy_header& header() const { return header_; }

    /// Reads all elements, in row-major order and the machine's byte order, into header().data_bytes bytes.
    void read(void* destination) const;

private:
    void read_bytes(char* destination, std::size_t count, std::size_t offset) const;
    void read_transposed(char* destination) const;

    std::string path_;
    int descriptor_ = -1;
    npy_header header_;
};

/// The header of an .npy file; throws io_error.
npy_header read_npy_header(const std::string& path);

/// Writes a row-major array to a file at exactly this path, byte for byte as numpy.save does. Throws io_error; what
/// was written until then stays.
void write_npy(const std::string& path, dtype type, const dims& shape, const void* data);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/npy.ipp>
#endif

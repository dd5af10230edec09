// Zip archives (APPNOTE.TXT 6.3.10 of PKWARE): their directories, members as streams, and new ones; must not know
// arrays.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/library/deflate.hpp>

namespace sinter::inline SINTER_ABI::detail {

using runtime::byte_sink;
using runtime::byte_source;
using runtime::file_place;
using runtime::input_file;

/// A member as the archive's directory has it.
struct zip_member {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;  ///< 0: stored · 8: deflated
    std::uint32_t crc = 0;
    std::uint64_t packed = 0, size = 0;
    std::uint64_t at = 0;  ///< of its local header
};

/// Reads an archive's directory; throws io_error naming the byte. Nothing is taken on trust: members lie inside the
/// file.
codegen::sequence<zip_member> read_zip_directory(const input_file& file);

/// The contents of a member, in order; the end is checked by finish().
class zip_source final : public byte_source {
public:
    /// Throws io_error for a member that is encrypted, packed by another method or larger than what it can hold.
    zip_source(const input_file& file, const zip_member& member);
    void read(char* to, std::size_t count) override;
    /// Reads the rest and compares the checksum; throws io_error.
    void finish();
    bool is_stored() const { return !inflater_; }
    /// Where the data of a stored member begins in the archive.
    std::size_t data_offset() const { return static_cast<std::size_t>(data_); }
    /// Where the bytes that come next are, for messages: in the archive, or in the member when it is deflated.
    const file_place& place() const { return place_; }
    std::size_t position() const { return static_cast<std::size_t>(done_); }

private:
    void read_inflated(char* to, std::size_t count);

    const input_file& file_;
    zip_member member_;
    file_place place_;
    std::uint64_t data_ = 0, taken_ = 0, done_ = 0;
    std::uint32_t crc_ = 0;
    bool has_ended_ = false;
    codegen::owner<runtime::deflate_stream> inflater_;
    codegen::sequence<char> buffer_;
    const char* next_ = nullptr;
    std::size_t left_ = 0;
};

/// What fits in 32 bits of a directory.
inline constexpr std::uint64_t zip_largest_plain = 0xFFFFFFFE;

/// A member that begins at a place of an archive, without contents; throws value_error for a name that is too long.
zip_member make_zip_member(const std::string& operation, const std::string& name, bool deflated, std::uint64_t at);
/// What stands before a member's contents; of one length whatever they are.
std::string zip_local_header(const zip_member& m);
/// The directory, at a place behind all members, which ends an archive.
std::string zip_directory_text(codegen::span<const zip_member> members, std::uint64_t at,
                               std::uint64_t largest_plain = zip_largest_plain);

/// A new archive. Sizes and offsets of 2^32 - 1 and above go into ZIP64 records.
class zip_writer final : public byte_sink {
public:
    zip_writer(std::string operation, const std::string& path)
        : operation_(operation), file_(std::move(operation), path) {}

    /// Begins a member; its contents follow by write().
    void begin(const std::string& name, bool deflated);
    void write(const char* from, std::size_t count) override;
    void end();
    /// Writes the directory.
    void close();

    /// What fits in 32 bits; less in tests.
    std::uint64_t largest_plain = zip_largest_plain;

private:
    void write_packed(const char* from, std::size_t count, bool last);

    std::string operation_;
    runtime::output_file file_;
    codegen::sequence<zip_member> members_;
    codegen::owner<runtime::deflate_stream> deflater_;
    codegen::sequence<char> buffer_;
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/io/zip.ipp>
#endif

// Zip archives (APPNOTE.TXT 6.3.10 of PKWARE): their directories, members as streams, and new ones; must not know
// arrays.
#pragma once

#include <memory>
#include <sinter/codegen/base/sequence.hpp>
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
    std::unique_ptr<runtime::deflate_stream> inflater_;
    codegen::sequence<char> buffer_;
    const char* next_ = nullptr;
    std::size_t left_ = 0;
};

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
    std::uint64_t largest_plain = 0xFFFFFFFE;

private:
    void write_packed(const char* from, std::size_t count, bool last);
    void write_entry(const zip_member& m);

    std::string operation_;
    runtime::output_file file_;
    codegen::sequence<zip_member> members_;
    std::unique_ptr<runtime::deflate_stream> deflater_;
    codegen::sequence<char> buffer_;
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/io/zip.ipp>
#endif

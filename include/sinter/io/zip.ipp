// Bodies of zip.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/io/zip.hpp>

namespace sinter::inline SINTER_ABI::detail {

static_assert(std::endian::native == std::endian::little, "sinter: zip files need a little-endian machine");

inline constexpr std::uint32_t zip_local = 0x04034b50, zip_central = 0x02014b50, zip_end = 0x06054b50,
                               zip64_end = 0x06064b50, zip64_locator = 0x07064b50;
inline constexpr std::uint16_t zip_stored = 0, zip_deflated = 8;

template <class T>
T zip_number(const char* at) {
    T v;
    std::memcpy(&v, at, sizeof v);
    return v;
}

template <class... T>
std::string zip_record(T... fields) {
    std::string s;
    (s.append(reinterpret_cast<const char*>(&fields), sizeof fields), ...);
    return s;
}

/// Where the directory is and how much it holds.
struct zip_directory {
    std::uint64_t at = 0, size = 0, count = 0;
    std::uint64_t end = 0;  ///< of the record that says so
};

// The record at the end is found backwards, since a comment may follow it.
SINTER_INLINE std::size_t find_zip_end(const input_file& file, std::string& tail, std::size_t& first) {
    constexpr std::size_t record = 22, longest_comment = 65535;
    if (file.size() < record) file.place().fail(file.size(), "too short for a zip archive");
    tail.resize(std::min(file.size(), record + longest_comment));
    first = file.size() - tail.size();
    // A comment is rare: without one the record is the end of the file.
    file.read(tail.data() + (tail.size() - record), record, file.size() - record);
    bool is_read = false;
    for (std::size_t at = tail.size() - record;; --at) {
        const bool is_end = zip_number<std::uint32_t>(&tail[at]) == zip_end;
        if (is_end && at + record + zip_number<std::uint16_t>(&tail[at + 20]) == tail.size()) return at;
        if (!is_read) file.read(tail.data(), tail.size() - record, first);
        is_read = true;
        if (at == 0) break;
    }
    file.place().fail(file.size(), "no zip archive: it has no directory");
}

SINTER_INLINE zip_directory find_zip_directory(const input_file& file) {
    std::string tail;
    std::size_t first = 0;
    const std::size_t at = find_zip_end(file, tail, first);
    const char* r = &tail[at];
    zip_directory d{zip_number<std::uint32_t>(r + 16), zip_number<std::uint32_t>(r + 12),
                    zip_number<std::uint16_t>(r + 10), first + at};
    if (zip_number<std::uint16_t>(r + 4) != 0 || zip_number<std::uint16_t>(r + 6) != 0)
        file.place().fail(first + at + 4, "archives in several files are not supported");
    if (d.at == 0xFFFFFFFF || d.size == 0xFFFFFFFF || d.count == 0xFFFF) {
        char locator[20], record[56];
        if (first + at < sizeof locator) file.place().fail(first + at, "the ZIP64 locator is missing");
        file.read(locator, sizeof locator, first + at - sizeof locator);
        const auto where = zip_number<std::uint64_t>(locator + 8);
        if (zip_number<std::uint32_t>(locator) == zip64_locator) {
            if (where > first + at || first + at - where < sizeof record)
                file.place().fail(first + at - sizeof locator, "the ZIP64 record is said to lie outside the file");
            file.read(record, sizeof record, where);
            if (zip_number<std::uint32_t>(record) != zip64_end)
                file.place().fail(where, "no ZIP64 record where it should be");
            d = {zip_number<std::uint64_t>(record + 48), zip_number<std::uint64_t>(record + 40),
                 zip_number<std::uint64_t>(record + 32), where};
        }
    }
    if (d.at > d.end || d.size > d.end - d.at)
        file.place().fail(d.end, "the directory of " + std::to_string(d.size) + " bytes at " + std::to_string(d.at) +
                                     " is said to lie outside the file");
    constexpr std::uint64_t least = 46;
    if (d.count > d.size / least)
        file.place().fail(d.end, std::to_string(d.count) + " members do not fit in a directory of " +
                                     std::to_string(d.size) + " bytes");
    return d;
}

// Sizes that do not fit in 32 bits stand in an extra field, those of them only, in this order.
SINTER_INLINE void read_zip64_extra(zip_member& m, std::string_view extra, const file_place& place, std::size_t at) {
    if (m.size != 0xFFFFFFFF && m.packed != 0xFFFFFFFF && m.at != 0xFFFFFFFF) return;
    while (extra.size() >= 4) {
        const auto id = zip_number<std::uint16_t>(extra.data());
        const std::size_t length = zip_number<std::uint16_t>(extra.data() + 2);
        if (length > extra.size() - 4) place.fail(at, "an extra field is cut short");
        std::string_view field = extra.substr(4, length);
        extra.remove_prefix(4 + length);
        at += 4 + length;
        if (id != 1) continue;
        for (std::uint64_t* v : {&m.size, &m.packed, &m.at}) {
            if (*v != 0xFFFFFFFF) continue;
            if (field.size() < 8) place.fail(at, "a ZIP64 field is cut short");
            *v = zip_number<std::uint64_t>(field.data());
            field.remove_prefix(8);
        }
        return;
    }
}

SINTER_INLINE codegen::sequence<zip_member> read_zip_directory(const input_file& file) {
    constexpr std::size_t fixed = 46;
    const zip_directory d = find_zip_directory(file);
    const std::size_t end = static_cast<std::size_t>(d.at + d.size);
    codegen::sequence<zip_member> members;
    std::size_t at = static_cast<std::size_t>(d.at);
    std::string texts;
    for (std::uint64_t i = 0; i < d.count; ++i) {
        char r[fixed];
        if (end - at < fixed) file.place().fail(at, "the directory is cut short");
        file.read(r, fixed, at);
        if (zip_number<std::uint32_t>(r) != zip_central) file.place().fail(at, "no entry of a directory");
        const std::size_t name = zip_number<std::uint16_t>(r + 28), extra = zip_number<std::uint16_t>(r + 30),
                          comment = zip_number<std::uint16_t>(r + 32);
        if (end - at - fixed < name + extra + comment) file.place().fail(at, "the directory is cut short");
        texts.resize(name + extra);
        file.read(texts.data(), texts.size(), at + fixed);
        zip_member m{texts.substr(0, name),
                     zip_number<std::uint16_t>(r + 8),
                     zip_number<std::uint16_t>(r + 10),
                     zip_number<std::uint32_t>(r + 16),
                     zip_number<std::uint32_t>(r + 20),
                     zip_number<std::uint32_t>(r + 24),
                     zip_number<std::uint32_t>(r + 42)};
        read_zip64_extra(m, std::string_view(texts).substr(name), file.place(), at + fixed + name);
        if (m.at > d.at || m.packed > d.at - m.at)
            file.place().fail(at, "member " + std::to_string(i) + " is said to lie outside the file");
        members.push_back(std::move(m));
        at += fixed + name + extra + comment;
    }
    return members;
}

SINTER_INLINE zip_source::zip_source(const input_file& file, const zip_member& member) : file_(file), member_(member) {
    constexpr std::uint64_t fixed = 30, most_inflated = 1032;  // deflate makes at most so many bytes of one
    const auto at = static_cast<std::size_t>(member.at);
    place_ = {file.place().name + ": member '" + member.name + "'", file.place().operation};
    char r[fixed];
    file.read(r, fixed, at);
    if (zip_number<std::uint32_t>(r) != zip_local) place_.fail(at, "no header where the directory says");
    data_ = member.at + fixed + zip_number<std::uint16_t>(r + 26) + zip_number<std::uint16_t>(r + 28);
    if (data_ > file.size() || member.packed > file.size() - data_)
        place_.fail(at, "its data is said to lie outside the file");
    if (member.flags & 1) place_.fail(at, "encrypted members are not supported");
    if (member.method == zip_stored) {
        if (member.packed != member.size) place_.fail(at, "stored data has two sizes");
        place_.base = static_cast<std::size_t>(data_);
    } else if (member.method == zip_deflated) {
        if (member.size / most_inflated > member.packed)
            place_.fail(at, std::to_string(member.packed) + " bytes cannot hold " + std::to_string(member.size));
        inflater_ =
            codegen::owner(new runtime::deflate_stream(runtime::deflate_stream::direction::inflate, place_.operation));
        place_.name += ", inflated";
    } else {
        place_.fail(at, "compression method " + std::to_string(member.method) + " is not supported");
    }
}

SINTER_INLINE void zip_source::read(char* to, std::size_t count) {
    if (count > member_.size - done_) place_.fail(static_cast<std::size_t>(member_.size), "the member ends too early");
    if (inflater_) read_inflated(to, count);
    else file_.read(to, count, static_cast<std::size_t>(data_ + done_));
    crc_ = runtime::crc32(crc_, to, count);
    done_ += count;
}

SINTER_INLINE void zip_source::read_inflated(char* to, std::size_t count) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    for (char* begin = to; count > 0;) {
        if (left_ == 0 && taken_ < member_.packed) {
            buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece, member_.packed - taken_)));
            file_.read(buffer_.data(), buffer_.size(), static_cast<std::size_t>(data_ + taken_));
            taken_ += buffer_.size();
            next_ = buffer_.data();
            left_ = buffer_.size();
        }
        const std::size_t before = count + left_;
        using outcome = runtime::deflate_stream::outcome;
        const outcome o = has_ended_ ? outcome::bad : inflater_->run(next_, left_, to, count, false);
        has_ended_ = o == outcome::end;
        if (o == outcome::bad || (count > 0 && (has_ended_ || before == count + left_)))
            place_.fail(static_cast<std::size_t>(done_) + static_cast<std::size_t>(to - begin),
                        "the deflated data is damaged or cut short");
    }
}

SINTER_INLINE void zip_source::finish() {
    char rest[4096];
    while (done_ < member_.size)
        read(rest, static_cast<std::size_t>(std::min<std::uint64_t>(sizeof rest, member_.size - done_)));
    if (crc_ != member_.crc) place_.fail(static_cast<std::size_t>(done_), "the checksum differs: the data is damaged");
}

// The local header holds 64-bit sizes from the start, so that they can be put in when they are known, as NumPy's does.
SINTER_INLINE std::string zip_local_header(const zip_member& m) {
    return zip_record(zip_local, std::uint16_t{45}, m.flags, m.method, std::uint16_t{0}, std::uint16_t{0x21}, m.crc,
                      0xFFFFFFFFu, 0xFFFFFFFFu, static_cast<std::uint16_t>(m.name.size()), std::uint16_t{20}) +
           m.name + zip_record(std::uint16_t{1}, std::uint16_t{16}, m.size, m.packed);
}

SINTER_INLINE zip_member make_zip_member(const std::string& operation, const std::string& name, bool deflated,
                                         std::uint64_t at) {
    if (name.size() > 0xFFFF)
        throw value_error("[" + operation + "] a name of " + std::to_string(name.size()) + " bytes is too long");
    bool ascii = true;
    for (char c : name) ascii = ascii && static_cast<unsigned char>(c) < 128;
    constexpr std::uint16_t utf8 = 0x800;
    return {name, ascii ? std::uint16_t{0} : utf8, deflated ? zip_deflated : zip_stored, 0, 0, 0, at};
}

SINTER_INLINE void zip_writer::begin(const std::string& name, bool deflated) {
    members_.push_back(make_zip_member(operation_, name, deflated, file_.position()));
    if (deflated)
        deflater_ =
            codegen::owner(new runtime::deflate_stream(runtime::deflate_stream::direction::deflate, operation_));
    const std::string header = zip_local_header(members_.back());
    file_.write(header.data(), header.size());
}

SINTER_INLINE void zip_writer::write(const char* from, std::size_t count) {
    zip_member& m = members_.back();
    m.crc = runtime::crc32(m.crc, from, count);
    m.size += count;
    if (deflater_) return write_packed(from, count, false);
    file_.write(from, count);
    m.packed += count;
}

SINTER_INLINE void zip_writer::write_packed(const char* from, std::size_t count, bool last) {
    buffer_.resize(std::size_t{1} << 16);
    using outcome = runtime::deflate_stream::outcome;
    for (outcome o = outcome::ok; count > 0 || (last && o != outcome::end);) {
        char* out = buffer_.data();
        std::size_t room = buffer_.size();
        o = deflater_->run(from, count, out, room, last);
        if (o == outcome::bad) throw internal_error("[" + operation_ + "] zlib does not deflate");
        file_.write(buffer_.data(), buffer_.size() - room);
        members_.back().packed += buffer_.size() - room;
    }
}

SINTER_INLINE void zip_writer::end() {
    if (deflater_) write_packed(nullptr, 0, true);
    deflater_.reset();
    const std::string header = zip_local_header(members_.back());
    file_.overwrite(header.data(), header.size(), static_cast<std::size_t>(members_.back().at));
}

SINTER_INLINE std::string zip_entry(const zip_member& m, std::uint64_t largest_plain) {
    std::string extra;
    auto plain = [&](std::uint64_t v) {
        if (v <= largest_plain) return static_cast<std::uint32_t>(v);
        extra += zip_record(v);
        return 0xFFFFFFFFu;
    };
    const std::uint32_t size = plain(m.size), packed = plain(m.packed), at = plain(m.at);
    if (!extra.empty()) extra = zip_record(std::uint16_t{1}, static_cast<std::uint16_t>(extra.size())) + extra;
    return zip_record(zip_central, std::uint16_t{0x32D}, std::uint16_t{45}, m.flags, m.method, std::uint16_t{0},
                      std::uint16_t{0x21}, m.crc, packed, size, static_cast<std::uint16_t>(m.name.size()),
                      static_cast<std::uint16_t>(extra.size()), std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0},
                      0600u << 16, at) +
           m.name + extra;
}

SINTER_INLINE std::string zip_directory_text(codegen::span<const zip_member> members, std::uint64_t at,
                                             std::uint64_t largest_plain) {
    std::string text;
    for (const zip_member& m : members) text += zip_entry(m, largest_plain);
    const std::uint64_t count = members.size(), size = text.size(), end = at + size;
    const bool large = at > largest_plain || size > largest_plain || count >= 0xFFFF;
    if (large)
        text += zip_record(zip64_end, std::uint64_t{44}, std::uint16_t{45}, std::uint16_t{45}, 0u, 0u, count, count,
                           size, at) +
                zip_record(zip64_locator, 0u, end, 1u);
    const auto few = large ? std::uint16_t{0xFFFF} : static_cast<std::uint16_t>(count);
    return text + zip_record(zip_end, std::uint16_t{0}, std::uint16_t{0}, few, few,
                             large ? 0xFFFFFFFFu : static_cast<std::uint32_t>(size),
                             large ? 0xFFFFFFFFu : static_cast<std::uint32_t>(at), std::uint16_t{0});
}

SINTER_INLINE void zip_writer::close() {
    const std::string text = zip_directory_text({members_.data(), members_.size()}, file_.position(), largest_plain);
    file_.write(text.data(), text.size());
    file_.close();
}

}  // namespace sinter::inline SINTER_ABI::detail

// The readers of .npy, .npz, PNG, text, packs of kernels and entries of the disk cache over bytes of any kind; see
// readers.cpp for how inputs are made.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sinter/io/npy.hpp>
#include <sinter/io/png.hpp>
#include <sinter/io/text_table.hpp>
#include <sinter/io/zip.hpp>
#include <sinter/runtime/base/cache_entry.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/library/deflate.hpp>
#include <string>
#include <string_view>

namespace fuzz {

using namespace sinter;

/// What inputs are, by their first bytes; anything else is text.
enum kind { npy, npz, png, pack, entry, text, kinds };
struct kind_name {
    const char* name;
    std::string_view begin;
};
inline constexpr kind_name kind_names[kinds] = {{"npy", "\x93NUMPY"},         {"npz", "PK"},
                                                {"png", "\x89PNG\r\n\x1a\n"}, {"pack", "sintpack"},
                                                {"entry", "sinter\r\n"},      {"text", ""}};

inline kind kind_of(std::string_view bytes) {
    int k = 0;
    while (!bytes.starts_with(kind_names[k].begin)) ++k;
    return static_cast<kind>(k);
}

/// How inputs went.
struct counts {
    long long inputs[kinds] = {};
    long long accepted = 0;
};

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

// The records behind a header, each member of which lies inside of its record.
inline void read_npy_records(runtime::byte_source& from, const detail::npy_header& h) {
    constexpr std::int64_t most = 1000;
    require(h.record_bytes * h.shape.product() == h.data_bytes, "records and bytes differ");
    std::string record(static_cast<std::size_t>(h.record_bytes), '\0');
    for (std::int64_t i = 0; i < std::min(h.shape.product(), most); ++i) {
        from.read(record.data(), record.size());
        for (const detail::npy_field& f : h.fields) {
            require(f.offset + static_cast<std::size_t>(codegen::size_of(f.type)) <= record.size(),
                    "a member ends behind its record");
            detail::to_machine_order(record.data() + f.offset, f);
        }
    }
}

// An .npy file behind `size` bytes; never takes more memory than they are.
inline void read_npy(runtime::byte_source& from, std::size_t size, const runtime::file_place& place) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const detail::npy_header h = detail::read_npy_header(from, static_cast<std::int64_t>(size), place, true);
    require(h.data_bytes >= 0 && h.data_offset + static_cast<std::size_t>(h.data_bytes) <= size,
            "more elements than bytes");
    if (!h.fields.empty()) return read_npy_records(from, h);
    require(h.shape.product() * codegen::size_of(h.type) == h.data_bytes, "elements and bytes differ");
    std::string data(std::min(static_cast<std::size_t>(h.data_bytes), most), '\0');
    data.resize(data.size() / 16 * 16);
    detail::npy_elements(from, h).read(data.data(), data.size());
    if (h.type == dtype::bool_)
        for (char c : data) require(c == 0 || c == 1, "a bool is neither true nor false");
}

inline void read_npz(std::string_view bytes) {
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    const runtime::input_file file("fuzz", "input", bytes);
    for (const detail::zip_member& m : detail::read_zip_directory(file)) {
        require(m.packed <= bytes.size(), "a member is larger than its archive");
        try {
            detail::zip_source from(file, m);
            read_npy(from, static_cast<std::size_t>(m.size), from.place());
            if (m.size <= most) from.finish();
        } catch (const io_error&) {
        }
    }
}

inline std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t n = 0;
    for (std::size_t i = at; i < at + 4; ++i) n = n << 8 | static_cast<unsigned char>(bytes[i]);
    return n;
}

// Pictures of few pixels, whose parts get their checksums when `is_sealed`, so that changed bytes get past them.
inline void read_png(std::string bytes, bool is_sealed) {
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    for (std::size_t at = 8; is_sealed && at + 12 <= bytes.size();) {
        const std::size_t size = number_at(bytes, at);
        if (size > bytes.size() - at - 12) break;
        const std::uint32_t sum = runtime::crc32(0, bytes.data() + at + 4, size + 4);
        for (std::size_t i = 0; i < 4; ++i) bytes[at + 8 + size + i] = static_cast<char>(sum >> (24 - 8 * i));
        at += size + 12;
    }
    if (bytes.size() >= 24 && std::uint64_t{number_at(bytes, 16)} * number_at(bytes, 20) > most) return;
    const detail::picture p = detail::decode_png(bytes, "input");
    require(p.rows > 0 && p.columns > 0 && (p.channels == 1 || p.channels == 3 || p.channels == 4),
            "a picture has no such shape");
    unsigned sum = 0;
    for (std::int64_t i = 0; i < p.rows * p.columns * p.channels; ++i) sum += static_cast<unsigned char>(p.bytes[i]);
    require(sum < 256 * most * 4, "no pixels");
}

template <class T>
void write_at(std::string& bytes, std::size_t at, const T& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

// A pack whose sizes and checksums fit what it holds.
inline void seal_pack(std::string& bytes) {
    struct {
        std::uint64_t target_bytes, entries, bytes, checksum;
    } numbers;
    constexpr std::size_t place = 24, header_size = place + sizeof numbers, entry_size = sizeof(runtime::cache_header);
    static const std::string empty = runtime::make_pack({}, {});
    if (bytes.size() < header_size) return;
    std::memcpy(bytes.data(), empty.data(), place);
    std::memcpy(&numbers, bytes.data() + place, sizeof numbers);
    numbers.target_bytes %= bytes.size() - header_size + 1;
    numbers.entries = 0;
    std::string headers;
    std::size_t at = header_size + numbers.target_bytes;
    while (bytes.size() - at >= entry_size) {
        std::uint64_t size = 0;
        std::memcpy(&size, bytes.data() + at + offsetof(runtime::cache_header, payload_size), sizeof size);
        size %= bytes.size() - at - entry_size + 1;
        const std::string_view rest = std::string_view(bytes).substr(at);
        const runtime::cache_header h = runtime::make_cache_header(
            rest.substr(offsetof(runtime::cache_header, key_hash), sizeof h.key_hash), rest.substr(entry_size, size));
        write_at(bytes, at, h);
        headers += runtime::bytes_of_header(h);
        at += entry_size + size;
        ++numbers.entries;
    }
    bytes.resize(at);
    numbers.bytes = at;
    write_at(bytes, place, numbers);
    numbers.checksum = runtime::cache_checksum(bytes.substr(0, header_size - sizeof numbers.checksum) +
                                               bytes.substr(header_size, numbers.target_bytes) + headers);
    write_at(bytes, place, numbers);
}

inline bool lies_in(std::string_view part, std::string_view whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

inline void read_pack(std::string bytes, bool is_sealed) {
    if (is_sealed) seal_pack(bytes);
    const runtime::kernel_pack p("input", bytes);
    for (const runtime::kernel_pack::entry& e : p.entries())
        require(lies_in(e.payload, bytes) && lies_in(e.key_hash, bytes), "an entry is outside of its pack");
    for (const runtime::code_target& made_for : p.targets())
        for (const char* machine : {"host\tx86_64\tname\tfma avx2", "cuda\tsm_90", ""})
            if (runtime::runs_code_of(made_for, machine)) p.find({machine, "", "text"}, made_for);
}

inline void read_entry(std::string_view bytes) {
    const auto found = runtime::read_cache_entry(bytes);
    if (!found) throw io_error("no entry");
    require(lies_in(found->payload, bytes), "a payload is outside of its entry");
    const runtime::cache_header h = runtime::make_cache_header(found->key_hash, found->payload);
    require(bytes.starts_with(std::string(runtime::bytes_of_header(h)) + std::string(found->payload)),
            "an entry is not what its payload makes");
}

// The first byte says how a text is read.
inline void read_text(std::string_view bytes) {
    static const dtype types[] = {dtype::float64, dtype::int64,   dtype::complex128,
                                  dtype::uint8,   dtype::float32, dtype::bool_};
    const unsigned how = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
    loadtxt_options options;
    if (how & 1) options.delimiter = ",";
    if (how & 2) options.usecols = {0, -1};
    if (how & 4) options.skiprows = 1;
    if (how & 8) options.comments = "";
    if (how % 5 == 1) options.quotechar.assign(1, '"');
    if (how % 7 == 1) options.converters = {{-1, [](const std::string& s) { return s.size(); }}};
    const dtype type = types[how / 16 % 6];
    const detail::text_table t = detail::parse_text_table(bytes, type, options, "input");
    require(t.shape.product() * codegen::size_of(type) == static_cast<std::int64_t>(t.data.size()),
            "elements and bytes differ");
}

inline void read_as(kind k, std::string_view bytes, bool is_sealed) {
    const runtime::input_file file("fuzz", "input", bytes);
    runtime::file_source from(file, 0);
    switch (k) {
        case npy: return read_npy(from, bytes.size(), file.place());
        case npz: return read_npz(bytes);
        case png: return read_png(std::string(bytes), is_sealed);
        case pack: return read_pack(std::string(bytes), is_sealed);
        case entry: return read_entry(bytes);
        default: return read_text(bytes);
    }
}

/// Reads an input as what it looks like; anything but success and io_error ends the process.
inline void run(std::string_view bytes, counts& n) {
    const kind k = kind_of(bytes);
    ++n.inputs[k];
    if (k == png || k == pack) try {
            read_as(k, bytes, true);
        } catch (const io_error&) {
        }
    try {
        read_as(k, bytes, false);
        ++n.accepted;
    } catch (const io_error&) {
    }
}

}  // namespace fuzz

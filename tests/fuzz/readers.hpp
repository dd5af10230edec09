// The readers of .npy, .npz and text over bytes of any kind, and how seeds become such bytes; see readers.cpp.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sinter/io/npy.hpp>
#include <sinter/io/text_table.hpp>
#include <sinter/io/zip.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

using namespace sinter;

/// How inputs went.
struct counts {
    long long npy = 0, npz = 0, text = 0;  ///< inputs of each kind
    long long accepted = 0;
};

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

// An .npy file behind `size` bytes; never takes more memory than they are.
inline void read_npy(runtime::byte_source& from, std::size_t size, const runtime::file_place& place) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const detail::npy_header h = detail::read_npy_header(from, static_cast<std::int64_t>(size), place);
    require(h.data_bytes >= 0 && h.data_offset + static_cast<std::size_t>(h.data_bytes) <= size,
            "more elements than bytes");
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

/// Reads an input as what it looks like; anything but success and io_error ends the process.
inline void run(std::string_view bytes, counts& n) {
    try {
        if (bytes.starts_with("\x93NUMPY")) {
            ++n.npy;
            const runtime::input_file file("fuzz", "input", bytes);
            runtime::file_source from(file, 0);
            read_npy(from, bytes.size(), file.place());
        } else if (bytes.starts_with("PK")) {
            ++n.npz;
            read_npz(bytes);
        } else {
            ++n.text;
            read_text(bytes);
        }
        ++n.accepted;
    } catch (const io_error&) {
    }
}

/// The files of NumPy's in tests/data, from which all inputs are made.
inline std::vector<std::string> read_seeds(const std::string& data) {
    constexpr std::size_t largest = 6000;
    std::vector<std::string> paths, seeds;
    for (const char* folder : {"/npy", "/npz", "/text"})
        for (const auto& entry : std::filesystem::directory_iterator(data + folder))
            paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        std::ifstream f(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>());
        if (seeds.back().size() > largest) seeds.pop_back();
        // Archives are few, and have most places to go wrong.
        else if (path.ends_with(".npz")) seeds.insert(seeds.end(), 9, std::string(seeds.back()));
    }
    return seeds;
}

/// One input: a seed, or two that are joined, with some bytes changed, of which headers and directories get most.
inline std::string make_input(const std::vector<std::string>& seeds, std::mt19937& random) {
    static const char* const pieces[] = {
        "(",     ")",           ",",  "'",          "{",          "}",          ":",
        "9",     "99999999999", "-",  "+",          "e",          "j",          "nan",
        "inf",   "\n",          "\r", " ",          "#",          "True",       "False",
        "shape", "<",           ">",  "PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "\xff\xff\xff\xff"};
    auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    std::string s = seeds[below(seeds.size())];
    if (below(20) == 0) {
        s.resize(below(s.size() + 1));
        s += seeds[below(seeds.size())];
    }
    for (std::size_t n = 1 + below(4); n > 0; --n) {
        if (s.empty()) s.push_back('x');
        const std::size_t near = std::min<std::size_t>(s.size(), 200);
        const std::size_t at = below(3) == 0 ? below(s.size()) : below(2) ? below(near) : s.size() - 1 - below(near);
        switch (below(8)) {
            case 0: s[at] = static_cast<char>(random()); break;
            case 1: s[at] = static_cast<char>(s[at] ^ 1 << below(8)); break;
            case 2: s[at] = static_cast<char>(below(2) ? 0xff : 0); break;
            case 3: s[at] = static_cast<char>(s[at] + static_cast<char>(below(9)) - 4); break;
            case 4: s.resize(at); break;
            case 5: s.erase(at, 1 + below(12)); break;
            case 6: s.insert(at, pieces[below(std::size(pieces))]); break;
            default: s.insert(at, s.substr(below(s.size()), below(40)));
        }
    }
    return s;
}

}  // namespace fuzz

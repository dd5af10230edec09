// How files become inputs of the readers: seeds, and seeds that are damaged.
#pragma once

#include "readers.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

namespace fuzz {

/// The files of NumPy's and Pillow's in tests/data, and kernels as they are kept, from which all inputs are made.
inline std::vector<std::string> read_seeds(const std::string& data) {
    constexpr std::size_t largest = 6000;
    std::vector<std::string> paths, seeds;
    for (const char* folder : {"/npy", "/npz", "/text", "/images"})
        for (const auto& file : std::filesystem::directory_iterator(data + folder))
            if (!std::string_view(folder).ends_with("images") || file.path().extension() == ".png")
                paths.push_back(file.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        std::ifstream f(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>());
        if (seeds.back().size() > largest) seeds.pop_back();
        // Archives are few, and have most places to go wrong.
        else if (path.ends_with(".npz")) seeds.insert(seeds.end(), 9, std::string(seeds.back()));
    }
    const std::string first(64, 'a'), second(64, 'b'), payload = "\177ELF and some bytes more";
    const codegen::sequence<runtime::code_target> targets{"host\tx86_64\tname\tfma avx2", "cuda\tsm_90"};
    for (const std::string& s :
         {runtime::make_pack({}, {}), runtime::make_pack(targets, {}), runtime::make_pack(targets, {{first, payload}}),
          runtime::make_pack(targets, {{first, payload}, {second, ""}, {first, "twice"}}),
          std::string(runtime::bytes_of_header(runtime::make_cache_header(first, ""))),
          std::string(runtime::bytes_of_header(runtime::make_cache_header(second, payload))) + payload})
        seeds.insert(seeds.end(), 5, s);
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

// Files that tests read, and arrays that come from them.
#pragma once

#include <sinter/sinter.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace test_files {

inline const std::string data_folder = SINTER_TEST_DATA;

inline std::string read_text(const std::string& path) {
    std::ifstream f(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(f), {}};
}

/// Elements that are equal, NaN with NaN.
template <class T>
bool same(const sinter::array<T>& a, const sinter::array<T>& b) {
    if (a.shape() != b.shape()) return false;
    if constexpr (sinter::codegen::kind_rank(sinter::dtype_of<T>) < 2) return sinter::array_equal(a, b);
    else return bool(sinter::all(a == b || (a != a && b != b)));
}

}  // namespace test_files

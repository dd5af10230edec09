// Texts of kernels that are kept in files, so that a change of the printers is seen in review.
#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace golden_text {

inline std::string content(const std::string& path) {
    std::string s;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) return s;
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) s.append(buffer, n);
    std::fclose(file);
    return s;
}

// With SINTER_UPDATE_GOLDEN=1 the files are written anew.
inline void compare(const std::string& name, const std::string& text) {
    std::string path = std::string(SINTER_TEST_DATA) + "/golden/kernels/" + name + ".txt";
    if (const char* update = std::getenv("SINTER_UPDATE_GOLDEN"); update && *update == '1') {
        std::FILE* file = std::fopen(path.c_str(), "wb");
        REQUIRE((file != nullptr));
        std::fwrite(text.data(), 1, text.size(), file);
        std::fclose(file);
    }
    CAPTURE(name);
    CHECK(content(path) == text);
}

}  // namespace golden_text

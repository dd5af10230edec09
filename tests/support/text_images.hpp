// Compiles kernel texts with a C++ compiler into one shared object, for tests.
#pragma once

#include "scratch_folder.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace text_images {

inline std::string compiler() {
    if (const char* named = std::getenv("SINTER_CXX")) return named;
    for (const char* name : {"g++", "c++", "clang++"})
        if (std::system((std::string("command -v ") + name + " >/dev/null 2>&1").c_str()) == 0) return name;
    std::printf("skipped: no C++ compiler\n");
    return "";
}

/// The loaded shared object of a source, which stays loaded; nullptr, with the compiler's output printed, on failure.
inline void* load(const std::string& source, const std::string& options) {
    const scratch_folder folder;
    std::string in = folder.path + "/kernels.cpp", out = folder.path + "/kernels.so";
    std::FILE* file = std::fopen(in.c_str(), "w");
    std::fwrite(source.data(), 1, source.size(), file);
    std::fclose(file);
    std::string command = compiler() + " -std=c++20 -shared -fPIC -w -fwrapv -ffp-contract=off " + options + " -o '" +
                          out + "' '" + in + "'";
    return std::system(command.c_str()) == 0 ? dlopen(out.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
}

}  // namespace text_images

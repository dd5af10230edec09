// Bodies of library.hpp.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/base/process/process_end.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE shared_library::shared_library(const codegen::sequence<std::string>& names,
                                             const codegen::sequence<std::string>& directories) {
    for (const std::string& name : names) names_ += (names_.empty() ? "" : ", ") + name;
    for (std::size_t i = 0; i < directories.size(); ++i) {
        bool is_repeated = false;
        for (std::size_t k = 0; k < i; ++k) is_repeated = is_repeated || directories[k] == directories[i];
        for (const std::string& name : names)
            if (!is_repeated && try_open(directories[i] + "/" + name, true)) return;
    }
    for (const std::string& name : names)
        if (try_open(name, false)) return;
}

SINTER_INLINE shared_library shared_library::of_program(const char* function) {
    shared_library l;
    l.names_ = function;
    l.looked_ = "\n  the program and the libraries that it is linked with";
    Dl_info found{};
    if (void* address = dlsym(RTLD_DEFAULT, function); address && dladdr(address, &found) != 0) {
        l.handle_ = dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        if (!l.handle_) l.handle_ = dlopen(nullptr, RTLD_NOW);
        l.path_ = found.dli_fname;
    }
    return l;
}

SINTER_INLINE bool shared_library::try_open(const std::string& file, bool in_directory) {
    if (in_directory && access(file.c_str(), F_OK) != 0) {
        looked_ += codegen::joined({"\n  ", file, ": no such file"});
        return false;
    }
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) {
        const char* reason = dlerror();
        looked_ +=
            codegen::joined({"\n  ", file, in_directory ? ": " : " (the system's search): ", reason ? reason : "?"});
        return false;
    }
    close_before_libraries();
    link_map* map = nullptr;
    path_ = dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map && *map->l_name ? map->l_name : file;
    return true;
}

SINTER_INLINE void* shared_library::symbol(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

SINTER_INLINE std::string shared_library::why() const {
    return handle_ ? std::string() : names_ + " not found: looked in" + looked_;
}

SINTER_INLINE void* function_finder::find(const char* name) const {
    void* const at = why_.empty() ? library_.symbol(name) : nullptr;
    if (why_.empty() && !at)
        why_ = library_ ? library_.path() + " has no " + name + ": " + needed_ + " is needed" : missing_;
    return at;
}

SINTER_INLINE codegen::sequence<std::string> cuda_library_directories() {
    codegen::sequence<std::string> directories;
    if (!env().cuda_home.empty()) directories.push_back(env().cuda_home + "/lib64");
    if (!env().cuda_path.empty()) directories.push_back(env().cuda_path + "/lib64");
#if defined(SINTER_CUDA_LIBRARY_PATH)
    std::string_view rest = SINTER_CUDA_LIBRARY_PATH;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        if (colon != 0) directories.emplace_back(rest.substr(0, colon));
        rest = colon == rest.npos ? std::string_view() : rest.substr(colon + 1);
    }
#endif
    directories.emplace_back("/usr/local/cuda/lib64");
    return directories;
}

SINTER_INLINE std::string missing_cuda_library(const std::string& name, const shared_library& l) {
    std::string stem = name;
    for (char& c : stem)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return codegen::joined(
        {name, ": ", l.why(), "\ninstall lib", stem, " of CUDA's toolkit (nvidia-", stem, " on PyPI)"});
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

// Bodies of shared_image.hpp.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/shared_image.hpp>
#include <string>
#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// The loader takes equal names for the same library, and descriptor numbers come back: the serial number's bits,
// written as "/" and "./", make every name of the same descriptor different.
SINTER_INLINE std::string unique_descriptor_path(int fd) {
    static std::atomic<unsigned> serial{0};
    std::string path = "/proc/self/fd/";
    for (unsigned n = ++serial; n; n >>= 1) path += n & 1 ? "./" : "/";
    return path + std::to_string(fd);
}

SINTER_INLINE void* load_from_memory(std::string_view bytes) {
    const file_descriptor file = memory_file("sinter-kernel");
    if (!file || !write_all(file.get(), bytes)) return nullptr;
    return dlopen(unique_descriptor_path(file.get()).c_str(), RTLD_NOW | RTLD_LOCAL);
}

SINTER_INLINE void* load_from_folder(std::string_view bytes) {
    const bool cached = kernel_cache().enabled();
    const std::string folder = cached ? "" : make_temporary_folder();
    const std::string path = cached ? kernel_cache().temporary_path("image") : folder + "/image";
    const bool named = cached || !folder.empty();
    const file_descriptor file(named ? open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)
                                     : -1);
    void* handle = nullptr;
    if (file && write_all(file.get(), bytes)) handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (file) unlink(path.c_str());
    if (!cached && !folder.empty()) rmdir(folder.c_str());
    return handle;
}

SINTER_INLINE shared_image::shared_image(std::string_view bytes) {
    if (!is_shared_object(bytes)) throw io_error("[compile] a compiled kernel is not a shared object");
    dlerror();
    handle_ = load_from_memory(bytes);
    if (!handle_) handle_ = load_from_folder(bytes);
    if (!handle_) {
        const int error = errno;
        const char* reason = dlerror();
        throw io_error(std::string("[compile] a compiled kernel cannot be loaded: ") +
                       (reason ? reason : std::string("no file for it can be written: ") + std::strerror(error)));
    }
}

SINTER_INLINE void shared_image::unload() noexcept {
    if (void* const handle = std::exchange(handle_, nullptr)) dlclose(handle);
}

SINTER_INLINE void* shared_image::symbol(const char* name) const {
    void* address = dlsym(handle_, name);
    if (!address) throw internal_error(std::string("[compile] a compiled kernel lacks the symbol ") + name);
    return address;
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

// Bodies of raw_files.hpp.
#pragma once

#include <algorithm>
#include <sinter/io/raw_files.hpp>
#include <sinter/runtime/base/byte_stream.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void write_raw_file(const std::string& path, const void* data, std::size_t bytes) {
    runtime::output_file file("tofile", path);
    file.write(static_cast<const char*>(data), bytes);
    file.close();
}

SINTER_INLINE std::int64_t raw_file_count(const std::string& path, std::int64_t itemsize, const fromfile_options& o) {
    const runtime::input_file file("fromfile", path);
    const auto size = static_cast<std::int64_t>(file.size());
    if (o.offset < 0 || o.offset > size)
        throw value_error("[fromfile] " + path + ": an offset of " + std::to_string(o.offset) + " in " +
                          std::to_string(size) + " bytes");
    const std::int64_t there = (size - o.offset) / itemsize;
    return o.count < 0 ? there : std::min(there, o.count);
}

SINTER_INLINE void read_raw_file(const std::string& path, void* data, std::size_t bytes, std::int64_t offset) {
    const runtime::input_file file("fromfile", path);
    file.read(static_cast<char*>(data), bytes, static_cast<std::size_t>(offset));
}

}  // namespace sinter::inline SINTER_ABI::detail

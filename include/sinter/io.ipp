// Bodies of io.hpp.
#pragma once

#include <sinter/io.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void save_value(const std::string& path, const handle& h) {
    std::vector<char> data(static_cast<std::size_t>(h->bytes()) + 1);
    read(h, data.data());
    write_npy(path.ends_with(".npy") ? path : path + ".npy", h->type, h->shape, data.data());
}

SINTER_INLINE handle load_value(const std::string& path, dtype type) {
    npy_file file(path);
    const npy_header& header = file.header();
    if (codegen::kind_rank(header.type) > codegen::kind_rank(type))
        throw type_error("[load] " + path + " holds " + std::string(to_string(header.type)) + ", which " +
                         std::string(to_string(type)) + " cannot hold: load it as it is and use astype");
    std::vector<char> data(static_cast<std::size_t>(header.data_bytes) + 1);
    file.read(data.data());
    return record_cast(store(header.type, header.shape, data.data()), type);
}

}  // namespace sinter::inline SINTER_ABI::detail

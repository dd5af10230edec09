// .npy files of which every rank reads and writes its part.
#pragma once

#include <sinter/distributed/array.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

distributed_ref load_distributed(const std::string& path, dtype type, placement p);
void save_distributed(const std::string& path, const distributed_ref& v);

}  // namespace detail

namespace distributed {

/// Reads a .npy file (numpy.load) as an array of T, of which each rank reads its part and no more; in either order of
/// axes and bytes. Throws what load throws of ordinary arrays, on all ranks that read.
template <class T>
array<T> load(const std::string& path, const placement& p) {
    return array<T>(detail::load_distributed(path, dtype_of<T>, p));
}
/// Writes one .npy file (numpy.save), each rank its part of it; what is split along an inner axis is resharded to the
/// first. The extension is added when the path has none. The file gets its name when all of it is written. Throws
/// io_error on all ranks with the rank that failed.
template <class T>
void save(const std::string& path, const array<T>& x) {
    detail::save_distributed(path, x.get_value());
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/distributed/files.ipp>
#endif

// .npy and .npz files of which every rank reads and writes its part.
#pragma once

#include <sinter/distributed/array.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

distributed_ref load_distributed(const std::string& path, dtype type, placement p);
void save_distributed(const std::string& path, const distributed_ref& v);

/// A distributed array to be saved under a name.
struct named_distributed {
    std::string name;
    distributed_ref value;
    template <distributed_operand A>
    named_distributed(std::string n, const A& a) : name(std::move(n)), value(a.get_value()) {}
};

distributed_ref load_distributed_member(const std::string& path, const std::string& name, dtype type, placement p);
void save_distributed_archive(const std::string& path, codegen::span<const named_distributed> arrays);

}  // namespace detail

/// Writes distributed arrays to one .npz file (numpy.savez): `savez("state.npz", {{"x", x}, {"v", v}})`, each rank its
/// parts; what is split along an inner axis is resharded to the first. The extension is added when the path has none.
/// The file gets its name when all of it is written. Throws io_error on all ranks with the rank that failed, and
/// value_error when a name occurs twice.
inline void savez(const std::string& path, std::initializer_list<detail::named_distributed> arrays) {
    detail::save_distributed_archive(path, {arrays.begin(), arrays.size()});
}

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
/// Reads an array of an .npz file (numpy.load), of which each rank reads its part and no more, without a checksum;
/// what is deflated each reads whole. Throws what loadz and get throw of ordinary arrays.
template <class T>
array<T> load(const std::string& path, const std::string& name, const placement& p) {
    return array<T>(detail::load_distributed_member(path, name, dtype_of<T>, p));
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/distributed/files.ipp>
#endif

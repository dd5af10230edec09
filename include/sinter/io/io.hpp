// Arrays from and to files: NumPy's .npy and .npz, and tables of numbers as text.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/array/refusals/refusals.hpp>
#include <sinter/io/text_table.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

void save_value(const std::string& path, const handle& h);
/// A file's array as the type asked for, which must be of its kind or a higher one.
handle load_value(const std::string& path, dtype type);
/// The same from the file's pages.
handle load_mapped(const std::string& path, dtype type);

struct mapped_tag {};

/// An array to be saved under a name.
struct named_array {
    std::string name;
    handle value;
    template <expression E>
    named_array(std::string n, const E& e) : name(std::move(n)), value(as_handle(e)) {}
};

void save_archive(const std::string& path, codegen::span<const named_array> arrays, bool compressed);

handle load_text(const std::string& path, dtype type, const loadtxt_options& options);
handle load_gapped_text(const std::string& path, dtype type, const genfromtxt_options& options);
void save_text(const std::string& path, const handle& h, const savetxt_options& options);

/// Under NumPy's names for arrays without any.
template <expression... E>
void save_numbered(const std::string& path, bool compressed, const E&... e) {
    [[maybe_unused]] int i = 0;
    const std::initializer_list<named_array> list = {named_array("arr_" + std::to_string(i++), e)...};
    save_archive(path, {list.begin(), list.size()}, compressed);
}

}  // namespace detail

/// Writes a .npy file (numpy.save): the extension is added when the path has none. What lies on a GPU goes to the file
/// in pieces. Throws io_error.
template <expression E>
void save(const std::string& path, const E& e) {
    detail::save_value(path, detail::as_handle(e));
}

/// Writes a .npy file (numpy.save).
template <expression E, class P>
detail::array_before_path<E> save(const E&, const P&);

/// Reads a .npy file (numpy.load) of version 1 to 3 and either order of axes and bytes as an array of T on the current
/// device. To a GPU it goes in pieces, so that the file may be larger than the host's memory. A file in Fortran order
/// gives strides in that order, as in NumPy. Throws io_error naming path and offset when the file is malformed, before
/// memory is taken for more than it holds, and for pipes, whose size nobody knows; type_error when elements would lose
/// their fraction or imaginary part.
template <class T>
array<T> load(const std::string& path) {
    return array<T>(detail::load_value(path, dtype_of<T>));
}

/// Has load leave an array in its file, as mmap_mode does.
inline constexpr detail::mapped_tag mapped{};

/// Reads a .npy file (numpy.load with mmap_mode="c") without copying it: on the CPU the array's memory is the file's
/// pages, which the system reads when elements are, so that it may be larger than memory. The file is never written:
/// pages that an assignment changes are copies. It has to keep its size as long as arrays refer to it. Elements in
/// another order of bytes, of bool or of another type than T are converted into memory of their own. To a GPU they are
/// copied when they are used, in pieces; what would take more than half of the free memory there is reduced part by
/// part, and for_chunks reads it so. Throws what load throws, io_error also where it is read.
template <class T>
array<T> load(const std::string& path, detail::mapped_tag) {
    return array<T>(detail::load_mapped(path, dtype_of<T>));
}

/// Reads a .npy file (numpy.load with mmap_mode="c") without copying it.
template <class... X>
    requires(sizeof...(X) == 0)
detail::load_without_type<X...> load(const std::string&);

/// Writes arrays that are computed together to an .npz file (numpy.savez): `savez("state.npz", {{"x", x}, {"v", v *
/// 2}})`. The extension is added when the path has none. Throws io_error, and value_error when a name occurs twice.
inline void savez(const std::string& path, std::initializer_list<detail::named_array> arrays) {
    detail::save_archive(path, {arrays.begin(), arrays.size()}, false);
}
/// The same under NumPy's names arr_0, arr_1, …
template <expression... E>
void savez(const std::string& path, const E&... e) {
    detail::save_numbered(path, false, e...);
}
/// The same deflated (numpy.savez_compressed), by the system's zlib; io_error when there is none.
inline void savez_compressed(const std::string& path, std::initializer_list<detail::named_array> arrays) {
    detail::save_archive(path, {arrays.begin(), arrays.size()}, true);
}
/// The same deflated (numpy.savez_compressed), by the system's zlib.
template <expression... E>
void savez_compressed(const std::string& path, const E&... e) {
    detail::save_numbered(path, true, e...);
}

/// An open .npz file (numpy.lib.npyio.NpzFile); arrays are read when they are asked for. Copies share the file,
/// and so does what has been moved from.
class npz_file {
public:
    /// Opens an archive and reads its directory; throws io_error.
    explicit npz_file(const std::string& path);
    npz_file(const npz_file&) = default;
    npz_file& operator=(const npz_file&) = default;

    /// Names of the arrays, in the file's order, without ".npy".
    std::vector<std::string> names() const;
    bool contains(const std::string& name) const;
    std::size_t size() const { return names().size(); }

    /// An array on the current device, read as load does; its checksum is compared. Throws index_error for a name that
    /// is not there, io_error for damaged contents and, when there is no zlib, for deflated ones.
    template <class T>
    array<T> get(const std::string& name) const {
        return array<T>(get_value(name, dtype_of<T>));
    }

    detail::handle get_value(const std::string& name, dtype type) const;

private:
    struct contents;
    std::shared_ptr<const contents> contents_;
};

/// Opens an .npz file (numpy.load): `auto x = loadz("state.npz").get<double>("x");`
inline npz_file loadz(const std::string& path) { return npz_file(path); }

/// Reads a table of numbers from a text file (numpy.loadtxt) as an array of two axes, less those of size one:
/// `loadtxt("x.csv", {.delimiter = ",", .converters = {{0, [](const std::string& s) { return std::stoi(s, nullptr, 16);
/// }}}})`. Throws io_error naming line and column of what is no T or what its converter refuses, and value_error for
/// options that make no sense.
template <class T = double>
array<T> loadtxt(const std::string& path, const loadtxt_options& options = {}) {
    return array<T>(detail::load_text(path, dtype_of<T>, options));
}

/// Reads a table of numbers in which some are missing (numpy.genfromtxt with one dtype): a field that is empty or no T
/// is filled with NaN, with -1 of integers, with false, or with filling_values, one for all columns or one for each
/// that is read; lines without fields are left out. The shape is loadtxt's. Throws io_error naming the line that has
/// another number of columns, unless {.invalid_raise = false} leaves such lines out; value_error for options that make
/// no sense and for a filling value that T does not hold.
template <class T = double>
array<T> genfromtxt(const std::string& path, const genfromtxt_options& options = {}) {
    return array<T>(detail::load_gapped_text(path, dtype_of<T>, options));
}

/// Writes an array of one or two axes as text (numpy.savetxt). Throws io_error, shape_error for other ranks, and
/// value_error for a format that numbers do not have.
template <expression E>
void savetxt(const std::string& path, const E& e, const savetxt_options& options = {}) {
    detail::save_text(path, detail::as_handle(e), options);
}
/// The same with the format behind the array, as NumPy has it: `savetxt("x.csv", x, "%g", {.delimiter = ","})`.
template <expression E, std::convertible_to<std::string_view> F>
void savetxt(const std::string& path, const E& e, const F& fmt, savetxt_options options = {}) {
    options.fmt = std::string(fmt);
    savetxt(path, e, options);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/io/io.ipp>
#endif

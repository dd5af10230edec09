// for_chunks: arrays larger than the device's memory, part by part.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/parts/value_parts.hpp>
#include <string>

namespace sinter::inline SINTER_ABI {

/// Options of for_chunks.
struct chunk_options {
    std::int64_t bytes =
        0;  ///< of a part, a single element of the axis at least; 0: 256 MiB, or an eighth of what is free
    std::string progress = {};  ///< label of a bar on stderr where that is a terminal; without one there is no bar
};

namespace detail {

/// Successive parts of a value along an axis, computed and stored.
class chunk_reader {
public:
    chunk_reader(const handle& x, std::int64_t axis, const chunk_options& o);
    ~chunk_reader();
    chunk_reader(const chunk_reader&) = delete;
    chunk_reader& operator=(const chunk_reader&) = delete;

    /// An empty handle behind the last one.
    handle next();

private:
    struct bar;
    handle x_;
    int axis_;
    std::int64_t each_ = 1, at_ = 0;
    absent_reader reader_;
    codegen::owner<bar> bar_;
};

}  // namespace detail

/// Calls f(part) with successive parts of an array along an axis, stored on its device, all of one length but the last:
/// `for_chunks(load<float>("x.npy", mapped), 0, [&](const array<float>& x) { total += double(sum(x)); })`. What lies in
/// a file, or is computed element by element from such arrays, need not fit in the device's memory: while f works on
/// one part the next is read, and no more than these two have memory. Parts of what is in memory are views of it, which
/// move nothing; running sums along the axis go on from part to part where parts have whole groups of their order,
/// 8,192 elements or, along a last axis, 131,072. Without elements along the axis f is not called. Throws index_error
/// for the axis, value_error for a negative number of bytes, io_error where a file cannot be read, and what f throws,
/// which ends the loop. As a loop over numpy.array_split of a numpy.memmap.
template <expression E, class F>
void for_chunks(const E& e, std::int64_t axis, F&& f, const chunk_options& o = {}) {
    detail::chunk_reader parts(detail::as_handle(e), axis, o);
    while (detail::handle part = parts.next()) f(array<value_type_t<E>>(std::move(part)));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/tools/for_chunks.ipp>
#endif

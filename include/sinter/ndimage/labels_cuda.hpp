// The first elements of connected objects on a GPU, by a forest of elements that threads join; must not know how
// objects are numbered.
#pragma once

#include <sinter/array/array.hpp>

#include <vector>

namespace sinter::inline SINTER_ABI::ndimage::detail {

/// By element, the number of the first element of its object, or -1 where there is none, in numbers that have room for
/// all elements. `connected` are the places of a symmetric window of 3 along every axis. Elements begin with the first
/// one of their run, join the trees of earlier neighbours by the roots, and look up their root at last (Komura 2015;
/// Playne and Hawick 2018).
array<std::int32_t> first_of_objects(const array<bool>& is_object, const std::vector<bool>& connected, std::int32_t);
array<std::int64_t> first_of_objects(const array<bool>& is_object, const std::vector<bool>& connected, std::int64_t);

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/labels_cuda.ipp>
#endif

// What true elements reach within a mask, by the objects that these are parts of; must not know erosions and dilations.
#pragma once

#include <sinter/ndimage/neighbourhood.hpp>

namespace sinter::inline SINTER_ABI::ndimage::detail {

/// The neighbours that count in a window as a structure for label, or none where dilations by them end otherwise than
/// label connects: a window wider than 3 along some axis, one without its middle, or not symmetric.
handle connecting_structure(const dims& window, const std::vector<bool>& counts);
/// An image of bool dilated within a mask, or everywhere, by such a structure until nothing changes; with a border all
/// beyond it is true.
handle record_grown(const handle& x, const handle& mask, const handle& structure, bool border);

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/growing.ipp>
#endif

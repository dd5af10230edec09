// Every way to make a value beside every way to use one, as rows of makers.def and uses.def; must not know what is done
// with them.
#pragma once

#include <sinter/sinter.hpp>

#include <span>
#include <vector>

namespace matrix {

using sinter::dims;
using sinter::dtype;
using sinter::detail::handle;

/// A function of the language that makes a value from an array.
struct maker {
    const char* name;
    const char* text;
    bool exact;  ///< whether every backend gives the same bits
    handle (*make)(const handle& x);
};

/// What is done with a value v that was made from x.
struct use {
    const char* name;
    const char* text;
    bool exact;    ///< as of a maker
    bool decides;  ///< whether a last digit of v may change all of the result
    std::vector<handle> (*apply)(const handle& v, const handle& x);
};

/// The rows for elements of T, float or double, which are those of x and of the values.
template <class T>
std::span<const maker> all_makers();
template <class T>
std::span<const use> all_uses();

inline std::span<const maker> makers(dtype type) {
    return type == dtype::float32 ? all_makers<float>() : all_makers<double>();
}
inline std::span<const use> uses(dtype type) { return type == dtype::float32 ? all_uses<float>() : all_uses<double>(); }

}  // namespace matrix

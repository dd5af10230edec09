// The rows for elements of float.
#include "table.ipp"

template std::span<const matrix::maker> matrix::all_makers<float>();
template std::span<const matrix::use> matrix::all_uses<float>();

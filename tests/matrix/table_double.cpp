// The rows for elements of double.
#include "table.ipp"

template std::span<const matrix::maker> matrix::all_makers<double>();
template std::span<const matrix::use> matrix::all_uses<double>();

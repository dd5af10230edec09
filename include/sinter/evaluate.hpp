// When values are computed: eval of several together, out into existing memory, and synchronize.
#pragma once

#include <sinter/array.hpp>

namespace sinter::inline SINTER_ABI {

/// Computes values now, together in as few kernels as possible. Arrays keep their values; other expressions are recorded
/// for the occasion.
template <expression... E>
void eval(const E&... e) {
    const detail::handle list[] = {detail::as_handle(e)...};
    detail::compute(list);
}
template <class T>
void eval(const std::vector<array<T>>& list) {
    std::vector<detail::handle> values;
    for (const array<T>& a : list) values.push_back(a.get_handle());
    detail::compute(values);
}

/// Runs everything that this thread has recorded and something still names, and waits for the device.
inline void synchronize() { runtime::synchronize_all(); }

namespace detail {
/// Copies a value into the memory of another of the same shape, which nothing may hold but its array and, `inside` times,
/// the expression; throws value_error or shape_error.
void write_into(const handle& target, const handle& value, int inside);
/// How often an expression holds a value.
int count_inside(const recorder& r, const handle& h);
}  // namespace detail

/// Existing memory as the place for a result: see out().
template <class T>
class output {
public:
    explicit output(array<T>& a) : array_(a) {}
    template <expression E>
    void operator=(const E& e) && {
        detail::require_assignable<value_type_t<E>, T>();
        detail::recorder r;
        if constexpr (requires { e.flatten(r); }) e.flatten(r);
        detail::write_into(array_.get_handle(), detail::record_expression<T>(e),
                           detail::count_inside(r, array_.get_handle()));
    }

private:
    array<T>& array_;
};

/// Computes an expression into an array's memory, whose address stays: `out(a) = e` (NumPy's out=). Runs at once; throws
/// value_error when something else holds the memory and shape_error when the shapes differ.
template <class T>
output<T> out(array<T>& a) {
    return output<T>(a);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/evaluate.ipp>
#endif

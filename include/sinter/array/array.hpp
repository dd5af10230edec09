// array<T>, its rows, and assignment through an index.
#pragma once

#include <sinter/array/expression_members.hpp>

namespace sinter::inline SINTER_ABI {

/// Walks over the rows of an array.
template <class Element>
class row_iterator {
public:
    using value_type = array<Element>;
    using difference_type = std::int64_t;

    row_iterator(array<Element> owner, std::int64_t at) : owner_(std::move(owner)), at_(at) {}
    detail::row_value<Element> operator*() const { return std::as_const(owner_)(at_); }
    row_iterator& operator++() {
        ++at_;
        return *this;
    }
    friend bool operator==(const row_iterator& a, const row_iterator& b) { return a.at_ == b.at_; }

private:
    array<Element> owner_;
    std::int64_t at_;
};

/// An n-dimensional array (numpy.ndarray): a handle to a value in device memory or still to be computed. Copying shares
/// the value; assigning never changes what others hold. Row-major, up to eight axes. One that has been moved from is an
/// empty one, as array<Element>() makes.
template <class Element>
class array : public detail::expression_base<array<Element>, Element> {
    static_assert(detail::is_element<Element>,
                  "sinter: elements are bool, int8_t to int64_t, uint8_t to uint64_t, half, bfloat16, float, double, "
                  "complex_half and std::complex of float and double");
    using common = detail::expression_base<array<Element>, Element>;

public:
    /// An empty array of shape (0,).
    array() : handle_(detail::store(dtype_of<Element>, dims(0), nullptr)) {}
    /// Data in braces: `array<double> m{{1, 2}, {3, 4}}`; throws shape_error when it is ragged.
    array(std::initializer_list<detail::nested<Element>> data)
        : handle_(detail::store_nested(detail::nested<Element>(data))) {}
    /// The value of an expression of Element's kind or a lower one.
    template <expression E>
        requires(!std::same_as<std::remove_cvref_t<E>, array> && detail::is_assignable<value_type_t<E>, Element>)
    array(const E& e) : handle_(detail::record_expression<Element>(e)) {}
    // Any other is refused in a sentence, and is no conversion that overloads and traits could take it for.
    template <expression E>
        requires(!detail::is_assignable<value_type_t<E>, Element>)
    explicit array(const E&) {
        detail::require_assignable<value_type_t<E>, Element>();
    }
    array(const array&) = default;
    array(array&&) = default;
    array& operator=(const array&) & = default;
    array& operator=(array&&) & = default;
    template <expression E>
        requires(!detail::is_assignable<value_type_t<E>, Element>)
    detail::lossy_assignment<value_type_t<E>, Element> operator=(const E&) &;
    template <detail::operand X>
    void operator=(const X&) && {
        static_cast<void>(sizeof(detail::assigned_value<X>));
    }
    array(indexed<Element>&& part) : handle_(std::move(part).take_handle()) {}
    explicit array(detail::handle h) : handle_(std::move(h)) {}
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    explicit array(I...) {
        static_assert(sizeof...(I) == 0,
                      "sinter: an array of a shape is made by zeros, ones or empty; data stands in braces");
    }
    template <detail::scalar_operand S>
    void operator=(const S&) & {
        static_cast<void>(sizeof(detail::assigned_number<S>));
    }
    template <class V>
        requires detail::host_data<V>
    void operator=(const V&) & SINTER_REFUSED("sinter: write a = asarray(v), or asarray<T>(v) for its type");

    using common::shape;
    const dims& shape() const { return get_handle()->shape; }
    /// Address of the first element on the device, after computing the array; its memory is not reused from then on.
    /// What is written there is written to memory, not to a value: copies and views that share it see it, those of
    /// a.copy() do not.
    Element* data() const { return static_cast<Element*>(detail::address_of(get_handle())); }

    /// A part of the array, assignable as long as it has no name: `a(slice(1, 5), all) = e`.
    template <class... I>
    indexed<Element> operator()(const I&... i) & {
        return indexed<Element>(*this, detail::index_items(i...));
    }
    template <class I>
    indexed<Element> operator[](const I& i) & {
        return indexed<Element>(*this, detail::index_items(i));
    }
#if defined(__cpp_multidimensional_subscript)
    template <class... I>
        requires(sizeof...(I) > 1)
    indexed<Element> operator[](const I&... i) & {
        return indexed<Element>(*this, detail::index_items(i...));
    }
    template <class... I>
        requires(sizeof...(I) > 1)
    array operator[](const I&... i) const& {
        return static_cast<const common&>(*this)(i...);
    }
#endif
    template <class... I>
    array operator()(const I&... i) const& {
        return static_cast<const common&>(*this)(i...);
    }
    template <class I>
    array operator[](const I& i) const& {
        return static_cast<const common&>(*this)[i];
    }

    /// Computes the value now.
    const array& eval() const& {
        runtime::evaluate(get_handle().alone(), runtime::policy::request);
        return *this;
    }
    array eval() && {
        runtime::evaluate(get_handle().alone(), runtime::policy::request);
        return std::move(*this);
    }

    /// Sets every element (numpy.ndarray.fill) to a number of Element's kind or a lower one; throws value_error when an
    /// integer does not fit.
    template <detail::scalar_operand S>
    void fill(const S& s) {
        handle_ = detail::record_scalar(detail::written_number<Element>("fill", s), shape());
    }

    void append_to(detail::recorder& r) const {
        if (!handle_) [[unlikely]] {
            r.has_moved_from = true;
            return r.add_input(get_handle());
        }
        r.add_input(handle_);
    }
    const detail::handle& get_handle() const {
        if (!handle_) [[unlikely]]
            return detail::moved_from(dtype_of<Element>);
        return handle_;
    }

private:
    friend class indexed<Element>;
    detail::handle handle_;
};

/// The same by NumPy's name (numpy.ndarray).
template <class T>
using ndarray = array<T>;

template <expression E>
array(const E&) -> array<value_type_t<E>>;
// Braced data: the common type of the numbers.
template <detail::scalar_operand... S>
array(S...) -> array<std::common_type_t<S...>>;
template <detail::scalar_operand T>
array(std::initializer_list<std::initializer_list<T>>) -> array<T>;
template <detail::scalar_operand T>
array(std::initializer_list<std::initializer_list<std::initializer_list<T>>>) -> array<T>;

/// A part of an array: reads as the value that the array had, and assigns to the array while it has no name.
template <class Element>
class indexed : public detail::expression_base<indexed<Element>, Element> {
public:
    indexed(array<Element>& owner, codegen::span<const detail::index_item> items)
        : owner_(&owner), base_(owner.get_handle()), where_(detail::select(base_, items)) {}
    indexed(const indexed&) = default;
    using detail::expression_base<indexed<Element>, Element>::shape;
    const dims& shape() const { return read()->shape; }

    template <expression E>
        requires(detail::is_assignable<value_type_t<E>, Element>)
    void operator=(const E& e) && {
        assign(detail::record_expression<Element>(e));
    }
    void operator=(const indexed& other) && { assign(other.read()); }
    /// Data in braces: `m(0) = {1, 2, 3}`.
    void operator=(std::initializer_list<detail::nested<Element>> data) && {
        assign(detail::store_nested(detail::nested<Element>(data)));
    }
    template <detail::scalar_operand S>
        requires(detail::is_assignable<S, Element>)
    void operator=(const S& s) && {
        assign(detail::record_scalar(detail::written_number<Element>("assignment", s), {}));
    }
    template <expression E>
        requires(!detail::is_assignable<value_type_t<E>, Element>)
    void operator=(const E&) && {
        static_cast<void>(sizeof(detail::lossy_assignment<value_type_t<E>, Element>));
    }
    template <detail::scalar_operand S>
        requires(!detail::is_assignable<S, Element>)
    void operator=(const S&) && {
        static_cast<void>(sizeof(detail::lossy_assignment<S, Element>));
    }
    template <detail::scalar_operand S>
    void fill(const S& s) && {
        assign(detail::record_scalar(detail::written_number<Element>("fill", s), {}));
    }
    template <class X>
        requires(!detail::operand<X>)
    void operator=(const X&) && SINTER_REFUSED("sinter: write a(i) = x of an array, a number or asarray(v)");
    template <class E>
    void operator=(const E&) & {
        static_cast<void>(sizeof(detail::assigned_part<E>));
    }

    /// What is read from here on is assigned again: errors of its indices name the assignment.
    void read_for_assignment() { where_.gather.why = codegen::purpose::assignment; }
    const detail::handle& get_handle() const { return read(); }
    detail::handle take_handle() && {
        read();
        return std::move(value_);
    }

private:
    const detail::handle& read() const {
        if (!value_) {
            // Without a base the value has been moved from.
            value_ = base_ ? detail::read_selection(base_, where_) : detail::moved_from(dtype_of<Element>);
            // Else the array could not be written in place as long as the part lives.
            if (where_.is_element()) base_ = detail::handle();
        }
        return value_;
    }
    void assign(const detail::handle& v) {
        if (!base_) base_ = owner_->get_handle();
        if (detail::write_element(base_, where_, v, 2)) return;
        detail::handle written = detail::write_selection(base_, where_, v);
        value_ = detail::handle();
        base_ = detail::handle();
        owner_->handle_ = std::move(written);
    }

    array<Element>* owner_;
    mutable detail::handle base_;
    detail::selection where_;
    mutable detail::handle value_;
};

namespace detail {

/// A row that a loop gives: a value as any other, whose parts lead nowhere.
template <class Element>
class row_value : public array<Element> {
public:
    row_value(array<Element>&& row) : array<Element>(std::move(row)) {}
    using array<Element>::operator=;
    template <class... I>
    array<Element> operator()(const I&... i) const {
        return as_array()(i...);
    }
    template <class I>
    array<Element> operator[](const I& i) const {
        return as_array()[i];
    }
#if defined(__cpp_multidimensional_subscript)
    template <class... I>
        requires(sizeof...(I) > 1)
    array<Element> operator[](const I&... i) const {
        return as_array()(i...);
    }
#endif

private:
    const array<Element>& as_array() const { return *this; }
};
template <class T>
struct kept_operand<row_value<T>> {
    using type = array<T>;
};

template <class T>
const handle& as_handle(const array<T>& a) {
    return a.get_handle();
}
template <class T>
const handle& as_handle(const indexed<T>& a) {
    return a.get_handle();
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

// distributed::array<T>: an array over the ranks of a session.
#pragma once

#include <ostream>
#include <sinter/array/operators.hpp>
#include <sinter/array/printing/print.hpp>
#include <sinter/distributed/elements/idle_list.hpp>
#include <sinter/distributed/moving.hpp>
#include <sinter/distributed/value.hpp>

namespace sinter::inline SINTER_ABI {

namespace distributed {

template <class T>
class array;
template <class T>
class indexed;

}  // namespace distributed

namespace detail {

template <class X>
inline constexpr bool is_distributed = false;
template <class T>
inline constexpr bool is_distributed<distributed::array<T>> = true;
template <class T>
inline constexpr bool is_distributed<distributed::indexed<T>> = true;
template <class T>
inline constexpr bool has_own_operators<distributed::array<T>> = true;
template <class T>
inline constexpr bool has_own_operators<distributed::indexed<T>> = true;

template <class X>
concept distributed_operand = is_distributed<std::remove_cvref_t<X>>;
/// Operands of which at least one is distributed; ordinary arrays stand for replicated ones.
template <class... A>
concept distributed_call = (distributed_operand<A> || ...) && ((distributed_operand<A> || operand<A>) && ...);

/// What a handle shows to a rank that prints; empty on the others.
std::string distributed_text(const distributed_ref& v, bool repr);

/// Throws value_error for an array whose value has been moved to another one.
[[noreturn]] void throw_moved_from();

/// A value, or one at an index of another that nobody has read yet, so that nothing has moved for it: its shape and
/// placement are known without.
class distributed_handle {
public:
    explicit distributed_handle(distributed_ref v) : value_(std::move(v)) {}
    distributed_handle(const distributed_ref& from, codegen::span<const index_item> items)
        : part_(std::allocate_shared<const distributed_part>(block_allocator<distributed_part>(), from, items)) {}
    // An array made of a part reads it.
    distributed_handle(distributed_handle&& other) : value_((other.read(), std::move(other.value_))) {}
    distributed_handle(const distributed_handle& other) : value_(other.get()) {}
    distributed_handle& operator=(distributed_handle other) noexcept {
        value_.swap(other.value_);
        part_.swap(other.part_);
        return *this;
    }

    /// The value, which others may hold from now on.
    const distributed_ref& get() const {
        if (held()->is_open.load(std::memory_order_acquire)) close_expression(*value_);
        return value_;
    }
    /// The value of a handle that is used no more, open if it is, to be moved from.
    distributed_ref& to_take() {
        held();
        return value_;
    }
    /// Where the index leads of which this is the value, and what is shared with a copy that leads there too.
    const distributed_part& part() const { return *part_; }
    void share_part(const distributed_handle& other) { part_ = other.part_; }
    const session_ref& session() const { return is_read() ? held()->session : part_->of->session; }
    const dims& shape() const { return is_read() ? held()->shape : part_->whole.view.shape; }
    const distributed::placement& where() const { return is_read() ? held()->where : part_->where; }

private:
    bool is_read() const { return value_ || !part_; }
    void read() const {
        if (!is_read()) value_ = record_distributed_select(*part_);
    }
    const distributed_ref& held() const {
        read();
        if (!value_) [[unlikely]]
            throw_moved_from();
        return value_;
    }

    mutable distributed_ref value_;
    std::shared_ptr<const distributed_part> part_;
};

}  // namespace detail

namespace distributed {

/// An array of which each rank of a session has a part: made by distribute and load, and by functions of such arrays.
/// As `sinter::array`, it is a value, and lazy: what is local is recorded in this rank's part. What reads it (printing,
/// item, gather, conversions) and what moves it is done by all ranks together. One that has been moved from has no
/// value until it is assigned one: whatever else asks for it throws value_error.
template <class Element>
class array {
public:
    using value_type = Element;

    explicit array(detail::distributed_ref v) : value_(std::move(v)) {}
    array(const array&) = default;
    array(array&&) = default;
    array& operator=(const array&) & = default;
    array& operator=(array&&) & = default;
    // Of what has no name: a part of a const array, a function's result.
    template <class B>
        requires(detail::distributed_operand<B> || detail::operand<B>)
    void operator=(const B&) && {
        static_cast<void>(sizeof(detail::assigned_value<B>));
    }

    /// The shape of the whole.
    const dims& shape() const { return value_.shape(); }
    std::int64_t shape(int axis) const { return shape()[codegen::normalize_axis("shape", axis, ndim())]; }
    int ndim() const { return shape().size(); }
    std::int64_t size() const { return shape().product(); }
    sinter::dtype dtype() const { return dtype_of<Element>; }
    const distributed::placement& placement() const { return value_.where(); }

    /// This rank's part, lazy; of partial results all of the combined ones.
    sinter::array<Element> local() const { return sinter::array<Element>(detail::settled(get_value())->local); }
    /// Computes this rank's part now.
    const array& eval() const {
        runtime::evaluate(detail::settled(get_value())->local.alone(), runtime::policy::request);
        return *this;
    }
    /// All of it on every rank.
    sinter::array<Element> gather() const { return sinter::array<Element>(detail::record_gathered(get_value())); }
    operator sinter::array<Element>() const { return gather(); }
    /// The same elements, placed otherwise; throws value_error for partial and block_cyclic.
    array reshard(const distributed::placement& p) const { return array(detail::record_reshard(get_value(), p)); }

    /// The only element, or the one at an index of numbers.
    template <std::integral... I>
    Element item(I... i) const {
        if constexpr (sizeof...(I) == 0) return gather().item();
        else return (*this)(i...).gather().item();
    }
    template <detail::scalar_operand S>
        requires(detail::is_complex_type<S>::value || !detail::is_complex_type<Element>::value)
    explicit operator S() const {
        return static_cast<S>(gather());
    }

    template <class To>
    array<To> astype() const&;
    template <class To>
    array<To> astype() &&;
    /// All axes reversed.
    array T() const { return array(detail::record_distributed_transpose(get_value(), {})); }
    /// Numbers, slices, `all`, `newaxis` and `ellipsis`. Along the split axis a number is fetched by all ranks, and of
    /// a slice of step one each gets its part of the result, of which only what is not its own already is moved:
    /// shifted slices exchange their borders. Throws index_error, and value_error for what else stands along that axis.
    template <class... I>
    array operator()(const I&... i) const& {
        return array(detail::record_distributed_select({get_value(), detail::index_items(i...)}));
    }
    /// The same, which can be assigned to as long as it has no name: `u(slice(1, -1)) = v`.
    template <class... I>
    indexed<Element> operator()(const I&... i) & {
        return indexed<Element>(*this, detail::index_items(i...));
    }

    const detail::distributed_ref& get_value() const { return value_.get(); }
    detail::distributed_ref& value_to_take() { return value_.to_take(); }
    const detail::session_ref& get_session() const { return value_.session(); }

protected:
    array(const detail::distributed_ref& of, codegen::span<const detail::index_item> items) : value_(of, items) {}
    const detail::distributed_part& get_part() const { return value_.part(); }
    void share_part(const array& other) { value_.share_part(other.value_); }

private:
    detail::distributed_handle value_;
};

/// A part of an array: reads as the value that the array had, and assigns to the array while it has no name. Each rank
/// writes its own elements; those of a value that is split along the same axis come from the ranks that have them, as
/// neighbours' borders. Throws shape_error for a value that does not fill the part, and value_error for one that is
/// split otherwise and for steps along the split axis.
template <class Element>
class indexed : public array<Element> {
public:
    indexed(array<Element>& owner, codegen::span<const detail::index_item> items)
        : array<Element>(owner.get_value(), items), owner_(&owner) {}
    indexed(const indexed& other) : array<Element>(other), owner_(other.owner_) { this->share_part(other); }

    template <class B>
        requires(detail::distributed_operand<B> || detail::operand<B>)
    void operator=(const B& b) && {
        assign(b);
    }
    void operator=(const indexed& other) && { assign(other); }
    template <class B>
    void operator=(const B&) & {
        static_cast<void>(sizeof(detail::assigned_part<B>));
    }

private:
    template <class B>
    void assign(const B& b);

    array<Element>* owner_;
};

/// Prints as NumPy does on rank 0, and nothing on other ranks; all ranks call it.
template <class T>
std::ostream& operator<<(std::ostream& out, const array<T>& a) {
    return out << detail::distributed_text(a.get_value(), false);
}

}  // namespace distributed

namespace detail {

template <class A>
distributed_ref as_distributed(const session_ref& s, const A& a) {
    if constexpr (distributed_operand<A>) return a.get_value();
    else if constexpr (expression<A>) {
        handle h = as_handle(a);
        const dims shape = h->shape;
        return make_distributed(s, shape, distributed::replicated(), std::move(h));
    } else {
        return nullptr;
    }
}

template <class... A>
const session_ref& session_of(const A&... a) {
    const session_ref* s = nullptr;
    auto look = [&](const auto& x) {
        if constexpr (distributed_operand<decltype(x)>)
            if (!s) s = &x.get_session();
    };
    (look(a), ...);
    return *s;
}

/// What is no operand of any expression.
template <class X>
concept no_operand = !expression<X> && !distributed_operand<X>;

}  // namespace detail

namespace distributed {

/// An array that every rank has alike, placed: replicated(), split(axis), or mesh() of a matrix. Each rank cuts its
/// part, and of formulas, as ranges and random numbers are, computes no more than that: the numbers are those of the
/// whole array for any number of ranks. Throws value_error for other placements and without a session, index_error for
/// the axis.
template <expression E>
array<value_type_t<E>> distribute(const E& e, const placement& p) {
    return array<value_type_t<E>>(detail::record_distribute(detail::as_handle(e), p));
}
/// What is no array, and has none that is known here, is not distributed.
template <detail::no_operand X>
void distribute(const X&, const placement&) {
    static_assert(sizeof(X) == 0,
                  "sinter: [distribute] takes an array, and with <sinter/distributed_records.hpp> a record_array or a "
                  "set of parameters; what every rank has alike needs no distribute");
}
/// The whole on every rank; an array that has no parts as it is.
template <class T>
sinter::array<T> gather(const array<T>& x) {
    return x.gather();
}
/// The same elements in another placement: split and replicated, from any other; throws value_error.
template <class T>
array<T> reshard(const array<T>& x, const placement& p) {
    return x.reshard(p);
}

template <class T>
template <class B>
void indexed<T>::assign(const B& b) {
    detail::distributed_ref value;
    if constexpr (detail::distributed_operand<B>) {
        detail::require_assignable<typename B::value_type, T>();
        value = b.get_value();
    } else {
        const detail::handle h = detail::as_written<T>("assignment", b);
        value = detail::make_distributed(this->get_session(), dims(h->shape), distributed::replicated(), h);
    }
    *owner_ = array<T>(detail::record_distributed_assign(this->get_part(), value));
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/distributed/array.ipp>
#endif

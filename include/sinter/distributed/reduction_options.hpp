// Options of reductions of distributed arrays.
#pragma once

#include <optional>
#include <sinter/distributed/array.hpp>
#include <sinter/functions/any_operand.hpp>
#include <sinter/functions/reductions.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A condition that is distributed, or that every rank has alike, or none.
class any_distributed {
public:
    any_distributed() = default;
    template <expression E>
    any_distributed(const E& e) : whole_(as_handle(e)) {}
    template <class T>
    any_distributed(const distributed::array<T>& a) : parts_(a.get_value()) {}
    bool is_given() const { return whole_ || parts_; }
    distributed_ref of(const session_ref& s) const {
        if (parts_) return parts_;
        return make_distributed(s, dims(whole_->shape), distributed::replicated(), whole_);
    }

private:
    handle whole_;
    distributed_ref parts_;
};

}  // namespace detail

namespace distributed {

/// Options of sums, products and extrema, of means, any and all, and of variances: those of ordinary arrays, with a
/// condition that is distributed too, or that every rank has alike.
struct reduction_options {
    std::optional<detail::any_number> initial = {};
    detail::any_distributed where = {};
};
struct where_options {
    detail::any_distributed where = {};
};
struct variance_options {
    double ddof = 0;
    detail::any_distributed where = {};
};

}  // namespace distributed

}  // namespace sinter::inline SINTER_ABI

// explain of distributed arrays: placements, the messages that made them, and what this rank computes.
#pragma once

#include <sinter/array/explain.hpp>
#include <sinter/distributed/array.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

std::string distributed_words(const distributed_ref& v);

}  // namespace detail

namespace distributed {

/// How an array lies, the last messages that made it, with bytes of this rank, and what computing this rank's part
/// takes; prints on rank 0.
class explanation {
public:
    explanation(std::string text, bool prints) : text_(std::move(text)), prints_(prints) {}
    const std::string& text() const { return text_; }
    friend std::ostream& operator<<(std::ostream& out, const explanation& e) {
        if (e.prints_) out << e.text_;
        return out;
    }

private:
    std::string text_;
    bool prints_;
};

/// Tells of an array without computing its part; partial results are combined, by all ranks together.
template <class T>
explanation explain(const array<T>& x) {
    const placement before = x.placement();
    const sinter::array<T> part = x.local();
    std::string text = detail::distributed_words(x.get_value());
    if (before.kind == placement_kind::partial) text += "was " + to_string(before) + "\n";
    return explanation(text + sinter::explain(part).text(), x.get_value()->session->rank() == 0);
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/distributed/explain.ipp>
#endif

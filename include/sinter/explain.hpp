// explain: what evaluating an expression would do, in kernels, bytes and source text.
#pragma once

#include <sinter/array.hpp>
#include <sinter/runtime/counters.hpp>

#include <ostream>

namespace sinter::inline SINTER_ABI {

/// What computing values takes; prints as text.
class explanation {
public:
    explicit explanation(runtime::plan_summary s) : summary_(std::move(s)) {}
    std::int64_t kernels() const { return summary_.kernels; }
    std::int64_t library_calls() const { return summary_.library_calls; }
    /// Bytes that the kernels read from and write to memory.
    std::int64_t bytes_read() const { return summary_.bytes_read; }
    std::int64_t bytes_written() const { return summary_.bytes_written; }
    /// Whether every kernel is compiled already.
    bool cached() const { return summary_.cached; }
    /// How many of the kernels are in a pack (SINTER_PACK, use_pack).
    std::int64_t packed() const { return summary_.packed; }
    /// The source of all kernels, as they are compiled.
    std::string source() const;
    /// The program as a Graphviz drawing.
    std::string dot() const;
    std::string text() const;

private:
    runtime::plan_summary summary_;
};

std::ostream& operator<<(std::ostream& out, const explanation& e);

namespace detail {
explanation explain_values(std::span<const handle> values);
}

/// What evaluating the expressions together would do, without doing it; for a computed array, the plan that made it.
template <expression... E>
explanation explain(const E&... e) {
    const detail::handle list[] = {detail::as_handle(e)...};
    return detail::explain_values(list);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/explain.ipp>
#endif

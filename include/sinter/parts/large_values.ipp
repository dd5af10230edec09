// Bodies of large_values.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/parts/absent_views.hpp>
#include <sinter/parts/large_values.hpp>
#include <sinter/parts/streamed_reductions.hpp>
#include <sinter/parts/streamed_results.hpp>
#include <sinter/parts/value_parts.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// While it lives this thread's pending statements are not run for being many.
class unflushed_scope {
public:
    unflushed_scope() { ++runtime::this_queue().traces; }
    ~unflushed_scope() { --runtime::this_queue().traces; }
    unflushed_scope(const unflushed_scope&) = delete;
    unflushed_scope& operator=(const unflushed_scope&) = delete;
};

SINTER_INLINE void compute_large_values(codegen::span<runtime::value* const> roots) {
    auto is_large = [](const runtime::value* v) { return absent_reader(v->where, true).is_for(*v); };
    if (codegen::none_of(roots.begin(), roots.end(), is_large)) return;
    // Statements of parts are computed here, and are no reason to compute what else is pending.
    const unflushed_scope quiet;
    stream_reductions(roots);
    read_views(roots);
    stream_results(roots);
}

}  // namespace sinter::inline SINTER_ABI::detail

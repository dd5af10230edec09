// Compiles texts at the same time, on as many threads as there are processors; must not know what the texts compute.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/compile/code_backend.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// A text for a compiler, and what has come of it.
struct compilation {
    const code_backend* backend;
    const codegen::kernel_source* source;
    device where;
    bool is_quick = false;                     ///< it may be compiled quickly; then, whether it has been
    std::string image;                         ///< not empty: it has been compiled
    std::exception_ptr failure;                ///< not null: it was refused
    const std::atomic<bool>* stops = nullptr;  ///< not null: what was compiled quickly, again; see stoppable_scope

    void run() noexcept;
    /// Those of the same number may be made together with it, of quick code of the same backend; none of 0.
    int company() const;
};

/// Runs them in their order, several at a time and one in this thread, until all are done or one is refused; those that
/// have begun by then come to their end. Where there are more than processors, what may be made together is, last and
/// by few runs of a compiler. All calls together start no more threads than there are processors, or two.
void compile_all(codegen::span<compilation* const> all);

/// When it ended last, by counted_time::now().
inline constinit std::atomic<std::int64_t> last_compilation{0};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/compile_pool.ipp>
#endif

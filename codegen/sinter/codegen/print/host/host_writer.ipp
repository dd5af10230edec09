// Bodies of host_writer.hpp.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>
#include <sinter/codegen/print/prelude.hpp>

#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void host_writer::write_function_head(const std::string& name, const std::string& more) {
    open({more.empty() ? "extern \"C\" void " : "[[gnu::noinline]] static void ", name,
          "(void* const* memory, const long long* n, const unsigned char* c, long long begin, long long end, "
          "long long* error",
          more, ")"});
}

// Options of a text of its own, which no other kernel has: sums in any order, reciprocals for divisions. NaN and
// infinities stay what they are.
inline constexpr const char* fast_math_text =
    "#ifdef __clang__\n"
    "#pragma clang fp reassociate(on) contract(fast)\n"
    "#else\n"
    "#pragma GCC optimize(\"no-math-errno,no-trapping-math,no-signed-zeros,associative-math,reciprocal-math\")\n"
    "#pragma GCC optimize(\"fp-contract=fast\")\n"
    "#endif\n";

SINTER_INLINE host_writer::host_writer(const kernel& k) : host_tile_writer(k), name_(entry_name(k)) {
    persistent_ = k.scans || k.selects ? persistent_over_scans(k) : persistent_on_host(k, k.how);
}

SINTER_INLINE void host_writer::write_beginning() {
    out_ = head_text(k_.how) + (k_.how.fast ? fast_math_text : "") + prelude_text(k_, language::host);
}

SINTER_INLINE kernel_source host_writer::source() { return {name_, std::move(out_)}; }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

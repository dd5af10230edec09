// Bodies of explain.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/explain.hpp>

#include <cstdio>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

SINTER_INLINE std::string explanation::source() const {
    std::string s;
    for (const std::string& k : summary_.sources) s += (s.empty() ? "" : "\n") + k;
    return s;
}

SINTER_INLINE std::string explanation::schedule() const {
    std::string s;
    for (const step& x : steps())
        if (x.is_kernel || !x.schedule.empty())
            s += (x.label.empty() ? "" : x.label + ": ") + x.name + " over " + x.space + ": " + x.schedule + "\n";
    return s;
}

SINTER_INLINE double explanation::operations() const {
    double sum = 0;
    for (const step& s : steps()) sum += s.operations;
    return sum;
}

SINTER_INLINE double explanation::limit(const step& s) const {
    return runtime::least_time(s, runtime::limits_of_machine(summary_.where));
}

SINTER_INLINE double explanation::limit() const {
    double sum = 0;
    for (const step& s : steps()) sum += limit(s);
    return sum;
}

SINTER_INLINE double explanation::measured() const {
    double sum = 0;
    for (const step& s : steps()) {
        if (s.seconds < 0) return -1;
        sum += s.seconds;
    }
    return steps().empty() ? -1 : sum;
}

SINTER_INLINE double explanation::achieved() const {
    const double least = steps().empty() ? 0 : limit(), taken = measured();
    return least > 0 && taken > 0 ? least / taken : -1;
}

namespace detail {

// Three digits and a prefix: 1.23 ms, 45.6 GB/s.
SINTER_INLINE std::string scaled_text(double v, const char* unit) {
    static constexpr const char* prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T"};
    int at = 3;
    while (at < 7 && v >= 999.5) {
        v /= 1000;
        ++at;
    }
    while (at > 0 && v > 0 && v < 0.9995) {
        v *= 1000;
        --at;
    }
    char text[80];
    std::snprintf(text, sizeof text, at == 3 && *unit == ' ' ? "%.3g%s%s" : "%.3g %s%s", v, prefixes[v > 0 ? at : 3],
                  unit);
    return text;
}

SINTER_INLINE std::string percent_text(double fraction) {
    char text[24];
    std::snprintf(text, sizeof text, "%.3g %%", 100 * fraction);
    return text;
}

SINTER_INLINE std::string bytes_text(std::int64_t read, std::int64_t written) {
    return std::to_string(read) + " bytes read, " + std::to_string(written) + " bytes written";
}

SINTER_INLINE std::string step_text(const explanation::step& s, const runtime::machine_limits& limits) {
    std::string text = (s.label.empty() ? "" : s.label + ": ") + s.name + " over " + s.space +
                       (s.after.empty() ? "" : ", after " + s.after);
    text += ": " + bytes_text(s.bytes_read, s.bytes_written);
    if (s.operations > 0) text += ", " + scaled_text(s.operations, " operations");
    if (s.operations_float64 > 0) text += " (" + scaled_text(s.operations_float64, " of float64)");
    const double least = runtime::least_time(s, limits);
    explanation::step bytes_only = s;
    bytes_only.operations = bytes_only.operations_float64 = 0;
    const bool is_moving = s.operations == 0 || least <= runtime::least_time(bytes_only, limits);
    if (least > 0)
        text += "; at least " + scaled_text(least, "s") + (is_moving ? " by its bytes" : " by its operations");
    if (s.seconds >= 0) text += "; took " + scaled_text(s.seconds, "s");
    if (s.seconds > 0 && least > 0) text += ", " + percent_text(least / s.seconds) + " of the limit";
    if (s.registers >= 0)
        text += "; " + std::to_string(s.registers) + " registers, " + std::to_string(s.local_bytes) + " bytes spilled";
    return text;
}

SINTER_INLINE std::string limits_text(const runtime::machine_limits& l) {
    if (l.bytes_per_second <= 0) return "limits are not known of " + l.source;
    std::string s = "limits: " + scaled_text(l.bytes_per_second, "B/s");
    if (l.operations_per_second > 0)
        s += ", " + scaled_text(l.operations_per_second, " operations/s of float32") + ", " +
             scaled_text(l.float64_per_second, " of float64");
    return s + " (" + l.source + ")";
}

}  // namespace detail

SINTER_INLINE std::string explanation::text() const {
    auto count = [](std::int64_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); };
    std::string s = count(kernels(), "kernel");
    if (library_calls()) s += ", " + count(library_calls(), "library call");
    s += ": " + detail::bytes_text(bytes_read(), bytes_written()) +
         (cached() && measured() < 0 ? ", compiled before" : "");
    s += packed() ? ", " + std::to_string(packed()) + " in a pack\n" : "\n";
    if (!steps().empty()) {
        const runtime::machine_limits& limits = runtime::limits_of_machine(summary_.where);
        int number = 0;
        bool knows_registers = true;
        for (const step& x : steps()) {
            knows_registers = knows_registers && (!x.is_kernel || x.registers >= 0);
            s += (x.is_kernel ? "  kernel " + std::to_string(++number) + ": " : std::string("  call: ")) +
                 detail::step_text(x, limits) + "\n";
        }
        s += "  " + detail::limits_text(limits) + "\n";
        if (!knows_registers)
            s += std::string("  registers and spills: ") +
                 (summary_.where.is_cpu() ? "not known on the CPU\n" : "known once compiled\n");
    }
    if (measured() >= 0)
        s += "  took " + detail::scaled_text(measured(), "s") + " of at least " + detail::scaled_text(limit(), "s") +
             "\n";
    if (!summary_.unmeasured.empty()) s += "  not measured: " + summary_.unmeasured + "\n";
    for (const std::string& h : hints()) s += "  hint: " + h + "\n";
    return s;
}

SINTER_INLINE std::ostream& operator<<(std::ostream& out, const explanation& e) { return out << e.text(); }

namespace detail {

SINTER_INLINE explanation explain_values(codegen::span<const handle> values, bool measures) {
    codegen::sequence<runtime::value*> roots;
    for (const handle& h : values) roots.push_back(h.get());
    return explanation(runtime::summarize({roots.data(), roots.size()}, measures));
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

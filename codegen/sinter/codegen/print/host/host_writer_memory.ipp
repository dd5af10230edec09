// Bodies of host_writer.hpp that print where elements lie in memory: arguments, pointers and loads.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void host_writer::write_unpacking() {
    for (std::size_t o = 0; o < k_.operands.size(); ++o) {
        const dtype t = k_.operands[o].type;
        std::string type = k_.operands[o].written ? type_text(t) + "*" : "const " + stored_text(t) + "*";
        line(type + number_text(k_.operands[o].written ? " y" : " x", static_cast<int>(o)) + " = (" + type +
             ")memory[" + std::to_string(o) + "];");
    }
    int at = 0;
    for (const std::string& name : integer_names(k_))
        line("const long long " + name + " = n[" + std::to_string(at++) + "];");
    for (std::size_t c = 0; c < k_.scalars.size(); ++c) {
        std::string type = "const " + type_text(scalar_type(k_, c)), id = std::to_string(c);
        line(type + " c" + id + " = *(" + type + "*)(c + " + std::to_string(16 * c) + ");");
    }
}

SINTER_INLINE bool host_writer::used_in(std::size_t a) const {
    for (std::size_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        bool reads = v.kind == instruction_kind::load || v.kind == instruction_kind::gather;
        if (here_[i] && reads && v.payload == a) return true;
    }
    for (const store& s : k_.stores)
        if (s.access == a && s.stage == stage_) return true;
    return false;
}

// Element `at` along the innermost axis of an access, whose pointer stands at the row's start.
SINTER_INLINE std::string host_writer::element(std::uint32_t a, const std::string& at) const {
    std::string id = std::to_string(a), step;
    int specialised = k_.reduces() && k_.tree == reduce_tree::columns ? k_.kept - 1 : k_.space.size() - 1;
    if (map_.transposed[a]) return "tile" + id + "[r][" + at + "]";
    switch (inner_axis_ == specialised ? k_.accesses[a].step : stride_class::strided) {
        case stride_class::aligned:
        case stride_class::contiguous: step = at; break;
        case stride_class::broadcast: step = "0"; break;
        case stride_class::reversed:
        case stride_class::strided: step = at + " * s" + id + "_" + std::to_string(inner_axis_);
    }
    return k_.accesses[a].operand == access::own_number ? "p" + id + " + " + step : "p" + id + "[" + step + "]";
}

SINTER_INLINE void host_writer::write_decode(const std::string& from, int first, int last) {
    line("long long rest = " + from + ";");
    for (int i = last - 1; i > first; --i) {
        std::string id = std::to_string(i);
        line("const long long i" + id + " = rest % n" + id + ";");
        line("rest /= n" + id + ";");
    }
    line("const long long i" + std::to_string(first) + " = rest;");
}

// Adds up where point `from` of the axes [first, last) puts each access, as base<a>.
SINTER_INLINE void host_writer::write_bases_of(const std::string& from, int first, int last) {
    sequence<std::size_t> used;
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if (k_.scans || used_in(a)) used.push_back(a);
    for (std::size_t a : used) line("long long base" + std::to_string(a) + ";");
    open("");
    write_decode(from, first, last);
    for (std::size_t a : used) {
        std::string id = std::to_string(a), sum;
        for (int i = first; i < last; ++i)
            sum += (i > first ? " + i" : "i") + std::to_string(i) + " * s" + id + "_" + std::to_string(i);
        line("base" + id + " = " + sum + ";");
    }
    close();
}

SINTER_INLINE void host_writer::write_pointers(const tile_axes& t) {
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!used_in(a) || map_.transposed[a]) continue;
        const access& x = k_.accesses[a];
        std::string id = std::to_string(a), sum = x.operand == access::own_number ? " + first" + id : "";
        if (t.offset) sum += " + base" + id;
        for (int i = t.first; i < t.last; ++i)
            sum += k_.how.flat ? " + i0" : " + i" + std::to_string(i) + " * s" + id + "_" + std::to_string(i);
        if (x.operand == access::own_number) {
            line("const long long p" + id + " = " + sum.substr(3) + ";");
            continue;
        }
        const operand& o = k_.operands[static_cast<std::size_t>(x.operand)];
        line((o.written ? type_text(o.type) : "const " + stored_text(o.type)) + "* p" + id + " = " +
             number_text(o.written ? "y" : "x", x.operand) + sum + ";");
    }
}

// Splits [i, i + m) where the innermost axis wraps around.
SINTER_INLINE void host_writer::open_parts(const tile_axes& t) {
    std::string inner = std::to_string(t.last - 1);
    open("for (int from = 0; from < m;)");
    write_decode("i + from", t.first, t.last);
    line("const int part = n" + inner + " - i" + inner + " < m - from ? (int)(n" + inner + " - i" + inner +
         ") : m - from;");
    write_pointers(t);
}

SINTER_INLINE void host_writer::write_loads(const tile_axes& t) {
    bool any = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!here_[i]) continue;
        if (v.kind == instruction_kind::load || v.kind == instruction_kind::gather) any = true;
    }
    if (!any) return;
    open_parts(t);
    unroll();
    open("for (int l = from; l < from + part; ++l)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (k_.body[i].kind == instruction_kind::load && here_[i])
            line(number_text("t", i) + "[l] = " + element(k_.body[i].payload, "(l - from)") + ";");
        else if (k_.body[i].kind == instruction_kind::gather && here_[i])
            line(number_text("o", i) + "[l] = " + gather_base(i, "(l - from)") + ";");
    }
    close();
    line("from += part;");
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

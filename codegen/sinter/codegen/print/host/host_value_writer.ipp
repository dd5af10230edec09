// Bodies of host_value_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/host/host_value_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Compilers unroll loops over the elements of a tile as often as a tile has vectors, which takes them longer than it
// saves.
SINTER_INLINE void host_value_writer::unroll(int times) { line(std::string(unroll_mark) + std::to_string(times)); }

// A loop over elements that do not depend on each other, as many as are known when it runs.
SINTER_INLINE void host_value_writer::open_lanes(const std::string& end, const std::string& index,
                                                 const std::string& begin, int times) {
    const std::string name = index.substr(index.find_last_of(' ') + 1);
    line("#pragma GCC ivdep");
    unroll(times);
    open({"for (", index, " = ", begin, "; ", name, " < ", end, "; ++", name, ")"});
}

// A loop of calls of vector functions, which every compiler has to make of them: the scalar ones have other bits. Of
// steps as many as the tile's m elements begin, each of which fills vectors, so that compilers write nothing for a
// rest.
SINTER_INLINE void host_value_writer::open_vectors(const std::string& count, const std::string& clause, int step) {
    const std::string size = std::to_string(step);
    if (step > 0) line({"for (int at = 0; at < m; at += ", size, ")"});
    line({"#pragma omp simd", clause});
    open(step > 0 ? "for (int l = at; l < at + " + size + "; ++l)" : "for (int l = 0; l < " + count + "; ++l)");
}

SINTER_INLINE std::string host_value_writer::value(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (v.kind == instruction_kind::scalar) return number_text("c", v.payload);
    if (v.kind == instruction_kind::literal) return literal_text(k_.literals[v.payload]);
    if (v.kind == instruction_kind::whole)
        return (v.type == dtype::bool_ ? "(const bool*)x" : "x") + std::to_string(v.payload);
    const bool of_row = is_row_stage(v.stage) && !is_row_stage(stage_);
    if (of_row && !side_by_side_) return number_text("w", i);
    if (!of_row && !in_array_[i]) return number_text("v", i);
    return joined({v.type == dtype::bool_ ? "(bool)t" : "t", i, "[l]"});
}

// Complex numbers part by part: compilers make no vectors of loops that store structures. `from` is a name or a
// literal.
SINTER_INLINE std::string host_value_writer::assignment(dtype t, const std::string& to, const std::string& from) {
    if (!is_complex(t) || is_half(t)) return joined({to, " = ", from, ";"});
    return joined({to, ".re = ", from, ".re; ", to, ".im = ", from, ".im;"});
}

SINTER_INLINE bool host_value_writer::is_uniform_here(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    return is_given(v) || (is_row_stage(v.stage) && !is_row_stage(stage_));
}

SINTER_INLINE void host_value_writer::write_unpacking() {
    for (std::size_t o = 0; o < k_.operands.size(); ++o) {
        const dtype t = k_.operands[o].type;
        std::string type = k_.operands[o].written ? type_text(t) + "*" : "const " + stored_text(t) + "*";
        line({type, k_.operands[o].written ? " y" : " x", static_cast<int>(o), " = (", type, ")memory[", o, "];"});
    }
    int at = 0;
    for (const std::string& name : integer_names(k_)) line({"const long long ", name, " = n[", at++, "];"});
    for (std::size_t c = 0; c < k_.scalars.size(); ++c) {
        std::string type = "const " + type_text(scalar_type(k_, c)), id = std::to_string(c);
        line({type, " c", id, " = *(", type, "*)(c + ", 16 * c, ");"});
    }
}

SINTER_INLINE bool host_value_writer::used_in(std::size_t a) const {
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
SINTER_INLINE std::string host_value_writer::element(std::uint32_t a, const std::string& at) const {
    std::string id = std::to_string(a), step;
    int specialised = k_.reduces() && k_.tree == reduce_tree::columns ? k_.kept - 1 : k_.space.size() - 1;
    if (map_.transposed[a]) return joined({"tile", id, "[r][", at, "]"});
    if (is_turned(a)) return joined({"tile", id, "[row][", at, "]"});
    const bool is_specialised = inner_axis_ == specialised;
    if (is_specialised && k_.accesses[a].known_step != 0)
        return joined({"p", id, "[", at, " * ", k_.accesses[a].known_step, "]"});
    switch (is_specialised ? k_.accesses[a].step : stride_class::strided) {
        case stride_class::aligned:
        case stride_class::contiguous: step = at; break;
        case stride_class::broadcast: step = "0"; break;
        case stride_class::reversed:
        case stride_class::strided: step = at + " * s" + id + "_" + std::to_string(inner_axis_);
    }
    return k_.accesses[a].operand == access::own_number ? "p" + id + " + " + step : "p" + id + "[" + step + "]";
}

SINTER_INLINE void host_value_writer::write_decode(const std::string& from, int first, int last) {
    line({"long long rest = ", from, ";"});
    for (int i = last - 1; i > first; --i) {
        std::string id = std::to_string(i);
        line({"const long long i", id, " = rest % n", id, ";"});
        line({"rest /= n", id, ";"});
    }
    line({"const long long i", first, " = rest;"});
}

// Adds up where point `from` of the axes [first, last) puts each access, as base<a>.
SINTER_INLINE void host_value_writer::write_bases_of(const std::string& from, int first, int last) {
    sequence<std::size_t> used;
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if ((k_.scans || used_in(a)) && !is_turned(a)) used.push_back(a);
    for (std::size_t a : used) line({"long long base", a, ";"});
    open("");
    write_decode(from, first, last);
    for (std::size_t a : used) {
        std::string id = std::to_string(a), sum;
        for (int i = first; i < last; ++i) sum += joined({i > first ? " + i" : "i", i, " * s", id, "_", i});
        line({"base", id, " = ", sum, ";"});
    }
    close();
}

SINTER_INLINE void host_value_writer::write_pointers(const tile_axes& t) {
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!used_in(a) || map_.transposed[a] || is_turned(a)) continue;
        const access& x = k_.accesses[a];
        std::string id = std::to_string(a), sum = x.operand == access::own_number ? " + first" + id : "";
        if (t.offset) sum += " + base" + id;
        for (int i = t.first; i < t.last; ++i)
            sum += k_.how.flat ? " + i0" : " + i" + std::to_string(i) + " * s" + id + "_" + std::to_string(i);
        if (x.operand == access::own_number) {
            line({"const long long p", id, " = ", sum.substr(3), ";"});
            continue;
        }
        const operand& o = k_.operands[static_cast<std::size_t>(x.operand)];
        line({o.written ? type_text(o.type) : "const " + stored_text(o.type), "* p", id, " = ", o.written ? "y" : "x",
              x.operand, sum, ";"});
    }
}

// Splits [i, i + m) where the innermost axis wraps around.
SINTER_INLINE void host_value_writer::open_parts(const tile_axes& t) {
    std::string inner = std::to_string(t.last - 1);
    open("for (int from = 0; from < m;)");
    write_decode("i + from", t.first, t.last);
    line({"const int part = n", inner, " - i", inner, " < m - from ? (int)(n", inner, " - i", inner, ") : m - from;"});
    write_pointers(t);
}

SINTER_INLINE host_value_writer::host_value_writer(const kernel& k)
    : k_(k), map_(map_facts_of(k)), side_by_side_(is_side_by_side(k.how.map)), width_(host_tile) {}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

// Bodies of value_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/value_writer.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void value_writer::unroll(bool unrolls) { line(unrolls ? "#pragma unroll" : "#pragma unroll 1"); }

SINTER_INLINE void value_writer::unroll_lanes() { unroll(values_.unrolls_lanes); }

SINTER_INLINE std::string value_writer::operand_name(std::uint32_t a) const {
    std::int32_t o = k_.accesses[a].operand;
    return (k_.operands[static_cast<std::size_t>(o)].written ? "y" : "x") + std::to_string(o);
}

SINTER_INLINE std::string value_writer::operand_type(std::uint32_t a) const { return type_text(k_.operand_of(a).type); }

SINTER_INLINE std::string value_writer::block_number() const { return index_.block_number; }

// The coordinates of point `from` of the axes [first, last), counted row-major.
SINTER_INLINE void value_writer::write_decode(const std::string& from, int first, int last, const char* declared) {
    const std::string type = index_.unsigned_type;
    if (last - first == 1) {
        at_[static_cast<std::size_t>(first)] = from;
        return;
    }
    line({type, " rest", first, " = ", from, ";"});
    for (int i = last - 1; i >= first; --i) {
        std::string id = std::to_string(i), rest = "rest" + std::to_string(first), axis = "i" + id;
        at_[static_cast<std::size_t>(i)] = axis;
        if (i == first) {
            line({declared, axis, " = ", rest, ";"});
            break;
        }
        const std::string by = k_.how.wide ? "(" + type + ")n" + id : "by" + id, quotient = "quotient" + id;
        line({"const ", type, " ", quotient, " = ", rest, " / ", by, ";"});
        line({declared, axis, " = ", rest, " - ", quotient, " * n", id, ";"});
        line({rest, " = ", quotient, ";"});
    }
}

SINTER_INLINE std::string value_writer::value(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (v.kind == instruction_kind::scalar) return joined({"c", v.payload});
    if (v.kind == instruction_kind::literal) return literal_text(k_.literals[v.payload]);
    if (v.kind == instruction_kind::whole) return joined({"x", v.payload});
    return joined({"v", i});
}

// The element number of an access where the thread stands, from where its pointer points.
SINTER_INLINE std::string value_writer::position(std::uint32_t a) const {
    const bool is_number = k_.accesses[a].operand == access::own_number;
    std::string id = std::to_string(a), s = is_number ? "first" + id : "", along;
    const std::string walk = a < map_.walk.size() ? std::to_string(map_.walk[a]) : id;
    auto add = [&](const std::string& term) { s += (s.empty() ? "" : " + ") + term; };
    auto add_axis = [&](int i) {
        stride_class step = i == inner_ ? k_.accesses[a].step : stride_class::strided;
        if (k_.how.outer_rows && i + 1 < k_.kept && repeats_along_outer(k_, a)) step = stride_class::broadcast;
        const stride_class along_axis = map_.reversed[a] ? stride_class::reversed : stride_class::contiguous;
        if (map_.transposed[a]) step = i == map_.axis ? along_axis : stride_class::strided;
        const std::string& at = at_[static_cast<std::size_t>(i)];
        if (step == stride_class::aligned) along = " + " + at;
        if (step == stride_class::contiguous) add(at);
        if (step == stride_class::reversed) s += (s.empty() ? "-" : " - ") + at;
        if (step == stride_class::strided) add(at + " * s" + walk + "_" + std::to_string(i));
    };
    // What a thread's rows have in common stands first, so that it is computed once.
    const int rows_axis = !k_.reduces() && k_.how.packs > 1 ? map_.rows_axis : -1;
    for (int i = 0; i < (in_row_ ? k_.kept : k_.space.size()); ++i)
        if (i != rows_axis) add_axis(i);
    if (rows_axis >= 0 && !map_.repeated[a]) add_axis(rows_axis);
    // The compiler does not know that the row begins at a multiple of four.
    if (!draws_.empty() && !along.empty()) s = (s.find(' ') == s.npos ? "(" + s : "((" + s + ")") + " & -4)";
    if (s.empty()) return "0";
    const bool is_enclosed = s.front() == '(' && s.find(')') == s.size() - 1;
    return is_enclosed && along.empty() ? s.substr(1, s.size() - 2) : s + along;
}

SINTER_INLINE std::string value_writer::element(std::uint32_t a) const {
    // What elements share may be read by their row or column, too, which finds it in memory.
    if (!in_row_ && a < loaded_.size() && !loaded_[a].empty()) {
        if (k_.how.column_threads == 0) return loaded_[a];
        // The first of a column, or the element i of a stage's function.
        const bool is_first = at_[static_cast<std::size_t>(k_.kept)] == "0";
        return loaded_[a] + (is_first ? "[0]" : "[i]");
    }
    if (k_.accesses[a].operand == access::own_number) return position(a);
    return joined({operand_name(a), "[", position(a), "]"});
}

SINTER_INLINE std::string value_writer::pack_at(std::uint32_t a) const {
    const int width = k_.is(mapping::grid_per_column) ? k_.how.packs : k_.how.vector_width;
    return joined({"pack<", operand_type(a), ", ", width, ">"});
}

SINTER_INLINE bool value_writer::is_ahead(std::uint32_t i) const {
    return facts_.prefetches && k_.body[i].stage == 0 && k_.body[i].kind == instruction_kind::load &&
           facts_.packed[k_.body[i].payload];
}

// Bytes come as one word: compilers take packs of them apart as soon as they are there, and so wait for them.
SINTER_INLINE bool value_writer::is_word(std::uint32_t i) const { return is_ahead(i) && size_of(k_.body[i].type) == 1; }

// Whether the body's function takes the value, loaded by its callers, as a parameter.
SINTER_INLINE bool value_writer::is_parameter(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (!facts_.takes_loaded || is_row_stage(v.stage)) return false;
    return is_draw(i) || k_.loads_memory(v);
}

SINTER_INLINE void value_writer::write_body(int stage, element_forms forms) {
    in_row_ = is_row_stage(stage);
    auto is_written = [&](std::uint32_t i) {
        return k_.body[i].stage == stage && !is_parameter(i) && (draws_.empty() || draws_[i].needed);
    };
    write_part(is_written, [&](std::uint32_t i) {
        write_instruction(i, forms);
        const std::string id = std::to_string(i);
        if (facts_.inverse_divisor[i])
            line({"const scalar::row_divisor divisor", id, " = scalar::row_divisor_of(v", id, ");"});
        if (facts_.fixed_divisor[i])
            line({"const ", divisor_type(i), " d", id, " = ", divisor_type(i), "_of(v", id, ");"});
    });
}

SINTER_INLINE void value_writer::write_stores(int stage) {
    for (const store& s : k_.stores)
        if (s.stage == stage) line({element(s.access), " = ", value(s.value), ";"});
}

// A parameter of the body's function for one of the thread's neighbours, and where the thread stands.
SINTER_INLINE std::string value_writer::lane_value(std::uint32_t i, const std::string& lane) const {
    if (is_draw(i)) return drawn_word(i, lane);
    if (facts_.rows_ahead) return joined({"t", i, "[", lane, k_.how.packs > 1 ? "].v[c]" : "]"});
    if (is_word(i)) {
        const std::string byte = joined({"t", i, "[j] >> 8 * ", lane});
        return k_.body[i].type == dtype::bool_ ? "(bool)(" + byte + " & 255)"
                                               : "(" + type_text(k_.body[i].type) + ")(" + byte + ")";
    }
    bool moves = k_.accesses[k_.body[i].payload].step == stride_class::contiguous;
    return joined({"t", i, facts_.prefetches && moves ? "[j]" : "", moves ? ".v[" + lane + "]" : ""});
}

SINTER_INLINE std::string value_writer::single_value(std::uint32_t i) const {
    if (!is_draw(i)) return element(k_.body[i].payload);
    const instruction& v = k_.body[i];
    return form_text(v.operation, v.common, v.type, {draw_counter(i), value(v.args[1]), value(v.args[2])},
                     language::cuda);
}

// What a thread needs of one loaded value: its neighbours at once, or the one that they share.
SINTER_INLINE void value_writer::write_load(std::uint32_t i) {
    if (is_draw(i)) return write_draw(i);
    std::uint32_t a = k_.body[i].payload;
    std::string id = std::to_string(i);
    if (k_.accesses[a].step == stride_class::contiguous)
        line({"const ", pack_at(a), " t", id, " = *(const ", pack_at(a), "*)&", element(a), ";"});
    else line({"const ", type_text(k_.body[i].type), " t", id, " = ", element(a), ";"});
}

// Names each function by its operation and the types of its operands, writes it once, and notes which instructions call
// it.
SINTER_INLINE void value_writer::write_functions() {
    called_.resize(k_.body.size());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!values_.repeated[i]) continue;
        texts parameters, operands;
        std::string name = std::string(info(v.operation).name) + "_of";
        for (std::size_t a = 0; a < v.args.size(); ++a) {
            dtype type = k_.body[v.args[a]].type;
            operands.push_back(std::string(1, static_cast<char>('x' + a)));
            parameters.push_back(type_text(type) + " " + operands.back());
            name.append("_").append(to_string(type));
        }
        bool written = false;
        for (std::uint32_t before = 0; before < i; ++before) written = written || called_[before] == name;
        called_[i] = name;
        if (written) continue;
        list("static __device__ __noinline__ " + type_text(v.type) + " " + name, parameters, ") {");
        line({"    return ", form_text(v.operation, v.common, v.type, operands, language::cuda), ";\n}\n"});
    }
}

// A large unsigned index must not be taken for one from the end.
SINTER_INLINE std::string value_writer::index_text_of(std::uint32_t from) const {
    const dtype type = k_.body[from].type;
    const std::string integer = size_of(type) == 8 || k_.how.wide ? "long long" : "int";
    return joined({kind_of(type) == 'i' ? "(" : "(unsigned ", integer, ")", value(from)});
}

// Where a gather's element is, as far as its indices are in range.
SINTER_INLINE std::string value_writer::gather_position(std::uint32_t i) const {
    std::string text = position(k_.body[i].payload);
    if (text == "0") text.clear();
    for (std::size_t x = 0; x < k_.indexed.size(); ++x) {
        if (k_.indexed[x].instruction != i) continue;
        const std::uint32_t from = index_of(k_, x);
        const std::string n = std::to_string(first_index_alike(k_, x));
        text += joined({text.empty() ? "" : " + ", "position_along(extent" + n, ", ", index_text_of(from), ", ",
                        in_range_, ") * step", n});
    }
    return text;
}

SINTER_INLINE void value_writer::write_gather(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const std::string id = std::to_string(i), at = "at" + id;
    line("const index " + at + " = " + gather_position(i) + ";");
    const std::string element = operand_name(v.payload) + "[" + at + "]";
    if (i < map_.gathers_packs.size() && map_.gathers_packs[i]) {
        const std::string neighbours = "const " + pack_at(v.payload);
        return line({neighbours, " g", id, " = *(", neighbours, "*)&", element, ";"});
    }
    line({"const ", type_text(v.type), " v", id, " = ", element, ";"});
}

SINTER_INLINE void value_writer::begin_gathers(std::uint32_t first) {
    in_range_ = number_text("in_range", first);
    line({"bool ", in_range_, " = true;"});
}

// Behind all loads of a point, so that no branch stands between them.
SINTER_INLINE void value_writer::end_gathers(const sequence<char>& written) {
    open({"if (!", in_range_, ")"});
    for (std::size_t x = 0; x < k_.indexed.size(); ++x) {
        const std::size_t alike = first_index_alike(k_, x);
        const bool is_told = alike != x && written[k_.indexed[alike].instruction];
        if (!written[k_.indexed[x].instruction] || is_told) continue;
        line({"report_outside(error", x ? " + " + std::to_string(2 * x) : "", ", extent", x, ", ",
              index_text_of(index_of(k_, x)), ");"});
    }
    close();
}

SINTER_INLINE void value_writer::write_circle(std::uint32_t i, std::uint32_t j) {
    if (j < i) return;
    const instruction& v = k_.body[i];
    std::uint32_t sine = v.operation == op::sin ? i : j, cosine = v.operation == op::sin ? j : i;
    line({type_text(v.type), " v", i, ", v", j, ";"});
    line({v.type == dtype::float32 ? "sincosf(" : "sincos(", value(v.args[0]), ", &v", sine, ", &v", cosine, ");"});
}

SINTER_INLINE void value_writer::write_instruction(std::uint32_t i, element_forms forms) {
    const instruction& v = k_.body[i];
    if (const std::uint32_t j = values_.circle[i]; j != i) return write_circle(i, j);
    std::string target = joined({"const ", type_text(v.type), " v", i, " = "});
    texts args;
    switch (v.kind) {
        case instruction_kind::scalar:
        case instruction_kind::literal:
        case instruction_kind::whole: return;
        case instruction_kind::load: return line({target, element(v.payload), ";"});
        case instruction_kind::gather: return write_gather(i);
        case instruction_kind::extreme:
        case instruction_kind::result: {
            const reduction_step& r = k_.reductions[v.payload];
            const bool of_place = is_indexed(r.how) && v.kind == instruction_kind::result;
            std::string from = (of_place ? "ri" : "r") + std::to_string(v.payload) + of_thread_row();
            if (!combines(r)) from = "origin" + std::to_string(r.argument);
            if (of_place) return line({target, cast_text(dtype::int64, v.type, from), ";"});
            return line(
                {target, k_.scans ? cast_text(r.accumulator(), v.type, from) : reduced_text(r, v.type, from), ";"});
        }
        case instruction_kind::invoke:
            for (std::uint32_t a : v.args) args.push_back(value(a));
            return line(call_statement(k_, v, args, target.substr(0, target.size() - 3), "v" + std::to_string(i)));
        case instruction_kind::component: return line({target, "v", v.args[0], "_", v.payload, ";"});
        case instruction_kind::apply: return write_apply(i, target, forms);
    }
}

// An operation by its form, or by one of fewer steps.
SINTER_INLINE void value_writer::write_apply(std::uint32_t i, const std::string& target, element_forms forms) {
    const instruction& v = k_.body[i];
    texts args;
    for (std::uint32_t a : v.args) args.push_back(value(a));
    if (!called_[i].empty()) return list(target + called_[i], args, ");");
    if (v.operation == op::cast) return line({target, cast_text(v.common, v.type, args[0]), ";"});
    if (forms.by_inverse && values_.by_inverse[i])
        return line(
            {target, "scalar::divided_by(", args[0], ", ", args[1], ", ", inverse_text(v.args[1]), ", check);"});
    if (forms.by_inverse && values_.by_row[i] == row_division::by_inverse)
        return line({target, "scalar::divided_by_row(", args[0], ", divisor", v.args[1], ", least);"});
    if (values_.by_row[i] == row_division::fixed)
        return line({target, v.type == dtype::float32 ? "scalar::divided_by_fixed_float(" : "scalar::divided_by_fixed(",
                     args[0], ", d", v.args[1], ");"});
    if (std::string_view form = half_approximation(k_, i); !form.empty())
        return list(target + "scalar::" + std::string(form), args, ");");
    if (std::string_view form = forms.approximations ? approximation(k_, i) : ""; !form.empty()) {
        if (v.operation != op::erf) args.push_back("forms");
        const bool ends = values_.ends_approximations[i] != 0;
        return list(target + (ends ? "scalar::checked_finite(scalar::" : "scalar::") + std::string(form), args,
                    ends ? "), forms);" : ");");
    }
    line({target, form_text(v.operation, v.common, v.type, args, language::cuda), ";"});
}

SINTER_INLINE std::string value_writer::inverse_text(std::uint32_t divisor) const {
    const instruction& y = k_.body[divisor];
    if (y.kind == instruction_kind::scalar) return std::string("d").append(std::to_string(y.payload));
    return literal_text(scalar_value::of(scalar::exact_inverse(k_.literals[y.payload].as<float>())));
}

// The number that a word is drawn at, where the thread stands.
SINTER_INLINE std::string value_writer::draw_counter(std::uint32_t i) const {
    std::string at = joined({"(unsigned long long)(", position(static_cast<std::uint32_t>(draws_[i].number)), ")"});
    return draws_[i].parity < 0 ? at : "(" + at + (draws_[i].parity ? " | 1)" : " & ~1ull)");
}

// The block or blocks of words for a thread's neighbours, once for all that draw from them.
SINTER_INLINE void value_writer::write_draw(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const draw& d = draws_[i];
    if (d.block != i) return;
    int words = words_of_draw(k_, i), blocks = k_.how.vector_width / words;
    // A number of 32 bits is divided as one, which takes half as many instructions.
    std::string w = "w" + std::to_string(i), at = std::string("(") + index_.unsigned_type + ")(";
    at += joined({position(static_cast<std::uint32_t>(d.number)), ") / ", words});
    std::string seed = joined({", ", value(v.args[1]), ", ", value(v.args[2]), ");"});
    if (blocks == 1) return line({"const scalar::philox_words ", w, " = scalar::philox(", at, seed});
    line({"scalar::philox_words ", w, "[", blocks, "];"});
    write_unrolled("for (int b = 0; b < " + std::to_string(blocks) + "; ++b) " + w + "[b] = scalar::philox(" + at +
                   " + b" + seed);
}

// The word of one of the neighbours.
SINTER_INLINE std::string value_writer::drawn_word(std::uint32_t i, const std::string& lane) const {
    const draw& d = draws_[i];
    int words = words_of_draw(k_, i), blocks = k_.how.vector_width / words;
    std::string w = "w" + std::to_string(d.block), which = d.parity < 0 ? lane
                                                           : d.parity   ? lane + " | 1"
                                                                        : lane + " & ~1";
    if (blocks > 1) {
        w += joined({"[", lane, " / ", words, "]"});
        which = (d.parity < 0 ? which : "(" + which + ")") + " % " + std::to_string(words);
    }
    return joined({words == 4 ? "scalar::short_word(" : "scalar::long_word(", w, ", ", which, ")"});
}

SINTER_INLINE value_writer::value_writer(const kernel& k)
    : k_(k),
      facts_(row_facts_of(k)),
      map_(map_facts_of(k)),
      values_(value_facts_of(k)),
      index_(k.how.wide ? wide_index : narrow_index),
      inner_(k.reduces() && k.tree == reduce_tree::columns ? k.kept - 1 : k.space.size() - 1) {
    // append, because g++ 12 warns without reason about "i" + ….
    for (int i = 0; i < k.space.size(); ++i) at_.push_back(std::string("i").append(std::to_string(i)));
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

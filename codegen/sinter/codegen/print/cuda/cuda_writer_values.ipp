// Bodies of cuda_writer.hpp that print the values of a body: operations, those that a short kernel repeats as functions
// that are compiled once, gathers, and random words, which the neighbours of one thread take from one block.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Names each function by its operation and the types of its operands, writes it once, and notes which instructions call
// it.
SINTER_INLINE void cuda_writer::write_functions() {
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
        line("    return " + form_text(v.operation, v.common, v.type, operands, language::cuda) + ";\n}\n");
    }
}

SINTER_INLINE void cuda_writer::write_gather(std::uint32_t i) {
    const instruction& v = k_.body[i];
    std::string id = std::to_string(i), at = "at" + id, inside = "inside" + id;
    line("long long " + at + " = " + position(v.payload) + ";");
    line("bool " + inside + " = true;");
    std::size_t which = 0;
    for (std::size_t x = 0; x < k_.indexed.size(); ++x) {
        if (k_.indexed[x].instruction != i) continue;
        std::uint32_t from = v.args[which++];
        std::string n = std::to_string(x), index = "index" + n;
        line("long long " + index + " = (long long)" + value(from) + ";");
        // A large unsigned index must not be taken for one from the end.
        if (kind_of(k_.body[from].type) != 'u') line("if (" + index + " < 0) " + index + " += extent" + n + ";");
        open("if (" + index + " < 0 || " + index + " >= extent" + n + ")");
        std::string word = x ? " + " + std::to_string(2 * x) : "";
        line("if (atomicCAS((unsigned long long*)error" + word + ", 0ull, 1ull) == 0) error[" +
             std::to_string(2 * x + 1) + "] = (long long)" + value(from) + ";");
        line(inside + " = false;");
        close();
        line(at + " += " + index + " * step" + n + ";");
    }
    if (i < map_.gathers_packs.size() && map_.gathers_packs[i]) {
        const std::string neighbours = pack_at(v.payload);
        line(neighbours + " g" + id + " = {};");
        return line("if (" + inside + ") g" + id + " = *(const " + neighbours + "*)&" + operand_name(v.payload) + "[" +
                    at + "];");
    }
    line("const " + type_text(v.type) + " v" + id + " = " + inside + " ? " + operand_name(v.payload) + "[" + at +
         "] : " + zero_text(v.type) + ";");
}

SINTER_INLINE void cuda_writer::write_circle(std::uint32_t i, std::uint32_t j) {
    if (j < i) return;
    const instruction& v = k_.body[i];
    std::uint32_t sine = v.operation == op::sin ? i : j, cosine = v.operation == op::sin ? j : i;
    line(type_text(v.type) + " v" + std::to_string(i) + ", v" + std::to_string(j) + ";");
    line((v.type == dtype::float32 ? "sincosf(" : "sincos(") + value(v.args[0]) + ", &v" + std::to_string(sine) +
         ", &v" + std::to_string(cosine) + ");");
}

SINTER_INLINE void cuda_writer::write_instruction(std::uint32_t i, element_forms forms) {
    const instruction& v = k_.body[i];
    if (const std::uint32_t j = values_.circle[i]; j != i) return write_circle(i, j);
    std::string target = "const " + type_text(v.type) + " v" + std::to_string(i) + " = ";
    texts args;
    switch (v.kind) {
        case instruction_kind::scalar:
        case instruction_kind::literal:
        case instruction_kind::whole: return;
        case instruction_kind::load: return line(target + element(v.payload) + ";");
        case instruction_kind::gather: return write_gather(i);
        case instruction_kind::extreme:
        case instruction_kind::result: {
            const reduction_step& r = k_.reductions[v.payload];
            const bool of_place = is_indexed(r.how) && v.kind == instruction_kind::result;
            std::string from = (of_place ? "ri" : "r") + std::to_string(v.payload) + of_thread_row();
            if (!combines(r)) from = "origin" + std::to_string(r.argument);
            dtype type = of_place ? dtype::int64 : accumulator_type(r.how, r.type);
            return line(target + cast_text(type, v.type, from) + ";");
        }
        case instruction_kind::invoke:
            for (std::uint32_t a : v.args) args.push_back(value(a));
            return line(call_statement(k_, v, args, target.substr(0, target.size() - 3), "v" + std::to_string(i)));
        case instruction_kind::component:
            return line(target + "v" + std::to_string(v.args[0]) + "_" + std::to_string(v.payload) + ";");
        case instruction_kind::apply: return write_apply(i, target, forms);
    }
}

// An operation by its form, or by one of fewer steps.
SINTER_INLINE void cuda_writer::write_apply(std::uint32_t i, const std::string& target, element_forms forms) {
    const instruction& v = k_.body[i];
    texts args;
    for (std::uint32_t a : v.args) args.push_back(value(a));
    if (!called_[i].empty()) return list(target + called_[i], args, ");");
    if (v.operation == op::cast) return line(target + cast_text(v.common, v.type, args[0]) + ";");
    if (forms.by_inverse && values_.by_inverse[i])
        return line(target + "scalar::divided_by(" + args[0] + ", " + args[1] + ", " + inverse_text(v.args[1]) +
                    ", check);");
    if (forms.by_inverse && values_.by_inverse_of_row[i])
        return line(target + "scalar::divided_by_row(" + args[0] + ", divisor" + std::to_string(v.args[1]) +
                    ", least);");
    if (values_.by_row[i])
        return line(target +
                    (v.type == dtype::float32 ? "scalar::divided_by_fixed_float(" : "scalar::divided_by_fixed(") +
                    args[0] + ", d" + std::to_string(v.args[1]) + ");");
    if (std::string_view form = half_approximation(k_, i); !form.empty())
        return list(target + "scalar::" + std::string(form), args, ");");
    if (std::string_view form = forms.approximations ? approximation(k_, i) : ""; !form.empty()) {
        if (v.operation != op::erf) args.push_back("forms");
        const bool ends = values_.ends_approximations[i] != 0;
        return list(target + (ends ? "scalar::checked_finite(scalar::" : "scalar::") + std::string(form), args,
                    ends ? "), forms);" : ");");
    }
    line(target + form_text(v.operation, v.common, v.type, args, language::cuda) + ";");
}

// The number that a word is drawn at, where the thread stands.
SINTER_INLINE std::string cuda_writer::draw_counter(std::uint32_t i) const {
    std::string at = "(unsigned long long)(" + position(static_cast<std::uint32_t>(draws_[i].number)) + ")";
    return draws_[i].parity < 0 ? at : "(" + at + (draws_[i].parity ? " | 1)" : " & ~1ull)");
}

// The block or blocks of words for a thread's neighbours, once for all that draw from them.
SINTER_INLINE void cuda_writer::write_draw(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const draw& d = draws_[i];
    if (d.block != i) return;
    int words = words_of_draw(k_, i), blocks = k_.how.vector_width / words;
    // A number of 32 bits is divided as one, which takes half as many instructions.
    std::string w = "w" + std::to_string(i), at = std::string("(") + index_.unsigned_type + ")(";
    at += position(static_cast<std::uint32_t>(d.number)) + ") / " + std::to_string(words);
    std::string seed = ", " + value(v.args[1]) + ", " + value(v.args[2]) + ");";
    if (blocks == 1) return line("const scalar::philox_words " + w + " = scalar::philox(" + at + seed);
    line("scalar::philox_words " + w + "[" + std::to_string(blocks) + "];");
    line("#pragma unroll");
    line("for (int b = 0; b < " + std::to_string(blocks) + "; ++b) " + w + "[b] = scalar::philox(" + at + " + b" +
         seed);
}

// The word of one of the neighbours.
SINTER_INLINE std::string cuda_writer::drawn_word(std::uint32_t i, const std::string& lane) const {
    const draw& d = draws_[i];
    int words = words_of_draw(k_, i), blocks = k_.how.vector_width / words;
    std::string w = "w" + std::to_string(d.block), which = d.parity < 0 ? lane
                                                           : d.parity   ? lane + " | 1"
                                                                        : lane + " & ~1";
    if (blocks > 1) {
        w += "[" + lane + " / " + std::to_string(words) + "]";
        which = (d.parity < 0 ? which : "(" + which + ")") + " % " + std::to_string(words);
    }
    return std::string(words == 4 ? "scalar::short_word(" : "scalar::long_word(") + w + ", " + which + ")";
}

}  // namespace sinter::inline SINTER_ABI::codegen

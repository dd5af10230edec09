// Bodies of cuda_writer.hpp that print how a stage that only stores takes rows from shared memory and leaves them by
// whole packs, although they begin at no multiple of a pack.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Compilers take stores of packs apart where others beside them are of single elements.
inline constexpr const char* whole_store_text =
#include <sinter/codegen/print/cuda/text/whole_store.cuh>
    ;

// Whether the rows that are stored begin as those that are held do, and how far behind a multiple of 16 bytes.
SINTER_INLINE void cuda_writer::write_alignment(int stage) {
    std::string shift, same;
    auto add = [&](const std::string& x) {
        if (shift.empty()) shift = x;
        else same += (same.empty() ? "" : " && ") + x + " == shift";
    };
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (of(stage).input[i]) add("shift" + std::to_string(facts_.row.resident.load[i]));
    at_[static_cast<std::size_t>(k_.kept)] = "0";
    for (std::size_t s : of(stage).stores)
        add("(int)((unsigned long long)&" + element(k_.stores[s].access) + " % 16 / 4)");
    line("const int shift = " + shift + ";");
    line("const bool aligned = " + same + ";");
}

// A part of a row by packs of four, and by single elements where no pack is full. A full part's first pack has the last
// elements of the part before.
SINTER_INLINE void cuda_writer::write_aligned_tile(int stage) {
    texts four = {"false", "begin + at - shift + c"}, one = {"false", "begin + at - shift"}, loads;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!of(stage).input[i]) continue;
        const std::string id = std::to_string(i);
        line("const " + type_text(k_.body[i].type) + "* const h" + id + " = " + resident_at(i) + ";");
        const std::string pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        loads.push_back(pack + " p" + id + " = *(" + pack + "*)&h" + id + "[at];");
        four.push_back("p" + id + ".v[c]");
        one.push_back("h" + id + "[at]");
    }
    line("const int ends = shift + size;");
    line("const bool all = begin > 0 && size == 4096, all_behind = begin + 8192 <= reduced;");
    open("const auto store_pack = [&](int at)");
    for (const std::string& load : loads) line(load);
    at_[static_cast<std::size_t>(k_.kept)] = "(begin + at - shift)";
    sequence<std::string> stores;
    for (std::size_t s : of(stage).stores) {
        const std::string id = std::to_string(s), pack = "pack<" + operand_type(k_.stores[s].access) + ", 4>";
        line(pack + " o" + id + ";");
        four.push_back("o" + id + ".v[c]");
        stores.push_back("store_whole((" + pack + "*)&" + element(k_.stores[s].access) + ", o" + id + ");");
    }
    write_by_inverse(stage, [&](const std::string& element, const texts& more) {
        texts arguments = four;
        for (const std::string& m : more) arguments.push_back(m);
        line("#pragma unroll");
        list("for (int c = 0; c < 4; ++c) aligned_" + element, arguments, ");");
    });
    for (const std::string& store : stores) line(store);
    close("};");
    open("if (all && all_behind)");
    line("#pragma unroll");
    line("for (int g = 0; g < 4; ++g) store_pack(1024 * g + 4 * t);");
    line("continue;");
    close();
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const int at = 1024 * g + 4 * t;");
    line("if (all || (at >= shift && at + 4 <= ends)) store_pack(at);");
    close();
    line("const int at = t < 4 ? t : ends / 4 * 4 + t - 4;");
    line("const bool single = t < 4 ? !all && (shift > 0 || ends < 4) : t < 8 && ends >= 4 && !all_behind;");
    list("if (single && at >= shift && at < ends) element", one, ");");
    line("continue;");
}

}  // namespace sinter::inline SINTER_ABI::codegen

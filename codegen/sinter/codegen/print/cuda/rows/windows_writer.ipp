// Bodies of windows_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/rows/windows_writer.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

#include <bit>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void windows_writer::write_kernel() {
    for (std::size_t r : reductions_of()) write_combine(r);
    write_head();
    if (across()) write_across_position();
    else write_outer_position();
    write_origin_pointers();
    if (across()) write_shared_windows();
    write_windows();
    if (across()) write_across_results();
    else write_outer_results();
    close();
}

// Neighbouring threads have neighbours along the innermost axis; a thread has windows along an outer one, the last
// thread those before the end once more.
SINTER_INLINE void windows_writer::write_outer_position() {
    const std::string type = index_.unsigned_type, count = std::to_string(k_.how.packs),
                      size = "n" + std::to_string(k_.how.tile_axis);
    std::string others;
    for (int axis = 0; axis < k_.kept; ++axis)
        if (axis != k_.how.tile_axis) others += joined({" * n", axis});
    line({"const index number = ", block_number(), " * ", k_.how.threads, " + threadIdx.x;"});
    line({"const index tiles = (", size, " + ", k_.how.packs - 1, ") / ", count, ";"});
    line({"if (number >= tiles", others, ") return;"});
    line({type, " rest = number;"});
    for (int axis = k_.kept - 1; axis >= 0; --axis) {
        if (axis == k_.how.tile_axis) continue;
        const std::string id = std::to_string(axis), by = axis > 0 ? "by" + id : "(" + type + ")n0";
        line({"const ", type, " quotient", id, " = rest / ", by, ";"});
        line({"const index i", id, " = rest - quotient", id, " * n", id, ";"});
        line({"rest = quotient", id, ";"});
    }
    at_[static_cast<std::size_t>(k_.how.tile_axis)] = "first";
    if (k_.how.packs == 1) return line("const index first = rest;");
    line({"const index first = (index)rest + 1 < tiles ? ", count, " * (index)rest : ", size, " - ", count, ";"});
}

inline constexpr const char* windows_text =
#include <sinter/codegen/print/cuda/text/windows.cuh>
    ;

// A thread block has neighbouring windows of one row, each thread some of them.
SINTER_INLINE void windows_writer::write_across_position() {
    const std::string size = joined({"n", k_.kept - 1});
    fill(windows_text, {{"position", true},
                        {"loads", false},
                        {"packs", std::to_string(k_.how.packs)},
                        {"block", block_number()},
                        {"size", size}});
    if (k_.kept > 1) write_decode("outer", 0, k_.kept - 1);
}

SINTER_INLINE std::string windows_writer::stride(std::uint32_t a, int axis) const {
    return joined({"s", a, "_", axis});
}

// What is loaded of elements, each access once: what passes through shared memory or not.
SINTER_INLINE sequence<std::uint32_t> windows_writer::loads(bool shared) const {
    sequence<std::uint32_t> found;
    sequence<char> known(k_.accesses.size(), 0);
    for (const instruction& v : k_.body) {
        if (v.stage != 0 || v.kind != instruction_kind::load || known[v.payload]) continue;
        if (k_.accesses[v.payload].operand == access::own_number) continue;
        if (is_shared_window(k_, k_.how, v.payload) != shared) continue;
        known[v.payload] = 1;
        found.push_back(v.payload);
    }
    return found;
}

// Where an access has the first element of the thread's first window, or of the thread block's.
SINTER_INLINE void windows_writer::write_origin_pointers() {
    for (bool shared : {false, true})
        for (std::uint32_t a : loads(shared)) {
            std::string at;
            for (int axis = 0; axis < k_.kept; ++axis) {
                const window_step step = step_along(k_, k_.how, a, axis);
                if (step == window_step::none) continue;
                at += " + " + (axis == k_.how.tile_axis ? "first" : at_[static_cast<std::size_t>(axis)]);
                if (step != window_step::one) at += " * " + stride(a, axis);
            }
            line({"const ", operand_type(a), "* const p", a, " = ", operand_name(a), at, ";"});
        }
}

// The thread block's windows of each operand, all on their way before any is stored.
SINTER_INLINE void windows_writer::write_shared_windows() {
    const std::string packs = std::to_string(k_.how.packs);
    int words = 0;
    std::int64_t reach = 0;
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) reach += k_.space[axis] - 1;
    line({"alignas(16) __shared__ double shared[", window_bytes(k_, k_.how) / 8, "];"});
    line({"const int there = count + ", reach, ";"});
    for (std::uint32_t a : loads(true)) {
        const bool one = step_along(k_, k_.how, a, k_.how.tile_axis) == window_step::one;
        const std::string by = one ? "" : " * " + stride(a, k_.how.tile_axis);
        fill(windows_text, {{"position", false},
                            {"loads", true},
                            {"packs", packs},
                            {"a", std::to_string(a)},
                            {"type", operand_type(a)},
                            {"words", std::to_string(words)},
                            {"from", "(e < there ? e : there - 1)" + by},
                            {"by", by}});
        words += window_words(k_, k_.how, a);
    }
    line("__syncthreads();");
    line({"const int own = ", packs, " * (int)threadIdx.x;"});
}

// Whether there is a variable that holds a text's value, and its name or the one that it gets now.
SINTER_INLINE bool windows_writer::is_named(const std::string& text, std::string& name) {
    const std::uint32_t known = names_.find(text);
    const bool is_new = known == number_map::none;
    if (is_new) names_.add(text, static_cast<std::uint32_t>(names_.size() + 1));
    name = number_text("e", is_new ? names_.size() : known);
    return !is_new;
}

// The variable that holds a text's value.
SINTER_INLINE std::string windows_writer::named(const std::string& type, const std::string& text,
                                                const std::string& end) {
    std::string name;
    if (is_named(text + end, name)) return name;
    line({end.empty() ? "const " : "", type, " ", name, " = ", text, ";",
          end.empty() ? "" : " " + end.substr(0, end.find('#')) + name + end.substr(end.find('#') + 1)});
    return name;
}

// An element of an operand in one of the thread's windows.
SINTER_INLINE std::string windows_writer::loaded(std::uint32_t a, int window, const dims& at) {
    const window_step own = step_along(k_, k_.how, a, k_.how.tile_axis);
    const bool shared = is_shared_window(k_, k_.how, a);
    std::int64_t along = own == window_step::none ? 0 : window, number = 0;
    std::string place;
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) {
        const std::int64_t i = at[axis - k_.kept];
        const window_step step = step_along(k_, k_.how, a, axis);
        if (step == window_step::slides) along += i;
        if (step == window_step::one) number += i;
        if (step == window_step::any && i > 0) place += joined({" + ", i, " * ", stride(a, axis)});
    }
    if (shared || own == window_step::one) number += along;
    else if (along > 0) place += joined({" + ", along, " * ", stride(a, k_.how.tile_axis)});
    const std::string id = std::to_string(a), last = std::to_string(number);
    return named(operand_type(a), (shared ? "w" + id + "[own + " : "p" + id + "[") + last + place + "]");
}

// Stands at an element of the thread's window, along the axes that an access advances along.
SINTER_INLINE void windows_writer::stand_at(std::uint32_t a, const dims& at) {
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) {
        const bool moves = step_along(k_, k_.how, a, axis) != window_step::none;
        at_[static_cast<std::size_t>(axis)] = std::to_string(moves ? at[axis - k_.kept] : 0);
    }
}

SINTER_INLINE std::string windows_writer::numbered(std::uint32_t i, const dims& at) {
    stand_at(k_.body[i].payload, at);
    return named(type_text(k_.body[i].type), position(k_.body[i].payload));
}

SINTER_INLINE std::string windows_writer::gathered(std::uint32_t i, int window, const dims& at) {
    const instruction& v = k_.body[i];
    std::string key = joined({"gather", i});
    texts args;
    for (std::uint32_t a : v.args) {
        args.push_back(computed(a, window, at));
        key += " " + args.back();
    }
    stand_at(v.payload, at);
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) key += " " + at_[static_cast<std::size_t>(axis)];
    std::string name;
    if (is_named(key, name)) return name;
    line({type_text(v.type), " ", name, ";"});
    open("");
    for (std::size_t a = 0; a < args.size(); ++a)
        if (!is_given(k_.body[v.args[a]]))
            line({"const ", type_text(k_.body[v.args[a]].type), " v", v.args[a], " = ", args[a], ";"});
    write_part([&](std::uint32_t x) { return x == i; }, [&](std::uint32_t x) { write_gather(x); });
    line({name, " = v", i, ";"});
    close();
    return name;
}

// The value of an instruction for an element of one of the thread's windows.
SINTER_INLINE std::string windows_writer::computed(std::uint32_t i, int window, const dims& at) {
    const instruction& v = k_.body[i];
    if (is_given(v)) return value(i);
    if (v.kind == instruction_kind::gather) return gathered(i, window, at);
    if (v.kind == instruction_kind::load)
        return k_.accesses[v.payload].operand == access::own_number ? numbered(i, at) : loaded(v.payload, window, at);
    texts args;
    for (std::uint32_t a : v.args) args.push_back(computed(a, window, at));
    if (v.operation == op::cast) return named(type_text(v.type), cast_text(v.common, v.type, args[0]));
    const std::string_view form = half_approximation(k_, i);
    if (form.empty()) return named(type_text(v.type), form_text(v.operation, v.common, v.type, args, language::cuda));
    std::string call = "scalar::" + std::string(form);
    for (std::size_t a = 0; a < args.size(); ++a) call += (a == 0 ? "(" : ", ") + args[a];
    return named(type_text(v.type), call + ")");
}

SINTER_INLINE std::string windows_writer::combined(std::size_t r, const std::string& x, const std::string& y) {
    return named(accumulator(r), x, "combine" + std::to_string(r) + "(#, " + y + ");");
}

// One window in the order of rows: four neighbours, then groups that lie half as far apart each time.
SINTER_INLINE std::string windows_writer::reduced(std::size_t r, int window) {
    const reduction_step& x = k_.reductions[r];
    dims extents, at;
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) {
        extents.push_back(k_.space[axis]);
        at.push_back(0);
    }
    texts groups, lanes;
    for (std::int64_t i = 0; i < k_.reduced_size(); ++i) {
        const std::string v = computed(x.argument, window, at), text = element_text(x, v);
        lanes.push_back(text == v ? v : named(accumulator(r), text));
        for (int axis = at.size() - 1; axis >= 0 && ++at[axis] == extents[axis]; --axis) at[axis] = 0;
        if (lanes.size() < 4 && i + 1 < k_.reduced_size()) continue;
        if (lanes.size() > 1) lanes[0] = combined(r, lanes[0], lanes[1]);
        if (lanes.size() > 3) lanes[2] = combined(r, lanes[2], lanes[3]);
        if (lanes.size() > 2) lanes[0] = combined(r, lanes[0], lanes[2]);
        groups.push_back(lanes[0]);
        lanes = {};
    }
    for (std::size_t h = std::bit_ceil(groups.size()) / 2; h > 0; h /= 2)
        for (std::size_t g = 0; g < h && g + h < groups.size(); ++g) groups[g] = combined(r, groups[g], groups[g + h]);
    return groups[0];
}

SINTER_INLINE void windows_writer::write_windows() {
    per_reduction("@ a#[" + std::to_string(k_.how.packs) + "];", "");
    for (int window = 0; window < k_.how.packs; ++window)
        for (std::size_t r : reductions_of()) {
            const std::string result = reduced(r, window);
            line({"a", r, "[", window, "] = ", result, ";"});
        }
}

SINTER_INLINE void windows_writer::write_outer_results() {
    if (k_.how.packs == 1) {
        per_reduction("const @ r# = a#[0];", "");
        return write_epilogue();
    }
    unroll();
    open({"for (int u = 0; u < ", k_.how.packs, "; ++u)"});
    per_reduction("const @ r# = a#[u];", "");
    at_[static_cast<std::size_t>(k_.how.tile_axis)] = "(first + u)";
    write_epilogue();
    close();
}

// Results pass through shared memory, so that neighbouring threads store neighbours.
SINTER_INLINE void windows_writer::write_across_results() {
    const std::string packs = std::to_string(k_.how.packs), last = "i" + std::to_string(k_.kept - 1);
    int words = 0;
    line("__syncthreads();");
    for (std::size_t r : reductions_of()) {
        const std::string place = joined({"* const b# = (@*)(shared + ", words, ");"});
        write_for(r, "@" + place, "");
        words += window_result_words(k_, k_.how, r);
    }
    open_unrolled("for (int u = 0; u < " + packs + "; ++u)");
    per_reduction("b#[own + u] = a#[u];", "");
    close();
    line("__syncthreads();");
    unroll();
    open({"for (int u = 0; u < ", packs, "; ++u)"});
    line("const int e = (int)threadIdx.x + u * (int)blockDim.x;");
    line("if (e >= count) break;");
    line({"const index ", last, " = first + e;"});
    at_[static_cast<std::size_t>(k_.kept - 1)] = last;
    per_reduction("const @ r# = b#[e];", "");
    write_epilogue();
    close();
}

SINTER_INLINE kernel_source print_windows(const kernel& k) { return written_by<windows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

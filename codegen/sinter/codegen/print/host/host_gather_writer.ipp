// Bodies of host_gather_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/host_gather_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The element number of a gather's base at a point of the tile, before its indices are added.
SINTER_INLINE std::string host_gather_writer::gather_base(std::uint32_t i, const std::string& point) const {
    std::string at = element(k_.body[i].payload, point), pointer = number_text("p", k_.body[i].payload);
    return joined({pointer, " - x", k_.accesses[k_.body[i].payload].operand, " + ",
                   at.substr(pointer.size() + 1, at.size() - pointer.size() - 2)});
}

// Calls write(number of the indexed axis, its index as text) for each index of a gather; a negative one counts from the
// end.
template <class Write>
void host_gather_writer::for_each_index(std::uint32_t i, Write write) {
    const instruction& v = k_.body[i];
    std::size_t which = 0;
    for (std::size_t x = 0; x < k_.indexed.size(); ++x) {
        if (k_.indexed[x].instruction != i) continue;
        const std::uint32_t from = v.args[which++];
        std::string id = std::to_string(x), index = number_text("index", x);
        line({"long long ", index, " = (long long)", value(from), ";"});
        // A large unsigned index must not be taken for one from the end.
        if (kind_of(k_.body[from].type) != 'u') line({index, " += ", index, " < 0 ? extent", id, " : 0;"});
        write(id, index, from);
    }
}

// Where what a tile gathers begins, for each of its elements.
SINTER_INLINE std::string host_gather_writer::gather_place(std::uint32_t i) const {
    return in_parts_ ? number_text("o", i) + "[l]" : gather_base(i, "l");
}

// Where what is gathered goes that does not stay where it lies.
SINTER_INLINE std::string host_gather_writer::gathered(std::uint32_t i) const {
    return number_text(gathers_by_ends(i) ? "copied" : "t", i);
}

// An element of a tile where some index is bad.
SINTER_INLINE void host_gather_writer::write_checked_gather(std::uint32_t i) {
    const instruction& v = k_.body[i];
    std::string number = number_text("at", i);
    line({"long long ", number, " = ", gather_place(i), ";"});
    for_each_index(i, [&](const std::string& id, const std::string& index, std::uint32_t from) {
        open({"if (", index, " < 0 || ", index, " >= extent", id, ")"});
        line("long long expected = 0;");
        open({"if (__atomic_compare_exchange_n(error, &expected, ", id,
              " + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))"});
        line({"error[1] = (long long)", value(from), ";"});
        close();
        line({index, " = 0;"});
        close();
        line({number, " += ", index, " * step", id, ";"});
    });
    // After a bad index nothing is read: the base may be empty.
    line({gathered(i), "[l] = __atomic_load_n(error, __ATOMIC_RELAXED) ? ", zero_text(v.type), " : x",
          k_.accesses[v.payload].operand, "[", number, "];"});
}

// Whether the ends of a tile tell what all of it gathers: it lies in one row, along which indices are the same or walk
// slowly.
SINTER_INLINE bool host_gather_writer::gathers_by_ends(std::uint32_t i) const {
    return !in_parts_ && map_.gathers_walks[i];
}

// Numbers that could wrap around within a tile, of those that a gather's indices are computed from.
SINTER_INLINE void host_gather_writer::write_limits(std::uint32_t i) {
    sequence<char> wanted(i, 0);
    auto want = [&](std::uint32_t x) {
        for (std::uint32_t a : k_.body[x].args) wanted[a] = map_.walks[a] != walk_class::constant;
    };
    want(i);
    for (std::uint32_t x = i; x-- > 0;) {
        if (!wanted[x] || k_.body[x].kind != instruction_kind::apply) continue;
        want(x);
        if (k_.body[x].type == dtype::bool_) continue;
        const std::string most = k_.body[x].type == dtype::int32 ? "2147483647" : "9223372036854775807",
                          tile = std::to_string(width_);
        line({"bad_end |= -(long long)(", value(x), " > ", most, " - ", tile, " || ", value(x), " < ", tile, " - ",
              most, ");"});
    }
}

// Looks at the first and the last element of a tile, and copies all where these follow each other.
SINTER_INLINE void host_gather_writer::write_gather_by_ends(std::uint32_t i) {
    const std::string number = number_text("at", i), to = gathered(i);
    line({"t", i, " = ", to, ";"});
    line("long long ends[2], bad_end = 0, walked[2] = {};");
    open("for (int e = 0; e < 2; ++e)");
    line("const int l = e * (m - 1);");
    const sequence<char> kept = in_array_;
    in_array_ = write_indices(i, false);
    line({"long long ", number, " = ", gather_place(i), ";"});
    bool walks = false;
    for_each_index(i, [&](const std::string& id, const std::string& index, std::uint32_t from) {
        const bool is_constant = map_.walks[from] == walk_class::constant;
        // As it is before those from the end of an axis are found there.
        if (!is_constant) line({"walked[e] = (long long)", value(from), ";"});
        walks = walks || !is_constant;
        line({"bad_end |= ", index, " | (extent", id, " - 1 - ", index, ");"});
        line({number, " += ", index, " * step", id, ";"});
    });
    line({"ends[e] = ", number, ";"});
    write_limits(i);
    close();
    in_array_ = kept;
    // Where only some are counted from the end, those lie elsewhere.
    open({"if (bad_end >= 0 && ends[1] - ends[0] == m - 1",
          walks ? " && walked[1] - walked[0] == m - 1 && (walked[0] >= 0 || walked[1] < 0))" : ")"});
    const std::string from = number_text("x", k_.accesses[k_.body[i].payload].operand) + " + ends[0]";
    // Loops over a whole tile may follow, which read nothing behind a row.
    line({"if (m == ", width_, ") t", i, " = ", from, ";"});
    line({"else for (int l = 0; l < m; ++l) ", to, "[l] = (", from, ")[l];"});
    close("} else {");
    write_indices(i, true);
    write_gather_of_tile(i);
    close();
}

// The indices of a tile are checked together: the sign of `bad` is that of an index or of what it leaves of its axis.
// Elements that follow each other, as those of shifted arrays do, are copied; the ends of most others tell them.
SINTER_INLINE void host_gather_writer::write_gather_of_tile(std::uint32_t i) {
    const std::string number = number_text("at", i), to = gathered(i) + "[l]";
    const std::string from = number_text("x", k_.accesses[k_.body[i].payload].operand);
    line({"long long ", number, "s[", width_, "], bad = 0;"});
    unroll();
    open("for (int l = 0; l < m; ++l)");
    line({"long long ", number, " = ", gather_place(i), ";"});
    for_each_index(i, [&](const std::string& id, const std::string& index, std::uint32_t) {
        line({"bad |= ", index, " | (extent", id, " - 1 - ", index, ");"});
        line({number, " += ", index, " * step", id, ";"});
    });
    line({number, "s[l] = ", number, ";"});
    close();
    line({"long long apart = ", number, "s[m - 1] - ", number, "s[0] - (m - 1);"});
    open("if (apart == 0)");
    unroll();
    line({"for (int l = 0; l < m; ++l) apart |= ", number, "s[l] - ", number, "s[0] - l;"});
    close();
    open("if (bad < 0)");
    open("for (int l = 0; l < m; ++l)");
    write_checked_gather(i);
    close();
    close("} else if (apart) {");
    unroll();
    line({"for (int l = 0; l < m; ++l) ", to, " = ", from, "[", number, "s[l]];"});
    close("} else {");
    unroll();
    line({"for (int l = 0; l < m; ++l) ", to, " = (", from, " + ", number, "s[0])[l];"});
    close();
}

SINTER_INLINE void host_gather_writer::write_gather(std::uint32_t i) {
    open("");
    if (gathers_by_ends(i)) write_gather_by_ends(i);
    else write_gather_of_tile(i);
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

// Bodies of line_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/line_writer.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void line_writer::line(text_parts parts) {
    const std::size_t begin = out_.size();
    for (const text_part& part : parts) part.append_to(out_);
    if (out_.size() > begin && out_[begin] != '#') out_.insert(begin, static_cast<std::size_t>(depth_) * 4, ' ');
    out_ += '\n';
}

SINTER_INLINE void line_writer::open(text_parts parts) {
    const std::string text = joined(parts);
    line({text, text.empty() ? "{" : " {"});
    ++depth_;
}

SINTER_INLINE void line_writer::lines(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// A loop with what it repeats on its line, of which compilers make as many copies as it has turns, or so many.
SINTER_INLINE void line_writer::write_unrolled(const std::string& loop, int copies) {
    line(copies > 0 ? "#pragma unroll " + std::to_string(copies) : "#pragma unroll");
    line(loop);
}

// The same with what it repeats behind it, as open() has it.
SINTER_INLINE void line_writer::open_unrolled(const std::string& loop, int copies) {
    write_unrolled(loop + " {", copies);
    ++depth_;
}

SINTER_INLINE void line_writer::close(text_parts parts) {
    --depth_;
    line(parts);
    if (out_.ends_with("{\n")) ++depth_;
}

// A text of a file with what it leaves open, as deep as the brackets that are open.
SINTER_INLINE void line_writer::fill(std::string_view text, std::initializer_list<text_choice> choices) {
    lines(fill_text(text.substr(1), choices));
}

// `head(item, item, …)tail`, broken into lines.
SINTER_INLINE void line_writer::list(const std::string& head, const texts& items, const std::string& tail) {
    std::string s = head + "(";
    std::size_t indent = static_cast<std::size_t>(depth_) * 4;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::string item = items[i] + (i + 1 < items.size() ? "," : tail);
        if (indent + s.size() + item.size() > 118) {
            line(s);
            s = "        ";
        }
        s += (s.back() == ' ' || s.back() == '(' ? "" : " ") + item;
    }
    line(s);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

// Bodies of line_writer.hpp.
#pragma once

#include <sinter/codegen/print/line_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void line_writer::line(const std::string& text) {
    if (text[0] != '#') out_.append(static_cast<std::size_t>(depth_) * 4, ' ');
    out_ += text + "\n";
}

SINTER_INLINE void line_writer::open(const std::string& text) {
    line(text.empty() ? "{" : text + " {");
    ++depth_;
}

SINTER_INLINE void line_writer::close(const std::string& text) {
    --depth_;
    line(text);
    if (text.back() == '{') ++depth_;
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

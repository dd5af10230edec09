// The lines of a kernel's text and how deep they stand; must not know kernels.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/print/fill_text.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// Text that grows line by line, each as deep as the brackets that are open.
class line_writer {
protected:
    using texts = sequence<std::string>;

    void line(const text_part& text) { line(text_parts{text}); }
    void line(text_parts parts);
    void lines(std::string_view text);
    void open(const text_part& text) { open(text_parts{text}); }
    void open(text_parts parts);
    void open_unrolled(const std::string& loop, int copies = 0);
    void write_unrolled(const std::string& loop, int copies = 0);
    void close(const text_part& text = "}") { close(text_parts{text}); }
    void close(text_parts parts);
    void fill(std::string_view text, std::initializer_list<text_choice> choices);
    void list(const std::string& head, const texts& items, const std::string& tail);

    std::string out_;
    int depth_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/line_writer.ipp>
#endif

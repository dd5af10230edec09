// Bodies of fill_text.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/print/fill_text.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// A text while it is filled: which conditions the line that is read stands under.
class text_filler {
public:
    explicit text_filler(std::initializer_list<text_choice> choices) : choices_(choices) {}
    explicit text_filler(const sequence<std::string>& needed) : needed_(&needed) {}

    std::string fill(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(end);
            const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
            if (line.substr(begin).starts_with("//@ ")) direct(line.substr(begin + 4));
            else if (is_kept()) append(line);
        }
        if (!kept_.empty()) fail("a condition without an end");
        return std::move(out_);
    }

private:
    [[noreturn]] static void fail(const std::string& what) { throw internal_error("[fill_text] " + what); }

    static bool is_in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

    bool is_kept() const {
        for (bool kept : kept_)
            if (!kept) return false;
        return true;
    }

    const text_choice& find(std::string_view name, bool is_condition) const {
        for (const text_choice& c : choices_)
            if (c.name == name && c.is_condition == is_condition) return c;
        fail("nothing is chosen for: " + std::string(name));
    }

    bool holds(std::string_view condition) const {
        if (needed_ == nullptr) return find(condition, true).holds;
        return codegen::find(needed_->begin(), needed_->end(), condition) != needed_->end();
    }

    void direct(std::string_view words) {
        while (words.ends_with('\n') || words.ends_with(' ')) words.remove_suffix(1);
        if (words.starts_with("if ")) {
            words.remove_prefix(3);
            const bool negated = words.starts_with('!');
            if (negated) words.remove_prefix(1);
            kept_.push_back(holds(words) != negated);
        } else if (kept_.empty() || (words != "else" && words != "end")) {
            fail("not a direction: " + std::string(words));
        } else if (words == "else") {
            kept_.back() = !kept_.back();
        } else {
            kept_.pop_back();
        }
    }

    void append(std::string_view line) {
        for (std::size_t at; (at = line.find('$')) != std::string_view::npos;) {
            out_ += line.substr(0, at);
            line.remove_prefix(at + 1);
            std::size_t end = 0;
            while (end < line.size() && is_in_word(line[end])) ++end;
            out_ += find(line.substr(0, end), false).word;
            line.remove_prefix(end);
        }
        out_ += line;
    }

    std::initializer_list<text_choice> choices_;
    const sequence<std::string>* needed_ = nullptr;
    sequence<char> kept_;
    std::string out_;
};

SINTER_INLINE std::string fill_text(std::string_view text, std::initializer_list<text_choice> choices) {
    return text_filler(choices).fill(text);
}

SINTER_INLINE std::string fill_text(std::string_view text, const sequence<std::string>& needed) {
    return text_filler(needed).fill(text);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

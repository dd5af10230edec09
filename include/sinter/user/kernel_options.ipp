// Bodies of kernel_options.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/functions/function.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/user/kernel_options.hpp>
#include <sinter/user/kernel_parameters.hpp>
#include <sinter/runtime/base/file.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::detail {

// What follows one of an option's spellings, or null.
SINTER_INLINE const char* option_value(const std::string& option, const char* brief, std::string_view full) {
    std::string_view s = option;
    std::size_t begin = s.substr(0, 2) == brief ? 2 : s.substr(0, full.size()) == full ? full.size() : 0;
    if (begin == 0) return nullptr;
    while (begin < s.size() && is_blank(s[begin])) ++begin;
    if (begin == s.size()) throw value_error("[options] an option has no value: " + option);
    return option.c_str() + begin;
}

// `NAME`, `NAME=value` or `NAME(parameters)=value`.
SINTER_INLINE void add_definition(text_options& o, const std::string& given) {
    const std::size_t is = given.find('=');
    const std::string head = given.substr(0, is), name = head.substr(0, head.find('('));
    o.before +=
        "#undef " + name + "\n#define " + head + " " + (is == std::string::npos ? "1" : given.substr(is + 1)) + "\n";
    o.after += "#undef " + name + "\n";
}

SINTER_INLINE void add_option(text_options& o, const std::string& option) {
    if (option.size() < 2 || option[0] != '-' || option.find('\n') != std::string::npos)
        throw value_error("[options] an option is one line that begins with a dash: " + option);
    if (const char* macro = option_value(option, "-D", "--define-macro=")) add_definition(o, macro);
    else if (const char* undefined = option_value(option, "-U", "--undefine-macro="))
        o.before += std::string("#undef ") + undefined + "\n";
    else if (const char* folder = option_value(option, "-I", "--include-path=")) o.folders.push_back(folder);
    else o.of_nvrtc.push_back(option);
}

SINTER_INLINE const text_options* find_text_options(const std::vector<std::string>& options) {
    struct table {
        std::mutex guard;
        codegen::sequence<text_options*> known;
    };
    static table& t = *new table;
    if (options.empty()) return nullptr;
    auto made = codegen::owner(new text_options());
    for (const std::string& option : options) add_option(*made, option);
    made->key = codegen::lines_of(options);
    std::lock_guard lock(t.guard);
    for (const text_options* o : t.known)
        if (o->key == made->key) return o;
    t.known.push_back(made.get());
    return made.release();
}

// What follows `# word` in a line, or nothing.
SINTER_INLINE std::string_view after_directive(std::string_view line, std::string_view word) {
    line = trimmed(line);
    if (line.empty() || line[0] != '#') return {};
    line = trimmed(line.substr(1));
    return line.substr(0, word.size()) == word ? trimmed(line.substr(word.size())) : std::string_view();
}

// CUDA's words stay: on the CPU they are macros, which all kernels share.
SINTER_INLINE std::string undefining(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::string_view rest = after_directive(codegen::take_line(text), "define");
        std::size_t end = 0;
        while (end < rest.size() && (codegen::is_word_start(rest[end]) || codegen::is_digit(rest[end]))) ++end;
        const std::string_view name = rest.substr(0, end);
        if (!name.empty() && !codegen::is_one_of(name, {"__device__", "__host__", "__constant__", "__forceinline__"}))
            out.append("#undef ").append(name) += '\n';
    }
    return out;
}

// The name in `#include "name"` or `#include <name>`, or nothing.
SINTER_INLINE std::string_view included_name(std::string_view line) {
    line = after_directive(line, "include");
    if (line.size() < 2 || (line[0] != '"' && line[0] != '<')) return {};
    const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    return end == std::string_view::npos ? std::string_view() : line.substr(1, end - 1);
}

/// Puts headers into a text, line by line.
struct header_reader {
    const codegen::sequence<std::string>& folders;
    codegen::sequence<std::string> once{};  ///< headers that say so
    static constexpr int deepest = 64;
    std::string out{};

    bool read_file(const std::string& path, int depth) {
        for (const std::string& known : once)
            if (known == path) return true;
        std::string text;
        if (!runtime::read_file(path.c_str(), text)) return false;
        if (depth > deepest) throw io_error("[options] headers include each other without end: " + path);
        add(text, path, depth);
        return true;
    }
    // A header's own folder comes first.
    bool read(std::string_view name, const std::string& from, int depth) {
        if (!from.empty() && read_file(from.substr(0, from.rfind('/') + 1) + std::string(name), depth)) return true;
        for (const std::string& folder : folders)
            if (read_file(folder + "/" + std::string(name), depth)) return true;
        return false;
    }
    void add(std::string_view text, const std::string& path, int depth) {
        while (!text.empty()) {
            const std::string_view line = codegen::take_line(text), name = included_name(line);
            if (after_directive(line, "pragma").substr(0, 4) == "once") once.push_back(path);
            else if (name.empty() || !read(name, path, depth + 1)) out.append(line) += '\n';
        }
    }
};

SINTER_INLINE std::string with_headers(std::string_view text, const codegen::sequence<std::string>& folders) {
    if (folders.empty()) return std::string(text);
    header_reader r{folders};
    r.add(text, {}, 0);
    return std::move(r.out);
}

}  // namespace sinter::inline SINTER_ABI::detail

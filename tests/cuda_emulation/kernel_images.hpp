// Turns the text of a CUDA module into a shared object by the system's C++ compiler, once per text; must not know the
// driver.
#pragma once

#include "../support/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace cuda_emulation {

/// What the emulated compiler puts in front of the text, followed by its length in 16 digits.
inline constexpr char image_magic[] = "\177emulated cubin\n";

inline std::string read_whole(const std::string& path) {
    std::string text;
    if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
        char block[65536];
        for (std::size_t n; (n = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, n);
        std::fclose(file);
    }
    return text;
}

inline bool write_whole(const std::string& path, const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return false;
    bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && good;
}

inline std::string image_folder() {
    if (const char* named = std::getenv("SINTER_EMULATED_CACHE")) {
        mkdir(named, 0700);
        return named;
    }
    // What is loaded from here is executed: a folder that nobody else can have made.
    static const scratch_folder fresh;
    return fresh.path;
}

inline bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

/// What a program's name expressions that are no plain names are called: `template_kernel_0` and so on, after this.
inline constexpr char alias_words[] = "\n// emulated name: ";

inline std::vector<std::string> aliases(const std::string& text) {
    std::vector<std::string> expressions;
    for (std::size_t at = 0; (at = text.find(alias_words, at)) != std::string::npos;) {
        at += sizeof alias_words - 1;
        expressions.push_back(text.substr(at, text.find('\n', at) - at));
    }
    return expressions;
}

/// Whether the kernel whose `__global__` stands at a place is a template.
inline bool is_template(const std::string& text, std::size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n')) --at;
    return at > 0 && text[at - 1] == '>';
}

/// Names of the kernels of a text: what stands before the parenthesis that follows `__global__ void`.
inline std::vector<std::string> kernel_names(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = text.find("__global__", at)) != std::string::npos; ++at) {
        std::size_t open = text.find('(', at);
        if (std::size_t bounds = text.find("__launch_bounds__", at); bounds < open)
            open = text.find('(', text.find(')', open));
        std::size_t begin = open;
        while (begin > 0 && is_word(text[begin - 1])) --begin;
        if (!is_template(text, at)) names.push_back(text.substr(begin, open - begin));
    }
    for (std::size_t i = 0; i < aliases(text).size(); ++i) names.push_back("template_kernel_" + std::to_string(i));
    return names;
}

/// By parameter of a kernel, whether it is a pointer to constants.
inline std::vector<bool> constant_parameters(const std::string& text, const std::string& name) {
    std::vector<bool> constant;
    std::size_t at = text.find(name + "(");
    if (at == std::string::npos) return constant;
    for (std::size_t end = at += name.size() + 1; end < text.size(); ++end) {
        if (text[end] != ',' && text[end] != ')') continue;
        const std::string parameter = text.substr(at, end - at);
        constant.push_back(parameter.find("const ") < parameter.find('*') && parameter.find('*') != std::string::npos);
        at = end + 1;
        if (text[end] == ')') break;
    }
    return constant;
}

/// The number in `__launch_bounds__(…)` of a kernel, or 1024.
inline unsigned launch_bound(const std::string& text, const std::string& name) {
    std::size_t at = text.find(name + "(");
    std::size_t begin = at == std::string::npos ? at : text.rfind("__global__", at);
    std::size_t bounds = text.find("__launch_bounds__(", begin);
    return bounds < at ? static_cast<unsigned>(std::atoi(text.c_str() + bounds + 18)) : 1024;
}

// `extern __shared__ T s[];` becomes a pointer to the engine's memory.
inline std::string with_dynamic_shared(std::string text) {
    const std::string words = "extern __shared__ ";
    for (std::size_t at; (at = text.find(words)) != std::string::npos;) {
        std::size_t end = text.find("[]", at), name = end;
        while (is_word(text[name - 1])) --name;
        std::string type = text.substr(at + words.size(), name - at - words.size());
        text.replace(at, end + 2 - at,
                     type + "* " + text.substr(name, end - name) + " = (" + type + "*)emulated_engine->dynamic_shared");
    }
    return text;
}

// Loops that read what another block writes, and do not meet, must let that block go on.
inline std::string with_waits(std::string text) {
    const std::string words = "*(const volatile ";
    for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at) {
        const std::size_t name = text.find("*)", at) + 2;
        std::size_t end = name;
        while (is_word(text[end])) ++end;
        if (end == name || text[end] != ';') continue;
        text.replace(at, end - at, "cuda_emulation::word_of_others(" + text.substr(name, end - name) + ")");
    }
    return text;
}

inline unsigned long long hash_text(const std::string& text) {
    unsigned long long h = 0xcbf29ce484222325u;
    for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return h;
}

/// A module's text as C++.
inline std::string image_source(const std::string& text) {
    static const std::string prelude = read_whole(EMULATION_FOLDER "/kernel_interface.hpp") +
                                       read_whole(EMULATION_FOLDER "/kernel_prelude.hpp") +
                                       read_whole(EMULATION_FOLDER "/instructions.hpp");
    std::string source = prelude + "#line 1 \"kernel.cu\"\n" + with_waits(with_dynamic_shared(text)) + "\n";
    const std::vector<std::string> instances = aliases(text);
    for (std::size_t i = 0; i < instances.size(); ++i)
        source += "extern \"C\" const cuda_emulation::entry* emulated_entry_template_kernel_" + std::to_string(i) +
                  "() { return &cuda_emulation::entry_of<&" + instances[i] + ">::value; }\n";
    for (const std::string& name : kernel_names(text))
        if (!name.starts_with("template_kernel_")) source += "CUDA_EMULATION_ENTRY(" + name + ")\n";
    return source;
}

/// The shared object of a module's text; empty when it does not compile, with the compiler's output in `log`.
inline std::string compile_image(const std::string& text, std::string& log) {
    const std::string source = image_source(text);
    const char* named = std::getenv("SINTER_CXX");
    // Alignment and overflow trap, since both are faults on a device as well; registers that nobody has set are
    // rubbish. Nothing else is linked, which takes most of a link's time: functions of the C library are this
    // process's.
    const std::string command =
        std::string(named ? named : EMULATION_COMPILER) +
        " -std=c++20 -O0 -w -shared -nostdlib -pipe -fPIC -ffp-contract=off -ftrivial-auto-var-init=pattern "
        "-fno-exceptions -fno-asynchronous-unwind-tables"
        " -fsanitize=alignment,bounds,signed-integer-overflow,shift -fsanitize-undefined-trap-on-error";
    char name[64];
    std::snprintf(name, sizeof name, "/%016llx-%zu", hash_text(source + command), source.size());
    const std::string base = image_folder() + name, image = base + ".so";
    if (access(image.c_str(), R_OK) == 0 && read_whole(base + ".cpp") == source) return image;
    static int serial = 0;
    const std::string own = base + "." + std::to_string(getpid()) + "." + std::to_string(++serial);
    if (!write_whole(own + ".cpp", source)) return log = "cannot write " + own, "";
    const int status =
        std::system((command + " -o '" + own + ".so' '" + own + ".cpp' -lgcc >'" + own + ".log' 2>&1").c_str());
    log = read_whole(own + ".log");
    std::remove((own + ".log").c_str());
    if (status != 0) return std::remove((own + ".cpp").c_str()), "";
    std::rename((own + ".cpp").c_str(), (base + ".cpp").c_str());
    return std::rename((own + ".so").c_str(), image.c_str()) == 0 ? image : "";
}

}  // namespace cuda_emulation

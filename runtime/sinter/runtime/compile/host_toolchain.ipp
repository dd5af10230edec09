// Bodies of host_toolchain.hpp.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/base/sha256.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// What of -O3 makes tiles fast; g++ takes a third of its time for the rest, which a text that needs it asks for itself.
// And global common subexpressions are eliminated before the text is written: looking for them again costs long bodies
// two fifths. Tiles are so short that a call of memcpy costs more than the loop that it stands for.
SINTER_INLINE argument_list optimization_options(bool by_clang) {
    if (by_clang) return {"-O3"};
    return {"-O2",
            "-ftree-vectorize",
            "-fvect-cost-model=dynamic",
            "-fpeel-loops",
            "-fpredictive-commoning",
            "-funswitch-loops",
            "--param=max-inline-insns-single=200",
            "--param=max-inline-insns-auto=30",
            "--param=early-inlining-insns=14",
            "-fno-gcse",
            "-fno-gcse-after-reload",
            "-fno-tree-loop-distribute-patterns",
            "-fno-tree-pre"};
}

SINTER_INLINE argument_list make_host_compile_options(bool by_clang) {
    argument_list options = optimization_options(by_clang);
    for (const char* option : {"-march=native", "-std=c++20", "-fPIC", "-ffp-contract=off", "-fwrapv",
                               "-fno-math-errno", "-fno-trapping-math", "-fno-exceptions", "-fno-rtti",
                               "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fopenmp-simd", "-w"})
        options.emplace_back(option);
#if defined(__x86_64__)
    options.emplace_back("-fcf-protection=none");
    options.emplace_back("-mprefer-vector-width=512");  // stores of whole cache lines
#endif
    return options;
}

SINTER_INLINE const argument_list& host_compile_options(bool by_clang) {
    static const argument_list& of_gcc = *new argument_list(make_host_compile_options(false));
    static const argument_list& of_clang = *new argument_list(make_host_compile_options(true));
    return by_clang ? of_clang : of_gcc;
}

// Half of what -O1 takes goes without its dearest passes, whose share of the code's speed is small where nothing is
// vectorised. Loops that are marked with `omp simd` are vectorised all the same, so that they call what they call in
// full code.
SINTER_INLINE const argument_list& host_quick_options(bool by_clang) {
    static const argument_list& of_clang = *new argument_list{"-O1"};
    static const argument_list& of_gcc =
        *new argument_list{"-O1", "-fno-tree-vectorize", "-fno-peel-loops", "-fno-predictive-commoning",
                           "-fno-unswitch-loops", "-fno-ivopts", "-fno-tree-dominator-opts", "-fno-if-conversion",
                           "-fno-forward-propagate", "-fno-guess-branch-probability", "-fno-tree-bit-ccp",
                           // No narrower vectors for a rest, which have other bits.
                           "--param=vect-epilogues-nomask=0", "-fira-region=one"};
    return by_clang ? of_clang : of_gcc;
}

// Half of what the options above take, for code that is about as fast; but a vector function's loop calls the scalar
// one, and vectors in arguments of functions are stored and loaded.
SINTER_INLINE const argument_list& host_quick_loop_options(bool by_clang) {
    static const argument_list& of_gcc = *new argument_list{"-Og", "-fno-tree-vectorize", "-fno-forward-propagate",
                                                            "-fno-guess-branch-probability", "-fira-region=one"};
    return by_clang ? host_quick_options(true) : of_gcc;
}

// The first processor's paragraph is enough, and each further one costs the kernel time.
SINTER_INLINE const std::string& first_processor() {
    static const std::string& paragraph = *new std::string([] {
        std::string text;
        if (!read_file("/proc/cpuinfo", text, 8192) && is_shortage(errno))
            throw io_error(std::string("[compile] /proc/cpuinfo cannot be read: ") + std::strerror(errno));
        return text.substr(0, text.find("\n\n") + 1);
    }());
    return paragraph;
}

SINTER_INLINE std::string host_processor_field(std::string_view name) {
    for (std::string_view rest = first_processor(); !rest.empty();) {
        const std::string_view line = codegen::take_line(rest);
        if (!line.starts_with(name) || line.find_first_not_of(" \t", name.size()) != line.find(':')) continue;
        const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
        return begin == line.npos ? "" : std::string(line.substr(begin));
    }
    return "";
}

SINTER_INLINE const std::string& host_processor() {
    static const std::string& hash = *new std::string([] {
        std::string relevant;
        for (std::string_view rest = first_processor(); !rest.empty();) {
            const std::string_view line = codegen::take_line(rest);
            for (const char* field : {"vendor_id", "cpu family", "model", "flags", "Features", "CPU ", "isa"})
                if (line.starts_with(field)) relevant.append(line) += '\n';
        }
        return sha256(relevant);
    }());
    return hash;
}

SINTER_INLINE argument_list split_command(std::string_view line) {
    argument_list words;
    bool inside = false, quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!quoted && line[i] == ' ') {
            inside = false;
            continue;
        }
        if (!inside) words.emplace_back();
        inside = true;
        if (line[i] == '"') quoted = !quoted;
        else words.back() += line[i] == '\\' && i + 1 < line.size() ? line[++i] : line[i];
    }
    return words;
}

SINTER_INLINE std::string host_toolchain::to_text() const {
    std::string text = compiler + '\n' + version + '\n';
    for (const argument_list* list : {&compile, &assemble, &link}) {
        text += std::to_string(list->size()) + '\n';
        for (const std::string& argument : *list) text += argument + '\n';
    }
    return text;
}

SINTER_INLINE std::optional<host_toolchain> host_toolchain::from_text(std::string_view text) {
    host_toolchain t;
    t.compiler = codegen::take_line(text);
    t.version = codegen::take_line(text);
    for (argument_list* list : {&t.compile, &t.assemble, &t.link})
        for (int n = std::atoi(std::string(codegen::take_line(text)).c_str()); n > 0; --n) {
            if (text.empty()) return std::nullopt;
            list->emplace_back(codegen::take_line(text));
        }
    return text.empty() ? std::optional(std::move(t)) : std::nullopt;
}

/// A compiler that could not be asked, which says nothing about the next time; the text says why.
struct compiler_unasked {
    std::string why;
};

// What a compiler prints on one of its streams, when it says that it succeeded.
SINTER_INLINE std::optional<std::string> ask_compiler(const argument_list& command, int stream) {
    std::string output;
    const std::int64_t seconds = env().compile_timeout;
    const exit_status status = run_process(command, stream, output, seconds);
    if (status == exit_status::unstarted)
        throw compiler_unasked{command[0] + " cannot be started: no more descriptors, processes or memory"};
    if (status == exit_status::stopped) throw compiler_unasked{command[0] + " was stopped"};
    if (status == exit_status::late)
        throw compiler_unasked{command[0] + " has not ended within " + std::to_string(seconds) +
                               " s (SINTER_COMPILE_TIMEOUT)"};
    return may_have_succeeded(status) ? std::optional(std::move(output)) : std::nullopt;
}

// The last line of a program's output that is not empty.
SINTER_INLINE std::string answer_of(const argument_list& command) {
    std::string output = ask_compiler(command, 1).value_or("");
    while (!output.empty() && output.back() == '\n') output.pop_back();
    return output.substr(output.rfind('\n') + 1);
}

// Asks the driver for the commands of `-pipe -c`; leaves the lists empty when they are not of the known form.
SINTER_INLINE void learn_commands(host_toolchain& t) {
    argument_list question{t.compiler, "-###"};
    for (const std::string& option : host_compile_options(t.is_clang())) question.push_back(option);
    for (const char* last : {"-pipe", "-c", "-x", "c++", "-o", "/proc/self/fd/3", "-"}) question.emplace_back(last);
    const std::string answer = ask_compiler(question, 2).value_or("");
    for (std::string_view rest = answer; !rest.empty();) {
        const std::string_view line = codegen::take_line(rest);
        argument_list words = line.starts_with(' ') ? split_command(line) : argument_list();
        if (words.empty()) continue;
        if (words.back() == "|") words.pop_back();
        const std::string program = words[0].substr(words[0].rfind('/') + 1);
        if (program == "cc1plus") t.compile = std::move(words);
        else if (program == "as" || program.ends_with("-as")) t.assemble = std::move(words);
    }
    const std::string linker = answer_of({t.compiler, "-print-prog-name=ld"});
    if (!linker.empty()) t.link = {linker, "-shared", "-Bsymbolic", "-o", "/proc/self/fd/3", "/proc/self/fd/4"};
    const std::string libgcc = answer_of({t.compiler, "-print-libgcc-file-name"});
    if (!libgcc.empty() && access(libgcc.c_str(), R_OK) == 0) t.link.push_back(libgcc);
}

SINTER_INLINE std::optional<host_toolchain> learn_toolchain(const std::string& compiler) {
    struct stat s;
    if (stat(compiler.c_str(), &s) != 0) {
        if (is_shortage(errno)) throw compiler_unasked{compiler + " cannot be looked at: " + std::strerror(errno)};
        return std::nullopt;
    }
    std::string key = codegen::joined({"host toolchain 2\n", compiler, '\n', s.st_size, ' ', s.st_mtim.tv_sec, '.',
                                       s.st_mtim.tv_nsec, '\n', host_processor()});
    for (const std::string& option : host_compile_options(false)) key += '\n' + option;
    if (const auto known = kernel_cache().load(key))
        if (auto t = host_toolchain::from_text(*known)) return t;

    host_toolchain t;
    t.compiler = compiler;
    const std::string output = ask_compiler({compiler, "--version"}, 1).value_or("");
    std::string_view rest = output;
    t.version = codegen::take_line(rest);
    if (t.version.empty()) return std::nullopt;
    if (!t.is_clang()) learn_commands(t);
    kernel_cache().store(key, t.to_text());
    return t;
}

SINTER_INLINE const host_toolchain* find_host_toolchain(std::string* why) {
    struct search {
        std::optional<host_toolchain> found;
        std::string why;
    };
    try {
        // What is thrown is not remembered.
        static const search& result = *new search([] {
            search s;
            const std::string& wanted = env().cxx;
            const argument_list names = wanted.empty() ? argument_list{"g++", "c++", "clang++"} : argument_list{wanted};
            for (const std::string& name : names) {
                const std::string path = find_program(name);
                if (!path.empty() && (s.found = learn_toolchain(path))) return s;
                s.why += (s.why.empty() ? "" : ", ") + name + (path.empty() ? " not found" : " does not run: " + path);
            }
            s.why += wanted.empty() ? " on PATH=" + env().search_path : " (from SINTER_CXX)";
            return s;
        }());
        if (why) *why = result.why;
        return result.found ? &*result.found : nullptr;
    } catch (const compiler_unasked& e) {
        if (why) *why = e.why;
        return nullptr;
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

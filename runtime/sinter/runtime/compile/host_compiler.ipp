// Bodies of host_compiler.hpp.
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/prelude.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/functions.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/device/timeline.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// Files of the math libraries that this process itself uses, so that no search and no linker script is needed.
SINTER_INLINE const argument_list& host_math_libraries() {
    static const argument_list& paths = *new argument_list([] {
        // What descriptors are lacking for looks as if it were not there; an exception is not remembered.
        if (!memory_file("sinter-probe") && is_shortage(errno))
            throw io_error(std::string("[compile] no library can be opened: ") + std::strerror(errno));
        argument_list found;
        for (const char* name : {"libmvec.so.1", "libm.so.6"})
            if (const shared_library library({name}); library.path().find('/') != std::string::npos)
                found.push_back(library.path());
        return found;
    }());
    return paths;
}

// What stands at a place of an object, zero beyond its end.
template <class T>
T read_at(std::string_view object, std::uint64_t place) {
    T value{};
    if (place <= object.size() && sizeof(T) <= object.size() - place)
        std::memcpy(&value, object.data() + place, sizeof(T));
    return value;
}

// Reading the math libraries takes half of a link's time.
SINTER_INLINE bool needs_math_libraries(std::string_view object) {
    const Elf64_Ehdr header = read_at<Elf64_Ehdr>(object, 0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return true;
    const auto section = [&](std::uint64_t i) {
        return read_at<Elf64_Shdr>(object, header.e_shoff + i * sizeof(Elf64_Shdr));
    };
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        const Elf64_Shdr symbols = section(i);
        if (symbols.sh_type != SHT_SYMTAB) continue;
        const std::uint64_t names = section(symbols.sh_link).sh_offset, count = symbols.sh_size / sizeof(Elf64_Sym);
        for (std::uint64_t k = 1; k < count; ++k) {
            const Elf64_Sym symbol = read_at<Elf64_Sym>(object, symbols.sh_offset + k * sizeof(Elf64_Sym));
            if (symbol.st_shndx != SHN_UNDEF) continue;
            const std::string_view name = object.substr(std::min<std::uint64_t>(names + symbol.st_name, object.size()));
            // What compilers call by themselves is the C library's, which is loaded.
            if (!name.starts_with("mem") && !name.starts_with("_GLOBAL_OFFSET_TABLE_")) return true;
        }
        return false;
    }
    return true;
}

// Throws when one of the programs has not come to an end, or could not begin: another way will not do it either.
SINTER_INLINE void check_statuses(const host_toolchain& tools, std::initializer_list<exit_status> statuses) {
    for (exit_status s : statuses) {
        if (s == exit_status::stopped)
            throw compile_error(codegen::joined({"[compile] ", tools.compiler, " was stopped"}));
        if (s == exit_status::late)
            throw compile_error(
                codegen::joined({"[compile] ", tools.compiler, " has not compiled a kernel within ",
                                 env().compile_timeout, " s (SINTER_COMPILE_TIMEOUT) and was stopped"}));
        if (s == exit_status::unstarted)
            throw compile_error(
                codegen::joined({"[compile] ", tools.compiler,
                                 " cannot be started: there are no more descriptors, processes or memory"}));
    }
}

// Runs compiler proper and assembler on files in memory: with the linker 5 ms instead of the driver's 15 beside the
// compiler.
SINTER_INLINE bool compile_object(const host_toolchain& tools, const std::string& source, const argument_list& more,
                                  const file_descriptor& object) {
    const file_descriptor text = memory_file("sinter-source"), log = memory_file("sinter-log");
    if (!text || !object || !log || !write_all(text.get(), source)) return false;
    if (lseek(text.get(), 0, SEEK_SET) != 0) return false;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    // They end once the ends of the pipe, which are closed before they are waited for, are gone.
    started_process compiler, assembler;
    file_descriptor low_read(ends[0]), low_write(ends[1]);
    file_descriptor read_end(fcntl(ends[0], F_DUPFD_CLOEXEC, 10)), write_end(fcntl(ends[1], F_DUPFD_CLOEXEC, 10));
    low_read.close();
    low_write.close();
    if (!read_end || !write_end) return false;

    argument_list compile = tools.compile;
    for (const std::string& option : more) compile.push_back(option);
    compiler.start(compile, {{text.get(), 0}, {write_end.get(), 1}, {log.get(), 2}});
    assembler.start(tools.assemble, {{read_end.get(), 0}, {log.get(), 2}, {object.get(), 3}});
    // With our ends closed, either program sees the end of the other.
    read_end.close();
    write_end.close();
    const exit_status compiled = compiler.wait(env().compile_timeout),
                      assembled = assembler.wait(env().compile_timeout);
    check_statuses(tools, {compiled, assembled});
    if (!may_have_succeeded(compiled) || !may_have_succeeded(assembled)) return false;
    // Without a status, silence and the section that the compiler names last tell that both came to their end.
    return (compiled != exit_status::lost && assembled != exit_status::lost) ||
           (contents(log).empty() && contents(object).find(".note.GNU-stack") != std::string::npos);
}

// Links an object; `more` are options, which may name what is in `script` as descriptor 5.
SINTER_INLINE bool link_object(const host_toolchain& tools, const file_descriptor& object, std::string& image,
                               const argument_list& more = {}, const file_descriptor& script = {}) {
    const file_descriptor output = memory_file("sinter-image"), log = memory_file("sinter-log");
    if (!output || !log) return false;
    argument_list link = tools.link;
    for (const std::string& option : more) link.push_back(option);
    if (needs_math_libraries(contents(object)))
        for (const std::string& library : host_math_libraries()) link.push_back(library);
    descriptor_map descriptors{{log.get(), 2}, {output.get(), 3}, {object.get(), 4}};
    if (script) descriptors.push_back({script.get(), 5});
    const exit_status linked = wait_process(start_process(link, descriptors), env().compile_timeout);
    check_statuses(tools, {linked});
    if (!may_have_succeeded(linked) || (linked == exit_status::lost && !contents(log).empty())) return false;
    image = contents(output);
    return is_shared_object(image);
}

SINTER_INLINE bool compile_directly(const host_toolchain& tools, const std::string& source, std::string& image,
                                    const argument_list& more) {
    const file_descriptor object = memory_file("sinter-object");
    return compile_object(tools, source, more, object) && link_object(tools, object, image);
}

SINTER_INLINE bool run_driver(const host_toolchain& tools, const argument_list& command, std::string& log) {
    const exit_status status = run_process(command, 2, log, env().compile_timeout);
    check_statuses(tools, {status});
    return status == exit_status::success || (status == exit_status::lost && log.empty());
}

// What a compiler says of its own faults.
SINTER_INLINE bool is_compiler_fault(const std::string& log) {
    return log.find("internal compiler error") != std::string::npos;
}

// The compiler's ordinary command, on files in a private folder; the log is that of the first try.
SINTER_INLINE bool compile_by_driver(const host_toolchain& tools, const std::string& source, std::string& image,
                                     std::string& log, const argument_list& more) {
    const std::string folder = make_temporary_folder();
    if (folder.empty()) {
        log = "no temporary folder can be made";
        return false;
    }
    const std::string input = folder + "/kernel.cpp", output = folder + "/kernel.so";
    struct cleaner {
        const std::string &folder, &input, &output;
        ~cleaner() {
            unlink(input.c_str());
            unlink(output.c_str());
            rmdir(folder.c_str());
        }
    } const clean [[maybe_unused]]{folder, input, output};
    argument_list command{tools.compiler};
    for (const std::string& option : host_compile_options(tools.is_clang())) command.push_back(option);
    for (const std::string& option : more) command.push_back(option);
    for (const char* word : {"-shared", "-nostdlib", "-Wl,-Bsymbolic", input.c_str(), "-o", output.c_str()})
        command.emplace_back(word);
    for (const std::string& library : host_math_libraries()) command.push_back(library);
    command.emplace_back("-lgcc");

    file_descriptor file(open(input.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    bool success = file && write_all(file.get(), source) && file.close();
    if (!success) log = input + " cannot be written: " + std::strerror(errno);
    if (success && !run_driver(tools, command, log)) {
        // Compilers have faults of their own, nearly all where they vectorise: a slower kernel is better than none.
        success = is_compiler_fault(log);
        for (const std::string& option : host_quick_options(tools.is_clang())) command.push_back(option);
        std::string second;
        success = success && run_driver(tools, command, second);
    }
    return success && read_file(output.c_str(), image) && is_shared_object(image);
}

SINTER_INLINE std::string number_lines(std::string_view text) {
    std::string numbered;
    for (int line = 1; !text.empty(); ++line) {
        const std::string number = std::to_string(line);
        numbered.append(number.size() < 4 ? 4 - number.size() : 0, ' ').append(number) += " | ";
        numbered.append(codegen::take_line(text)) += '\n';
    }
    return numbered;
}

SINTER_INLINE const host_toolchain& needed_toolchain() {
    std::string why;
    const host_toolchain* const tools = find_host_toolchain(&why);
    if (!tools) throw device_error("[compile] no C++ compiler for the host backend: " + why);
    return *tools;
}

SINTER_INLINE std::string compile_host(const std::string& source, const argument_list& more) {
    const timed_event event("compile");
    const host_toolchain& tools = needed_toolchain();
    std::string image, log;
    static std::atomic<bool> direct_works{true};
    const bool try_directly = tools.is_direct() && direct_works;
    if (!try_directly || !compile_directly(tools, source, image, more)) {
        // A wrong kernel fails both ways and the driver's message is the better one.
        if (!compile_by_driver(tools, source, image, log, more))
            throw compile_error(
                codegen::joined({unknown_to_kernels(log), "[compile] ", tools.compiler,
                                 " refuses a generated kernel (please report this unless the text is yours):\n",
                                 log.empty() ? "(it printed nothing)" : log, "\nThe source:\n", number_lines(source)}));
        if (try_directly && !is_compiler_fault(log)) direct_works = false;
    }
    if (!stop_of_thread()) count_kernel_compiled();
    if (event) event.end("compile a CPU kernel");
    return image;
}

// Of the golden texts those of 50 lines and more take g++ 60 to 600 ms of a loaded core, of which a tenth to a half are
// left; shorter ones take 40. Scalar functions are mostly read, not compiled, so that more lines of them count alike.
// Where users' functions stand between a loop and a vector function, it depends on what is inlined whether one is
// called. Code that none replaces is not weighed against the time of a second compiler.
SINTER_INLINE bool is_for_quick_code(const std::string& source) {
    constexpr std::ptrdiff_t long_text = 50, with_functions = 250;
    const codegen::line_counts lines = codegen::count_lines(source);
    const bool is_short = lines.all - lines.of_functions < long_text && lines.all < with_functions;
    if (is_short && env().tiers != code_tiers::quick) return false;
    const bool has_vectors = source.find("SINTER_VECTOR") != source.npos;
    return !has_vectors || source.find("namespace functions {") == source.npos;
}

SINTER_INLINE bool has_vector_code(std::string_view source) {
    return source.find("SINTER_VECTOR") != source.npos || source.find("vector_size") != source.npos;
}

// A text as it is compiled quickly: where nothing is a vector no loop is to become one either, and bodies that stand
// twice take the compiler longer than they save.
SINTER_INLINE std::string quick_text(const std::string& source) {
    if (has_vector_code(source)) return source;
    std::string text;
    for (std::string_view rest = source; !rest.empty();) {
        const std::string_view line = codegen::take_line(rest);
        const bool is_of_loops = line == codegen::unroll_early || line.starts_with(codegen::unroll_mark);
        if (!is_of_loops) text += line;
        text += '\n';
    }
    return text;
}

SINTER_INLINE const argument_list& quick_options(std::string_view source) {
    const bool by_clang = needed_toolchain().is_clang();
    return has_vector_code(source) ? host_quick_options(by_clang) : host_quick_loop_options(by_clang);
}

SINTER_INLINE std::string compile_host_quickly(const codegen::kernel_source& source, device) {
    if (!is_for_quick_code(source.text)) return {};
    return compile_host(quick_text(source.text), quick_options(source.text));
}

// What users wrote may name what is outside of it, and options of a text reach to the end of all.
SINTER_INLINE int company_of(const std::string& source) {
    const host_toolchain* const tools = find_host_toolchain();
    if (!tools || !tools->is_direct() || !is_for_quick_code(source) ||
        source.find("namespace functions {") != source.npos ||
        quick_text(source).find("#pragma GCC optimize") != source.npos)
        return 0;
    return has_vector_code(source) ? 1 : 2;
}

// The functions that a text defines for others.
SINTER_INLINE argument_list entries_of(std::string_view source) {
    constexpr std::string_view head = "extern \"C\" void ";
    argument_list names;
    while (!source.empty()) {
        const std::string_view line = codegen::take_line(source);
        if (line.starts_with(head) && !line.ends_with(';'))
            names.emplace_back(line.substr(head.size(), line.find('(') - head.size()));
    }
    return names;
}

// Texts one after the other, each in a namespace of its own, which is also what their functions' names begin with.
SINTER_INLINE std::string joined_texts(codegen::span<const std::string* const> sources) {
    // Compilers know a library's functions for their own only where no namespace is around them.
    std::string declared = codegen::vector_macro, text;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        std::string rest;
        const std::string quick = quick_text(*sources[i]);
        for (std::string_view all = quick; !all.empty();) {
            const std::string line = std::string(codegen::take_line(all)) + '\n';
            const bool declares =
                line.starts_with("extern \"C\" ") && line.ends_with(";\n") && line.find("__asm__") == line.npos;
            if (!declares) rest += line;
            else if (declared.find('\n' + line) == declared.npos) declared += line;
        }
        const std::string own = codegen::joined({"together", i});
        const argument_list entries = entries_of(*sources[i]);
        for (const std::string& name : entries) text += codegen::joined({"#define ", name, ' ', own, name, '\n'});
        text += codegen::joined({"namespace ", own, " {\n", rest, "\n}\n"});
        for (const std::string& name : entries) text += codegen::joined({"#undef ", name, '\n'});
    }
    return declared + text;
}

// Starting the compiler is a quarter of a short kernel's time. Each image has its own functions alone.
SINTER_INLINE codegen::sequence<std::string> compile_host_together(codegen::span<const std::string* const> sources) {
    const timed_event event("compile");
    const host_toolchain& tools = needed_toolchain();
    argument_list options = quick_options(*sources[0]);
    for (const char* option : {"-ffunction-sections", "-fdata-sections"}) options.emplace_back(option);
    const file_descriptor object = memory_file("sinter-object");
    if (!compile_object(tools, joined_texts(sources), options, object)) return {};
    codegen::sequence<std::string> images(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        argument_list link{"--gc-sections", "--as-needed", "--version-script=/proc/self/fd/5"};
        std::string script;
        for (const std::string& name : entries_of(*sources[i])) {
            link.push_back("--defsym=" + name + "=together" + std::to_string(i) + name);
            script += name + "; ";
        }
        const file_descriptor exported = memory_file("sinter-exported");
        if (!exported || !write_all(exported.get(), "{ global: " + script + "local: *; };") ||
            !link_object(tools, object, images[i], link, exported))
            return {};
    }
    if (!stop_of_thread())
        for (std::size_t i = 0; i < sources.size(); ++i) count_kernel_compiled();
    if (event) event.end("compile CPU kernels together");
    return images;
}

SINTER_INLINE bool host_compiler_available(std::string* why) { return find_host_toolchain(why) != nullptr; }

SINTER_INLINE std::string host_compiler_identity() {
    const std::string key = "host compiler used last\n" + host_processor();
    const host_toolchain* tools = find_host_toolchain();
    // A program without a compiler still finds what an earlier one stored.
    if (!tools) return kernel_cache().load(key).value_or("no host compiler");
    static const std::string& identity = *new std::string([&] {
        std::string text = tools->compiler + '\n' + tools->version + '\n' + host_processor();
        for (const argument_list* list :
             {&host_compile_options(tools->is_clang()), &host_quick_options(tools->is_clang()),
              &host_quick_loop_options(tools->is_clang())})
            for (const std::string& option : *list) text += '\n' + option;
        if (kernel_cache().load(key) != text) kernel_cache().store(key, text);
        return text;
    }());
    return identity;
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

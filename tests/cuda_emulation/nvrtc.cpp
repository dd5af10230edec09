// libnvrtc.so of an emulated machine, for tests: keeps the text, after the real NVRTC, where there is one, has compiled
// it.
#include <dlfcn.h>
#include <nvrtc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "idle.hpp"
#include "kernel_images.hpp"

struct _nvrtcProgram {
    std::string text, name, image, log;
    std::vector<std::string> expressions, lowered;
    int (*asked)(void*, void*) = nullptr;  ///< whether to stop, with its argument
    void* argument = nullptr;
};

namespace {

struct real_nvrtc {
    decltype(&::nvrtcCreateProgram) create = nullptr;
    decltype(&::nvrtcCompileProgram) compile = nullptr;
    decltype(&::nvrtcGetProgramLogSize) log_size = nullptr;
    decltype(&::nvrtcGetProgramLog) log = nullptr;
    decltype(&::nvrtcDestroyProgram) destroy = nullptr;
    nvrtcResult (*ask)(nvrtcProgram, int (*)(void*, void*), void*) = nullptr;  ///< may be missing
    explicit operator bool() const { return create && compile && log_size && log && destroy; }
};

const real_nvrtc& real() {
    static const real_nvrtc table = [] {
        real_nvrtc t;
        std::string folders = EMULATION_REAL_LIBRARIES ":/usr/local/cuda/lib64:";
        for (std::size_t colon; (colon = folders.find(':')) != std::string::npos; folders.erase(0, colon + 1)) {
            for (const char* name : {"/libnvrtc.so.13", "/libnvrtc.so.12", "/libnvrtc.so"}) {
                void* library =
                    colon ? dlopen((folders.substr(0, colon) + name).c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
                if (!library || t) continue;
                t.create = reinterpret_cast<decltype(t.create)>(dlsym(library, "nvrtcCreateProgram"));
                t.compile = reinterpret_cast<decltype(t.compile)>(dlsym(library, "nvrtcCompileProgram"));
                t.log_size = reinterpret_cast<decltype(t.log_size)>(dlsym(library, "nvrtcGetProgramLogSize"));
                t.log = reinterpret_cast<decltype(t.log)>(dlsym(library, "nvrtcGetProgramLog"));
                t.destroy = reinterpret_cast<decltype(t.destroy)>(dlsym(library, "nvrtcDestroyProgram"));
                t.ask = reinterpret_cast<decltype(t.ask)>(dlsym(library, "nvrtcSetFlowCallback"));
            }
        }
        if (!t)
            std::fprintf(stderr,
                         "emulated NVRTC: no real NVRTC was found, kernels are checked by a C++ compiler only\n");
        return t;
    }();
    return table;
}

/// Where it is noted that what a text asks of the assembler has been assembled for these options: its instructions by
/// name and its shared memory; the rest the real compiler writes itself.
std::string note_of_assembly(const std::string& text, const std::vector<std::string>& options) {
    std::set<std::string> lines;
    for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        if (line.find("asm") != std::string::npos || line.find("__shared__") != std::string::npos) lines.insert(line);
    }
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    for (const std::string& option : options) all += option + "\n";
    char name[32];
    std::snprintf(name, sizeof name, "/%016llx.assembled", cuda_emulation::hash_text(all));
    return cuda_emulation::image_folder() + name;
}

/// The options with the least work behind the parser; without assembling where that is said.
std::vector<std::string> checking_options(int count, const char* const* options, bool assembles) {
    std::vector<std::string> words(options, options + count);
    for (std::string& word : words) {
        if (word.starts_with("--Ofast-compile=")) word = "--Ofast-compile=max";
        if (const std::size_t at = word.find("=sm_"); at != std::string::npos && !assembles)
            word.replace(at, 4, "=compute_");
    }
    return words;
}

nvrtcResult compile_for_real(nvrtcProgram p, int count, const char* const* given) {
    std::vector<std::string> words = checking_options(count, given, true);
    const std::string assembled = note_of_assembly(p->text, words);
    const bool assembles = access(assembled.c_str(), F_OK) != 0;
    if (!assembles) words = checking_options(count, given, false);
    std::vector<const char*> options;
    for (const std::string& word : words) options.push_back(word.c_str());
    nvrtcProgram checked = nullptr;
    nvrtcResult result = real().create(&checked, p->text.c_str(), p->name.c_str(), 0, nullptr, nullptr);
    if (result == NVRTC_SUCCESS && p->asked && real().ask) real().ask(checked, p->asked, p->argument);
    if (result == NVRTC_SUCCESS) result = real().compile(checked, count, options.data());
    if (result == NVRTC_SUCCESS && assembles) cuda_emulation::write_whole(assembled, "");
    std::size_t size = 0;
    if (checked && real().log_size(checked, &size) == NVRTC_SUCCESS && size > 1) {
        p->log.resize(size);
        real().log(checked, p->log.data());
        p->log.resize(size - 1);
    }
    if (checked) real().destroy(&checked);
    return result;
}

/// As the real library's objects, it is destroyed by a handler that is registered when the library is loaded.
struct work_of_library {
    std::atomic<int> compilations{0};
    ~work_of_library() {
        if (compilations == 0) return;
        std::fprintf(stderr, "emulated NVRTC: the process destroys it while it compiles\n");
        std::abort();
    }
} work;

/// What the library keeps for a thread that has compiled in the background, which takes a while to free.
struct state_of_thread {
    state_of_thread() { ++work.compilations; }
    ~state_of_thread() {
        usleep(20'000);
        --work.compilations;
    }
    void use() const {}
};

struct compilation_scope {
    compilation_scope() { ++work.compilations; }
    ~compilation_scope() { --work.compilations; }
};

nvrtcResult check(nvrtcProgram p, int count, const char* const* options) {
    if (cuda_emulation::is_idle()) return NVRTC_SUCCESS;
    if (real()) return compile_for_real(p, count, options);
    return cuda_emulation::compile_image(p->text, p->log).empty() ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}

}  // namespace

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

const char* nvrtcGetErrorString(nvrtcResult result) {
    return result == NVRTC_SUCCESS             ? "NVRTC_SUCCESS"
           : result == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION"
                                               : "NVRTC_ERROR";
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) { return *count = 4, NVRTC_SUCCESS; }

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
    const int known[] = {75, 80, 90, 100};
    std::memcpy(architectures, known, sizeof known);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* text, const char* name, int headers,
                               const char* const*, const char* const*) {
    if (!text || headers != 0) return NVRTC_ERROR_INVALID_INPUT;
    *program = new _nvrtcProgram{text, name ? name : "default_program", {}, {}, {}, {}};
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    delete *program;
    return *program = nullptr, NVRTC_SUCCESS;
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* argument) {
    program->asked = callback;
    program->argument = argument;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
    const compilation_scope compiling;
    if (program->asked) {
        static thread_local const state_of_thread state;
        state.use();
    }
    // Programs that may be stopped are those that are compiled in the background, for which tests plan accidents.
    if (const char* accident = std::getenv("SINTER_EMULATED_BACKGROUND"); accident && program->asked) {
        if (!std::strcmp(accident, "fails")) return NVRTC_ERROR_COMPILATION;
        while (!std::strcmp(accident, "hangs") && !program->asked(program->argument, nullptr)) usleep(1000);
    }
    if (program->asked && program->asked(program->argument, nullptr)) return static_cast<nvrtcResult>(16);
    if (const nvrtcResult result = check(program, count, options); result != NVRTC_SUCCESS) return result;
    // Of the options, definitions change what the text means.
    for (int i = 0; i < count; ++i)
        if (std::string o = options[i]; o.rfind("-D", 0) == 0) {
            if (std::size_t is = o.find('='); is != std::string::npos) o[is] = ' ';
            program->text = "#define " + o.substr(2) + "\n" + program->text;
        }
    int templates = 0;
    for (const std::string& e : program->expressions) {
        if (e.find_first_of("<:&") == std::string::npos) {
            program->lowered.push_back(e);
            continue;
        }
        program->lowered.push_back("template_kernel_" + std::to_string(templates++));
        program->text += cuda_emulation::alias_words + e + "\n";
    }
    char size[17];
    std::snprintf(size, sizeof size, "%016zu", program->text.size());
    program->image = cuda_emulation::image_magic + std::string(size) + program->text;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
    return program->expressions.push_back(expression), NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
    for (std::size_t i = 0; i < program->lowered.size(); ++i)
        if (program->expressions[i] == expression) return *name = program->lowered[i].c_str(), NVRTC_SUCCESS;
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* size) {
    return *size = program->log.size() + 1, NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
    std::memcpy(log, program->log.c_str(), program->log.size() + 1);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* size) {
    return *size = program->image.size(), NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) {
    std::memcpy(image, program->image.data(), program->image.size());
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram, std::size_t*) { return NVRTC_ERROR_INVALID_PROGRAM; }
nvrtcResult nvrtcGetPTX(nvrtcProgram, char*) { return NVRTC_ERROR_INVALID_PROGRAM; }

}  // extern "C"

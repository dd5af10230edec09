// Finds NVRTC without loading it, loads it at the first compilation, and compiles with the options of the key.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/functions.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <sinter/runtime/device/timeline.hpp>

#if SINTER_HAS_CUDA

#include <nvrtc.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr const char* no_contraction = "--fmad=false";
// By the second option generic lambdas and members of local structures, which cannot say so themselves, are functions
// of the GPU. The last two only save time: our cache holds what CUDA's own would.
inline constexpr const char* nvrtc_options[] = {"--std=c++20", "-default-device", no_contraction, "--minimal",
                                                "--no-cache"};
inline constexpr int nvrtc_option_count = 5;  // older versions than 12.9 do not know the last, than 12.4 the last two

/// The loaded library; members bear its own names.
struct nvrtc_table {
    // clang-format off: versions of its own text come out in turn.
#define SINTER_NVRTC_FUNCTIONS(X) \
    X(nvrtcVersion) X(nvrtcGetErrorString) X(nvrtcGetNumSupportedArchs) \
    X(nvrtcGetSupportedArchs) X(nvrtcCreateProgram) X(nvrtcDestroyProgram) \
    X(nvrtcCompileProgram) X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog) \
    X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetPTXSize) \
    X(nvrtcGetPTX) X(nvrtcAddNameExpression) X(nvrtcGetLoweredName)
// clang-format on
#define SINTER_NVRTC_MEMBER(name) decltype(&::name) name = nullptr;
    SINTER_NVRTC_FUNCTIONS(SINTER_NVRTC_MEMBER)
#undef SINTER_NVRTC_MEMBER
    /// Registers what is asked again and again whether to stop; null in versions before 12.8, whose headers lack it.
    nvrtcResult (*set_flow_callback)(nvrtcProgram, int (*)(void*, void*), void*) = nullptr;
    std::string why;  ///< not empty: it could not be loaded
    std::string path;
    std::string version;
    int options = nvrtc_option_count;
    codegen::sequence<int> architectures;  ///< ascending, 10 * major + minor
};

/// Path of the library in one of the usual folders, or empty; loading it takes 0.3 s, which programs whose kernels are
/// all in the disk cache need not spend.
SINTER_INLINE std::string find_nvrtc() {
    codegen::sequence<std::string> folders = cuda_library_directories();
    for (const char* system : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"})
        folders.push_back(system);
    const codegen::sequence<std::string> names = cuda_library_names("libnvrtc");
    struct stat info;
    for (const std::string& folder : folders)
        for (const std::string& name : names) {
            const std::string path = codegen::joined({folder, "/", name});
            if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) return path;
        }
    return {};
}

SINTER_INLINE void load_nvrtc(nvrtc_table& t) {
    const std::string found = find_nvrtc();
    shared_library library(found.empty() ? codegen::sequence<std::string>() : codegen::sequence<std::string>{found});
    if (!library) library = shared_library(cuda_library_names("libnvrtc"), cuda_library_directories());
    if (!library) {
        t.why = "NVRTC: " + library.why();
        return;
    }
    t.path = library.path();
    auto find = [&](const char* name) {
        void* const address = library.symbol(name);
        if (!address) t.why = "NVRTC " + t.path + " has no " + name + ": 12.0 or later is needed";
        return address;
    };
#define SINTER_NVRTC_LOAD(name)                                \
    t.name = reinterpret_cast<decltype(&::name)>(find(#name)); \
    if (!t.name) return;
    SINTER_NVRTC_FUNCTIONS(SINTER_NVRTC_LOAD)
#undef SINTER_NVRTC_LOAD
#undef SINTER_NVRTC_FUNCTIONS
    t.set_flow_callback =
        library.function<nvrtcResult(nvrtcProgram, int (*)(void*, void*), void*)>("nvrtcSetFlowCallback");
    int major = 0, minor = 0, count = 0;
    t.nvrtcVersion(&major, &minor);
    t.version = std::to_string(major) + "." + std::to_string(minor);
    if (major < 12) return void(t.why = "NVRTC " + t.path + " has version " + t.version + ": 12.0 or later is needed");
    // A file called libnvrtc.so may be of any version, and the driver loads no code of a later major one.
    const int driver = cuda_driver_version();
    if (driver > 0 && major > driver / 1000)
        return void(t.why = "NVRTC " + t.path + " has version " + t.version + ": the driver supports CUDA " +
                            std::to_string(driver / 1000) + " only");
    if (major == 12) t.options -= (minor < 9) + (minor < 4);
    t.nvrtcGetNumSupportedArchs(&count);
    t.architectures.resize(static_cast<std::size_t>(count));
    t.nvrtcGetSupportedArchs(t.architectures.data());
    std::sort(t.architectures.begin(), t.architectures.end());
}

SINTER_INLINE const nvrtc_table& loaded_nvrtc() { return loaded_once<nvrtc_table, load_nvrtc>(); }

SINTER_INLINE const nvrtc_table& nvrtc() { return loaded_or_throw<nvrtc_table, load_nvrtc>("[cuda] "); }

SINTER_INLINE bool nvrtc_available(std::string* why) {
    static const bool found = !find_nvrtc().empty();
    if (found) return true;
    if (why) *why = loaded_nvrtc().why;
    return loaded_nvrtc().why.empty();
}

SINTER_INLINE library_report nvrtc_report() {
    const nvrtc_table& t = loaded_nvrtc();
    return {"NVRTC", t.version, t.path, t.why};
}

/// File name, size and time of the library: they change with its version, and reading them does not load it.
SINTER_INLINE std::string make_nvrtc_identity() {
    std::string path = find_nvrtc();
    if (path.empty()) path = loaded_nvrtc().path;
    constexpr const char* record = "identity of the last NVRTC";
    struct stat info;
    if (path.empty() || stat(path.c_str(), &info) != 0) return kernel_cache().load(record).value_or("");
    std::string identity = codegen::joined(
        {path.substr(path.rfind('/') + 1), " ", info.st_size, " ", static_cast<long long>(info.st_mtime)});
    for (const char* option : nvrtc_options) identity += std::string(" ") + option;
    if (kernel_cache().load(record) != identity) kernel_cache().store(record, identity);
    return identity;
}

SINTER_INLINE std::string nvrtc_identity() {
    static const std::string& identity = *new std::string(make_nvrtc_identity());
    return identity;
}

SINTER_INLINE std::string cuda_target(int major, int minor) {
    const nvrtc_table& t = nvrtc();
    const int wanted = 10 * major + minor;
    int best = 0;
    for (int known : t.architectures)
        if (known <= wanted) best = known;
    if (best == 0)
        throw device_error(
            codegen::joined({"[cuda] NVRTC ", t.version, " does not support compute capability ", major, ".", minor}));
    return (best == wanted ? "sm_" : "compute_") + std::to_string(best);
}

SINTER_INLINE std::string number_lines(const std::string& source) {
    std::string out;
    std::size_t line = 1;
    for (std::size_t begin = 0; begin < source.size(); ++line) {
        std::size_t end = source.find('\n', begin);
        if (end == std::string::npos) end = source.size();
        const std::string number = std::to_string(line);
        out += codegen::joined({std::string(number.size() < 4 ? 4 - number.size() : 0, ' '), number, " | "});
        out += source.substr(begin, end - begin) + "\n";
        begin = end + 1;
    }
    return out;
}

SINTER_INLINE void check_nvrtc(nvrtcResult result, const char* what) {
    if (result != NVRTC_SUCCESS)
        throw device_error(codegen::joined({"[cuda] ", what, ": ", nvrtc().nvrtcGetErrorString(result)}));
}

SINTER_INLINE std::string take_nvrtc_log(const nvrtc_table& t, nvrtcProgram program) {
    std::size_t size = 0;
    if (t.nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS || size <= 1) return {};
    std::string log(size, '\0');
    t.nvrtcGetProgramLog(program, log.data());
    log.resize(size - 1);
    return log;
}

/// The image of a compiled program: PTX text with its final NUL, or a cubin.
SINTER_INLINE std::string take_nvrtc_image(const nvrtc_table& t, nvrtcProgram program, bool ptx) {
    std::size_t size = 0;
    check_nvrtc(ptx ? t.nvrtcGetPTXSize(program, &size) : t.nvrtcGetCUBINSize(program, &size), "size of the image");
    std::string image(size, '\0');
    check_nvrtc(ptx ? t.nvrtcGetPTX(program, image.data()) : t.nvrtcGetCUBIN(program, image.data()), "the image");
    return image;
}

// Leaves 32 MiB free below a small piece in use. What is free at the end of the heap malloc gives back to the system,
// so that NVRTC, which needs 10 MiB for a small kernel and frees them, would get its pages anew for each (2000 page
// faults, a sixth of the time).
SINTER_INLINE void* keep_free_memory() {
    constexpr std::size_t pieces = 320, piece = 100 << 10;  // as large as malloc takes from the heap
    codegen::sequence<void*> free_ones;
    for (std::size_t i = 0; i < pieces; ++i) free_ones.push_back(std::malloc(piece));
    void* kept = std::malloc(piece);
    for (void* p : free_ones) std::free(p);
    return kept;
}

/// A program while it is compiled.
struct nvrtc_program {
    const nvrtc_table& table;
    nvrtcProgram handle = nullptr;

    explicit nvrtc_program(const std::string& source) : table(nvrtc()) {
        check_nvrtc(table.nvrtcCreateProgram(&handle, source.c_str(), "kernel.cu", 0, nullptr, nullptr),
                    "nvrtcCreateProgram");
    }
    ~nvrtc_program() { table.nvrtcDestroyProgram(&handle); }
    nvrtc_program(const nvrtc_program&) = delete;
    nvrtc_program& operator=(const nvrtc_program&) = delete;

    void make_stoppable() const {
        const std::atomic<bool>* const stop = stop_of_thread();
        if (!stop || !table.set_flow_callback) return;
        const auto asked = [](void* stops, void*) -> int {
            return static_cast<const std::atomic<bool>*>(stops)->load(std::memory_order_relaxed);
        };
        table.set_flow_callback(handle, asked, const_cast<std::atomic<bool>*>(stop));
    }

    /// The image for a target; `whose` says in messages what was rejected. Empty, where that is allowed, when NVRTC
    /// does not know an option.
    std::string compile(const std::string& source, const std::string& target,
                        const codegen::sequence<std::string>& options, const std::string& whose,
                        bool may_lack_options = false) {
        const timed_event event("compile");
        make_stoppable();
        codegen::sequence<const char*> words;
        for (const std::string& o : options) words.push_back(o.c_str());
        const nvrtcResult result = table.nvrtcCompileProgram(handle, static_cast<int>(words.size()), words.data());
        if (may_lack_options && result == NVRTC_ERROR_INVALID_OPTION) return {};
        if (result != NVRTC_SUCCESS) {
            const std::string log = take_nvrtc_log(table, handle);
            throw compile_error(codegen::joined(
                {unknown_to_kernels(log), "[compile] NVRTC ", table.version, " rejected ", whose, " for ", target, " (",
                 table.nvrtcGetErrorString(result), ")\n", log, "\n", number_lines(source)}));
        }
        if (!stop_of_thread()) count_kernel_compiled();
        if (event) event.end("NVRTC");
        return take_nvrtc_image(table, handle, target[0] == 'c');
    }
};

// Of options that contradict each other the later one counts, which takes the place of the earlier one: NVRTC would
// warn.
SINTER_INLINE int rivals_of(std::string_view option) {
    if (option.starts_with("--gpu-architecture") || option.starts_with("-arch")) return 1;
    if (option.starts_with("--std") || option.starts_with("-std")) return 2;
    if (option.starts_with("--fmad") || option.starts_with("-fmad")) return 3;
    return 0;
}
SINTER_INLINE codegen::sequence<std::string> joined_options(codegen::sequence<std::string> own,
                                                            codegen::span<const std::string> given) {
    for (const std::string& o : given) {
        std::size_t at = 0;
        while (at < own.size() && (rivals_of(o) == 0 || rivals_of(o) != rivals_of(own[at]))) ++at;
        if (at == own.size()) own.push_back(o);
        else own[at] = o;
    }
    return own;
}

// What kernels are compiled with beside a source's own options.
SINTER_INLINE codegen::sequence<std::string> cuda_options(const nvrtc_table& t, const std::string& target,
                                                          codegen::span<const std::string> options) {
    codegen::sequence<std::string> own{"--gpu-architecture=" + target};
    bool fast = false;
    for (const std::string& o : options) fast = fast || o == "--use_fast_math" || o == "-use_fast_math";
    for (int i = 0; i < t.options; ++i)
        if (!fast || std::string_view(nvrtc_options[i]) != no_contraction) own.push_back(nvrtc_options[i]);
    return joined_options(std::move(own), options);
}

inline constexpr const char* whose_kernel = "a kernel; please report this unless the text is yours";

SINTER_INLINE std::string compile_cuda(const std::string& source, int major, int minor,
                                       codegen::span<const std::string> options) {
    static void* const kept [[maybe_unused]] = keep_free_memory();
    const std::string target = cuda_target(major, minor);
    nvrtc_program program(source);
    return program.compile(source, target, cuda_options(program.table, target, options), whose_kernel);
}

SINTER_INLINE std::string compile_cuda_quickly(const std::string& source, int major, int minor,
                                               codegen::span<const std::string> options) {
    static std::atomic<bool> has_option{true};
    if (!nvrtc().set_flow_callback || !has_option.load(std::memory_order_relaxed)) return {};
    const std::string target = cuda_target(major, minor);
    nvrtc_program program(source);
    codegen::sequence<std::string> words = cuda_options(program.table, target, options);
    words.push_back("--Ofast-compile=mid");
    if (source.find(codegen::quick_code) != std::string::npos) words.push_back(std::string("-D") + codegen::quick_code);
    std::string image = program.compile(source, target, words, whose_kernel, true);
    if (image.empty()) has_option.store(false, std::memory_order_relaxed);
    return image;
}

// CUDA's headers, where they stand beside NVRTC.
SINTER_INLINE std::string cuda_headers(const std::string& library) {
    std::string folder = library.substr(0, library.rfind('/'));
    struct stat info;
    for (const char* from : {"/../include", "/../../include", "/../../../include"})
        if (stat((folder + from + "/cuda_runtime.h").c_str(), &info) == 0) return folder + from;
    return {};
}

SINTER_INLINE std::string compile_users_cuda(const std::string& source, const std::string& kernel,
                                             codegen::span<const std::string> options, int major, int minor) {
    const std::string target = cuda_target(major, minor);
    nvrtc_program program(source);
    codegen::sequence<std::string> words{"--gpu-architecture=" + target, "--std=c++20"};
    if (program.table.options == nvrtc_option_count) words.push_back(nvrtc_options[nvrtc_option_count - 1]);
    if (std::string folder = cuda_headers(program.table.path); !folder.empty())
        words.push_back("--include-path=" + folder);
    check_nvrtc(program.table.nvrtcAddNameExpression(program.handle, kernel.c_str()), "nvrtcAddNameExpression");
    std::string image =
        program.compile(source, target, joined_options(std::move(words), options), "the text of " + kernel);
    const char* name = nullptr;
    if (program.table.nvrtcGetLoweredName(program.handle, kernel.c_str(), &name) != NVRTC_SUCCESS || !name)
        throw compile_error("[raw_kernel] the text has no kernel called " + kernel);
    return codegen::joined({name, "\n", image});
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

#else

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool nvrtc_available(std::string* why) {
    if (why) *why = "built without CUDA headers";
    return false;
}
SINTER_INLINE library_report nvrtc_report() { return {"NVRTC", "", "", "built without CUDA headers"}; }
SINTER_INLINE std::string nvrtc_identity() { return {}; }
SINTER_INLINE std::string cuda_target(int, int) { throw device_error("[cuda] built without CUDA headers"); }
SINTER_INLINE std::string compile_cuda(const std::string&, int, int, codegen::span<const std::string>) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE std::string compile_cuda_quickly(const std::string&, int, int, codegen::span<const std::string>) {
    return {};
}
SINTER_INLINE std::string compile_users_cuda(const std::string&, const std::string&, codegen::span<const std::string>,
                                             int, int) {
    throw device_error("[cuda] built without CUDA headers");
}

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

// Looks up shared libraries while the program runs and remembers where it looked; must not know what is in them.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <string>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// A shared library found at run time, or the list of places where it was not; it is never closed.
class shared_library {
public:
    /// Opens the first of `names` that loads from one of `directories`, then through the system's search.
    explicit shared_library(const codegen::sequence<std::string>& names,
                            const codegen::sequence<std::string>& directories = {});

    /// The library of a function that the program is linked with.
    static shared_library of_program(const char* function);

    explicit operator bool() const { return handle_ != nullptr; }

    /// Address of a symbol, or nullptr.
    void* symbol(const char* name) const;

    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }

    /// The file that was loaded; empty when none was.
    const std::string& path() const { return path_; }

    /// "libx.so.2 not found: looked in …", one line per place with the loader's reason; empty when one was loaded.
    std::string why() const;

private:
    shared_library() = default;
    bool try_open(const std::string& file, bool in_directory);

    void* handle_ = nullptr;
    std::string names_, path_, looked_;
};

/// Where CUDA's libraries may be: CUDA_HOME, CUDA_PATH, the build's SINTER_CUDA_LIBRARY_PATH, /usr/local/cuda.
codegen::sequence<std::string> cuda_library_directories();

/// Where one of CUDA's libraries, named as NVIDIA does, was looked for, and what to install.
std::string missing_cuda_library(const std::string& name, const shared_library& l);

/// Fills a table of a library's functions, until one is missing: then it says why, with what is needed or where the
/// library was looked for.
class function_finder {
public:
    function_finder(const shared_library& library, std::string& why, std::string needed, std::string missing)
        : library_(library), why_(why), needed_(std::move(needed)), missing_(std::move(missing)) {}

    template <class Function>
    void operator()(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(find(name));
    }

private:
    void* find(const char* name) const;

    const shared_library& library_;
    std::string& why_;
    std::string needed_, missing_;
};

/// A library's functions as `load` finds them, once; they stay as long as the process.
template <class Table, void (*load)(Table&)>
Table& loaded_once() {
    static Table* const table = [] {
        auto* fresh = new Table;
        load(*fresh);
        return fresh;
    }();
    return *table;
}
/// The same of a table that tells `why` it could not be filled; throws device_error then.
template <class Table, void (*load)(Table&)>
const Table& loaded_or_throw(const std::string& whose) {
    const Table& table = loaded_once<Table, load>();
    if (!table.why.empty()) throw device_error(whose + table.why);
    return table;
}

/// A library as show_config() tells of it.
struct library_report {
    std::string name;
    std::string version;  ///< empty: it does not tell, or was not found
    std::string path;     ///< empty: it was not found
    std::string why;      ///< where it was looked for then
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/library.ipp>
#endif

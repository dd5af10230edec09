// cuBLASMp or cuSOLVERMp as it was found: its functions by name, what they answer, and what they know matrices by; must
// not know which routines there are.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/distributed/cuda_matrix_types.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::distributed {

/// One of the two libraries: its functions, by name, and what their answers mean.
class cuda_matrix_library {
public:
    cuda_matrix_library(const char* name, const char* prefix, const runtime::shared_library& l)
        : name_(name), prefix_(prefix), library_(l) {}

    template <class F>
    F* function(const std::string& name) const {
        if (F* f = library_.function<F>((prefix_ + name).c_str())) return f;
        throw device_error(
            codegen::joined({"[", name_, "] ", library_.path(), " has no ", prefix_, name, ": a later one is needed"}));
    }
    void check(int status, const std::string& name) const {
        if (status == cuda_matrix_constants::success) return;
        std::string words = codegen::joined({"status ", status});
        if (auto* text = library_.function<const char*(int)>((prefix_ + "GetStatusString").c_str()))
            words += std::string(", ") + text(status);
        throw device_error(codegen::joined({"[", name_, "] ", prefix_, name, ": ", words}));
    }
    /// Gives an object back, also where that cannot succeed any more.
    void destroy(const char* name, void* object) const noexcept {
        auto* end = library_.function<int(void*)>((prefix_ + name).c_str());
        if (object && end) end(object);
    }

private:
    std::string name_, prefix_;
    const runtime::shared_library& library_;
};

/// What a library knows a matrix by, for the time of a call.
class matrix_descriptor {
public:
    matrix_descriptor(const cuda_matrix_library& l, const char* end, void* descriptor)
        : library_(l), end_(end), descriptor_(descriptor) {}
    matrix_descriptor(const matrix_descriptor&) = delete;
    matrix_descriptor& operator=(const matrix_descriptor&) = delete;
    ~matrix_descriptor() { library_.destroy(end_, descriptor_); }
    void* get() const { return descriptor_; }

private:
    const cuda_matrix_library& library_;
    const char* end_;
    void* descriptor_;
};

}  // namespace sinter::inline SINTER_ABI::distributed

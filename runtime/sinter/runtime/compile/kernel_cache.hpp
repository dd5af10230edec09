// Compiled kernels by structure: found in memory, in a pack, on disk, or emitted and compiled; must not know arrays.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/compile/code_backend.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// The compiled form of a kernel on a device. Throws compile_error, or device_error when the compiler is missing and
/// neither a pack nor the disk cache has the kernel.
const compiled_kernel& find_kernel(const codegen::kernel& k, device where);

/// A text that somebody is about to look for, and whether its quick code will do.
struct sought_text {
    codegen::kernel_source source;
    bool may_be_quick = false;
};

/// Those of several kernels: what has to be compiled is compiled at the same time, and so are texts that find_text is
/// asked for next. Throws what the first of the kernels throws that does, and of texts nothing; others that have been
/// compiled by then stay known.
codegen::sequence<const compiled_kernel*> find_kernels(codegen::span<const codegen::kernel> kernels, device where,
                                                       codegen::span<const sought_text> texts = {});

/// Makes several, and texts, for plans that find each of them later: those that have to be compiled are at the same
/// time. What one throws is thrown where it is found.
void make_kernels(codegen::span<const codegen::kernel> kernels, device where, codegen::span<const sought_text> texts);

/// The compiled form of a kernel when this process has it, or nullptr.
const compiled_kernel* kernel_in_memory(const codegen::kernel& k, device where);

/// How many kernels are loaded.
std::size_t loaded_kernels();
/// Unloads the kernels that no plan holds. runtime_lock() is held.
void unload_kernels();

/// Whether a pack holds the kernel's code for the device.
bool is_kernel_packed(const codegen::kernel& k, device where);

/// The compiled form of a text of kernels that are no codegen::kernel, found as kernels are; throws what find_kernel
/// throws. Its code is the full one, but in a text_scope.
const written_text& find_text(const codegen::kernel_source& source, device where);
/// That of a text when this process has it, or nullptr.
const written_text* text_in_memory(const codegen::kernel_source& source, device where);

/// While it lives, texts that this thread finds may be those of quick code: a plan that uses them finds these in
/// `quick`, each once, and counts its runs, see refine_used().
class text_scope {
public:
    explicit text_scope(codegen::sequence<const refinable_code*>& quick) : outer_(current()) { current() = &quick; }
    ~text_scope() { current() = outer_; }
    text_scope(const text_scope&) = delete;
    text_scope& operator=(const text_scope&) = delete;

    /// That of this thread, or null.
    static codegen::sequence<const refinable_code*>*& current();

private:
    codegen::sequence<const refinable_code*>* outer_;
};

/// A kernel of a text of CUDA C++ that users wrote, by its name as C++ spells it; see compile_users_cuda.
cuda_kernel find_users_kernel(const std::string& source, const std::string& kernel,
                              codegen::span<const std::string> options, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/kernel_cache.ipp>
#endif

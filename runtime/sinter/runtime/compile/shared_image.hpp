// Loads shared objects that exist as bytes in memory; must not know what is in them.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// Do these bytes begin as a shared object does?
inline bool is_shared_object(std::string_view bytes) { return bytes.starts_with("\177ELF"); }

/// Loads a shared object's bytes from a file without a name, or from a private one; the loader's handle or nullptr.
void* load_from_memory(std::string_view bytes);
void* load_from_folder(std::string_view bytes);

/// A loaded shared object; it stays loaded until somebody unloads it, whatever becomes of this handle.
class shared_image {
public:
    shared_image() = default;
    /// Loads the bytes of a shared object known to be whole; throws io_error when the loader refuses them.
    explicit shared_image(std::string_view bytes);

    void unload() noexcept;

    /// Address of a symbol; throws internal_error when the image lacks it.
    void* symbol(const char* name) const;

    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }

private:
    void* handle_ = nullptr;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/shared_image.ipp>
#endif

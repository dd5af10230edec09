// Packs: the compiled kernels of a run in one file, for machines without compilers; must not know how kernels are
// compiled.
#pragma once

#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/base/cache_entry.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI {

/// Lets this process take compiled kernels from a pack that `SINTER_RECORD=pack.bin` wrote, as SINTER_PACK=pack.bin
/// does. The bytes are verified before anything in them is used, and must stay where they are while the process lives:
/// linked in by `ld -r -b binary`, `.incbin` or `xxd -i`. They are as trustworthy as the program must be. Throws
/// io_error that says what is wrong and where. Call it before the first computation.
void use_pack(codegen::span<const std::byte> pack);

namespace runtime {

/// What machine code was made for, in one line: `cuda` and an architecture, or `host`, an architecture, a processor's
/// name and its instruction sets, separated by tabs.
using code_target = std::string;
code_target host_target();
code_target cuda_code_target(int major, int minor);

/// Whether a machine runs what was made for another: one that has all its instruction sets, or a GPU of the same major
/// and no older minor capability.
bool runs_code_of(const code_target& made_for, const code_target& machine);

/// What a compiled kernel is known by, whichever compiler made it.
struct code_key {
    code_target target;
    std::string options;  ///< of its compilation
    std::string_view text;
};

/// Verified entries over bytes that outlive it.
class kernel_pack {
public:
    using entry = cache_entry;
    /// Throws io_error that calls the pack by this name.
    kernel_pack(std::string name, std::string_view bytes);

    const std::string& name() const { return name_; }
    const codegen::sequence<code_target>& targets() const { return targets_; }
    const codegen::sequence<entry>& entries() const { return entries_; }
    /// The payload of a kernel that was made for one of the pack's targets, or null.
    const std::string_view* find(const code_key& key, const code_target& made_for) const;

private:
    std::string name_;
    codegen::sequence<code_target> targets_;
    codegen::sequence<entry> entries_;
    codegen::text_map numbers_;  ///< from a key's hash, into the entries
};

/// The bytes of a pack.
std::string make_pack(const codegen::sequence<code_target>& targets,
                      const codegen::sequence<kernel_pack::entry>& entries);

/// Whether SINTER_PACK or use_pack names a pack; throws io_error as long as it cannot be used.
bool has_packs();
/// Whether one of them holds code for any CUDA device.
bool packs_have_cuda();
/// A kernel's compiled form from the packs, made for a target that this one runs; or null.
const std::string_view* find_packed(const code_key& key);
/// What the packs hold instead of a kernel for this target, for messages: "the pack a.bin has kernels for sm_80 only".
std::string describe_packs(const code_target& target);

}  // namespace runtime
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/kernel_pack.ipp>
#endif

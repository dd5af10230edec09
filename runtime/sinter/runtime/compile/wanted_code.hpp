// Code that somebody waits for, and the order of places in which it is looked for: a pack, the disk cache, a compiler;
// must not know which kernels or texts it is of.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/compile/code_backend.hpp>
#include <sinter/runtime/compile/compile_pool.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>

#include <optional>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// A text whose code is wanted, where it is looked for and how it is loaded; `failure` keeps what was thrown.
class wanted_code : public compilation {
public:
    wanted_code(const code_backend& b, device d) : compilation{&b, nullptr, d, false, {}, {}} {}
    virtual ~wanted_code() = default;
    wanted_code(const wanted_code&) = delete;
    wanted_code& operator=(const wanted_code&) = delete;

    /// In a pack, else in the disk cache, which may have only what was compiled quickly; whether neither has it.
    bool is_to_compile() noexcept;
    /// From the compiler; the cache gets what could be loaded. A pack's kernels are those of whichever compiler made
    /// them.
    void take_compiled() noexcept;
    /// Whether nobody else makes it.
    virtual bool is_mine() const { return true; }
    /// Gives what has been loaded to all who wait for it, or lets them make it.
    virtual void settle() noexcept {}

protected:
    const std::string& disk_key() const { return disk_key_; }

private:
    virtual void load(const std::string& code) = 0;
    bool load_cached(const std::string& code);

    code_key key_;
    std::string disk_key_;
};

/// What was found neither in a pack nor on the disk, and the turn in which it is compiled: another rank's process may
/// have put it there before.
class compilations {
public:
    explicit compilations(const codegen::sequence<compilation*>& found);
    codegen::span<compilation* const> all() const { return {all_.data(), all_.size()}; }
    void take() noexcept;

private:
    codegen::sequence<compilation*> all_;
    std::optional<compiling_turn> turn_;
};

/// Gives a text its code or throws.
void find_code(wanted_code& w);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/wanted_code.ipp>
#endif

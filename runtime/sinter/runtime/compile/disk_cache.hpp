// Keeps compiled kernels on disk, safe against other processes, kill -9 and damage; must not know what a payload means.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <sinter/codegen/base/config.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// A private directory of checked entries; whatever goes wrong on disk is a miss, never an exception.
class disk_cache {
public:
    static constexpr std::int64_t default_limit = std::int64_t(1) << 30;

    /// Creates the directory (mode 0700); one that others own or may write to is refused with a warning. "" disables.
    explicit disk_cache(const std::string& directory, std::int64_t limit = default_limit);

    bool enabled() const { return !directory_.empty(); }
    const std::string& directory() const { return directory_; }

    /// The payload stored under `key`; a damaged entry is removed and counts as absent.
    std::optional<std::string> load(std::string_view key) const;
    void store(std::string_view key, std::string_view payload);
    void remove(std::string_view key);

    /// Removes temporary files that the cache has abandoned and, beyond the limit, the entries used least recently.
    void trim();

    /// A name for a new temporary file in the directory, which trim() knows.
    std::string temporary_path(std::string_view key) const;

    /// The file that holds the entry of `key`.
    std::string entry_path(std::string_view key) const;

private:
    std::string directory_;
    std::int64_t limit_;
    std::atomic<std::int64_t> stored_{0};
};

/// The process's cache: $SINTER_CACHE_DIR, else $XDG_CACHE_HOME/sinter, else ~/.cache/sinter, else disabled.
disk_cache& kernel_cache();

/// Whether processes of this machine compile one after the other, as ranks do, which run the same program: what several
/// want is then compiled by one of them, and the others load it.
std::atomic<bool>& compiles_in_turns();

/// Kernels that are waited for, and their full code, for which nobody waits but who has run them for long: turns of the
/// one are not those of the other.
enum class turn_of : std::uint8_t { wanted_code, full_code };

/// While it lives no other process with that cache compiles such code, where they take turns. Nobody waits longer than
/// a minute, or when it is to stop.
class compiling_turn {
public:
    explicit compiling_turn(turn_of which, const std::atomic<bool>* stops = nullptr);
    /// Whether others may have compiled since this one looked.
    bool is_taken() const { return static_cast<bool>(file_); }

private:
    file_descriptor file_;
};

/// Where that one is; "" with the reason in `why` when root has another user's HOME, in which what it makes would be
/// in that user's way.
std::string cache_directory(const environment& e, std::string& why);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/disk_cache.ipp>
#endif

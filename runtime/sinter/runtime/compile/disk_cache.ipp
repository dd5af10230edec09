// Bodies of disk_cache.hpp.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/sorted_order.hpp>
#include <sinter/runtime/base/cache_entry.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/sha256.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// Makes the folder and its parents; the answer is its absolute path, or "" with the reason in `why`.
SINTER_INLINE std::string open_cache_directory(const std::string& directory, std::string& why) {
    for (std::size_t slash = directory.find('/', 1); slash != directory.npos; slash = directory.find('/', slash + 1))
        mkdir(directory.substr(0, slash).c_str(), 0700);
    mkdir(directory.c_str(), 0700);
    struct stat s;
    if (stat(directory.c_str(), &s) != 0 || !S_ISDIR(s.st_mode)) {
        why = "it cannot be created";
        return "";
    }
    if (s.st_uid != geteuid()) why = "it belongs to another user";
    else if (s.st_mode & (S_IWGRP | S_IWOTH)) why = "others may write to it (chmod 700 would do)";
    if (!why.empty()) return "";
    char* absolute = realpath(directory.c_str(), nullptr);
    const std::string resolved = absolute ? absolute : "";
    std::free(absolute);
    if (resolved.empty()) why = "it cannot be resolved";
    return resolved;
}

SINTER_INLINE disk_cache::disk_cache(const std::string& directory, std::int64_t limit) : limit_(limit) {
    if (directory.empty()) return;
    std::string why;
    directory_ = open_cache_directory(directory, why);
    if (directory_.empty())
        std::fprintf(stderr, "sinter: compiled kernels are not kept on disk: %s: %s\n", directory.c_str(), why.c_str());
}

SINTER_INLINE std::string disk_cache::entry_path(std::string_view key) const {
    return codegen::joined({directory_, "/", sha256(key), ".kernel"});
}

// Whether the file begins as an entry of its size does: nothing is read whole, or given memory, that cannot be one.
SINTER_INLINE bool has_plausible_size(int fd, std::int64_t size, std::int64_t most) {
    std::string begin;
    if (size < std::int64_t(sizeof(cache_header)) || size - std::int64_t(sizeof(cache_header)) > most) return false;
    if (!read_all(fd, begin, sizeof(cache_header))) return false;
    cache_header header;
    std::memcpy(&header, begin.data(), sizeof header);
    return header.payload_size == std::uint64_t(size) - sizeof(cache_header);
}

// Reads and checks one entry; what does not fit in every byte is removed.
SINTER_INLINE std::optional<std::string> load_cache_entry(const std::string& path, std::string_view key_hash,
                                                          std::int64_t most) {
    const file_descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat s;
    if (!file || fstat(file.get(), &s) != 0) return std::nullopt;
    std::string text;
    if (S_ISREG(s.st_mode) && s.st_uid == geteuid() && has_plausible_size(file.get(), s.st_size, most) &&
        read_all(file.get(), text, std::size_t(s.st_size))) {
        const std::optional<cache_entry> entry = read_cache_entry(text);
        if (entry && entry->key_hash == key_hash && entry->payload.size() == text.size() - sizeof(cache_header)) {
            // The time of last use orders removal; an hour's precision spares a write per hit.
            if (s.st_mtime + 3600 < std::time(nullptr)) futimens(file.get(), nullptr);
            text.erase(0, sizeof(cache_header));
            return text;
        }
    }
    unlink(path.c_str());
    return std::nullopt;
}

SINTER_INLINE std::optional<std::string> disk_cache::load(std::string_view key) const {
    if (!enabled()) return std::nullopt;
    const std::string hash = sha256(key);
    return load_cache_entry(directory_ + "/" + hash + ".kernel", hash, limit_ / 4);
}

SINTER_INLINE std::string disk_cache::temporary_path(std::string_view key) const {
    static std::atomic<unsigned> serial{0};
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return codegen::joined(
        {directory_, "/", sha256(key).substr(0, 16), ".", getpid(), ".", now.tv_nsec, ".", serial++, ".tmp"});
}

// Takes a number of this many characters, or of any many when 0, from the beginning of a name.
SINTER_INLINE bool take_number(std::string_view& name, std::string_view digits, std::size_t count) {
    const std::size_t end = std::min(name.find_first_not_of(digits), name.size());
    if (end == 0 || (count && end != count)) return false;
    name.remove_prefix(end);
    return true;
}

// Whether the name is one that entries have, or temporary_path gives: others' files may be in the folder as well.
SINTER_INLINE bool is_entry_name(std::string_view name) {
    return take_number(name, "0123456789abcdef", 64) && name == ".kernel";
}
SINTER_INLINE bool is_temporary_name(std::string_view name) {
    if (!take_number(name, "0123456789abcdef", 16)) return false;
    for (int part = 0; part < 3; ++part) {
        if (!name.starts_with('.')) return false;
        name.remove_prefix(1);
        if (!take_number(name, "0123456789", 0)) return false;
    }
    return name == ".tmp";
}

SINTER_INLINE void disk_cache::store(std::string_view key, std::string_view payload) {
    if (!enabled() || std::int64_t(payload.size()) > limit_ / 4) return;
    const std::string hash = sha256(key);
    const cache_header header = make_cache_header(hash, payload);
    const std::string temporary = temporary_path(key);
    file_descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) return;
    const bool written =
        write_all(file.get(), bytes_of_header(header)) && write_all(file.get(), payload) && file.close();
    // No fsync: after a power cut the checksum turns a torn entry into a miss.
    if (!written || rename(temporary.c_str(), (directory_ + "/" + hash + ".kernel").c_str()) != 0) {
        unlink(temporary.c_str());
        return;
    }
    const std::int64_t size = std::int64_t(payload.size() + sizeof header), share = std::max(limit_ / 16, size);
    const std::int64_t before = stored_.fetch_add(size, std::memory_order_relaxed);
    // Short programs store little each, so one in 64 of all stores, chosen by the hash, looks at the folder as well.
    if (before / share != (before + size) / share || (hash[0] == '0' && hash[1] < '4')) trim();
}

SINTER_INLINE std::atomic<bool>& compiles_in_turns() {
    static std::atomic<bool> in_turns = false;
    return in_turns;
}

// The lock goes with the descriptor, also where a rank is killed.
SINTER_INLINE compiling_turn::compiling_turn(turn_of which, const std::atomic<bool>* stops) {
    if (!compiles_in_turns() || !kernel_cache().enabled()) return;
    const std::string path =
        kernel_cache().directory() + (which == turn_of::full_code ? "/ranks.full.lock" : "/ranks.lock");
    file_ = file_descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    for (int tries = 0; file_ && flock(file_.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
        const bool ends = tries == 30000 || (stops && *stops);
        if ((errno != EWOULDBLOCK && errno != EINTR) || ends) file_ = file_descriptor();
        else usleep(2000);
    }
}

SINTER_INLINE void disk_cache::remove(std::string_view key) {
    if (enabled()) unlink(entry_path(key).c_str());
}

struct cache_file {
    std::string path;
    std::int64_t size, seconds, nanoseconds;
};

SINTER_INLINE void disk_cache::trim() {
    DIR* folder = enabled() ? opendir(directory_.c_str()) : nullptr;
    if (!folder) return;
    codegen::sequence<cache_file> files;
    std::int64_t total = 0;
    const std::time_t now = std::time(nullptr);
    while (const dirent* d = readdir(folder)) {
        const std::string_view name = d->d_name;
        const bool temporary = is_temporary_name(name);
        struct stat s;
        if (!temporary && !is_entry_name(name)) continue;
        if (fstatat(dirfd(folder), d->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (temporary && s.st_mtime + 600 < now) {
            unlinkat(dirfd(folder), d->d_name, 0);
            continue;
        }
        total += s.st_size;
        if (!temporary) files.push_back({directory_ + "/" + d->d_name, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec});
    }
    closedir(folder);
    if (total <= limit_) return;
    const auto is_older = [&](std::size_t i, std::size_t j) {
        const cache_file &a = files[i], &b = files[j];
        return a.seconds != b.seconds ? a.seconds < b.seconds : a.nanoseconds < b.nanoseconds;
    };
    // A quarter of slack keeps the next stores from trimming again at once.
    for (std::int64_t i : codegen::sorted_order(files.size(), is_older)) {
        const cache_file& f = files[static_cast<std::size_t>(i)];
        if (total <= limit_ - limit_ / 4) break;
        unlink(f.path.c_str());
        total -= f.size;
    }
}

SINTER_INLINE disk_cache& kernel_cache() {
    static disk_cache& cache = *new disk_cache([] {
        std::string why;
        std::string directory = cache_directory(env(), why);
        if (!why.empty()) std::fprintf(stderr, "sinter: compiled kernels are not kept on disk: %s\n", why.c_str());
        return directory;
    }());
    return cache;
}

SINTER_INLINE std::string cache_directory(const environment& e, std::string& why) {
    if (!e.cache_dir.empty()) return e.cache_dir;
    std::string directory;
    if (!e.xdg_cache_home.empty() && e.xdg_cache_home[0] == '/') directory = e.xdg_cache_home + "/sinter";
    else if (!e.home.empty()) directory = e.home + "/.cache/sinter";
    struct stat s;
    if (geteuid() != 0 || e.home.empty() || !directory.starts_with(e.home + "/")) return directory;
    if (stat(e.home.c_str(), &s) != 0 || s.st_uid == 0 || stat(directory.c_str(), &s) == 0) return directory;
    why = "root makes no " + directory + ": " + e.home + " belongs to another user";
    return "";
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

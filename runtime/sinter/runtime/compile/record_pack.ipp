// Bodies of record_pack.hpp.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/record_pack.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

std::string hash_of(const code_key& key, const code_target& made_for);

/// What this process has used so far.
struct pack_record {
    struct kernel {
        std::string key_hash;
        std::string payload;
    };
    std::mutex guard;
    std::string path;  ///< absolute, from the first kernel on
    codegen::sequence<code_target> targets;
    codegen::sequence<kernel> kernels;
    codegen::text_map numbers;  ///< from a key's hash, into the kernels
};

SINTER_INLINE pack_record& recorded_kernels() {
    static pack_record& r = *new pack_record;
    return r;
}

[[noreturn]] SINTER_INLINE void throw_no_record(const std::string& path, const char* what) {
    throw io_error(
        codegen::joined({"[pack] ", path, " (from SINTER_RECORD) cannot be ", what, ": ", std::strerror(errno)}));
}

// The file under a lock that goes with the descriptor. Who has waited for it may hold a file that was replaced
// meanwhile.
SINTER_INLINE file_descriptor lock_record(const std::string& path) {
    for (;;) {
        file_descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
        if (!file) throw_no_record(path, "written");
        while (flock(file.get(), LOCK_EX) != 0)
            if (errno != EINTR) throw_no_record(path, "locked");
        struct stat held, named;
        if (fstat(file.get(), &held) == 0 && stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
            held.st_dev == named.st_dev)
            return file;
    }
}

// What is there already; nothing in a file that has just been made.
SINTER_INLINE std::string read_record(const std::string& path) {
    std::string bytes;
    if (!read_file(path.c_str(), bytes)) throw_no_record(path, "read");
    return bytes;
}

// Before anything is computed, so that a name which cannot be a pack's is not noticed at the end of a long run.
SINTER_INLINE void begin_record(pack_record& r) {
    const std::string& path = env().record;
    const file_descriptor file = lock_record(path);
    if (const std::string bytes = read_record(path); !bytes.empty()) kernel_pack(path, bytes);
    char* absolute = realpath(path.c_str(), nullptr);
    if (!absolute) throw_no_record(path, "found");
    r.path = absolute;
    std::free(absolute);
    std::atexit([] {
        try {
            write_recorded_kernels();
        } catch (const std::exception& e) {
            std::fprintf(stderr, "sinter: the kernels of this run are not recorded: %s\n", e.what());
        }
    });
}

SINTER_INLINE void add_target(codegen::sequence<code_target>& targets, const code_target& t) {
    for (const code_target& known : targets)
        if (known == t) return;
    targets.push_back(t);
}

SINTER_INLINE void record_kernel(const code_key& key, std::string_view image) {
    if (env().record.empty()) return;
    pack_record& r = recorded_kernels();
    std::lock_guard lock(r.guard);
    if (r.path.empty()) begin_record(r);
    std::string hash = hash_of(key, key.target);
    if (r.numbers.find(hash) != codegen::number_map::none) return;
    add_target(r.targets, key.target);
    r.numbers.add(hash, static_cast<std::uint32_t>(r.kernels.size()));
    r.kernels.push_back({std::move(hash), std::string(image)});
}

// Replaces the file as a whole: whoever reads it meanwhile, or whoever is killed here, leaves a whole pack.
SINTER_INLINE void replace_record(const std::string& path, int mode_of, std::string_view bytes) {
    const std::string temporary = codegen::joined({path, ".", getpid(), ".tmp"});
    struct stat s;
    const mode_t mode = fstat(mode_of, &s) == 0 ? s.st_mode & 0777 : 0644;
    file_descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode));
    if (file && write_all(file.get(), bytes) && file.close() && rename(temporary.c_str(), path.c_str()) == 0) return;
    const int reason = errno;
    unlink(temporary.c_str());
    errno = reason;
    throw_no_record(path, "written");
}

SINTER_INLINE void write_recorded_kernels() {
    pack_record& r = recorded_kernels();
    std::lock_guard lock(r.guard);
    if (r.path.empty()) return;
    const file_descriptor file = lock_record(r.path);
    const std::string before = read_record(r.path);
    codegen::sequence<code_target> targets;
    codegen::sequence<kernel_pack::entry> entries;
    codegen::text_map known;
    auto add = [&](const kernel_pack::entry& e) {
        std::string hash(e.key_hash);
        if (known.find(hash) != codegen::number_map::none) return;
        known.add(hash, 0);
        entries.push_back(e);
    };
    if (!before.empty()) {
        const kernel_pack there(r.path, before);
        for (const code_target& t : there.targets()) add_target(targets, t);
        for (const kernel_pack::entry& e : there.entries()) add(e);
    }
    const std::size_t old = entries.size();
    for (const code_target& t : r.targets) add_target(targets, t);
    for (const pack_record::kernel& k : r.kernels) add({k.key_hash, k.payload});
    if (entries.size() > old || before.empty()) replace_record(r.path, file.get(), make_pack(targets, entries));
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

// Bodies of kernel_pack.hpp: a pack is a header, the targets' lines, and entries as the disk cache has them.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/runtime/base/cache_entry.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/base/sha256.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI {

namespace runtime {

struct pack_header {
    char magic[8];
    char version[8];
    std::uint64_t byte_order;
    std::uint64_t target_bytes, entries, bytes;  ///< of the targets' lines; their number; of all of the pack
    std::uint64_t checksum;  ///< of this header before it, of the targets and of the entries' headers
};

SINTER_INLINE pack_header make_pack_header() {
    pack_header h{};
    std::memcpy(h.magic, "sintpack", 8);
    std::strncpy(h.version, SINTER_VERSION, sizeof h.version - 1);
    h.byte_order = 0x0102030405060708u;
    return h;
}

SINTER_INLINE std::string checked_part(const pack_header& h, std::string_view targets) {
    std::string text(bytes_of_header(h).substr(0, offsetof(pack_header, checksum)));
    return text.append(targets);
}

SINTER_INLINE std::string make_pack(const codegen::sequence<code_target>& targets,
                                    const codegen::sequence<kernel_pack::entry>& entries) {
    std::string lines, body, headers;
    for (const code_target& t : targets) lines += t + "\n";
    for (const kernel_pack::entry& e : entries) {
        const cache_header h = make_cache_header(e.key_hash, e.payload);
        headers += bytes_of_header(h);
        body.append(bytes_of_header(h)).append(e.payload);
    }
    pack_header h = make_pack_header();
    h.target_bytes = lines.size();
    h.entries = entries.size();
    h.bytes = sizeof h + lines.size() + body.size();
    h.checksum = cache_checksum(checked_part(h, lines) + headers);
    return std::string(bytes_of_header(h)) + lines + body;
}

// The header of bytes that are a whole pack of this version, judging by it.
SINTER_INLINE pack_header read_pack_header(const std::string& name, std::string_view bytes) {
    auto refuse = [&](const std::string& why) { throw io_error(codegen::joined({"[pack] ", name, " ", why})); };
    const pack_header expected = make_pack_header();
    pack_header h{};
    if (bytes.empty()) refuse("is empty: no run has recorded kernels there");
    std::memcpy(&h, bytes.data(), std::min(bytes.size(), sizeof h));
    if (std::memcmp(h.magic, expected.magic, sizeof h.magic) != 0)
        refuse("is no pack of kernels: it does not begin with \"sintpack\"");
    if (bytes.size() < sizeof h)
        refuse("is truncated: " + std::to_string(bytes.size()) + " bytes are less than its header");
    if (std::memcmp(h.version, expected.version, sizeof h.version) != 0)
        refuse("was recorded by sinter " + std::string(h.version, strnlen(h.version, sizeof h.version)) +
               ", this is " SINTER_VERSION ": record it again");
    if (h.byte_order != expected.byte_order) refuse("was recorded on a machine of another byte order");
    if (h.bytes != bytes.size())
        refuse(h.bytes > bytes.size()
                   ? "is truncated: " + std::to_string(bytes.size()) + " of " + std::to_string(h.bytes) + " bytes"
                   : "has " + std::to_string(bytes.size() - h.bytes) + " bytes after its end");
    if (h.target_bytes > bytes.size() - sizeof h) refuse("is damaged: the targets of its header are longer than it is");
    return h;
}

SINTER_INLINE kernel_pack::kernel_pack(std::string name, std::string_view bytes) : name_(std::move(name)) {
    const pack_header h = read_pack_header(name_, bytes);
    const std::string_view lines = bytes.substr(sizeof h, h.target_bytes);
    std::string checked = checked_part(h, lines);
    std::size_t at = sizeof h + lines.size();
    for (std::uint64_t n = 0; n < h.entries; ++n) {
        const std::optional<entry> e = read_cache_entry(bytes.substr(at));
        if (!e)
            throw io_error(codegen::joined({"[pack] ", name_, " is damaged: kernel ", n + 1, " of ", h.entries,
                                            ", at byte ", at, ", does not have its checksum"}));
        checked += bytes.substr(at, sizeof(cache_header));
        entries_.push_back(*e);
        at += sizeof(cache_header) + e->payload.size();
    }
    if (at != bytes.size() || cache_checksum(checked) != h.checksum)
        throw io_error(codegen::joined({"[pack] ", name_, " is damaged: its header, its targets (from byte ", sizeof h,
                                        ") and the keys of its ", h.entries, " kernels do not have their checksum"}));
    for (std::string_view left = lines; !left.empty();) targets_.push_back(std::string(codegen::take_line(left)));
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (std::string hash(entries_[i].key_hash); numbers_.find(hash) == codegen::number_map::none)
            numbers_.add(hash, static_cast<std::uint32_t>(i));
}

SINTER_INLINE std::string hash_of(const code_key& key, const code_target& made_for) {
    return sha256("pack\n" + made_for + "\n" + std::string(key.options) + "\n" + std::string(key.text));
}

SINTER_INLINE const std::string_view* kernel_pack::find(const code_key& key, const code_target& made_for) const {
    const std::uint32_t found = numbers_.find(hash_of(key, made_for));
    return found == codegen::number_map::none ? nullptr : &entries_[found].payload;
}

SINTER_INLINE code_target host_target() {
#if defined(__x86_64__)
    const char* architecture = "x86_64";
#elif defined(__aarch64__)
    const char* architecture = "aarch64";
#else
    const char* architecture = "other";
#endif
    return codegen::joined({"host\t", architecture, "\t", host_processor_field("model name"), "\t",
                            host_processor_field("flags"), host_processor_field("Features")});
}

SINTER_INLINE code_target cuda_code_target(int major, int minor) {
    return codegen::joined({"cuda\tsm_", major, minor});
}

// The words of a target, from word `first` on, by tabs.
SINTER_INLINE std::string_view target_field(const code_target& t, int number) {
    std::string_view rest = t;
    for (; number > 0; --number)
        rest = rest.substr(std::min(rest.size(), rest.find('\t')) + (rest.find('\t') != rest.npos));
    return rest.substr(0, rest.find('\t'));
}

SINTER_INLINE bool has_all_words(const std::string& all, std::string_view words) {
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(words.size(), word.size() + 1));
        if (!word.empty() && (" " + all + " ").find(" " + std::string(word) + " ") == std::string::npos) return false;
    }
    return true;
}

SINTER_INLINE bool runs_code_of(const code_target& made_for, const code_target& machine) {
    if (made_for == machine) return true;
    const std::string_view a = target_field(made_for, 1), b = target_field(machine, 1);
    if (target_field(made_for, 0) != target_field(machine, 0)) return false;
    // sm_ and digits, of which the last is the minor capability.
    if (target_field(made_for, 0) == "cuda")
        return a.size() == b.size() && a.substr(0, a.size() - 1) == b.substr(0, b.size() - 1) && a.back() <= b.back();
    return a == b && has_all_words(std::string(target_field(machine, 3)), target_field(made_for, 3));
}

SINTER_INLINE std::string target_name(const code_target& t) {
    const std::string_view processor = target_field(t, 2);
    return std::string(target_field(t, 1)) + (processor.empty() ? "" : " (" + std::string(processor) + ")");
}

struct pack_table {
    std::mutex guard;
    codegen::sequence<const kernel_pack*> packs;
    std::atomic<bool> read{false};  ///< what SINTER_PACK names, if anything
    std::atomic<bool> any{false};
};

SINTER_INLINE pack_table& packs_in_use() {
    static pack_table& t = *new pack_table;
    return t;
}

SINTER_INLINE void add_pack(pack_table& t, const kernel_pack* p) {
    t.packs.push_back(p);
    t.any.store(true, std::memory_order_release);
}

// Whoever asks reads it again as long as it cannot be used, so that nothing runs as if it had not been named.
SINTER_INLINE void read_named_pack(pack_table& t) {
    std::lock_guard lock(t.guard);
    const std::string& path = env().pack;
    if (!t.read && !path.empty()) {
        auto bytes = codegen::owner(new std::string());
        if (!read_file(path.c_str(), *bytes))
            throw io_error(
                codegen::joined({"[pack] ", path, " (from SINTER_PACK) cannot be read: ", std::strerror(errno)}));
        add_pack(t, new kernel_pack(path, *bytes));
        static_cast<void>(bytes.release());
    }
    t.read.store(true, std::memory_order_release);
}

SINTER_INLINE bool has_packs() {
    pack_table& t = packs_in_use();
    if (!t.read.load(std::memory_order_acquire)) read_named_pack(t);
    return t.any.load(std::memory_order_acquire);
}

SINTER_INLINE bool packs_have_cuda() {
    if (!has_packs()) return false;
    pack_table& t = packs_in_use();
    std::lock_guard lock(t.guard);
    for (const kernel_pack* p : t.packs)
        for (const code_target& made_for : p->targets())
            if (target_field(made_for, 0) == "cuda") return true;
    return false;
}

SINTER_INLINE const std::string_view* find_packed(const code_key& key) {
    if (!has_packs()) return nullptr;
    pack_table& t = packs_in_use();
    std::lock_guard lock(t.guard);
    for (const kernel_pack* p : t.packs)
        for (const code_target& made_for : p->targets())
            if (runs_code_of(made_for, key.target))
                if (const std::string_view* found = p->find(key, made_for)) return found;
    return nullptr;
}

SINTER_INLINE std::string describe_packs(const code_target& target) {
    if (!has_packs()) return "";
    pack_table& t = packs_in_use();
    std::lock_guard lock(t.guard);
    std::string text;
    for (const kernel_pack* p : t.packs) {
        bool fits = false;
        std::string names;
        for (const code_target& made_for : p->targets()) {
            fits = fits || runs_code_of(made_for, target);
            names += (names.empty() ? "" : ", ") + target_name(made_for);
        }
        text += (text.empty() ? "the pack " : "; the pack ") + p->name() +
                (fits ? " has " + std::to_string(p->entries().size()) +
                            " kernels, and not this one: record it again with SINTER_RECORD"
                      : " has kernels for " + names + " only, and this is " + target_name(target));
    }
    return text;
}

}  // namespace runtime

SINTER_INLINE void use_pack(codegen::span<const std::byte> pack) {
    const auto* fresh =
        new runtime::kernel_pack("linked in", {reinterpret_cast<const char*>(pack.data()), pack.size()});
    runtime::pack_table& t = runtime::packs_in_use();
    std::lock_guard lock(t.guard);
    runtime::add_pack(t, fresh);
}

}  // namespace sinter::inline SINTER_ABI

SINTER_COLD_END

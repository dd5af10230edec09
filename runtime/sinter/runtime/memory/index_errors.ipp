// Bodies of index_errors.hpp.
#pragma once

#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// The pinned words of a device. Words that were given back are used again after a wait, since launches may still write
/// them.
struct error_store {
    static constexpr std::uint32_t words_per_block = 16, blocks_per_chunk = 1024;

    struct span {
        std::uint32_t first, blocks;
    };
    std::mutex guard;
    codegen::sequence<std::int64_t*> host;     ///< by chunk
    codegen::sequence<std::uint64_t> devices;  ///< the same as the device sees it
    codegen::sequence<span> idle, resting;
    std::uint32_t resting_blocks = 0;

    std::int64_t* words(std::uint32_t block) const {
        return host[block / blocks_per_chunk] + block % blocks_per_chunk * words_per_block;
    }
};

SINTER_INLINE error_store& errors_of(device where) {
    static auto& stores = *new codegen::sequence<error_store*>;
    static std::mutex& guard = *new std::mutex;
    std::lock_guard lock(guard);
    const auto index = static_cast<std::size_t>(where.index());
    while (stores.size() <= index) stores.push_back(new error_store);
    return *stores[index];
}

SINTER_INLINE void add_error_chunk(error_store& s, device where) {
#if SINTER_HAS_CUDA
    use_device(where.index());
    constexpr std::size_t bytes = 8 * error_store::words_per_block * error_store::blocks_per_chunk;
    void* block = nullptr;
    CUdeviceptr seen = 0;
    check(driver().cuMemHostAlloc(&block, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE),
          "cuMemHostAlloc");
    check(driver().cuMemHostGetDevicePointer(&seen, block, 0), "cuMemHostGetDevicePointer");
    s.host.push_back(static_cast<std::int64_t*>(block));
    s.devices.push_back(seen);
    s.idle.push_back(
        {static_cast<std::uint32_t>(s.host.size() - 1) * error_store::blocks_per_chunk, error_store::blocks_per_chunk});
#else
    throw device_error(codegen::joined({"[cuda] built without CUDA headers: ", to_string(where), s.host.size()}));
#endif
}

// A span of idle blocks, cut off one that is large enough.
SINTER_INLINE bool take_span(error_store& s, std::uint32_t blocks, std::uint32_t& first) {
    for (std::size_t i = s.idle.size(); i-- > 0;) {
        error_store::span& x = s.idle[i];
        if (x.blocks < blocks) continue;
        first = x.first;
        x.first += blocks;
        x.blocks -= blocks;
        if (x.blocks == 0) {
            x = s.idle.back();
            s.idle.pop_back();
        }
        return true;
    }
    return false;
}

SINTER_INLINE error_words::error_words(device where, std::size_t indices)
    : where_(where),
      blocks_(
          static_cast<std::uint32_t>((2 * indices + error_store::words_per_block - 1) / error_store::words_per_block)) {
    error_store& s = errors_of(where);
    std::lock_guard lock(s.guard);
    while (!take_span(s, blocks_, first_)) {
        if (s.resting_blocks < error_store::blocks_per_chunk / 2) {
            add_error_chunk(s, where);
            continue;
        }
        host_synchronize(where);
        for (const error_store::span& x : s.resting) s.idle.push_back(x);
        s.resting.clear();
        s.resting_blocks = 0;
    }
    for (std::uint32_t i = 0; i < blocks_ * error_store::words_per_block; ++i) s.words(first_)[i] = 0;
}

SINTER_INLINE error_words::~error_words() {
    error_store& s = errors_of(where_);
    std::lock_guard lock(s.guard);
    s.resting.push_back({first_, blocks_});
    s.resting_blocks += blocks_;
}

SINTER_INLINE void* error_words::address() const {
    error_store& s = errors_of(where_);
    std::lock_guard lock(s.guard);
    std::uint64_t chunk = s.devices[first_ / error_store::blocks_per_chunk];
    return reinterpret_cast<void*>(chunk + first_ % error_store::blocks_per_chunk * error_store::words_per_block * 8);
}

SINTER_INLINE bool error_words::is_set(std::uint32_t i) const {
    error_store& s = errors_of(where_);
    std::lock_guard lock(s.guard);
    return static_cast<volatile std::int64_t*>(s.words(first_))[2 * i] != 0;
}

SINTER_INLINE std::int64_t error_words::index(std::uint32_t i) const {
    error_store& s = errors_of(where_);
    std::lock_guard lock(s.guard);
    return static_cast<volatile std::int64_t*>(s.words(first_))[2 * i + 1];
}

SINTER_INLINE void index_checks::add(const index_checks& more) {
    for (const index_check& c : more.all) {
        bool known = false;
        for (const index_check& o : all) known = known || (o.words == c.words && o.number == c.number);
        if (!known) all.push_back(c);
    }
}

SINTER_INLINE std::string index_error_text(std::string_view operation, std::int64_t index, int axis,
                                           std::int64_t extent) {
    return codegen::joined(
        {"[", operation, "] index ", index, " is out of bounds for axis ", axis, " with size ", extent});
}

SINTER_INLINE void depend_on(buffer& memory, device where, index_checks&& checks) {
    constexpr std::size_t most = 64;
    if (checks.all.size() > most) {
        host_synchronize(where);
        index_checks failed;
        for (const index_check& c : checks.all)
            if (c.words->is_set(c.number)) failed.all.push_back(c);
        checks = std::move(failed);
    }
    memory.unchecked = checks.all.empty() ? nullptr : std::make_shared<const index_checks>(std::move(checks));
}

SINTER_INLINE std::string_view index_check::function() const {
    return axis == in_matrix ? codegen::to_string(call.why) : operation;
}

SINTER_INLINE std::exception_ptr index_check::error() const {
    const std::int64_t word = words->index(number);
    const std::string where = recorded_text(places);
    if (axis == in_matrix) return codegen::make_kept(linalg_error(codegen::failure_text(call, shape, word) + where));
    if (axis != in_position)
        return codegen::make_kept(index_error(index_error_text(operation, word, axis, extent) + where));
    codegen::bad_index bad(word);
    return codegen::make_kept(index_error(index_error_text(operation, bad.index, bad.axis, shape[bad.axis]) + where));
}

SINTER_INLINE std::exception_ptr index_error_of(buffer& memory) {
    if (!memory.unchecked) return nullptr;
    for (const index_check& c : memory.unchecked->all)
        if (c.words->is_set(c.number)) return c.error();
    memory.unchecked.reset();
    return nullptr;
}

}  // namespace sinter::inline SINTER_ABI::runtime

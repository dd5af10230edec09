// Memory of one emulated device: addresses that the host cannot read, and the same bytes elsewhere for kernels and
// copies.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

#include "idle.hpp"

namespace cuda_emulation {

/// Addresses are never used twice; every allocation ends at a page that may not be touched, and so does a freed one.
class device_memory {
public:
    explicit device_memory(std::size_t limit) : limit_(limit) {
        face_ = reserve();
        bytes_ = reserve();
        next_ = page;
    }

    /// The device's address, or 0 when the limit would be exceeded.
    std::uintptr_t allocate(std::size_t size) {
        const std::size_t whole = (size + page - 1) / page * page;
        if (size > limit_ || used_ + size > limit_ || next_ + whole + page > arena) return 0;
        const std::size_t at = next_ + (whole - (size + 255) / 256 * 256);
        mprotect(bytes_ + next_, whole, PROT_READ | PROT_WRITE);
        next_ += whole + page;
        used_ += size;
        live_[at] = size;
        // What nobody has written yet is no zero, where somebody ought to.
        const int unwritten = is_idle() ? 0 : 0xA5;
        std::memset(bytes_ + at, unwritten, std::min(size, poisoned));
        if (size > poisoned) std::memset(bytes_ + at + size - poisoned, unwritten, poisoned);
        return reinterpret_cast<std::uintptr_t>(face_ + at);
    }

    bool free(std::uintptr_t address) {
        const auto found = live_.find(address - base());
        if (found == live_.end()) return false;
        char* begin = bytes_ + found->first / page * page;
        const std::size_t whole =
            static_cast<std::size_t>(bytes_ + found->first + found->second - begin + page - 1) / page * page;
        madvise(begin, whole, MADV_DONTNEED);
        mprotect(begin, whole, PROT_NONE);
        used_ -= found->second;
        live_.erase(found);
        return true;
    }

    /// Whether an address is one of this device's.
    bool owns(std::uintptr_t address) const { return address - base() < arena; }
    /// Whether [address, address + size) lies in one live allocation.
    bool holds(std::uintptr_t address, std::size_t size) const {
        auto next = live_.upper_bound(address - base());
        if (!owns(address) || next == live_.begin()) return false;
        --next;
        return address - base() + size <= next->first + next->second;
    }
    /// Where the live allocation of an address begins, or 0.
    std::uintptr_t start_of(std::uintptr_t address) const {
        auto next = live_.upper_bound(address - base());
        return !owns(address) || next == live_.begin() ? 0 : base() + std::prev(next)->first;
    }
    /// Where the bytes of an address are.
    char* bytes(std::uintptr_t address) const { return bytes_ + (address - base()); }
    /// The device's address of a byte.
    std::uintptr_t face(const void* byte) const {
        return base() + static_cast<std::size_t>(static_cast<const char*>(byte) - bytes_);
    }

    std::size_t used() const { return used_; }
    std::size_t limit() const { return limit_; }

private:
    static constexpr std::size_t page = 4096, poisoned = std::size_t(4) << 20, arena = std::size_t(1) << 41;

    static char* reserve() {
        void* p = mmap(nullptr, arena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return p == MAP_FAILED ? nullptr : static_cast<char*>(p);
    }
    std::uintptr_t base() const { return reinterpret_cast<std::uintptr_t>(face_); }

    char *face_, *bytes_;
    std::size_t limit_, used_ = 0, next_;
    std::map<std::size_t, std::size_t> live_;
};

}  // namespace cuda_emulation

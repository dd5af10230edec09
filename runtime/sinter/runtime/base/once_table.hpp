// Values that are made once for each key, also when several threads want one at the same time; must not know how.
#pragma once

#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/base/sequence.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// Values of any type by key. The guard is held for moments only, also while the process is forked: a child makes anew
/// what other threads of its parent were about to make.
class once_values {
public:
    struct answer {
        const void* value;     ///< null: not made yet
        std::uint32_t number;  ///< of the key, as long as the value stays
        bool is_mine;          ///< this thread has it to make, until release()
    };

    once_values();
    once_values(const once_values&) = delete;
    once_values& operator=(const once_values&) = delete;

    /// Where another thread is making the value: waits for it, or answers null.
    answer claim(const std::string& key, bool waits);
    /// The value has been made, or, when null, this thread has given it up.
    void release(std::uint32_t number, const void* value) noexcept;
    const void* find(const std::string& key);
    /// Forgets the values that do not stay, and answers them.
    codegen::sequence<const void*> take_unless(bool (*stays)(const void* value));
    /// How many have been made.
    std::size_t made();

private:
    friend struct once_values_in_fork;
    struct entry {
        const void* value = nullptr;
        std::uint64_t claimed_in = 0;  ///< how often the process had been forked then, plus 1; 0: nobody makes it
    };

    std::mutex guard_;
    codegen::sequence<entry> entries_;
    codegen::sequence<std::uint32_t> free_;  ///< among the entries
    codegen::text_map numbers_;
    std::size_t made_ = 0;
    std::atomic<std::uint32_t> releases_{0};
    once_values* next_ = nullptr;  ///< among all of the process
};

/// Values of one type by key; the table lives as long as the process, and values as long as nobody takes them from it.
template <class T>
class once_table {
public:
    /// A key, and the value unless this thread has it to make: settle() gives it to all who wait for it, and without
    /// that the next of them makes it.
    class claim {
    public:
        claim(once_table& table, const std::string& key, bool waits)
            : values_(table.values_), answer_(values_.claim(key, waits)) {}
        ~claim() { give_up(); }
        claim(const claim&) = delete;
        claim& operator=(const claim&) = delete;

        const T* value() const { return static_cast<const T*>(answer_.value); }
        bool is_mine() const { return answer_.is_mine; }
        const T& settle(const T* made) {
            answer_.value = made;
            answer_.is_mine = false;
            values_.release(answer_.number, made);
            return *made;
        }
        void give_up() noexcept {
            if (answer_.is_mine) values_.release(answer_.number, nullptr);
            answer_.is_mine = false;
        }

    private:
        once_values& values_;
        once_values::answer answer_;
    };

    /// The value, or null where it has not been made.
    const T* find(const std::string& key) { return static_cast<const T*>(values_.find(key)); }
    /// See once_values.
    codegen::sequence<const void*> take_unless(bool (*stays)(const void* value)) { return values_.take_unless(stays); }
    std::size_t made() { return values_.made(); }

private:
    once_values values_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/once_table.ipp>
#endif

// Functions that programs bring into use: where one brings none of a table, it need not compile them.
#pragma once

#include <sinter/codegen/base/error.hpp>

#include <atomic>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// The functions of `Table`, whose `Table::all()` alone names them, and whose `Table::name` is that of what brings
/// them.
template <class Table>
class on_demand {
public:
    static void bring() {
        const Table* const all = &Table::all();
        // Threads that record read one cache line, and do not take it from each other.
        if (in_use_.load(std::memory_order_relaxed) != all) in_use_.store(all, std::memory_order_release);
    }

    /// Null before bring().
    static const Table* find() {
#if !SINTER_HEADER_ONLY
        // What is compiled once has them in any case, and an array may come from a library that has sinter of its own.
        bring();
#endif
        return in_use_.load(std::memory_order_acquire);
    }

    /// Throws internal_error before bring().
    static const Table& get() {
        const Table* const known = find();
        if (!known) throw internal_error(std::string("[runtime] what needs ") + Table::name + "() is without it");
        return *known;
    }

private:
    inline static std::atomic<const Table*> in_use_{nullptr};
};

}  // namespace sinter::inline SINTER_ABI::runtime

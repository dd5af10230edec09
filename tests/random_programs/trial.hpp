// Runs one program on a backend in all modes, in a process of its own where it may crash; shrinks what fails.
#pragma once

#include "run.hpp"

#include <sinter/runtime/lazy/compile_ahead.hpp>

namespace random_programs {

/// Where programs run; the interpreter on the CPU is always the reference.
enum class target : std::uint8_t { host, cuda, interpreter };

/// A program with statements left out and sizes cut.
struct candidate {
    std::uint64_t seed = 0, number = 0;
    std::vector<char> dropped{};          ///< by statement
    std::int64_t largest_size = 1 << 20;  ///< of an axis of what programs start from
    bool once = false;                    ///< without loop

    program make() const;
};

/// Whether programs run once more where full code has taken the place of quick code, and must have the same bits.
inline bool compares_tiers = false;

/// What is wrong with a program, or an empty text. On the interpreter the kernels that the CPU would need for it may be
/// asked for.
std::string find_fault(const program& p, target where, operation_counts* counts,
                       runtime::kernels_ahead* ahead = nullptr);

/// Runs a candidate in a child process; a crash or a standstill is a fault too.
std::string find_fault_apart(const candidate& c, target where);

/// Drops statements and cuts sizes as long as the fault remains; returns its text.
std::string shrink(candidate& c, target where);

/// The candidate as C++, made in a child process.
void print_apart(const candidate& c);

}  // namespace random_programs

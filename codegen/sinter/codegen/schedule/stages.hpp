// What each stage of a kernel computes, and which values of elements are kept from one stage for later ones.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What a schedule can keep of a row's elements between stages; all else is computed again from what is kept and from
/// memory.
struct persistence {
    bool loads = false;    ///< what is loaded is kept too, so that memory is read once
    int values = 0;        ///< at most this many
    bool computed = true;  ///< and not only what is loaded
};
inline constexpr persistence persistent_in_registers{true, 8};

/// What the threads of a row kernel keep: bodies that are not unrolled cannot address registers.
persistence persistent_in_threads(const kernel& k);

/// Elements of the longest columns that one thread keeps between stages, or loads at once where nothing is kept; and
/// those of the columns that texts are for: up to so many, and more than the number before.
inline constexpr int thread_column = 64;
inline constexpr int loaded_column = 32;
inline constexpr int column_capacities[] = {4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};

/// The instructions that load the elements of columns, each its own.
sequence<std::uint32_t> loads_of_columns(const kernel& k);

/// The elements that every column of a text has.
int least_of_column(const kernel& k);

/// The elements that every short row of a text with a close capacity has; and those beyond which there are texts for
/// three quarters of a power of two. One H100, softmax of 13934 rows of 301 floats, which its cache holds: 11.6 us with
/// room for 512, 10.5 for 384.
int least_of_warp_row(const kernel& k);
inline constexpr int least_of_three = 128;

/// Words of 8 bytes in which 256 threads of a GPU leave a value of each of a kernel's reductions for one of their warps
/// to combine.
int buffer_words(const kernel& k);

/// What shares of long rows are worth to be held: everything where the whole row is, else what is loaded.
persistence resident_values(const kernel& k, bool whole);

/// The values of elements that are kept, by instruction: what costs more to compute again than to keep.
sequence<char> persistent_values(const kernel& k, const persistence& what);

/// The same of a CPU's rows, where these are so short that what is kept of them stays in its cache.
sequence<char> persistent_on_host(const kernel& k, const schedule& s);

/// The values of elements that are computed before a kernel's scans and used after them, by instruction.
sequence<char> persistent_over_scans(const kernel& k);

/// The instructions that a stage computes, by instruction: its own, and earlier ones that it needs and that are not
/// kept.
sequence<char> computed_in(const kernel& k, int stage, const sequence<char>& persistent);

/// The values that a stage reads, by instruction, where it computes those `here`.
sequence<char> used_in(const kernel& k, int stage, const sequence<char>& here);

/// Whether threads of a GPU combine what they have of a reduction: each of them finds a row's first element for itself.
inline bool combines(const reduction_step& r) { return r.how != reduction::first; }

/// How many of those a stage has, or all stages.
inline constexpr int any_stage = -1;
int combined_reductions(const kernel& k, int stage = any_stage);

/// The same of the stage that has most.
int most_combined_reductions(const kernel& k);

/// By access: what only elements load or store, of rows whose elements are neighbours in memory.
sequence<char> turned_accesses(const kernel& k);

/// The values of which a stage's reductions take the first one of the row, each once.
sequence<std::uint32_t> origins(const kernel& k, int stage);

/// Whether an instruction has one value for all elements of a row: a number of the program, or one of a row stage.
bool is_uniform(const kernel& k, std::uint32_t i);

/// Whether a kernel draws random words.
bool draws(const kernel& k);

/// Whether an instruction loads neighbours at once.
bool loads_pack(const kernel& k, const schedule& s, const instruction& v);

/// Whether copies that threads need not see to move single elements of a type.
bool is_copied_type(dtype type);

/// How many groups of four elements each thread of 256 takes of a row at once: 4, a block of the order, or more where
/// elements combine to the same in any order.
int groups_of_block(const kernel& k);

/// Registers of 32 bits that hold a value.
inline int words_of(dtype type) { return (size_of(type) + 3) / 4; }

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/stages.ipp>
#endif

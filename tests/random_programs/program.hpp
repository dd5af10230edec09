// A random program: statements over named arrays as plain data; must not know how it is executed.
#pragma once

#include <sinter/sinter.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace random_programs {

using namespace sinter;
using codegen::op;
using codegen::reduction;

/// A word of an expression in postfix order.
struct token {
    enum class what : std::uint8_t { input, scalar, apply, cast };
    what kind;
    op operation = op::positive;
    dtype type = dtype::float32;  ///< of a scalar or a cast
    int variable = 0;             ///< of an input
    double parts[2] = {};         ///< of a scalar
};

/// One item of an index.
struct item {
    enum class what : std::uint8_t { number, range, newaxis, ellipsis, indices };
    what kind = what::range;
    bool given[3] = {};
    std::int64_t value[3] = {};  ///< start, stop, step; or a number
    int variable = 0;            ///< of indices
};

enum class kind : std::uint8_t {
    data,        ///< from host memory
    full,        ///< one number
    index,       ///< each element's own number
    random,      ///< style: 0 random, 1 standard_normal, 2 integers
    expression,  ///< tokens
    function,    ///< result `which` of a call of function `style` with tokens, each an input or a number
    made,        ///< row `style` of the matrix's makers.def, of variables[0]
    loop,  ///< part `which` of the state variables[i] after turns of bodies[i]; in tokens inputs below zero are the
           ///< turn's number and the state · style: 0 axis turns, 1 as many as variables.back() says, 2 while tokens
    cast,
    select,     ///< items: numbers, slices, new axes
    take,       ///< items with index arrays
    mask_read,  ///< variables: array, mask
    transpose,  ///< shape: the order of axes
    reshape,
    broadcast,
    reduce,
    scan,             ///< along axis
    update,           ///< variables[0](items) = variables[1] or a scalar in tokens[0]
    compound_update,  ///< variables[0](items) op= the same
    overlap_update,   ///< variables[0](items) = variables[0](other_items), style 1: plus the part itself
    mask_update,      ///< variables[0][variables[1]] = variables[2] or a scalar
    fill,             ///< every element of variables[0] becomes tokens[0]
    concatenate,      ///< along axis
    matmul,
    copy_handle,  ///< a second name
    copy,         ///< memory of its own
    drop,
    read,
    read_item,
    print,
    eval,  ///< all variables together
    explain,
    count_
};

inline constexpr int kind_count = static_cast<int>(kind::count_);
const char* name_of(kind k);

struct statement {
    kind what{};
    int target = -1;               ///< the variable that is assigned, if any
    std::vector<int> variables{};  ///< operands
    std::vector<token> tokens{};
    std::vector<std::vector<token>> bodies{};
    std::vector<item> items{}, other_items{};
    dims shape{};
    dtype type = dtype::float32;
    reduction how = reduction::sum;
    op operation = op::add;
    std::uint8_t axes = 0;
    bool keepdims = false;
    int style = 0;
    int axis = 0;
    int which = 0;
    std::uint64_t seed = 0;
};

struct program {
    std::uint64_t seed = 0, number = 0;
    /// Inexact operations flow anywhere, so that only runs on one backend can be compared.
    bool same_backend = false;
    /// Statements [loop_begin, loop_end) are executed this many times.
    int loop_begin = 0, loop_end = 0, loop_times = 1;
    bool reads_together = false;  ///< at the end
    std::vector<statement> statements;

    /// Statement numbers in the order of execution.
    std::vector<int> order() const;
};

/// Bits that depend on the arguments only.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

/// A small generator, the same everywhere.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() { return state_ = mix(state_, 0x9e3779b97f4a7c15ull); }
    int roll(int sides) { return static_cast<int>((next() >> 11) % static_cast<std::uint64_t>(sides)); }
    bool once_in(int n) { return roll(n) == 0; }

private:
    std::uint64_t state_;
};

/// Elements of a data statement. style 0: multiples of 1/8 · 1: small integers · 2: with infinities, NaN, -0 and
/// extremes · n > 2: integers in [3 - n, n - 3), which index an axis of size n - 3.
std::vector<unsigned char> make_data(dtype type, const dims& shape, std::uint64_t seed, int style);

codegen::scalar_value number_of(const token& scalar);

/// Whether an operation gives the same bits on every backend.
bool is_exact(op o, dtype common);
/// Whether an operation on values that are only nearly equal gives values that are only nearly equal.
bool keeps_nearness(op o);
/// Whether an operation shows the sign of NaN, which is not defined.
bool shows_nan_sign(op o);

/// The program as C++.
std::string to_cpp(const program& p);

/// The types that random programs use.
inline constexpr dtype types[] = {dtype::bool_,   dtype::int8,      dtype::int16,      dtype::int32,   dtype::int64,
                                  dtype::uint8,   dtype::uint16,    dtype::uint32,     dtype::uint64,  dtype::float32,
                                  dtype::float64, dtype::complex64, dtype::complex128, dtype::float16, dtype::bfloat16};
inline constexpr int type_count = 15;

}  // namespace random_programs

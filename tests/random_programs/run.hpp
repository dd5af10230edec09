// Executes programs through the language's untyped functions and compares runs.
#pragma once

#include "histogram.hpp"
#include "program.hpp"

#include <functional>
#include <optional>

namespace random_programs {

using detail::handle;

/// A statement that does not apply here, such as a slice of what an earlier change of shape made a scalar.
struct not_applicable {};

/// What a program showed of its values.
struct observation {
    int statement;  ///< -1: at the end
    int variable;
    dtype type;
    dims shape;
    bool nearly;  ///< inexact operations were involved
    std::vector<unsigned char> bytes;
};

struct outcome {
    std::vector<observation> seen;
    std::vector<char> done;  ///< by executed statement: whether it applied
};

/// How a run differs from the plain one.
enum class mode : std::uint8_t {
    eager,     ///< every statement is computed at once; decides which statements apply
    lazy,      ///< as users write it
    disturbed  ///< with evaluations, explanations and additional names at random points
};

/// Executes statements one by one.
class machine {
public:
    struct variable {
        handle value;
        dtype type{};
        bool nearly = false;
    };

    machine(mode how, bool same_backend, operation_counts* counts = nullptr)
        : how_(how), same_backend_(same_backend), counts_(counts), disturbance_(1) {}
    /// Eager: executes if it applies. Else: executes; `done` is what the eager run found.
    bool execute(const statement& s, int number, bool done = true);
    /// Reads every variable.
    void finish(bool together);

    std::vector<variable> variables;
    outcome result;
    void disturb_with(std::uint64_t seed) { disturbance_ = dice(seed); }

private:
    struct computed {
        handle value;
        bool nearly = false;
    };
    struct entry {
        dtype type;
        dims shape;
        bool nearly;
        int variable;  ///< that it is or is converted from, or -1
    };

    const variable& at(int v) const;
    std::optional<computed> compute(const statement& s);
    computed compute_view(const statement& s);
    computed compute_random(const statement& s);
    computed compute_expression(const statement& s);
    /// What tokens compute from the variables that `input` finds, or the parts of a loop's state.
    computed compute_tokens(const std::vector<token>& tokens, const std::function<variable(int)>& input);
    computed compute_function(const statement& s);
    computed compute_made(const statement& s);
    computed compute_loop(const statement& s);
    handle turns_of(const statement& s) const;
    void apply_token(const token& t, std::vector<entry>& stack);
    computed compute_reduce(const statement& s);
    computed compute_scan(const statement& s);
    computed compute_matmul(const statement& s);
    computed compute_concatenate(const statement& s);
    computed compute_update(const statement& s);
    computed assigned_value(const statement& s, std::size_t which) const;
    void look(const statement& s, int number);
    /// Evaluates what a statement made, and reads it where only a reading would throw, as of an index array that is out
    /// of bounds.
    void evaluate_now(const statement& s, const handle& value);
    void observe(int number, int v);
    void observe_text(int number, int v);
    void disturb();
    std::vector<detail::index_item> index_items(const std::vector<item>& items) const;
    bool has_nan(int v) const;
    bool multiplies_exactly(const handle& a, const handle& b) const;
    void count(const statement& s);

    mode how_;
    bool same_backend_;
    operation_counts* counts_;
    dice disturbance_;
    std::vector<handle> extras_;
};

/// Executes a program; `reference` decides which statements apply, without it the run is eager and decides itself.
outcome run(const program& p, mode how, const outcome* reference, std::uint64_t disturbance = 0,
            operation_counts* counts = nullptr);

/// What differs first, or an empty text. `bits`: inexact values must be equal too.
std::string difference(const outcome& expected, const outcome& found, bool bits);

}  // namespace random_programs

// The maker of random programs: it executes each statement it makes, so that it knows shapes and types.
#pragma once

#include "generate.hpp"

#include <optional>

namespace random_programs {

class generator {
public:
    generator(std::uint64_t seed, std::uint64_t number);

    program make();

private:
    // generate.cpp
    void choose_shape();
    dims some_shape();
    dtype some_type();
    int some_style();
    token scalar(dtype t);
    std::vector<int> live() const;
    int any();
    const handle& value(int v) const;
    int fitting(const dims& shape, dtype at_most);
    dtype same_or_lower(dtype t);
    int make_data_variable(dtype t, const dims& shape, int style);
    void add(const statement& s);
    void add_value(statement s);
    void next_statement(int place, void (generator::*add)());
    void add_start();
    void add_step();
    void add_simple(kind k);
    void add_look(kind k);

    // generate_expressions.cpp
    void add_input(statement& s, dtype wanted, bool convert);
    void add_state(statement& s, dtype wanted, bool convert);
    void add_operand(statement& s, dtype wanted, int depth);
    dtype add_operation(statement& s, int depth, std::optional<dtype> near = {}, std::optional<op> wanted = {});
    void add_expression();
    void add_reduce();
    void add_scan();
    void add_rows();
    int add_of_rows(int v, int r);
    void add_matmul();
    void add_layer();
    void add_concatenate();

    // generate_functions.cpp
    void add_function();
    void add_made();
    std::vector<token> some_turn(dtype type);
    int any_exact();
    void add_loop();
    void add_some_loop();

    // generate_parts.cpp
    item range(std::int64_t n);
    std::vector<item> some_items(const dims& shape);
    void add_view();
    int any_mask(const dims& shape);
    void add_update();
    void add_overlap(statement s, const dims& shape);
    void add_take();

    std::uint64_t family_;
    dice detail_;   ///< data, sizes and bounds of slices
    dice frame_;    ///< the program's structure as a whole
    dice dice_{0};  ///< the structure of the statement being made
    program p_;
    std::optional<machine> machine_;
    dims base_, shape_;
    std::vector<dtype> loop_types_;  ///< inside of a loop: of the turn's number and of the state's parts
    static constexpr std::uint64_t rows_in_turn = 3;
    std::uint64_t expressions_ = 0;
    bool large_ = false;
};

}  // namespace random_programs

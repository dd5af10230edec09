// The intermediate representation: a hash-consed graph of array operations, checked by verify and printed by to_text.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/functions/function.hpp>
#include <sinter/codegen/base/layout.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <sinter/codegen/ops/reduction.hpp>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/codegen/base/sequence.hpp>

#include <cstring>
#include <optional>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// One more word in a hash.
std::uint64_t mix_hash(std::uint64_t h, std::uint64_t v);

/// Values appended to a key, byte for byte.
void append_key(std::string& s, const void* from, std::size_t bytes);
void append_key(std::string& s, const dims& d);
void append_key(std::string& s, const layout& l);

enum class node_kind : std::uint8_t {
    input,    ///< array in memory, row-major; payload: slot
    scalar,   ///< one run-time value that any shape reads; payload: slot
    literal,  ///< one value that is part of the program; payload: index into literals
    index,    ///< int64: each element's own row-major number
    empty,    ///< memory whose contents do not matter
    apply,    ///< an operation of ops.def, element by element; arguments have the result's shape or are scalars
    view,     ///< payload: index into layouts, a layout over the argument's elements
    reduce,   ///< over the axes in a bit mask; payload: index into reduce_infos; shape: the other axes
    scan,    ///< partial results of a reduction along one axis; payload: index into reduce_infos; shape: the argument's
    select,  ///< arguments: mask, value; the value's elements where the mask holds, in row-major order, then anything;
             ///< of a mask alone the number of its true elements, int64
    gather,  ///< arguments: base, index arrays of one shape; payload: index into gather_infos
    update,  ///< arguments: base, value; the base with the value written at a layout; payload: index into layouts
    call,    ///< one result of a routine; payload: a call_info
    invoke   ///< a user's scalar function, element by element as apply, save for arguments that are whole arrays;
             ///< payload: index into invoked
};

using node_id = std::uint32_t;
inline constexpr node_id no_node = ~node_id{0};

/// One element of any dtype.
struct scalar_value {
    dtype type = dtype::float64;
    alignas(16) unsigned char bytes[16] = {};

    template <class T>
    static scalar_value of(const T& v) {
        scalar_value s;
        s.type = dtype_of<T>;
        std::memcpy(s.bytes, &v, sizeof v);
        return s;
    }
    template <class T>
    T as() const {
        T v;
        std::memcpy(&v, bytes, sizeof v);
        return v;
    }
    friend bool operator==(const scalar_value& a, const scalar_value& b) {
        std::uint64_t x[2], y[2];
        std::memcpy(x, a.bytes, 16);
        std::memcpy(y, b.bytes, 16);
        return a.type == b.type && x[0] == y[0] && x[1] == y[1];
    }
};

struct reduce_info {
    reduction how;
    std::uint8_t axes;  ///< bit i: axis i is reduced
    friend bool operator==(const reduce_info&, const reduce_info&) = default;
};

struct gather_info {
    std::uint8_t axes;            ///< bit i: axis i of the base is indexed, by the next index array in order
    std::uint8_t position;        ///< where the index arrays' axes stand in the result
    purpose why = purpose::none;  ///< the function that errors name, take where there is none
    friend bool operator==(const gather_info&, const gather_info&) = default;
};

struct node {
    node_kind kind;
    op operation = op::positive;  ///< of apply
    dtype type;
    bool fast = false;  ///< of apply and invoke: may be computed by fast, inexact functions
    std::uint32_t payload = 0;
    std::uint32_t first_arg = 0;  ///< into graph::edges
    std::uint32_t arg_count = 0;
    dims shape;
};

/// Where a scalar comes from: a scalar of the program before simplification, and the types it was converted to in turn.
struct scalar_origin {
    std::uint32_t slot;
    std::string types;  ///< a dtype per character
    friend bool operator==(const scalar_origin&, const scalar_origin&) = default;
};

/// A program over arrays in static single assignment: arguments come before their users.
class graph {
public:
    sequence<node> nodes;
    sequence<node_id> edges;
    sequence<layout> layouts;
    sequence<scalar_value> literals;
    sequence<scalar_value> scalars;          ///< by slot: what the scalar nodes hold in this run
    sequence<scalar_origin> scalar_origins;  ///< by slot
    sequence<reduce_info> reduce_infos;
    sequence<gather_info> gather_infos;
    sequence<component> invoked;
    sequence<node_id> roots;
    bool adds_fast = false;  ///< operations that are added now may be computed by fast, inexact functions

    span<const node_id> args(node_id n) const { return {edges.data() + nodes[n].first_arg, nodes[n].arg_count}; }
    node_id arg(node_id n, int i) const { return edges[nodes[n].first_arg + static_cast<std::uint32_t>(i)]; }
    const layout& layout_of(node_id n) const { return layouts[nodes[n].payload]; }
    call_info call_of(node_id n) const { return call_info(nodes[n].payload); }
    /// Whether each element is computed from the elements of the arguments at the same place.
    bool is_elementwise(node_id n) const {
        return nodes[n].kind == node_kind::apply ||
               (nodes[n].kind == node_kind::invoke && invocation_of(n).ranks.empty());
    }
    /// Whether elements can be computed where they are needed, instead of being stored.
    bool is_inlined(node_id n) const {
        return nodes[n].kind == node_kind::apply || nodes[n].kind == node_kind::invoke ||
               nodes[n].kind == node_kind::gather;
    }
    const invocation& invocation_of(node_id n) const { return *invoked[nodes[n].payload].of; }
    /// The node whose memory a whole array is: what it is a mere reshape of.
    node_id unshaped(node_id n) const {
        while (nodes[n].kind == node_kind::view && is_contiguous(layout_of(n)) &&
               nodes[n].shape.product() == nodes[arg(n, 0)].shape.product() && !is_scalar_like(arg(n, 0)))
            n = arg(n, 0);
        return n;
    }
    /// The shape that operands broadcast to; nothing where all of them are scalar-like.
    std::optional<dims> common_shape(std::string_view operation, span<const node_id> operands) const;
    bool is_scalar_like(node_id n) const {
        return nodes[n].kind == node_kind::scalar || nodes[n].kind == node_kind::literal;
    }

    node_id add_input(std::uint32_t slot, dtype type, const dims& shape);
    node_id add_scalar(const scalar_value& value);
    /// A place for a scalar that may be added later, also several times.
    std::uint32_t add_scalar_slot(const scalar_value& value);
    node_id add_scalar_of(std::uint32_t slot);
    /// A scalar that is another program's, perhaps converted.
    node_id add_scalar(const scalar_value& value, const scalar_origin& origin);
    node_id add_literal(const scalar_value& value);
    node_id add_index(const dims& shape);
    node_id add_empty(dtype type, const dims& shape);
    /// Operands as given: converts them to the operation's types and broadcasts them to the shape. Here, in reductions,
    /// scans and calls, half precision is converted to float32 and the result back.
    node_id add_apply(op o, span<const node_id> operands, const dims& shape);
    node_id add_cast(node_id operand, dtype type);
    node_id add_view(node_id operand, const layout& how);
    node_id add_broadcast(node_id operand, const dims& shape);
    node_id add_reduce(reduction how, node_id operand, std::uint8_t axes);
    /// `axes` has one bit set.
    node_id add_scan(reduction how, node_id operand, std::uint8_t axes);
    node_id add_select(node_id mask, node_id value);
    node_id add_count(node_id mask);
    node_id add_gather(node_id base, span<const node_id> indices, gather_info how);
    node_id add_update(node_id base, node_id value, const layout& where);
    /// Operands as given: converts them to the function's parameters and broadcasts them to the shape. Of a function
    /// whose body is known its operations are added, of the shapes that they have written out.
    node_id add_invoke(component c, span<const node_id> operands, const dims& shape);
    node_id add_call(const call_info& c, span<const node_id> operands, dtype type, const dims& shape);

private:
    node_id add_body(component c, span<const node_id> operands, const dims& shape);
    node_id intern(node n, span<const node_id> operands);
    node_id add_combining(node_kind kind, reduction how, node_id operand, std::uint8_t axes);
    std::uint64_t hash(const node& n, span<const node_id> operands) const;

    sequence<node_id> table_;
};

/// The shape that remains after reducing the axes in a bit mask.
dims kept_shape(const dims& shape, std::uint8_t axes);

/// The position of the only bit that is set.
constexpr int axis_of(std::uint8_t axes) {
    int axis = 0;
    while (!(axes >> axis & 1)) ++axis;
    return axis;
}

/// Everything that plans and kernels for the program depend on, as bytes: all but the values of scalars, save
/// exponents.
std::string structure_key(const graph& g);

}  // namespace sinter::inline SINTER_ABI::codegen

// Who has a graph can print and check it.
#include <sinter/codegen/graph/graph_text.hpp>
#include <sinter/codegen/graph/verify.hpp>

#if SINTER_HEADER_ONLY
#include <sinter/codegen/graph/graph.ipp>
#endif

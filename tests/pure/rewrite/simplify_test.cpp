// Rewriting graphs: what each rule leaves, and that random programs keep every bit.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <span>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>

using namespace sinter;
using namespace sinter::codegen;

namespace {

node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

// The simplified program as text, checked.
std::string simplified(const graph& program, std::initializer_list<node_id> roots) {
    graph g = program;
    g.roots = roots;
    verify(g);
    graph h = simplify(g);
    verify(h);
    return to_text(h);
}

const std::string input = "%0 = input 0 : float32 (5,)\n";

struct floats {
    graph g;
    node_id x = g.add_input(0, dtype::float32, {5});
    node_id unary(op o, node_id a) { return apply_to(g, o, {a}, {5}); }
    node_id binary(op o, node_id a, node_id b) { return apply_to(g, o, {a, b}, {5}); }
    node_id scalar(float v) { return g.add_scalar(scalar_value::of(v)); }
    node_id literal(float v) { return g.add_literal(scalar_value::of(v)); }
    std::string text(node_id root) { return simplified(g, {root}); }
};

// Every root's bytes; NaNs of whatever sign and payload as one pattern.
std::vector<std::vector<unsigned char>> results(const graph& g, const std::vector<const void*>& inputs) {
    std::vector<std::vector<unsigned char>> r;
    std::vector<void*> out;
    for (node_id n : g.roots)
        r.emplace_back(static_cast<std::size_t>(g.nodes[n].shape.product() * size_of(g.nodes[n].type)) + 1);
    for (auto& bytes : r) out.push_back(bytes.data());
    interpret(g, inputs, out);
    auto unify = [](auto zero, std::vector<unsigned char>& bytes) {
        for (std::size_t i = 0; i + sizeof zero <= bytes.size(); i += sizeof zero) {
            std::memcpy(&zero, &bytes[i], sizeof zero);
            if (zero != zero) std::memset(&bytes[i], 0xFF, sizeof zero);
        }
    };
    for (std::size_t i = 0; i < r.size(); ++i) {
        dtype t = real_of(g.nodes[g.roots[i]].type);
        if (t == dtype::float32) unify(0.f, r[i]);
        if (t == dtype::float64) unify(0.0, r[i]);
    }
    return r;
}

// Random programs over arrays of a few shapes and types.
struct random_program {
    std::mt19937 random;
    graph g;
    std::vector<node_id> pool;
    std::vector<std::vector<unsigned char>> memory;
    std::vector<const void*> inputs;

    explicit random_program(unsigned seed) : random(seed) {
        for (int i = 0; i < 4; ++i) add_input();
        for (int i = 0; i < 4; ++i) pool.push_back(add_constant());
        int steps = 5 + pick(40);
        for (int i = 0; i < steps; ++i)
            if (node_id n = add_step(); g.nodes[n].shape.product() <= 5000) pool.push_back(n);
        int roots = 1 + pick(4);
        for (int i = 0; i < roots; ++i) g.roots.push_back(pool[pool.size() - 1 - static_cast<std::size_t>(pick(8))]);
        for (auto& m : memory) inputs.push_back(m.data());
    }

    int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
    node_id any() { return pool[random() % pool.size()]; }
    dtype any_type() {
        constexpr dtype types[] = {dtype::bool_,  dtype::int8,    dtype::int32,   dtype::int64,     dtype::uint8,
                                   dtype::uint32, dtype::float32, dtype::float64, dtype::complex64, dtype::complex128};
        return types[pick(10)];
    }
    dims any_shape() {
        dims s;
        for (int rank = pick(4); rank > 0; --rank) s.push_back(pick(12) ? 1 + pick(5) : 0);
        return s;
    }
    // One element: a small number of the type, sometimes a special one.
    scalar_value any_value(dtype t) {
        constexpr double special[] = {-0.0, 0.0, 1, -1, 2, 0.5, -4, HUGE_VAL, NAN, 3};
        double v = pick(3) ? pick(200) / 8.0 - 12 : special[pick(10)];
        scalar_value s;
        s.type = t;
        convert(dtype::float64, t, &v, s.bytes, 1);
        return s;
    }
    void add_input() {
        dtype t = any_type();
        dims shape = any_shape();
        std::vector<unsigned char> bytes(1);
        for (std::int64_t i = 0; i < shape.product(); ++i) {
            scalar_value v = any_value(t);
            bytes.insert(bytes.end() - 1, v.bytes, v.bytes + size_of(t));
        }
        pool.push_back(g.add_input(static_cast<std::uint32_t>(memory.size()), t, shape));
        memory.push_back(bytes);
    }
    node_id add_constant() {
        scalar_value v = any_value(any_type());
        node_id n = pick(2) ? g.add_literal(v) : g.add_scalar(v);
        return pick(2) ? n : g.add_broadcast(n, any_shape());
    }
    layout any_layout(const dims& shape) {
        layout l = contiguous(shape);
        for (int times = pick(3); times >= 0; --times) {
            int kind = pick(4);
            if (kind == 0 && l.shape.size() > 1) {
                dims order;
                for (int i = 1; i <= l.shape.size(); ++i) order.push_back(i % l.shape.size());
                l = transposed(l, order);
            } else if (kind == 1 && !l.shape.empty()) {
                int axis = pick(l.shape.size());
                if (l.shape[axis]) l = sliced(l, axis, l.shape[axis] - 1, -1, l.shape[axis]);
            } else if (kind == 2 && !l.shape.empty()) {
                int axis = pick(l.shape.size());
                if (l.shape[axis] > 1) l = sliced(l, axis, 1, 1, l.shape[axis] - 1);
            } else if (l.shape.product() && l.shape.size() < 3) {
                dims bigger = l.shape;
                bigger.insert(0, 1 + pick(3));
                l = broadcasted(l, bigger);
            }
        }
        return l;
    }
    node_id add_apply() {
        constexpr op exact[] = {op::cast,     op::negative, op::logical_not, op::invert,
                                op::positive, op::where,    op::divide};
        op o = pick(2) ? static_cast<op>(pick(op_count)) : exact[pick(7)];
        node_id args[3] = {any(), any(), any()};
        if (pick(6) == 0) args[1] = args[2];
        if (o == op::cast) return g.add_cast(args[0], any_type());
        std::size_t arity = info(o).arity;
        dims shape;
        dtype types[3];
        try {
            for (std::size_t i = 0; i < arity; ++i) shape = broadcast_shapes("test", shape, g.nodes[args[i]].shape);
        } catch (const shape_error&) {
            return args[0];
        }
        for (std::size_t i = 0; i < arity; ++i) types[i] = g.nodes[args[i]].type;
        dtype common = common_type(o, types);
        // Powers with the exponents that the rules name may change bits.
        bool skip = o == op::power || info(o).typing == rule::random_32 || info(o).typing == rule::random_64;
        return skip || !defined_for(o, common) ? args[0] : g.add_apply(o, {args, arity}, shape);
    }
    node_id add_reshape(node_id a) {
        std::int64_t n = g.nodes[a].shape.product();
        return g.add_view(a, contiguous(n % 2 ? dims{n} : dims{2, n / 2}));
    }
    node_id add_reduce(node_id a) {
        auto how = static_cast<reduction>(pick(reduction_count));
        const dims& shape = g.nodes[a].shape;
        auto axes = static_cast<std::uint8_t>(pick(1 << shape.size()));
        if (!accepts(how, g.nodes[a].type) || (!has_identity(how) && shape.product() == 0)) return a;
        a = g.add_cast(a, operand_type(how, g.nodes[a].type));
        return g.add_reduce(how, a, axes);
    }
    node_id add_step() {
        node_id a = any();
        switch (pick(10)) {
            case 0:
            case 1: return g.add_view(a, any_layout(g.nodes[a].shape));
            case 2: return add_reshape(a);
            case 3: return add_reduce(a);
            case 4: {
                layout where = any_layout(g.nodes[a].shape);
                node_id value = g.add_scalar(any_value(any_type()));
                for (int i = 0; i < 8; ++i)
                    if (node_id other = any(); g.nodes[other].shape == where.shape) value = other;
                bool spread = g.is_scalar_like(value) && pick(2);
                return g.add_update(a, spread ? g.add_broadcast(value, where.shape) : value, where);
            }
            case 5: {
                if (g.nodes[a].shape.empty() || g.nodes[a].shape[0] == 0) return a;
                node_id index = g.add_index({g.nodes[a].shape[0]});
                return g.add_gather(a, {&index, 1}, {1, 0});
            }
            default: return add_apply();
        }
    }
};

}  // namespace

TEST_CASE("what no root needs is dropped and slots are renumbered") {
    floats f;
    node_id unused = f.scalar(1), used = f.scalar(2);
    f.binary(op::add, f.x, unused);
    node_id other = f.g.add_input(7, dtype::float32, {5});
    graph g = f.g;
    g.roots = {apply_to(g, op::add, {other, used}, {5}), other};
    graph h = simplify(g);
    verify(h);
    CHECK(to_text(h) ==
          "%0 = scalar 0 : float32 ()\n%1 = input 7 : float32 (5,)\n%2 = add(%1, %0) : float32 (5,)\nroots %2 %1\n");
    REQUIRE(h.scalars.size() == 1);
    CHECK(h.scalars[0].as<float>() == 2);
    CHECK(h.literals.empty());
}

TEST_CASE("operations that change nothing vanish") {
    floats f;
    CHECK(f.text(f.unary(op::negative, f.unary(op::positive, f.x))) ==
          input + "%1 = negative(%0) : float32 (5,)\nroots %1\n");
    CHECK(f.text(f.unary(op::negative, f.unary(op::negative, f.x))) == input + "roots %0\n");
    CHECK(f.text(f.unary(op::conj, f.unary(op::real, f.x))) == input + "roots %0\n");
    CHECK(f.text(f.unary(op::floor, f.x)) == input + "%1 = floor(%0) : float32 (5,)\nroots %1\n");
    node_id condition = f.binary(op::less, f.x, f.scalar(3));
    CHECK(f.text(apply_to(f.g, op::where, {condition, f.x, f.x}, {5})) == input + "roots %0\n");
    graph g;
    node_id i = g.add_input(0, dtype::int16, {5});
    for (op o : {op::floor, op::ceil, op::trunc, op::rint})
        CHECK(simplified(g, {apply_to(g, o, {i}, {5})}) == "%0 = input 0 : int16 (5,)\nroots %0\n");
    node_id b = apply_to(g, op::logical_not, {apply_to(g, op::logical_not, {i}, {5})}, {5});
    CHECK(simplified(g, {b}) == "%0 = input 0 : int16 (5,)\n%1 = cast(%0) : bool (5,)\nroots %1\n");
}

TEST_CASE("operations that may be fast are others than exact ones, and stay so") {
    floats f;
    const node_id exact = f.unary(op::exp, f.x);
    f.g.adds_fast = true;
    const node_id fast = f.unary(op::exp, f.x);
    CHECK(fast != exact);
    CHECK(f.unary(op::exp, f.x) == fast);
    const node_id sum = f.binary(op::add, fast, exact);
    f.g.adds_fast = false;
    CHECK(f.text(f.binary(op::multiply, sum, exact)) ==
          input +
              "%1 = exp(%0) : float32 (5,)\n%2 = fast exp(%0) : float32 (5,)\n%3 = fast add(%2, %1) : float32 (5,)\n"
              "%4 = multiply(%3, %1) : float32 (5,)\nroots %4\n");
    graph a = f.g, b = f.g;
    a.roots = {exact};
    b.roots = {fast};
    CHECK(structure_key(simplify(a)) != structure_key(simplify(b)));
}

TEST_CASE("a root that is written as +x stays a copy of what lies in memory") {
    floats f;
    CHECK(f.text(f.unary(op::positive, f.x)) == input + "%1 = positive(%0) : float32 (5,)\nroots %1\n");
}

TEST_CASE("a scalar that stands for an array keeps its shape") {
    floats f;
    node_id r = f.unary(op::positive, f.scalar(3));
    CHECK(f.text(r) == "%0 = scalar 0 : float32 ()\n%1 = view(%0) offset 0 strides (0,) : float32 (5,)\nroots %1\n");
}

TEST_CASE("casts collapse exactly where nothing is lost") {
    struct row {
        dtype from, middle, to;
        bool collapses;
    };
    const row rows[] = {
        {dtype::float32, dtype::float64, dtype::float32, true},
        {dtype::float64, dtype::float32, dtype::float64, false},
        {dtype::int8, dtype::int32, dtype::int8, true},
        {dtype::int8, dtype::int32, dtype::uint8, true},
        {dtype::int32, dtype::int8, dtype::int32, false},
        {dtype::int32, dtype::float64, dtype::int32, true},
        {dtype::int32, dtype::float64, dtype::int8, false},
        {dtype::int32, dtype::float64, dtype::float32, true},
        {dtype::int32, dtype::float32, dtype::int32, false},
        {dtype::int64, dtype::float64, dtype::int64, false},
        {dtype::uint8, dtype::int8, dtype::uint8, false},
        {dtype::uint8, dtype::int16, dtype::float32, true},
        {dtype::int8, dtype::uint64, dtype::int8, false},
        {dtype::bool_, dtype::float32, dtype::int8, true},
        {dtype::int32, dtype::bool_, dtype::int32, false},
        {dtype::float32, dtype::complex64, dtype::float32, true},
        {dtype::float64, dtype::complex64, dtype::float64, false},
        {dtype::float32, dtype::complex128, dtype::int16, true},
        {dtype::complex64, dtype::complex128, dtype::float32, true},
        {dtype::complex64, dtype::float32, dtype::complex64, false},
        {dtype::complex32, dtype::complex64, dtype::complex32, true},
        {dtype::complex64, dtype::complex32, dtype::complex64, false},
        {dtype::float16, dtype::complex32, dtype::float16, true},
        {dtype::bfloat16, dtype::complex32, dtype::bfloat16, false},
    };
    for (const row& r : rows) {
        CAPTURE(to_string(r.from));
        CAPTURE(to_string(r.middle));
        CAPTURE(to_string(r.to));
        graph g;
        node_id x = g.add_input(0, r.from, {3});
        g.roots = {g.add_cast(g.add_cast(x, r.middle), r.to)};
        graph h = simplify(g);
        CHECK(h.nodes.size() == (!r.collapses ? 3u : r.from == r.to ? 1u : 2u));
        CHECK(h.nodes[h.roots[0]].type == r.to);
    }
}

TEST_CASE("views of views are one view") {
    floats f;
    layout flip = sliced(contiguous({5}), 0, 4, -1, 5);
    CHECK(f.text(f.g.add_view(f.g.add_view(f.x, flip), flip)) == input + "roots %0\n");
    node_id part = f.g.add_view(f.g.add_view(f.x, flip), sliced(contiguous({5}), 0, 1, 2, 2));
    CHECK(f.text(part) == input + "%1 = view(%0) offset 3 strides (-2,) : float32 (2,)\nroots %1\n");
    node_id spread = f.g.add_broadcast(f.g.add_broadcast(f.scalar(1), {5}), {2, 5});
    CHECK(f.text(spread) ==
          "%0 = scalar 0 : float32 ()\n%1 = view(%0) offset 0 strides (0, 0) : float32 (2, 5)\nroots %1\n");
}

TEST_CASE("operations read broadcast scalars directly") {
    floats f;
    node_id r = f.binary(op::add, f.x, f.g.add_broadcast(f.scalar(1), {5}));
    CHECK(f.text(r) == input + "%1 = scalar 0 : float32 ()\n%2 = add(%0, %1) : float32 (5,)\nroots %2\n");
}

TEST_CASE("powers with a few exponents become cheaper operations") {
    floats f;
    auto text = [&](float s) { return f.text(f.binary(op::power, f.x, f.scalar(s))); };
    CHECK(text(1) == input + "roots %0\n");
    CHECK(text(2) == input + "%1 = square(%0) : float32 (5,)\nroots %1\n");
    CHECK(text(3) == input + "%1 = square(%0) : float32 (5,)\n%2 = multiply(%1, %0) : float32 (5,)\nroots %2\n");
    CHECK(text(4) == input + "%1 = square(%0) : float32 (5,)\n%2 = square(%1) : float32 (5,)\nroots %2\n");
    CHECK(text(-1) == input + "%1 = reciprocal(%0) : float32 (5,)\nroots %1\n");
    CHECK(text(0.5f) == input + "%1 = sqrt(%0) : float32 (5,)\nroots %1\n");
    CHECK(text(-0.5f) == input + "%1 = rsqrt(%0) : float32 (5,)\nroots %1\n");
    for (float s : {0.f, 5.f, -2.f, 0.49999997f, NAN, HUGE_VALF})
        CHECK(text(s) == input + "%1 = scalar 0 : float32 ()\n%2 = power(%0, %1) : float32 (5,)\nroots %2\n");
    CHECK(f.text(f.binary(op::power, f.x, f.g.add_broadcast(f.scalar(2), {5}))) ==
          input + "%1 = scalar 0 : float32 ()\n%2 = power(%0, %1) : float32 (5,)\nroots %2\n");
}

TEST_CASE("powers of integers and complex numbers take the exponents they have operations for") {
    graph g;
    node_id i = g.add_input(0, dtype::int32, {5}), c = g.add_input(1, dtype::complex64, {5});
    auto last = [&](node_id x, auto exponent) {
        graph h = g;
        h.roots = {apply_to(h, op::power, {x, h.add_scalar(scalar_value::of(exponent))}, {5})};
        h = simplify(h);
        return std::string(info(h.nodes[h.roots[0]].operation).name);
    };
    CHECK(last(i, std::int32_t{2}) == "square");
    CHECK(last(i, std::int32_t{3}) == "multiply");
    CHECK(last(i, std::int32_t{-1}) == "power");
    CHECK(last(c, std::complex<float>(2)) == "square");
    CHECK(last(c, std::complex<float>(-0.5f)) == "power");
    CHECK(last(c, std::complex<float>(2, 1)) == "power");
}

TEST_CASE("division by a literal power of two is a product, by anything else it is not") {
    floats f;
    CHECK(f.text(f.binary(op::divide, f.x, f.literal(-8))) ==
          input + "%1 = literal -0.125 : float32 ()\n%2 = multiply(%0, %1) : float32 (5,)\nroots %2\n");
    for (float d : {3.f, 0.f, HUGE_VALF, NAN, 0x1p-140f})
        CHECK(f.text(f.binary(op::divide, f.x, f.literal(d))).find("= divide(") != std::string::npos);
    CHECK(f.text(f.binary(op::divide, f.x, f.scalar(8))).find("= divide(") != std::string::npos);
}

TEST_CASE("literals fold, run-time scalars do not") {
    floats f;
    node_id six = apply_to(f.g, op::multiply, {f.literal(2), f.literal(3)}, {});
    node_id root = apply_to(f.g, op::sqrt, {apply_to(f.g, op::add, {six, f.literal(3)}, {})}, {});
    CHECK(f.text(root) == "%0 = literal 3 : float32 ()\nroots %0\n");
    CHECK(f.text(f.binary(op::multiply, f.literal(2), f.literal(3))) ==
          "%0 = literal 6 : float32 ()\n%1 = view(%0) offset 0 strides (0,) : float32 (5,)\nroots %1\n");
    CHECK(f.text(apply_to(f.g, op::multiply, {f.scalar(2), f.scalar(3)}, {})).find("multiply") != std::string::npos);
    CHECK(f.text(apply_to(f.g, op::less, {f.literal(2), f.literal(3)}, {})) == "%0 = literal 1 : bool ()\nroots %0\n");
}

TEST_CASE("functions whose bits differ between machines do not fold") {
    floats f;
    for (op o : {op::exp, op::sin, op::rsqrt, op::log1p})
        CHECK(f.text(apply_to(f.g, o, {f.literal(2)}, {})).find(info(o).name) != std::string::npos);
}

TEST_CASE("writing everything is the value and writing nothing is the base") {
    floats f;
    node_id y = f.g.add_input(1, dtype::float32, {5});
    CHECK(f.text(f.g.add_update(f.x, y, contiguous({5}))) == "%0 = input 1 : float32 (5,)\nroots %0\n");
    CHECK(f.text(f.g.add_update(f.x, f.g.add_empty(dtype::float32, {0}), sliced(contiguous({5}), 0, 2, 1, 0))) ==
          input + "roots %0\n");
    CHECK(f.text(f.g.add_update(f.x, f.scalar(2), contiguous({5}))).find("update") == std::string::npos);
}

TEST_CASE("long chains are simplified without a stack") {
    floats f;
    node_id v = f.x, w = f.x;
    layout turn = sliced(contiguous({5}), 0, 4, -1, 5);
    for (int i = 0; i < 20000; ++i) {
        v = f.binary(op::add, v, f.x);
        w = f.g.add_view(f.unary(op::negative, w), turn);
    }
    f.g.roots = {v, w};
    graph h = simplify(f.g);
    verify(h);
    CHECK(h.nodes.size() == 60001);
    node_id u = f.x;
    for (int i = 0; i < 20001; ++i) u = f.unary(op::negative, f.unary(op::positive, u));
    CHECK(f.text(u) == input + "%1 = negative(%0) : float32 (5,)\nroots %1\n");
}

TEST_CASE("simplified random programs give the same bits from no more nodes") {
    std::size_t before = 0, after = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        random_program p(seed);
        verify(p.g);
        graph h = simplify(p.g);
        verify(h);
        REQUIRE(h.roots.size() == p.g.roots.size());
        for (std::size_t i = 0; i < h.roots.size(); ++i) {
            REQUIRE(h.nodes[h.roots[i]].type == p.g.nodes[p.g.roots[i]].type);
            REQUIRE(h.nodes[h.roots[i]].shape == p.g.nodes[p.g.roots[i]].shape);
        }
        bool same = results(p.g, p.inputs) == results(h, p.inputs);
        if (!same) MESSAGE(to_text(p.g) << to_text(h));
        REQUIRE(same);
        CHECK(h.nodes.size() <= p.g.nodes.size());
        CHECK(to_text(simplify(h)) == to_text(h));
        before += p.g.nodes.size();
        after += h.nodes.size();
    }
    CHECK(after * 2 < before);
}

// The forms of ops.def computed in each integer type itself, as kernels compute them, against the interpreter's 64
// bits.
#include <doctest/doctest.h>

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/scalar.hpp>

#include "support/ops_golden.hpp"

// Inside codegen, so that the forms' functions are found before the C library's global ones.
namespace sinter::inline SINTER_ABI::codegen {
namespace {

template <dtype D>
using kernel_type = typename cpp_type<D>::type;

template <class T>
T wrapped(T v) {
    return v;
}
unsigned wrapped(unsigned short v) { return v; }
unsigned wrapped(int v) { return static_cast<unsigned>(v); }
unsigned long wrapped(long v) { return static_cast<unsigned long>(v); }

/// A row of ops.def over elements of one type; compilers take long for what there is one of for each.
struct form_of_type {
    op operation;
    dtype common;
    std::size_t bytes[3], result_bytes;  ///< of an element
    void (*compute)(const unsigned char* const (&operands)[3], unsigned char* result);
};

template <class T>
T loaded(const unsigned char* bytes) {
    T v;
    std::memcpy(&v, bytes, sizeof v);
    return v;
}

// Row O over an element of D; wrapping operands are spelt unsigned, as kernels spell them.
template <op O, dtype D, class Form>
form_of_type form_of(Form) {
    using A = kernel_type<operand_type(O, 0, D)>;
    using B = kernel_type<operand_type(O, info(O).arity > 1 ? 1 : 0, D)>;
    using R = kernel_type<result_type(O, D)>;
    constexpr auto compute = [](const unsigned char* const(&x)[3], unsigned char* result) {
        const A a = loaded<A>(x[0]);
        const B b = loaded<B>(x[1]), z = loaded<B>(x[2]);
        R r;
        if constexpr (info(O).typing == rule::arithmetic)
            r = static_cast<R>(Form()(wrapped(a), wrapped(b), wrapped(z)));
        else r = static_cast<R>(Form()(a, b, z));
        std::memcpy(result, &r, sizeof r);
    };
    return {O, D, {sizeof(A), sizeof(B), sizeof(B)}, sizeof(R), compute};
}

std::vector<unsigned char> computed(const golden::ops_case& c, const form_of_type& f) {
    std::vector<unsigned char> out(c.expected.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.count); ++i) {
        const unsigned char* operands[3];
        for (std::size_t n = 0; n < 3; ++n)
            operands[n] = c.operands[n < c.operands.size() ? n : 0].data() + i * f.bytes[n];
        f.compute(operands, out.data() + i * f.result_bytes);
    }
    return out;
}

void compare(const golden::ops_case& c, int& compared, const form_of_type& f) {
    if (c.operation != f.operation || c.common != f.common) return;
    bool same = computed(c, f) == golden::applied(c);
    CHECK_MESSAGE(same, c.name());
    ++compared;
}

template <dtype D>
int compare_rows(const std::vector<golden::ops_case>& cases) {
    using namespace scalar;
    int compared = 0;
    for (const auto& k : cases) {
#define SINTER_OP(name, arity, typing, kinds, cost, domain, ...)                                                 \
    if constexpr (accepts(op::name, operand_type(op::name, rule::typing == rule::select, D))) {                  \
        using T = kernel_type<operand_type(op::name, rule::typing == rule::select, D)>;                          \
        compare(k, compared, form_of<op::name, D>([](auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c) { \
                    [[maybe_unused]] T zero{};                                                                   \
                    return (__VA_ARGS__);                                                                        \
                }));                                                                                             \
    }
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
    }
    return compared;
}

template <int... I>
int compare_all(const std::vector<golden::ops_case>& cases, std::integer_sequence<int, I...>) {
    auto one = [&]<int D>() {
        constexpr auto t = static_cast<dtype>(D);
        if constexpr (kind_rank(t) > 1) return 0;
        else return compare_rows<t>(cases);
    };
    return (one.template operator()<I>() + ...);
}

}  // namespace
}  // namespace sinter::inline SINTER_ABI::codegen

TEST_CASE("a form computed in an integer type itself has the bits that the interpreter cuts from 64") {
    auto cases = golden::read_ops(SINTER_TEST_DATA "/golden/ops.txt");
    int compared = sinter::codegen::compare_all(cases, std::make_integer_sequence<int, sinter::dtype_count>());
    CHECK(compared > 300);
}

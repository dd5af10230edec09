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

// Row O over elements of D; wrapping operands are spelt unsigned, as kernels spell them.
template <op O, dtype D, class Form>
std::vector<unsigned char> computed(const golden::ops_case& c, Form form) {
    using A = kernel_type<operand_type(O, 0, D)>;
    using B = kernel_type<operand_type(O, info(O).arity > 1 ? 1 : 0, D)>;
    using R = kernel_type<result_type(O, D)>;
    std::vector<unsigned char> out(c.expected.size());
    for (std::int64_t i = 0; i < c.count; ++i) {
        A a = golden::element<A>(c.operands[0], i);
        B b = golden::element<B>(c.operands[c.operands.size() > 1 ? 1 : 0], i);
        B z = golden::element<B>(c.operands[c.operands.size() > 2 ? 2 : 0], i);
        R r;
        if constexpr (info(O).typing == rule::arithmetic) r = static_cast<R>(form(wrapped(a), wrapped(b), wrapped(z)));
        else r = static_cast<R>(form(a, b, z));
        std::memcpy(out.data() + static_cast<std::size_t>(i) * sizeof(R), &r, sizeof(R));
    }
    return out;
}

template <op O, dtype D, class Form>
void compare(const golden::ops_case& c, int& compared, Form form) {
    if (c.operation != O || c.common != D) return;
    bool same = computed<O, D>(c, form) == golden::applied(c);
    CHECK_MESSAGE(same, c.name());
    ++compared;
}

template <dtype D>
int compare_rows(const std::vector<golden::ops_case>& cases) {
    using namespace scalar;
    int compared = 0;
    for (const auto& k : cases) {
#define SINTER_OP(name, arity, typing, kinds, cost, domain, ...)                                         \
    if constexpr (accepts(op::name, operand_type(op::name, rule::typing == rule::select, D))) {          \
        using T = kernel_type<operand_type(op::name, rule::typing == rule::select, D)>;                  \
        compare<op::name, D>(k, compared, [](auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c) { \
            [[maybe_unused]] T zero{};                                                                   \
            return (__VA_ARGS__);                                                                        \
        });                                                                                              \
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
    std::string here = __FILE__;
    auto cases = golden::read_ops(here.substr(0, here.rfind("pure/")) + "data/golden/ops.txt");
    int compared = sinter::codegen::compare_all(cases, std::make_integer_sequence<int, sinter::dtype_count>());
    CHECK(compared > 300);
}

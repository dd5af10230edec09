// Every row of ops.def for every dtype on every backend against NumPy's values, through arrays and strided views.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/ops_golden.hpp"

using namespace sinter;
using namespace test_backends;
using detail::handle;

namespace {

/// What a backend's mathematical library may add to the golden file's tolerance, in units in the last place; rows whose
/// tolerance is zero give the same bits everywhere. libmvec and CUDA's libm promise at most four.
double allowed(const golden::ops_case& c, const tested_backend& b) {
    if (c.tolerance == 0 || codegen::is_half(c.common)) return c.tolerance;
    return c.tolerance + (b.is_interpreter() ? 0 : 4);
}

const std::vector<golden::ops_case>& golden_cases() {
    static const auto cases = golden::read_ops(std::string(SINTER_TEST_DATA) + "/golden/ops.txt");
    return cases;
}

enum class storage { contiguous, reversed, every_second };

/// Operand i of a case, its elements lying in memory as asked.
handle operand_of(const golden::ops_case& c, std::size_t i, storage how) {
    dtype type = c.operand_dtype(static_cast<int>(i));
    auto size = static_cast<std::size_t>(codegen::size_of(type));
    auto count = static_cast<std::size_t>(c.count);
    const std::vector<unsigned char>& bytes = c.operands[i];
    if (how == storage::contiguous) return detail::store(type, dims(c.count), bytes.data());
    std::size_t spread = how == storage::reversed ? 1 : 2;
    std::vector<unsigned char> memory(bytes.size() * spread);
    for (std::size_t k = 0; k < count; ++k)
        std::memcpy(&memory[(how == storage::reversed ? count - 1 - k : 2 * k + 1) * size], &bytes[k * size], size);
    handle whole = detail::store(type, dims(c.count * static_cast<std::int64_t>(spread)), memory.data());
    codegen::layout all = codegen::contiguous(whole->shape);
    return detail::record_view(whole, how == storage::reversed ? codegen::sliced(all, 0, c.count - 1, -1, c.count)
                                                               : codegen::sliced(all, 0, 1, 2, c.count));
}

handle result_of(const golden::ops_case& c, storage how) {
    std::vector<handle> operands;
    for (std::size_t i = 0; i < c.operands.size(); ++i) operands.push_back(operand_of(c, i, how));
    return detail::record_apply(c.operation, operands);
}

void check_result(const golden::ops_case& c, const handle& result, const tested_backend& b, double& worst) {
    REQUIRE_MESSAGE(result->type == c.result_dtype(), c.name());
    std::vector<unsigned char> got(c.expected.size());
    detail::read(result, got.data());
    double limit = allowed(c, b);
    int wrong = 0;
    for (std::int64_t i = 0; i < c.count; ++i) {
        double d = golden::distance(c, got, i);
        worst = std::max(worst, std::isfinite(d) ? d : 0.0);
        if (d > limit && ++wrong <= 3) FAIL_CHECK(golden::describe(c, got, i) << ", " << d << " ulp > " << limit);
    }
    CHECK_MESSAGE(wrong == 0, c.name() << ": " << wrong << " of " << c.count);
}

/// What the compiler sees of a view is the same for every type, and each type is compiled apart.
bool is_worthwhile(const golden::ops_case& c, storage how) {
    return how == storage::contiguous || is_full() || c.common == dtype::int16 || c.common == dtype::float64 ||
           c.common == dtype::complex64;
}

/// Cases of one count share kernels, so that the table compiles in seconds.
void check_table(const tested_backend& b, storage how) {
    std::map<std::int64_t, std::vector<const golden::ops_case*>> by_count;
    for (const golden::ops_case& c : golden_cases())
        if (is_worthwhile(c, how)) by_count[c.count].push_back(&c);
    double worst = 0;
    std::size_t tested = 0;
    for (const auto& [count, cases] : by_count) {
        tested += cases.size();
        for (std::size_t first = 0; first < cases.size(); first += 12) {
            std::size_t last = std::min(first + 12, cases.size());
            std::vector<handle> results;
            for (std::size_t i = first; i < last; ++i) results.push_back(result_of(*cases[i], how));
            detail::evaluate(results);
            for (std::size_t i = first; i < last; ++i) check_result(*cases[i], results[i - first], b, worst);
        }
    }
    MESSAGE(b.name << ": " << tested << " rows and dtypes, at most " << worst << " ulp");
}

}  // namespace

TEST_CASE("every row and dtype gives NumPy's values over whole arrays") {
    on_every_backend([](const tested_backend& b) { check_table(b, storage::contiguous); });
}

TEST_CASE("every row and dtype gives NumPy's values over reversed views") {
    on_every_backend([](const tested_backend& b) { check_table(b, storage::reversed); });
}

TEST_CASE("every row and dtype gives NumPy's values over every second element") {
    on_every_backend([](const tested_backend& b) { check_table(b, storage::every_second); });
}

TEST_CASE("a row gives the same values for an operand of size one that is broadcast") {
    on_every_backend([](const tested_backend& b) {
        double worst = 0;
        for (const golden::ops_case& c : golden_cases()) {
            if (c.operands.size() != 2 || (c.common != dtype::float64 && c.common != dtype::int32)) continue;
            golden::ops_case one = c;
            auto size = static_cast<std::size_t>(codegen::size_of(c.operand_dtype(1)));
            for (std::size_t i = 1; i < static_cast<std::size_t>(c.count); ++i)
                std::memcpy(&one.operands[1][i * size], &one.operands[1][0], size);
            const handle whole[] = {operand_of(one, 0, storage::contiguous), operand_of(one, 1, storage::contiguous)};
            const handle broadcast[] = {whole[0], detail::store(c.operand_dtype(1), {}, one.operands[1].data())};
            const handle both[] = {detail::record_apply(c.operation, whole),
                                   detail::record_apply(c.operation, broadcast)};
            detail::evaluate(both);
            detail::read(both[0], one.expected.data());
            one.tolerance = 0;
            check_result(one, both[1], b, worst);
        }
    });
}

TEST_CASE("a quotient by one number for all elements has the bits of the division, of awkward numbers too") {
    const float odd[] = {0.0f,     -0.0f,           0x1p-149f, -0x1.8p-130f, 0x1p-126f,
                         0x1p-94f, 0x1.fffffep127f, INFINITY,  -INFINITY,    NAN};
    const std::int64_t n = (1 << 15) + 4099;
    std::vector<float> numbers(n);
    for (std::int64_t i = 0; i < n; ++i) {
        float ordinary = 1 + static_cast<float>(static_cast<std::uint32_t>(i * 2654435761u) >> 9) * 0x1p-23f;
        numbers[static_cast<std::size_t>(i)] =
            i % 89 ? std::ldexp(ordinary, i < n / 2 ? static_cast<int>(i % 250) - 125 : 0) : odd[i / 89 % 10];
    }
    on_every_backend([&](const tested_backend&) {
        array<float> x = asarray(numbers);
        for (float y :
             {3.0f, -7.0f, 0x1.fffffep0f, 1e-5f, 6e23f, 0x1.fffffep127f, 0x1.8p-128f, 0.0f, -0.0f, INFINITY, NAN}) {
            std::vector<float> got = to_vector(array<float>(x / y));
            std::int64_t wrong = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                float want = numbers[i] / y;
                wrong += want != want ? got[i] == got[i] : std::memcmp(&got[i], &want, sizeof want) != 0;
            }
            CAPTURE(y);
            CHECK(wrong == 0);
        }
    });
}

// A kernel computes whole vectors: what lies beside an element, and how many elements there are, must not show in its
// bits.
TEST_CASE(
    "arithmetic around vector functions gives an element the same bits in every size and place, and as steps apart") {
    constexpr std::int64_t n = 1000;
    auto check = [&]<class T>(T) {
        array<T> x = asarray(std::vector<T>([&] {
            std::vector<T> v(n);
            for (std::int64_t i = 0; i < n; ++i)
                v[static_cast<std::size_t>(i)] = static_cast<T>((i * 7919 % 2003) * 0.003 - 3);
            return v;
        }()));
        auto chain = [](const array<T>& a) {
            return array<T>(sqrt(exp(T(-0.5) * square((a - T(0.25)) / T(1.5)))) / T(3.7) + tanh(-a) * fabs(a) -
                            power(T(2.1), a));
        };
        array<T> exponential = exp((T(-0.5) * square((x - T(0.25)) / T(1.5))).eval()).eval(),
                 bent = tanh((-x).eval()).eval();
        array<T> raised = power(T(2.1), x).eval();
        const std::vector<T> apart = to_vector(array<T>(sqrt(exponential) / T(3.7) + bent * fabs(x) - raised));
        CHECK(to_vector(chain(x)) == apart);
        for (std::int64_t count : {1, 7, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200}) {
            CAPTURE(count);
            array<T> part = array<T>(x(slice(333, 333 + count))).copy();
            const auto from = apart.begin() + 333;
            CHECK(to_vector(chain(part)) == std::vector<T>(from, from + count));
        }
    };
    on_every_backend([&](const tested_backend&) {
        check(1.0f);
        check(1.0);
    });
}

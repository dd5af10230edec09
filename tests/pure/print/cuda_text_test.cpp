// The CUDA text, run on the CPU thread by thread, against the interpreter, bit for bit.
#include <doctest/doctest.h>

#include "support/text_programs.hpp"

#include <sinter/codegen/ops/libm.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>
#include <array>
#include <deque>

using namespace run_plan;

namespace {

struct emulated_text {
    static constexpr language which = language::cuda;
    static constexpr family_schedule family{};
    static constexpr const char* linkage = "extern \"C\" ";
    static std::string head() { return "#include \"support/cuda_emulation.hpp\"\n"; }
    static std::string options() { return "-O0 -I'" SINTER_TEST_ROOT "/tests'"; }
    static std::string plain_options() { return options(); }
    static kernel_source emit(const kernel& k) { return emit_cuda(k); }

    // Wide numbers are for arrays larger than a test's.
    static void prepare(sequence<kernel>& kernels, std::size_t number) {
        if (number % 4 == 3)
            for (kernel& k : kernels) k.how.wide = true;
    }

    static std::string entry(const kernel_source& s, const std::string& id) {
        bool meets = s.text.find("combine") != std::string::npos || s.text.find("__sync") != std::string::npos;
        return "extern \"C\" void launch" + id + "(const unsigned* grid, const unsigned* block, void** arguments) {\n" +
               "    cuda_emulation::launch(k" + id + "::" + s.name + ", grid, block, arguments, " +
               (meets ? "true" : "false") + ");\n}\n";
    }

    static void launch(bound_kernel& b, void* image, const std::string& name) {
        auto* run = reinterpret_cast<void (*)(const unsigned*, const unsigned*, void**)>(dlsym(image, name.c_str()));
        REQUIRE((run != nullptr));
        const auto parameters = cuda_parameters(b.k);
        std::vector<void*> arguments;
        std::vector<int> narrow(b.numbers.begin(), b.numbers.end());
        long long* error = b.error;
        std::vector<unsigned> zeroed(reduce_counters, 0);
        unsigned* counters = zeroed.data();
        std::deque<float> inverses;
        std::deque<index_divisor> divisors;
        std::size_t total = 0;
        for (const cuda_parameter& p : parameters) {
            total += p.bytes;
            switch (p.kind) {
                case cuda_parameter::operand: arguments.push_back(&b.memory[p.index]); break;
                case cuda_parameter::partial: arguments.push_back(&b.memory[b.k.operands.size() + p.index]); break;
                case cuda_parameter::scalar: arguments.push_back(b.scalars[p.index].bytes); break;
                case cuda_parameter::inverse:
                    inverses.push_back(scalar::exact_inverse(b.scalars[p.index].as<float>()));
                    arguments.push_back(&inverses.back());
                    break;
                case cuda_parameter::integer:
                    arguments.push_back(p.bytes == 4 ? static_cast<void*>(&narrow[p.index]) : &b.numbers[p.index]);
                    break;
                case cuda_parameter::divisor:
                    divisors.push_back(divisor_of(b.k.space[static_cast<int>(p.index)]));
                    arguments.push_back(&divisors.back());
                    break;
                case cuda_parameter::counters: arguments.push_back(&counters); break;
                case cuda_parameter::error: arguments.push_back(&error); break;
            }
        }
        CHECK(total <= 4096);
        // Thread blocks of reductions that few multiprocessors hold take several parts of a row.
        for (cuda_launch l : cuda_launches(b.k, {b.k.reduced_size() % 2 ? 1 : 132, 228 << 10})) {
            const unsigned threads = l.block[0] * l.block[1] * l.block[2];
            const bool by_rows = !b.k.reduces() && b.k.how.tile == 0 && b.k.space.size() > 1;
            const bool of_one_length = !by_rows && !(b.k.reduces() && b.k.tree == reduce_tree::columns && !b.k.scans);
            CHECK((b.k.is_row_kernel() ? threads <= 1024 && threads % 256 == 0
                   : of_one_length     ? threads == 256
                                       : threads > (by_rows && b.k.space.size() > 2 ? 63 : 128) && threads <= 256));
            if (l.cooperative) l.grid[1] = 1;  // thread blocks run one after the other here
            if (b.k.how.wide) {                // as if there were too many thread blocks for one row
                unsigned& blocks = l.grid[by_rows ? 1 : 0];
                blocks = (blocks + 2) / 3;
                l.grid[2] = 3;
            }
            run(l.grid, l.block, arguments.data());
        }
        CHECK(std::count(zeroed.begin(), zeroed.end(), 0u) == reduce_counters);
    }
};

using emulated_programs = text_programs<emulated_text>;

/// All but functions that GPUs have in place of the mathematical library's.
bool has_bits_of_library(op o, dtype t) {
    const libm_function* f = find_libm(info(o).name);
    return !f || !f->is_of_device() || t == dtype::float64 || is_integer(t);
}

// The sum of x + x over axes, and where x is largest.
random_graph::program reduced(const dims& shape, std::uint8_t axes, dtype type) {
    random_graph::program p;
    p.inputs.push_back(bytes(static_cast<std::size_t>(shape.product() * size_of(type))));
    p.consumable = {false};
    for (std::int64_t i = 0; i < shape.product(); ++i) {
        double value = static_cast<double>(i * 7919 % 10007) / 16;
        convert(dtype::float64, type, &value, p.inputs[0].data() + i * size_of(type), 1);
    }
    node_id x = p.g.add_input(0, type, shape), twice[] = {x, x};
    p.g.roots = {p.g.add_reduce(reduction::sum, p.g.add_apply(op::add, twice, shape), axes),
                 p.g.add_reduce(is_complex(type) ? reduction::prod : reduction::argmax, x, axes)};
    return p;
}

// Numbers of every size, those that a division cannot be computed from by its divisor's inverse among ordinary ones.
random_graph::program divided(float first, float second, bool literal) {
    constexpr std::int64_t n = (1 << 15) + 4099;
    const float odd[] = {0.0f,      -0.0f,           0x1p-149f, -0x1.8p-130f, 0x1p-126f, 0x1p-94f,
                         -0x1p-93f, 0x1.fffffep127f, INFINITY,  -INFINITY,    NAN};
    std::vector<float> x(n);
    for (std::int64_t i = 0; i < n; ++i) {
        auto random = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ull >> 32);
        if (i >= n / 2) random = (random & 0x83ffffffu) | 0x3c000000u;
        std::memcpy(&x[static_cast<std::size_t>(i)], &random, 4);
        if (i % 89 == 0) x[static_cast<std::size_t>(i)] = odd[i / 89 % 11];
        if (i >= n / 4 * 3 && i % 4 == 1) x[static_cast<std::size_t>(i)] = 0;
    }
    random_graph::program p;
    p.inputs.push_back(bytes(static_cast<std::size_t>(n) * 4));
    std::memcpy(p.inputs[0].data(), x.data(), p.inputs[0].size());
    p.consumable = {false};
    auto number = [&](float y) {
        return literal ? p.g.add_literal(scalar_value::of(y)) : p.g.add_scalar(scalar_value::of(y));
    };
    node_id once[] = {p.g.add_input(0, dtype::float32, {n}), number(first)};
    node_id twice[] = {p.g.add_apply(op::divide, once, {n}), number(second)};
    p.g.roots = {twice[0], p.g.add_apply(op::divide, twice, {n})};
    return p;
}

// What Black and Scholes ask of one price, strike and time each, odd ones among ordinary ones: two divisions, a root, a
// logarithm and error functions.
random_graph::program priced(std::int64_t n, int odd_every) {
    const float odd[] = {0.0f,    -0.0f,    0x1p-149f,       -0x1.8p-130f, 0x1p-126f, 0x1p-61f,  0x1p-60f,
                         0x1p61f, 0x1p101f, 0x1.fffffep127f, -3.0f,        INFINITY,  -INFINITY, NAN};
    random_graph::program p;
    node_id x[3];
    std::uint32_t random = 1;
    for (int i = 0; i < 3; ++i) {
        p.inputs.push_back(bytes(static_cast<std::size_t>(n) * 4));
        p.consumable.push_back(false);
        for (std::int64_t k = 0; k < n; ++k) {
            random = random * 1664525u + 1013904223u;
            float v = 0.5f + static_cast<float>(random >> 8) * 0x1p-18f;
            if (odd_every && random % static_cast<unsigned>(odd_every) == 0) v = odd[random / 64 % std::size(odd)];
            std::memcpy(p.inputs.back().data() + 4 * k, &v, 4);
        }
        x[i] = p.g.add_input(i, dtype::float32, {n});
    }
    auto apply = [&](op o, std::initializer_list<node_id> args) {
        return p.g.add_apply(o, std::vector<node_id>(args), {n});
    };
    auto number = [&](float y) { return p.g.add_scalar(scalar_value::of(y)); };
    node_id root = apply(op::sqrt, {x[2]}), drift = apply(op::multiply, {x[2], number(0.07f)});
    node_id ratio = apply(op::log, {apply(op::divide, {x[0], x[1]})});
    node_id d1 = apply(op::divide, {apply(op::add, {ratio, drift}), apply(op::multiply, {root, number(0.2f)})});
    node_id d2 = apply(op::subtract, {d1, apply(op::multiply, {root, number(0.3f)})});
    node_id paid = apply(op::multiply, {x[1], apply(op::exp, {apply(op::multiply, {x[2], number(-0.01f)})})});
    p.g.roots = {d1, apply(op::subtract, {apply(op::multiply, {x[0], apply(op::erf, {d1})}),
                                          apply(op::multiply, {paid, apply(op::erf, {d2})})})};
    return p;
}

}  // namespace

TEST_CASE("divisions, roots and logarithms in their short forms have the bits of the whole ones in CUDA text") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (int odd_every : {0, 2, 9, 400})
        for (std::int64_t n : {(1 << 15) + 4099, 40'000}) e.add(priced(n, odd_every));
    e.check();
    CHECK(std::count_if(e.texts.begin(), e.texts.end(), [](const kernel_source& t) {
              return t.text.find("is_approximated(forms)") != std::string::npos;
          }) > 0);
}

TEST_CASE("a short form that is not finite is noticed even where what follows hides it") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (op hiding : {op::maximum, op::fmax, op::minimum, op::add}) {
        const dims s{(1 << 15) + 4099};
        random_graph::program p = priced(s[0], 50);
        auto apply = [&](op o, std::vector<node_id> args) { return p.g.add_apply(o, args, s); };
        node_id hidden = apply(hiding, {apply(op::sqrt, {2}), 0}),
                inner = apply(hiding, {apply(op::divide, {1, hidden}), 0});
        p.g.roots = {apply(op::divide, {apply(op::divide, {inner, 2}), hidden}),
                     apply(op::exp2, {apply(op::exp, {apply(op::erf, {hidden})})})};
        e.add(std::move(p));
    }
    e.check();
    const int looks[] = {3, 3, 3, 1};  // at a root, what it divides and the last quotient, by which sums are seen
    for (std::size_t i = 0; i < std::size(looks); ++i) {
        int found = 0;
        for (std::size_t at = 0; (at = e.texts[i].text.find("= scalar::checked_finite(", at)) != std::string::npos;
             ++at)
            ++found;
        CHECK(found == looks[i]);
    }
}

TEST_CASE("divisions by the same number for all elements have the bits of a division in CUDA text") {
    if (text_images::compiler().empty()) return;
    const float divisors[] = {3,           -7,         0x1.fffffep0f, 0x1.fffffep23f,  1e-5f,           6e23f,
                              -1e-30f,     0x1.8p125f, 0x1p126f,      0x1.000002p126f, 0x1.fffffep127f, 0x1p-126f,
                              0x1.8p-128f, -0x1p-149f, 0.0f,          -0.0f,           INFINITY,        -INFINITY,
                              NAN};
    emulated_programs e;
    for (float y : divisors)
        for (bool literal : {false, true}) {
            e.add(divided(y, 1.1f, literal));
            e.add(divided(0.3f, y, literal));
        }
    e.check();
    CHECK(std::count_if(e.texts.begin(), e.texts.end(),
                        [](const kernel_source& t) { return t.text.find("divided_by") != std::string::npos; }) > 5);
}

TEST_CASE("random programs compute the same bits as the interpreter in CUDA text") {
    check_random_programs<emulated_text>(has_bits_of_library);
}

TEST_CASE("reductions of every length combine in the same order in CUDA text") { check_reductions<emulated_text>(); }

TEST_CASE("thread blocks that take several parts of a row or a column combine in the same order in CUDA text") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (dtype t : {dtype::float32, dtype::float64, dtype::int16, dtype::complex64})
        for (const dims& shape :
             {dims{16'384}, dims{20'481}, dims{70'001}, dims{7, 16'383}, dims{5, 24'577}, dims{33, 8'193}}) {
            e.add(reduced(shape, static_cast<std::uint8_t>(1 << (shape.size() - 1)), t));
            if (shape.size() > 1) e.add(reduced({shape[1] / 8, 8 * shape[0] + 31}, 1, t));
        }
    e.check();
}

TEST_CASE(
    "many reductions of the same rows combine in the same order in CUDA text, as many kernels as accumulators need") {
    check_many_reductions<emulated_text>();
}

TEST_CASE("rows of every length are one kernel of CUDA text with the interpreter's bits") {
    check_rows<emulated_text>();
}

TEST_CASE("CUDA text reports the first bad index and reads nothing there") { check_bad_indices<emulated_text>(); }

TEST_CASE(
    "few thread blocks of a scan down columns wait until its end, so that tiles have room, whatever there is to scan") {
    for (std::int64_t columns : {3, 8, 40, 2048})
        for (int scans : {1, 5}) {
            CAPTURE(columns);
            CAPTURE(scans);
            graph g;
            const dims s{33'000, columns};
            const node_id x = g.add_input(0, dtype::float32, s);
            for (int i = 0; i < scans; ++i) {
                const node_id factor = g.add_literal(scalar_value::of(float(i + 1)));
                const node_id scaled = g.add_apply(op::multiply, std::array{x, factor}, s);
                g.roots.push_back(g.add_scan(reduction::sum, scaled, 1));
            }
            verify(g);
            const plan p = fuse(g, {false});
            for (const kernel& k : p.kernels) {
                const cuda_launch l = cuda_launches(k, {132, 228 << 10})[0];
                const std::int64_t strips = (columns + k.how.columns - 1) / k.how.columns,
                                   tiles = (s[0] + column_scan_tile - 1) / column_scan_tile;
                const std::int64_t runners = std::int64_t{l.grid[0]} * l.grid[2] - strips * tiles;
                CHECK(runners >= 0);
                CHECK(runners <= reduction_schedules.most_carry_blocks);
                if (scans == 1 && columns <= 8) CHECK(runners == 1);
            }
        }
}

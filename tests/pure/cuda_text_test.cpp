// The CUDA text, run on the CPU thread by thread, against the interpreter, bit for bit.
#include <doctest/doctest.h>

#include "run_plan.hpp"
#include "text_images.hpp"

#include <sinter/codegen/emit_cuda.hpp>

#include <algorithm>
#include <deque>
#include <map>

using namespace run_plan;

namespace {

struct emulated_programs {
    std::vector<random_graph::program> programs;
    std::vector<plan> plans;
    std::map<std::string, std::size_t> numbers;  // of texts, by key
    std::vector<kernel_source> texts;
    void* image = nullptr;

    void add(random_graph::program p, const fusion_limits& limits = {}) {
        INFO(to_text(p.g));
        CHECK_NOTHROW(verify(p.g));
        plans.push_back(fuse(p.g, p.consumable, limits));
        // Wide numbers are for arrays larger than a test's.
        if (programs.size() % 4 == 3)
            for (kernel& k : plans.back().kernels) k.wide = true;
        programs.push_back(std::move(p));
        for (const kernel& k : plans.back().kernels) {
            kernel_source text = emit_cuda(k);
            auto [at, is_new] = numbers.emplace(key(k), texts.size());
            if (is_new) texts.push_back(text);
            else CHECK(texts[at->second].text == text.text);
        }
    }

    // Each text in a namespace, so that equal names do not meet.
    std::string source() const {
        std::string s = "#include \"cuda_emulation.hpp\"\n";
        for (std::size_t i = 0; i < texts.size(); ++i) {
            std::string text = texts[i].text, id = std::to_string(i);
            for (std::size_t at; (at = text.find("extern \"C\" ")) != std::string::npos;) text.erase(at, 11);
            s += "namespace k" + id + " {\n" + text + "}\nextern \"C\" void launch" + id +
                 "(const unsigned* grid, const unsigned* block, void** arguments) {\n";
            s += "    cuda_emulation::launch(k" + id + "::" + texts[i].name + ", grid, block, arguments, " + (text.find("join0") != std::string::npos || text.find("__sync") != std::string::npos ? "true" : "false") + ");\n}\n";
        }
        return s;
    }

    void launch(bound_kernel& b) const {
        std::string name = "launch" + std::to_string(numbers.at(key(b.k)));
        auto* run = reinterpret_cast<void (*)(const unsigned*, const unsigned*, void**)>(dlsym(image, name.c_str()));
        REQUIRE((run != nullptr));
        const auto parameters = cuda_parameters(b.k);
        std::vector<void*> arguments;
        std::vector<int> narrow(b.numbers.begin(), b.numbers.end());
        long long* error = b.error;
        std::vector<unsigned> zeroed(reduce_counters, 0);
        unsigned* counters = zeroed.data();
        std::deque<float> inverses;
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
                case cuda_parameter::counters: arguments.push_back(&counters); break;
                case cuda_parameter::error: arguments.push_back(&error); break;
            }
        }
        CHECK(total <= 4096);
        // Thread blocks of reductions that few multiprocessors hold take several parts of a row.
        for (cuda_launch l : cuda_launches(b.k, b.k.reduced_size() % 2 ? 1 : 132)) {
            const unsigned threads = l.block[0] * l.block[1] * l.block[2];
            const bool by_rows = !b.k.reduces() && b.k.tile == 0 && b.k.space.size() == 2;
            CHECK((b.k.is_row_kernel() ? threads <= 1024 && threads % 256 == 0 : by_rows ? threads > 128 && threads <= 256 : threads == 256));
            if (b.k.wide) {  // as if there were too many thread blocks for one row
                l.grid[0] = (l.grid[0] + 2) / 3;
                l.grid[2] = 3;
            }
            run(l.grid, l.block, arguments.data());
        }
        CHECK(std::count(zeroed.begin(), zeroed.end(), 0u) == reduce_counters);
    }

    void check() {
        image = text_images::load(source(), "-O0 -I'" SINTER_TEST_ROOT "/tests'");
        REQUIRE((image != nullptr));
        int wrong = 0;
        for (std::size_t i = 0; i < programs.size() && wrong < 5; ++i) {
            std::string problem;
            std::vector<bytes> want = expected(programs[i]);
            std::vector<bytes> got = run(plans[i], programs[i], [&](bound_kernel& b) { launch(b); }, problem, language::cuda);
            for (std::size_t r = 0; r < want.size() && problem.empty(); ++r) {
                std::int64_t at = first_difference(programs[i].g.nodes[programs[i].g.roots[r]].type, want[r], got[r]);
                if (at >= 0) problem = "root " + std::to_string(r) + " differs at element " + std::to_string(at);
            }
            wrong += !problem.empty();
            CAPTURE(i);
            INFO(to_text(programs[i].g));
            CHECK(problem == "");
        }
    }
};

bool every_op(op, dtype) { return true; }

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
    p.g.roots = {p.g.add_reduce(reduction::sum, p.g.add_apply(op::add, twice, shape), axes), p.g.add_reduce(is_complex(type) ? reduction::prod : reduction::argmax, x, axes)};
    return p;
}

// Numbers of every size, those that a division cannot be computed from by its divisor's inverse among ordinary ones.
random_graph::program divided(float first, float second, bool literal) {
    constexpr std::int64_t n = (1 << 15) + 4099;
    const float odd[] = {0.0f, -0.0f, 0x1p-149f, -0x1.8p-130f, 0x1p-126f, 0x1p-94f, -0x1p-93f, 0x1.fffffep127f, INFINITY, -INFINITY, NAN};
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
    auto number = [&](float y) { return literal ? p.g.add_literal(scalar_value::of(y)) : p.g.add_scalar(scalar_value::of(y)); };
    node_id once[] = {p.g.add_input(0, dtype::float32, {n}), number(first)};
    node_id twice[] = {p.g.add_apply(op::divide, once, {n}), number(second)};
    p.g.roots = {twice[0], p.g.add_apply(op::divide, twice, {n})};
    return p;
}

}  // namespace

TEST_CASE("divisions by the same number for all elements have the bits of a division in CUDA text") {
    if (text_images::compiler().empty()) return;
    const float divisors[] = {3, -7, 0x1.fffffep0f, 0x1.fffffep23f, 1e-5f, 6e23f, -1e-30f, 0x1.8p125f, 0x1p126f, 0x1.000002p126f,
                              0x1.fffffep127f, 0x1p-126f, 0x1.8p-128f, -0x1p-149f, 0.0f, -0.0f, INFINITY, -INFINITY, NAN};
    emulated_programs e;
    for (float y : divisors)
        for (bool literal : {false, true}) {
            e.add(divided(y, 1.1f, literal));
            e.add(divided(0.3f, y, literal));
        }
    e.check();
    CHECK(std::count_if(e.texts.begin(), e.texts.end(), [](const kernel_source& t) { return t.text.find("divided_by") != std::string::npos; }) > 5);
}

TEST_CASE("random programs compute the same bits as the interpreter in CUDA text") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    int count = std::getenv("SINTER_TEST_FULL") ? 2000 : 250;
    int first = std::getenv("SINTER_SEED") ? std::atoi(std::getenv("SINTER_SEED")) : 1;
    for (int seed = first; seed < first + count; ++seed) e.add(random_graph::generator(static_cast<unsigned>(seed), every_op).make());
    e.check();
}

TEST_CASE("reductions of every length combine in the same order in CUDA text") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (random_graph::program& p : random_graph::reductions()) e.add(std::move(p));
    e.check();
}

TEST_CASE("thread blocks that take several parts of a row or a column combine in the same order in CUDA text") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (dtype t : {dtype::float32, dtype::float64, dtype::int16, dtype::complex64})
        for (const dims& shape : {dims{16'384}, dims{20'481}, dims{70'001}, dims{7, 16'383}, dims{5, 24'577}, dims{33, 8'193}}) {
            e.add(reduced(shape, static_cast<std::uint8_t>(1 << (shape.size() - 1)), t));
            if (shape.size() > 1) e.add(reduced({shape[1] / 8, 8 * shape[0] + 31}, 1, t));
        }
    e.check();
}

TEST_CASE("many reductions of the same rows combine in the same order in CUDA text, as many kernels as accumulators need") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (random_graph::program& p : random_graph::many_reductions()) {
        e.add(std::move(p));
        for (const kernel& k : e.plans.back().kernels) CHECK(k.reductions.size() <= 10);
    }
    e.check();
}

TEST_CASE("rows of every length are one kernel of CUDA text with the interpreter's bits") {
    if (text_images::compiler().empty()) return;
    emulated_programs e;
    for (random_graph::program& p : random_graph::rows()) {
        e.add(std::move(p), random_graph::any_rows);
        CHECK(e.plans.back().kernels.size() == 1);
    }
    e.check();
}

TEST_CASE("CUDA text reports the first bad index and reads nothing there") {
    if (text_images::compiler().empty()) return;
    for (random_graph::program& p : random_graph::bad_indices()) {
        emulated_programs e;
        long long wanted = p.inputs[1][0] == 9 ? 9 : -200;
        e.add(std::move(p));
        e.image = text_images::load(e.source(), "-O0 -I'" SINTER_TEST_ROOT "/tests'");
        REQUIRE((e.image != nullptr));
        std::string problem;
        long long error[2] = {};
        run(e.plans[0], e.programs[0], [&](bound_kernel& b) {
            e.launch(b);
            std::copy(b.error, b.error + 2, error);
        }, problem);
        CHECK(error[0] == 1);
        CHECK(error[1] == wanted);
    }
}

// The host text, compiled, against the interpreter, bit for bit where no vector function of libmvec is called.
#include <doctest/doctest.h>

#include "run_plan.hpp"
#include "text_images.hpp"

#include <map>

using namespace run_plan;

namespace {

using entry_point = void(void* const*, const long long*, const unsigned char*, long long, long long, long long*);

struct host_programs {
    std::vector<random_graph::program> programs;
    std::vector<plan> plans;
    std::map<std::string, std::size_t> numbers;  // of texts, by key
    std::vector<kernel_source> texts;
    void* image = nullptr;

    void add(random_graph::program p, const fusion_limits& limits = {}) {
        INFO(to_text(p.g));
        CHECK_NOTHROW(verify(p.g));
        plans.push_back(fuse(p.g, p.consumable, limits));
        programs.push_back(std::move(p));
        for (const kernel& k : plans.back().kernels) {
            kernel_source text = emit_host(k);
            auto [at, is_new] = numbers.emplace(key(k), texts.size());
            if (is_new) texts.push_back(text);
            else CHECK(texts[at->second].text == text.text);
        }
    }

    // Each text in a namespace, so that equal names do not meet.
    std::string source() const {
        std::string s, parameters = "(void* const* m, const long long* n, const unsigned char* c, long long begin, long long end, "
                                    "long long* error)";
        for (std::size_t i = 0; i < texts.size(); ++i) {
            std::string text = texts[i].text, id = std::to_string(i);
            for (std::size_t at; (at = text.find("extern \"C\" void ")) != std::string::npos;) text.erase(at, 11);
            s += "namespace k" + id + " {\n" + text + "}\n";
            for (std::string finish : {"", "_finish"})
                if (text.find("void " + texts[i].name + finish + "(") != std::string::npos)
                    s += "extern \"C\" void launch" + id + finish + parameters + " { k" + id + "::" + texts[i].name + finish +
                         "(m, n, c, begin, end, error); }\n";
        }
        return s;
    }

    // In uneven parts, as threads would take them.
    void launch(bound_kernel& b) const {
        std::vector<unsigned char> scalars(16 * b.scalars.size() + 16);
        for (std::size_t i = 0; i < b.scalars.size(); ++i) std::memcpy(scalars.data() + 16 * i, b.scalars[i].bytes, 16);
        for (const host_phase& p : host_phases(b.k)) {
            std::string name = "launch" + std::to_string(numbers.at(key(b.k))) + (p.finish ? "_finish" : "");
            auto* run = reinterpret_cast<entry_point*>(dlsym(image, name.c_str()));
            REQUIRE((run != nullptr));
            std::int64_t part = p.items < 5 ? 1 : p.items / 3 + 1;
            for (std::int64_t begin = 0; begin < p.items; begin += part)
                run(b.memory.data(), b.numbers.data(), scalars.data(), begin, begin + part < p.items ? begin + part : p.items, b.error);
        }
    }

    void check() {
        image = text_images::load(source(), std::string(std::getenv("SINTER_TEST_FULL") ? "-O3 -march=native" : "-O0") + " -fno-math-errno -fno-trapping-math -fopenmp-simd");
        REQUIRE((image != nullptr));
        int wrong = 0;
        for (std::size_t i = 0; i < programs.size() && wrong < 5; ++i) {
            std::string problem;
            std::vector<bytes> want = expected(programs[i]);
            std::vector<bytes> got = run(plans[i], programs[i], [&](bound_kernel& b) { launch(b); }, problem);
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

bool exact_op(op o, dtype common) {
    return !is_vector_call({.kind = instruction_kind::apply, .operation = o, .type = common, .common = floating_of(common)});
}

}  // namespace

TEST_CASE("random programs compute the same bits as the interpreter in host text") {
    if (text_images::compiler().empty()) return;
    host_programs e;
    int count = std::getenv("SINTER_TEST_FULL") ? 2000 : 250;
    int first = std::getenv("SINTER_SEED") ? std::atoi(std::getenv("SINTER_SEED")) : 1;
    for (int seed = first; seed < first + count; ++seed) e.add(random_graph::generator(static_cast<unsigned>(seed), exact_op).make());
    e.check();
}

TEST_CASE("reductions of every length combine in the same order in host text") {
    if (text_images::compiler().empty()) return;
    host_programs e;
    for (random_graph::program& p : random_graph::reductions()) e.add(std::move(p));
    e.check();
}

TEST_CASE("many reductions of the same rows combine in the same order in host text, as many kernels as accumulators need") {
    if (text_images::compiler().empty()) return;
    host_programs e;
    for (random_graph::program& p : random_graph::many_reductions()) {
        e.add(std::move(p));
        for (const kernel& k : e.plans.back().kernels) CHECK(k.reductions.size() <= 10);
    }
    e.check();
}

TEST_CASE("rows of every length are one kernel of host text with the interpreter's bits") {
    if (text_images::compiler().empty()) return;
    host_programs e;
    for (random_graph::program& p : random_graph::rows()) {
        e.add(std::move(p), random_graph::any_rows);
        CHECK(e.plans.back().kernels.size() == 1);
    }
    e.check();
}

TEST_CASE("host text reports the first bad index and reads nothing there") {
    if (text_images::compiler().empty()) return;
    for (random_graph::program& p : random_graph::bad_indices()) {
        host_programs e;
        long long wanted = p.inputs[1][0] == 9 ? 9 : -200;
        e.add(std::move(p));
        e.image = text_images::load(e.source(), "-O0");
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

// Programs whose kernels' texts are compiled together and run against the interpreter, bit for bit; of languages it
// knows nothing.
#pragma once

#include <doctest/doctest.h>

#include "full.hpp"
#include "run_plan.hpp"
#include "text_images.hpp"

#include <sinter/codegen/schedule/kernel_key.hpp>

#include <algorithm>
#include <map>

namespace run_plan {

/// A Target has `which`, the schedule `family`, `linkage`, with which the text declares its entries, `prepare(kernels,
/// number of the program)`, `emit(kernel)`, `head()` of the whole, `entry(text, id)`, which is C++ of a function
/// launch<id> that runs a text in the namespace k<id>, `options()` and `plain_options()` of its compiler, and
/// `launch(bound_kernel, image, "launch<id>")`.
template <class Target>
struct text_programs {
    std::vector<random_graph::program> programs;
    std::vector<plan> plans;
    std::map<std::string, std::size_t> numbers;  // of texts, by key
    std::vector<kernel_source> texts;
    void* image = nullptr;

    void add(random_graph::program p, fusion_limits limits = {}) {
        limits.family = Target::family;
        INFO(to_text(p.g));
        CHECK_NOTHROW(verify(p.g));
        plans.push_back(fuse(p.g, p.consumable, limits));
        Target::prepare(plans.back().kernels, programs.size());
        programs.push_back(std::move(p));
        for (const kernel& k : plans.back().kernels) {
            kernel_source text = Target::emit(k);
            auto [at, is_new] = numbers.emplace(key(k), texts.size());
            if (is_new) texts.push_back(text);
            else CHECK(texts[at->second].text == text.text);
        }
    }

    // Each text in a namespace, so that equal names do not meet.
    std::string source() const {
        std::string s = Target::head();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            std::string text = texts[i].text, id = std::to_string(i);
            for (std::size_t at; (at = text.find(Target::linkage)) != std::string::npos;) text.erase(at, 11);
            s += "namespace k" + id + " {\n" + text + "}\n" + Target::entry(texts[i], id);
        }
        return s;
    }

    void compile(const std::string& options) {
        image = text_images::load(source(), options);
        REQUIRE((image != nullptr));
    }

    std::vector<bytes> results_of(std::size_t i, std::string& problem, long long* error = nullptr) {
        return run(
            plans[i], programs[i],
            [&](bound_kernel& b) {
                Target::launch(b, image, "launch" + std::to_string(numbers.at(key(b.k))));
                if (error) std::copy(b.error, b.error + 2, error);
            },
            problem, Target::which);
    }

    void check() {
        compile(Target::options());
        int wrong = 0;
        for (std::size_t i = 0; i < programs.size() && wrong < 5; ++i) {
            std::string problem;
            std::vector<bytes> want = expected(programs[i]), got = results_of(i, problem);
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

template <class Target>
void check_random_programs(bool (*allowed)(op, dtype)) {
    if (text_images::compiler().empty()) return;
    text_programs<Target> e;
    int count = is_full() ? 2000 : 250;
    int first = std::getenv("SINTER_SEED") ? std::atoi(std::getenv("SINTER_SEED")) : 1;
    for (int seed = first; seed < first + count; ++seed)
        e.add(random_graph::generator(static_cast<unsigned>(seed), allowed).make());
    e.check();
}

template <class Target>
void check_reductions() {
    if (text_images::compiler().empty()) return;
    text_programs<Target> e;
    for (random_graph::program& p : random_graph::reductions()) e.add(std::move(p));
    e.check();
}

template <class Target>
void check_many_reductions() {
    if (text_images::compiler().empty()) return;
    text_programs<Target> e;
    for (random_graph::program& p : random_graph::many_reductions()) {
        e.add(std::move(p));
        for (const kernel& k : e.plans.back().kernels) CHECK(k.reductions.size() <= 10);
    }
    e.check();
}

template <class Target>
void check_rows() {
    if (text_images::compiler().empty()) return;
    text_programs<Target> e;
    for (random_graph::program& p : random_graph::rows()) {
        e.add(std::move(p), random_graph::any_rows);
        CHECK(e.plans.back().kernels.size() == 1);
    }
    e.check();
}

template <class Target>
void check_bad_indices() {
    if (text_images::compiler().empty()) return;
    for (random_graph::program& p : random_graph::bad_indices()) {
        text_programs<Target> e;
        long long wanted = p.inputs[1][0] == 9 ? 9 : -200, error[2] = {};
        e.add(std::move(p));
        e.compile(Target::plain_options());
        std::string problem;
        e.results_of(0, problem, error);
        CHECK(error[0] == 1);
        CHECK(error[1] == wanted);
    }
}

}  // namespace run_plan

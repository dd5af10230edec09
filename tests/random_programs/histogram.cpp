// Prints what random programs exercised.
#include "histogram.hpp"

#include <algorithm>
#include <cstdio>

#include "../matrix/table.hpp"

namespace random_programs {

static void print_operations(const operation_counts& h, std::vector<std::string>& missing) {
    int pairs = 0, possible = 0;
    std::string absent;
    std::printf("operations:");
    for (int o = 0; o + 1 < codegen::op_count; ++o) {
        std::int64_t total = 0;
        for (dtype t : types) {
            auto i = static_cast<int>(t);
            if (!codegen::defined_for(static_cast<op>(o), t)) continue;
            ++possible;
            pairs += h.operations[o][i] > 0;
            total += h.operations[o][i];
            if (h.operations[o][i] == 0)
                absent += std::string(" ") + codegen::op_table[o].name + "/" + std::string(to_string(t));
        }
        std::printf("%s %s %lld", o % 8 ? "," : "\n   ", codegen::op_table[o].name, static_cast<long long>(total));
        if (total == 0) missing.push_back(codegen::op_table[o].name);
    }
    std::printf("\nrows of ops.def with a type: %d of %d\n", pairs, possible);
    if (!absent.empty() && absent.size() < 2000) std::printf("   absent:%s\n", absent.c_str());
}

static void print_functions(const operation_counts& h, std::vector<std::string>& missing) {
    static constexpr const char* loops[] = {"for_loop of a number", "for_loop of an array", "while_loop"};
    std::printf("users' functions:");
    auto add = [&](const char* name, std::int64_t n, bool first) {
        std::printf("%s %s %lld", first ? "" : ",", name, static_cast<long long>(n));
        if (n == 0) missing.push_back(name);
    };
    for (int f = 0; f < function_count; ++f) add(function_at(f).name, h.functions[f], f == 0);
    const auto rows = matrix::makers(dtype::float64);
    const auto met = std::count_if(h.made, h.made + rows.size(), [](const auto& n) { return n > 0; });
    std::printf("\nrows of the matrix: %d of %zu", static_cast<int>(met), rows.size());
    std::printf("\nloops:");
    for (int l = 0; l < 3; ++l) add(loops[l], h.loops[l], l == 0);
    std::printf("\n");
}

static void print_reductions(const operation_counts& h) {
    std::printf("reductions:");
    for (int r = 0; r < codegen::reduction_count; ++r) {
        std::int64_t total = 0, kinds = 0;
        for (const auto& n : h.reductions[r]) {
            total += n;
            kinds += n > 0;
        }
        std::printf(" %s %lld (%lld types)", std::string(codegen::to_string(static_cast<reduction>(r))).c_str(),
                    static_cast<long long>(total), static_cast<long long>(kinds));
    }
    std::printf("\nreduced axes:");
    for (int i = 0; i <= max_rank; ++i) std::printf(" %d: %lld", i, static_cast<long long>(h.reduced_axes[i]));
}

std::vector<std::string> print(const operation_counts& h) {
    std::vector<std::string> missing;
    std::printf("statements:");
    for (int k = 0; k < kind_count; ++k)
        std::printf("%s %s %lld", k % 8 ? "," : "\n   ", name_of(static_cast<kind>(k)),
                    static_cast<long long>(h.kinds[k]));
    std::printf("\n");
    print_operations(h, missing);
    print_functions(h, missing);
    print_reductions(h);
    int casts = 0;
    for (dtype a : types)
        for (dtype b : types) casts += h.casts[static_cast<int>(a)][static_cast<int>(b)] > 0;
    std::printf("\nconversions: %d of %d\nranks:", casts, type_count * type_count);
    for (int i = 0; i <= max_rank; ++i) std::printf(" %d: %lld", i, static_cast<long long>(h.ranks[i]));
    static constexpr const char* sizes[] = {"0", "1", "<= 64", "<= 4096", "<= 32768", "larger"};
    std::printf("\nsizes:");
    for (int i = 0; i < 6; ++i) std::printf(" %s: %lld", sizes[i], static_cast<long long>(h.sizes[i]));
    std::printf(
        "\nnegative steps: %lld; programs with inexact operations anywhere: %lld; statements executed %lld, not "
        "applicable %lld\n",
        static_cast<long long>(h.negative_steps), static_cast<long long>(h.inexact_programs),
        static_cast<long long>(h.executed), static_cast<long long>(h.skipped));
    return missing;
}

}  // namespace random_programs

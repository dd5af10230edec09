// Runs Google Benchmark's repetitions and prints medians as one Markdown table, each beside the row it is measured against.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace bench {

/// A row: a benchmark, what it is compared with, and the ratio it should reach (0: none).
struct row {
    std::string name;
    std::string against;
    double at_most = 0;  ///< time over the other's time
};

/// Why a benchmark did not run to its end, or nothing; versions of the library before 1.8 use other names.
template <class Run>
std::string why_skipped(const Run& r) {
    if constexpr (requires { r.error_occurred; })
        return r.error_occurred ? r.error_message : "";
    else
        return r.skipped ? r.skip_message : "";
}

/// Keeps the median of each benchmark, in microseconds, and its bytes per second.
class median_reporter : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& r : runs) {
            if (const std::string why = why_skipped(r); !why.empty())
                std::fprintf(stderr, "%s: %s\n", r.benchmark_name().c_str(), why.c_str());
            if (r.run_type != Run::RT_Aggregate || r.aggregate_name != "median") continue;
            microseconds[r.run_name.function_name] = r.GetAdjustedRealTime() / (r.time_unit == benchmark::kMicrosecond ? 1 : 1e3);
            auto bytes = r.counters.find("bytes_per_second");
            if (bytes != r.counters.end()) bandwidth[r.run_name.function_name] = bytes->second.value;
            std::fprintf(stderr, ".");
        }
    }
    std::map<std::string, double> microseconds, bandwidth;
};

/// Registers a benchmark with medians over repetitions.
template <class F>
void add(const std::string& name, F f, int repetitions = 15) {
    benchmark::RegisterBenchmark(name.c_str(), f)
        ->Unit(benchmark::kMicrosecond)
        ->Repetitions(repetitions)
        ->ReportAggregatesOnly()
        ->UseRealTime();
}

/// Runs everything registered and prints the rows.
inline void print_table(int argc, char** argv, const std::string& title, const std::vector<row>& rows) {
    benchmark::Initialize(&argc, argv);
    median_reporter report;
    benchmark::RunSpecifiedBenchmarks(&report);
    std::fprintf(stderr, "\n");
    std::printf("\n### %s\n\n| what | median, µs | GB/s | against | ratio | goal |\n|---|---|---|---|---|---|\n", title.c_str());
    for (const row& r : rows) {
        if (!report.microseconds.count(r.name)) continue;
        double t = report.microseconds[r.name], b = report.bandwidth.count(r.name) ? report.bandwidth[r.name] / 1e9 : 0;
        std::printf("| %s | %.1f | ", r.name.c_str(), t);
        b > 0 ? std::printf("%.0f | ", b) : std::printf("| ");
        if (report.microseconds.count(r.against)) std::printf("%s | %.3f | ", r.against.c_str(), t / report.microseconds[r.against]);
        else std::printf("| | ");
        r.at_most > 0 ? std::printf("≤ %.2f |\n", r.at_most) : std::printf("|\n");
    }
}

}  // namespace bench

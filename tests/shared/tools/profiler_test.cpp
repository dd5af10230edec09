// Scopes write traces.
#include <cctype>
#include <chrono>
#include <fstream>
#include <map>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/memory/streaming.hpp>
#include <sinter/sinter.hpp>
#include <sstream>
#include <thread>

#include "support/backends.hpp"
#include "support/scratch_folder.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string content(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A complete event of a trace.
struct traced_event {
    std::string name, category;
    double begin, end;
    long thread;
    std::int64_t bytes = -1;  ///< of copies
};

std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t from = text.find(before) + before.size();
    return text.substr(from, text.find(after, from) - from);
}

/// Whether a text begins with JSON, which is taken off it.
bool take_json(std::string_view& s) {
    auto take = [&](std::string_view what) {
        return s.substr(0, what.size()) == what && (s.remove_prefix(what.size()), true);
    };
    auto skip = [&] {
        while (take(" ") || take("\n")) {
        }
    };
    auto take_list = [&](std::string_view end, bool named) {
        for (skip(); !take(end); skip()) {
            if (named && (s.empty() || s[0] != '"' || !take_json(s) || !take(":"))) return false;
            if (!take_json(s)) return false;
            skip();
            if (!take(",") && s.substr(0, 1) != end) return false;
        }
        return true;
    };
    skip();
    if (take("[")) return take_list("]", false);
    if (take("{")) return take_list("}", true);
    std::size_t n = 0;
    if (!take("\"")) {
        while (n < s.size() && (std::isdigit(static_cast<unsigned char>(s[n])) || s[n] == '.')) ++n;
        s.remove_prefix(n);
        return n > 0;
    }
    while (n < s.size() && s[n] != '"' && s[n] >= ' ') n += s[n] == '\\' ? 2 : 1;
    if (n >= s.size() || s[n] != '"') return false;
    return s.remove_prefix(n + 1), true;
}

bool is_json(std::string_view s) { return take_json(s) && s.find_first_not_of(" \n") == s.npos; }

/// The names of tracks, by their numbers.
std::map<long, std::string> tracks_of(const std::string& path) {
    std::map<long, std::string> found;
    std::stringstream lines(content(path));
    for (std::string line; std::getline(lines, line);)
        if (mentions(line, "\"name\":\"thread_name\",\"ph\":\"M\""))
            found[std::stol(between(line, "\"tid\":", ","))] = between(line, "\"args\":{\"name\":\"", "\"");
    return found;
}

int count_of_graphs(const std::vector<traced_event>& events) {
    int n = 0;
    for (const traced_event& e : events) n += e.name.rfind("graph of ", 0) == 0;
    return n;
}

bool is_on_gpu(const traced_event& e) { return e.category.rfind("gpu,", 0) == 0; }

std::vector<traced_event> events_of(const std::string& path) {
    const std::string text = content(path);
    CHECK(is_json(text));
    CHECK(text.substr(0, 2) == "[\n");
    CHECK(text.substr(text.size() - 3) == "\n]\n");
    std::vector<traced_event> found;
    std::stringstream lines(text.substr(2, text.size() - 5));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        if (line.back() == ',') line.pop_back();
        if (mentions(line, "\"ph\":\"M\"")) continue;
        CHECK(line.front() == '{');
        CHECK(line.back() == '}');
        CHECK(mentions(line, "\"ph\":\"X\""));
        const double begin = std::stod(between(line, "\"ts\":", ","));
        found.push_back({between(line, "\"name\":\"", "\",\"cat\""), between(line, "\"cat\":\"", "\""), begin,
                         begin + std::stod(between(line, "\"dur\":", ",")), std::stol(between(line, "\"tid\":", "}"))});
        if (mentions(line, "\"args\":")) found.back().bytes = std::stoll(between(line, "\"args\":{\"bytes\":", "}"));
    }
    return found;
}

int count(const std::vector<traced_event>& events, const std::string& category) {
    int n = 0;
    for (const traced_event& e : events) n += e.category == category;
    return n;
}

const traced_event* find(const std::vector<traced_event>& events, const std::string& name) {
    for (const traced_event& e : events)
        if (e.name == name) return &e;
    return nullptr;
}

}  // namespace

TEST_CASE("a scope writes itself and what happens in it as complete events") {
    on_compiling_backends([](const tested_backend& b) {
        const scratch_folder folder;
        const std::string path = folder.path + "/trace.json";
        array<float> m = stored<float>({33, 33});
        {
            profiler::scope outer("outer \"quoted\"", path);
            profiler::scope inner("inner");
            array<float> y = matmul(m, m);
            y.eval();
            to_vector(exp(m) - 0.4375f);
        }
        std::vector<traced_event> events = events_of(path);
        const traced_event *outer = find(events, "outer \\\"quoted\\\""), *inner = find(events, "inner"),
                           *exp_event = find(events, "exp_subtract");
        REQUIRE(outer);
        REQUIRE(inner);
        REQUIRE(exp_event);
        CHECK(exp_event->category == "launch");
        CHECK(find(events, "matmul")->category == "library call");
        CHECK(count(events, "scope") == 2);
        CHECK(count(events, "copy") == (b.is_cuda() ? 1 : 0));
        CHECK(count(events, "gpu,copy") == count(events, "copy"));
        for (const traced_event& e : events) {
            CHECK(e.begin >= outer->begin);
            CHECK(e.end <= outer->end);
            CHECK((e.thread == outer->thread) == !is_on_gpu(e));
            if (e.category != "scope") CHECK(e.begin >= inner->begin);
        }
        // Outside nothing is recorded; a second scope adds to the file.
        to_vector(exp(m) - 0.4375f);
        CHECK(events_of(path).size() == events.size());
        { profiler::scope later("later", path); }
        CHECK(events_of(path).size() == events.size() + 1);
        CHECK(events_of(path).back().name == "later");
    });
}

TEST_CASE("what runs on a GPU is on a track of its stream, in order and within the scope that waits for it") {
    on_compiling_backends([](const tested_backend& b) {
        const scratch_folder folder;
        const std::string path = folder.path + "/trace.json";
        array<float> m = stored<float>({33, 33}), y = m * 2.0f;
        graph step([](auto u) {  // no schedule reduces along both axes at once
            array<float> less = u - mean(u, 0);
            return less / (1 + max(abs(less), 1, keepdims));
        });
        y = step(y);
        stream other;
        {
            profiler::scope all("all", path);
            for (const char* name : {"first", "second"}) {
                // So that the clocks are compared again.
                if (std::string(name) == "second" && b.is_cuda())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
                profiler::scope part(name);
                for (int i = 0; i < 5; ++i) to_vector(exp(matmul(m, m)) - 0.4375f);
                for (int i = 0; i < 3; ++i) y = step(y);
                to_vector(y);
                stream_scope on(other);
                if (b.is_cuda()) {
                    raw_kernel twice("extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }", "twice");
                    array<float> z = zeros<float>({33});
                    twice({1}, {33}, inout(z));
                    to_vector(z);
                }
                to_vector(m + 0.4375f);
            }
        }
        std::vector<traced_event> events = events_of(path), on_gpu, on_host;
        for (const traced_event& e : events) {
            if (is_on_gpu(e)) on_gpu.push_back(e);
            else if (e.category == "launch" || e.category == "library call" || e.category == "copy")
                on_host.push_back(e);
        }
        const std::map<long, std::string> tracks = tracks_of(path);
        if (!b.is_cuda()) {
            CHECK(on_gpu.empty());
            CHECK(tracks.empty());
            return;
        }
        REQUIRE(on_gpu.size() == on_host.size());
        CHECK(count(on_gpu, "gpu,library call") == 10);
        CHECK(count_of_graphs(on_gpu) == 6);
        CHECK(count(on_gpu, "gpu,copy") == 16);
        REQUIRE(find(on_gpu, "twice"));
        CHECK(mentions(tracks.at(find(on_gpu, "twice")->thread), "GPU 0 ("));
        REQUIRE(tracks.size() == 2);
        CHECK(mentions(tracks.begin()->second, runtime::properties(0).name + ") stream 0"));
        CHECK_FALSE(mentions(tracks.rbegin()->second, ") stream 0"));
        CHECK(tracks.at(find(on_gpu, "exp_subtract")->thread) == tracks.begin()->second);
        std::map<long, double> last;
        const traced_event *first = find(events, "first"), *second = find(events, "second");
        for (std::size_t i = 0; i < on_gpu.size(); ++i) {
            const traced_event& e = on_gpu[i];
            CHECK(e.name == on_host[i].name);
            CHECK(e.category == "gpu," + on_host[i].category);
            CHECK(e.bytes == on_host[i].bytes);
            CHECK(tracks.count(e.thread) == 1);
            CHECK(e.begin >= last[e.thread]);
            CHECK(e.end >= e.begin);
            last[e.thread] = e.end;
            const traced_event& part = i < on_gpu.size() / 2 ? *first : *second;
            CHECK(e.begin >= part.begin);
            CHECK(e.end <= part.end);
        }
    });
}

TEST_CASE("copies are on a GPU's track with their bytes, those of pinned memory and of files in pieces too") {
    on_compiling_backends([](const tested_backend& b) {
        const scratch_folder folder;
        const std::string path = folder.path + "/trace.json", file = folder.path + "/x.npy";
        const std::int64_t long_one = static_cast<std::int64_t>(runtime::streamed_piece) / 4 + 100'003;  // and a piece
        array<float> x = stored<float>({5000}), large = stored<float>({long_one});
        save(file, large);
        const counters_t before = counters();
        {
            profiler::scope s("copies", path);
            pinned_vector<float> in(5000, 1.0f), back(5000);
            std::vector<float> plain(3001, 2.0f);
            array<float> y = asarray(in), z = asarray(plain);
            event done;
            copy_to(y, back, done);
            x.copy().eval();
            save(folder.path + "/y.npy", large);
            array<float> read = load<float>(file);
            done.synchronize();
            CHECK(float(z(3000)) == 2);
        }
        std::vector<traced_event> copies;
        std::int64_t to_device = 0, to_host = 0;
        for (const traced_event& e : events_of(path)) {
            if (e.category != "gpu,copy") continue;
            copies.push_back(e);
            if (e.name == "copy to device") to_device += e.bytes;
            if (e.name == "copy to host") to_host += e.bytes;
            CHECK(e.bytes > 0);
            CHECK(e.end >= e.begin);
        }
        // As many as are counted, and in pieces.
        CHECK(to_device == counters().bytes_to_device - before.bytes_to_device);
        CHECK(to_host == counters().bytes_to_host - before.bytes_to_host);
        CHECK(copies.empty() == !b.is_cuda());
        if (!b.is_cuda()) return;
        CHECK(to_device == 4 * (5000 + 3001 + long_one));
        CHECK(to_host == 4 * (5000 + long_one + 1));
        CHECK(copies.size() >= 7);
        CHECK(tracks_of(path).size() == 1);
    });
}

template <class L>
concept is_made_by_new = requires { new L("a"); };
static_assert(!is_made_by_new<profiler::label>, "labels end in the order in which blocks do");

TEST_CASE("labels stand before what computes the statements of their blocks, and compile nothing anew") {
    on_compiling_backends([](const tested_backend&) {
        const scratch_folder folder;
        const std::string path = folder.path + "/trace.json";
        array<float> x = stored<float>({101});
        auto advected = [&] { return array<float>(exp(x) - 0.40625f); };
        auto projected = [](const array<float>& u) { return array<float>(u * 2 - 0.15625f); };
        array<float> plain = projected(advected());
        const std::string name = explain(plain).steps()[0].name, text = explain(plain).source();
        plain.eval();
        array<float> u, v;
        {
            profiler::label outer("step");
            {
                SINTER_LABEL("advect");
                u = advected();
            }
            v = projected(u);
        }
#ifdef NDEBUG
        const std::string advect = "advect";
#else
        const std::string advect = "advect (profiler_test.cpp:" + std::to_string(__LINE__ - 8) + ")";
#endif
        const explanation e = explain(v);
        REQUIRE(e.steps().size() == 1);
        CHECK(e.steps()[0].label == advect + ", step");
        CHECK(mentions(e.text(), "kernel 1: " + advect + ", step: " + name + " over "));
        CHECK(mentions(e.schedule(), advect + ", step: " + name + " over "));
        CHECK(e.source() == text);
        CHECK(e.cached());
        {
            profiler::scope s("labelled", path);
            v.eval();
            to_vector(x - 0.40625f);
        }
        CHECK(find(events_of(path), advect + ", step: " + name));
        CHECK(find(events_of(path), "subtract"));
        CHECK(array_equal(v, plain));
        CHECK(explain(v).steps()[0].label == "step");
    });
}

TEST_CASE("a label is of its thread and ends with its block, and a step has those of what it stores or is needed for") {
    on_compiling_backends([](const tested_backend&) {
        const array<double> m = stored<double>({33, 33});
        array<double> a, b, c;
        {
            profiler::label l("product");
            a = matmul(m, m);
            std::thread([&] { c = m * 0.40625; }).join();
        }
        {
            profiler::label l("norm");
            b = sum(square(a - m));
        }
        CHECK(explain(c).steps()[0].label.empty());
        CHECK(explain(m + 0.40625).steps()[0].label.empty());
        auto label_of = [](const explanation& e, const std::string& name) {
            for (const explanation::step& s : e.steps())
                if (s.name.find(name) != std::string::npos) return s.label;
            return std::string("no step");
        };
        CHECK(label_of(explain(b), "matmul") == "product");
        CHECK(label_of(explain(b), "square") == "norm");
        {
            profiler::label l("product");
            c = sum(matmul(m, m) + 1);
        }
        c = sqrt(c);
        // What no name holds is stored for a step of two labels.
        CHECK(label_of(explain(c), "matmul") == "product");
    });
}

TEST_CASE("compilations are events") {
    on_compiling_backends([](const tested_backend&) {
        const scratch_folder folder;
        const std::string path = folder.path + "/trace.json";
        array<float> x = stored<float>({100});
        const std::int64_t before = counters().kernels_compiled;
        {
            profiler::scope s("compiling", path);
            (tanh(x) * 3 - log1p(x) / 5 + cbrt(x)).copy().eval();
        }
        CHECK(count(events_of(path), "compile") == counters().kernels_compiled - before);
    });
}

TEST_CASE("scopes of several threads share a trace") {
    const scratch_folder folder;
    const std::string path = folder.path + "/trace.json";
    {
        profiler::scope all("all", path);
        std::thread other([] {
            for (int i = 0; i < 10; ++i) profiler::scope s("other");
        });
        for (int i = 0; i < 10; ++i) profiler::scope s("own");
        other.join();
    }
    const std::vector<traced_event> events = events_of(path);
    CHECK(events.size() == 21);
    CHECK(find(events, "other")->thread != find(events, "own")->thread);
}

TEST_CASE("a scope without a file records nothing, and one that cannot be written says so") {
    if (!runtime::env().trace.empty()) return;
    { profiler::scope s("nothing"); }
    CHECK_THROWS_AS(profiler::scope("no", "/no-such-folder/trace.json"), io_error);
    CHECK_NOTHROW(profiler::scope("nothing again"));
}

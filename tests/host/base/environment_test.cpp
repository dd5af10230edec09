// Environment variables, counters and the look-up of libraries.
#include <doctest/doctest.h>

#include <map>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/library.hpp>

using namespace sinter::runtime;

static std::map<std::string, std::string> fake;
static const char* look_up(const char* name) {
    const auto found = fake.find(name);
    return found == fake.end() ? nullptr : found->second.c_str();
}
static environment parse(std::map<std::string, std::string> variables) {
    fake = std::move(variables);
    return parse_environment(look_up);
}

TEST_CASE("an empty environment asks for nothing") {
    const environment e = parse({});
    CHECK(e.backend.empty());
    CHECK_FALSE(e.check);
    CHECK_FALSE(e.tf32);
    CHECK_FALSE(e.seed);
    CHECK_FALSE(e.shows("ir"));
    CHECK(e.compile_timeout == 600);
    CHECK(e.search_path == "/usr/bin:/bin");
    CHECK(parse({{"PATH", ""}}).search_path.empty());
    CHECK(e.tiers == code_tiers::both);
    CHECK(e.variables.size() == 12);
    for (const environment_variable& v : e.variables) CHECK_FALSE(v.value);
}

TEST_CASE("every variable is read and listed") {
    const environment e = parse({{"SINTER_BACKEND", "host"},
                                 {"SINTER_CACHE_DIR", "/a b"},
                                 {"SINTER_CXX", "g++-13"},
                                 {"SINTER_SHOW", "ir,launch"},
                                 {"SINTER_RECORD", "r"},
                                 {"SINTER_PACK", "p"},
                                 {"SINTER_TRACE", "t.json"},
                                 {"SINTER_CHECK", "1"},
                                 {"SINTER_TF32", "on"},
                                 {"SINTER_TIERS", "0"},
                                 {"SINTER_SEED", "18446744073709551615"},
                                 {"SINTER_COMPILE_TIMEOUT", "0"},
                                 {"HOME", "/home/x"}});
    CHECK(e.backend == "host");
    CHECK(e.cache_dir == "/a b");
    CHECK(e.cxx == "g++-13");
    CHECK(e.shows("ir"));
    CHECK(e.shows("launch"));
    CHECK_FALSE(e.shows("source"));
    CHECK_FALSE(e.shows("ir,launch"));
    CHECK(e.record == "r");
    CHECK(e.pack == "p");
    CHECK(e.trace == "t.json");
    CHECK(e.check);
    CHECK(e.tiers == code_tiers::full);
    CHECK(e.compile_timeout == 0);
    CHECK(e.tf32);
    CHECK(e.seed == 18446744073709551615u);
    CHECK(e.home == "/home/x");
    for (const environment_variable& v : e.variables) CHECK(v.value);
    CHECK(parse({{"SINTER_TIERS", "quick"}}).tiers == code_tiers::quick);
    CHECK(parse({{"SINTER_TIERS", "full"}}).tiers == code_tiers::full);
    CHECK(parse({{"SINTER_TIERS", "1"}}).tiers == code_tiers::both);
    CHECK(parse({{"SINTER_SEED", "0xff"}}).seed == 255);
    CHECK_FALSE(parse({{"SINTER_SEED", ""}, {"SINTER_CHECK", "0"}}).seed);
}

TEST_CASE("a malformed variable is named with its value") {
    const std::map<std::string, std::string> wrong[] = {
        {{"SINTER_BACKEND", "gpu"}},
        {{"SINTER_BACKEND", "cuda,host"}},
        {{"SINTER_SEED", "-1"}},
        {{"SINTER_SEED", "12x"}},
        {{"SINTER_SEED", "0x"}},
        {{"SINTER_SEED", "18446744073709551616"}},
        {{"SINTER_SHOW", "ir,texts"}},
        {{"SINTER_SHOW", ",ir"}},
        {{"SINTER_CHECK", "2"}},
        {{"SINTER_TF32", "maybe"}},
        {{"SINTER_TIERS", "Full"}},
        {{"SINTER_COMPILE_TIMEOUT", "-1"}},
        {{"SINTER_COMPILE_TIMEOUT", "1.5"}},
    };
    for (const auto& variables : wrong) {
        std::string message;
        try {
            parse(variables);
        } catch (const sinter::value_error& e) {
            message = e.what();
        }
        CAPTURE(message);
        CHECK(message.find("[environment] " + variables.begin()->first) == 0);
        CHECK(message.find('"' + variables.begin()->second + '"') != std::string::npos);
    }
}

TEST_CASE("counters count, reset and keep what the pool holds") {
    sinter::reset_counters();
    const sinter::counters_t before = sinter::counters();
    CHECK(before.launches == 0);
    count_launch();
    count_kernel_compiled();
    count_to_host(24);
    count_pool_held(4096);
    count_pool_used(1000);
    count_pool_used(500);
    count_pool_used(-1200);
    sinter::counters_t c = sinter::counters();
    CHECK(c.launches == 1);
    CHECK(c.kernels_compiled == 1);
    CHECK(c.bytes_to_host == 24);
    CHECK(c.pool_used - before.pool_used == 300);
    CHECK(c.pool_peak - before.pool_used == 1500);
    sinter::reset_counters();
    c = sinter::counters();
    CHECK(c.launches == 0);
    CHECK(c.bytes_to_host == 0);
    CHECK(c.pool_held - before.pool_held == 4096);
    CHECK(c.pool_peak == c.pool_used);
    count_pool_used(-300);
    count_pool_held(-4096);
}

TEST_CASE("a library is found under its second name and its symbols are callable") {
    const shared_library math({"libnot-there.so.7", "libm.so.6"}, {"/nowhere"});
    REQUIRE(math);
    CHECK(math.path().find("libm.so.6") != std::string::npos);
    CHECK(math.why().empty());
    CHECK(math.function<double(double)>("sqrt")(2.25) == 1.5);
    CHECK(math.symbol("no_such_symbol") == nullptr);
}

TEST_CASE("a library that is missing tells every place that was searched") {
    const shared_library missing({"libnot-there.so.7", "libnot-there.so"}, {"/nowhere", "/usr/lib", "/nowhere"});
    REQUIRE_FALSE(missing);
    CHECK(missing.symbol("anything") == nullptr);
    const std::string why = missing.why();
    CAPTURE(why);
    CHECK(why.find("libnot-there.so.7, libnot-there.so not found: looked in") == 0);
    CHECK(why.find("/nowhere/libnot-there.so.7: no such file") != std::string::npos);
    CHECK(why.find("/nowhere/libnot-there.so.7") == why.rfind("/nowhere/libnot-there.so.7"));
    CHECK(why.find("/usr/lib/libnot-there.so: no such file") != std::string::npos);
    CHECK(why.find("libnot-there.so (the system's search): ") != std::string::npos);
}

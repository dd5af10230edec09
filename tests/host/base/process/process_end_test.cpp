// Work in the background ends before the libraries that it is in, whichever thread has begun it.
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/base/process/process_end.hpp>
#include <string>
#include <thread>

#include "support/child_process.hpp"

using namespace sinter;

namespace {

void say_closed() {
    static bool is_said = false;
    if (is_said) return;
    is_said = true;
    std::printf("closed ");
    std::fflush(stdout);
}

// As what a library registers for its end once it is loaded.
void register_library_end() {
    std::atexit([] {
        std::printf("library ended ");
        std::fflush(stdout);
    });
}

finished run(const std::string& what) { return child_process({inherited("LD_LIBRARY_PATH")}, what).wait(); }

}  // namespace

TEST_CASE("what a child process does whose other thread begins work in the background") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    std::thread([] { runtime::close_at_end(say_closed); }).join();
    register_library_end();
    std::exit(0);
}

TEST_CASE("work that another thread began ends before handlers that were registered later") {
    const finished f = run("what a child process does whose other thread begins work in the background");
    CAPTURE(f.output);
    CHECK(f.output.ends_with("closed library ended "));
    CHECK(f.status == 0);
}

TEST_CASE("what a child process does that another thread ends than its first") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    runtime::close_at_end(say_closed);
    register_library_end();
    const runtime::shared_library library({"libm.so.6"});
    if (!library) std::printf("no library ");
    std::thread([] { std::exit(0); }).join();
}

TEST_CASE("where another thread ends the process, work ends before the handlers of libraries loaded since it began") {
    const finished f = run("what a child process does that another thread ends than its first");
    CAPTURE(f.output);
    CHECK(f.output.ends_with("closed library ended "));
    CHECK(f.status == 0);
}

// A lower precision that the CPU does not have is asked for in vain, which is said once.
#include "support/child_process.hpp"

#include <doctest/doctest.h>
#include <cstdlib>
#include <sinter/sinter.hpp>
#include <string>

using namespace sinter;

namespace {

int count(const std::string& text, const std::string& part) {
    int n = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

const std::string warning = "precision::highest will be used on the CPU instead";

int warnings_of(const std::string& precision, const std::string& more = "SINTER_BACKEND=interpreter") {
    const auto f = child_process({"TEST_PRECISION=" + precision, "SINTER_BACKEND=interpreter", more},
                                 "what a child process multiplies")
                       .wait();
    CHECK(f.status == 0);
    return count(f.output, warning);
}

}  // namespace

TEST_CASE("what a child process multiplies") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const std::string wanted = std::getenv("TEST_PRECISION");
    const array<float> a = ones<float>({2, 2});
    for (int i = 0; i < 2; ++i) {
        if (wanted == "call") CHECK(matmul(a, a, precision::tf32).item(0, 0) == 2);
        if (wanted == "scope") {
            precision_scope in(precision::tf32);
            CHECK(matmul(a, a).item(0, 0) == 2);
        }
        if (wanted == "default") CHECK(matmul(a, a).item(0, 0) == 2);
        if (wanted == "double") {
            precision_scope in(precision::tf32);
            CHECK(matmul(ones({2, 2}), ones({2, 2})).item(0, 0) == 2);
        }
    }
}

TEST_CASE("a precision that only GPUs have is refused once, with a word, on the CPU") {
    CHECK(warnings_of("call") == 1);
    CHECK(warnings_of("scope") == 1);
    CHECK(warnings_of("default", "SINTER_TF32=1") == 1);
    CHECK(warnings_of("default") == 0);
    CHECK(warnings_of("double") == 0);
}

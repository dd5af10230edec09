// SHA-256 against the known vectors of FIPS 180-4 and at every length around a block's end.
#include <doctest/doctest.h>

#include <set>
#include <sinter/runtime/base/sha256.hpp>

using namespace sinter::runtime;

TEST_CASE("sha256 agrees with the published vectors") {
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                 "mnopqrstnopqrstu") == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha256 pads every length around a block differently") {
    std::set<std::string> seen;
    for (std::size_t n = 0; n <= 130; ++n) seen.insert(sha256(std::string(n, '\0')));
    CHECK(seen.size() == 131);
}

// Archives that ranks write and read in parts, beside what one rank writes and reads.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sinter/runtime/library/deflate.hpp>

#include "support/backends.hpp"
#include "support/ranks.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

namespace {

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("an archive that ranks write in parts has the bytes of one that one rank writes") {
    on_every_backend([](const tested_backend& b) {
        const scratch_folder folder;
        const array<double> x = reshape(arange<double>(77) / 3, {11, 7});
        const array<std::int16_t> n = astype<std::int16_t>(arange(5));
        const array<float> none = zeros<float>({0, 3}), one = array<float>{2};
        savez(folder.path + "/one.npz", {{"x", x}, {"n", n}, {"none", none}, {"one", reshape(one, {})}});
        for (int p : {1, 2, 3, 4, 8}) {
            if (!b.is_interpreter() && p != 3) continue;
            on_ranks({p}, [&](distributed::session&, auto check) {
                const auto rows = distributed::split(0), columns = distributed::split(1);
                savez(folder.path + "/many", {{"x", distribute(x, columns)},
                                              {"n", distribute(n, rows)},
                                              {"none", distribute(none, rows)},
                                              {"one", distribute(reshape(one, {}), distributed::replicated())}});
                check(bytes_of(folder.path + "/many.npz") == bytes_of(folder.path + "/one.npz"), "the same bytes");
                for (const auto& where : {rows, columns, distributed::replicated()}) {
                    const auto y = load<double>(folder.path + "/one.npz", "x", where);
                    check(y.placement() == where && same_bits(y.gather(), x), "read in parts");
                }
                check(same_bits(load<float>(folder.path + "/one.npz", "one", distributed::replicated()).gather(),
                                reshape(one, {})),
                      "a number");
            });
        }
    });
}

TEST_CASE("an array that is deflated, or not there, and a file that cannot be written are told of on all ranks") {
    const scratch_folder folder;
    const array<double> x = reshape(arange<double>(77) / 3, {11, 7});
    if (runtime::zlib_available()) {
        savez_compressed(folder.path + "/packed.npz", {{"x", x}});
        on_ranks({3}, [&](distributed::session&, auto check) {
            const auto y = load<double>(folder.path + "/packed.npz", "x", distributed::split(0));
            check(y.placement() == distributed::split(0) && same_bits(y.gather(), x), "inflated");
        });
    }
    savez(folder.path + "/plain.npz", {{"x", x}});
    auto thrown = [&](auto f) { return message_of([&] { distributed::run(3, [&](distributed::session&) { f(); }); }); };
    const auto rows = distributed::split(0);
    CHECK(thrown([&] { load<double>(folder.path + "/plain.npz", "y", rows); }).find("has no array 'y' among: x") !=
          std::string::npos);
    CHECK(thrown([&] { load<int>(folder.path + "/plain.npz", "x", rows); }).find("[load]") == 0);
    CHECK(thrown([&] { savez("/nowhere/at/all", {{"x", distribute(x, rows)}}); }) ==
          "[savez] rank 0 cannot write /nowhere/at/all.npz: No such file or directory");
    CHECK(thrown([&] { savez(folder.path + "/twice", {{"x", distribute(x, rows)}, {"x", distribute(x, rows)}}); }) ==
          "[savez] two arrays are called 'x'");
    CHECK_FALSE(std::filesystem::exists(folder.path + "/twice.npz.part"));
}

TEST_CASE("a rank that fails while others make a file leaves none behind") {
    const scratch_folder folder;
    const array<double> x = reshape(arange<double>(77) / 3, {11, 7});
    CHECK(message_of([&] {
              distributed::run(2, [&](distributed::session& s) {
                  if (s.rank() == 1) throw value_error("[mine] no");
                  save(folder.path + "/x.npy", distribute(x, distributed::split(0)));
              });
          }) == "[run] rank 1 threw: [mine] no");
    CHECK(std::filesystem::is_empty(folder.path));
    // Rank 1 is there when the file is made, and not when it is written.
    CHECK(message_of([&] {
              distributed::run(2, [&](distributed::session& s) {
                  const auto y = distribute(x, distributed::split(0));
                  if (s.rank() == 0) return save(folder.path + "/y.npy", y);
                  const std::vector<std::int64_t> sizes(2, sizeof(int));
                  std::string words;
                  y.get_value()->session->all_gather("save", std::vector<char>(sizeof(int)), sizes, words);
                  throw value_error("[mine] no");
              });
          }) == "[run] rank 1 threw: [mine] no");
    CHECK(std::filesystem::is_empty(folder.path));
}

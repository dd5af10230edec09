// Assignment to parts of distributed arrays, beside the same assignment of ordinary ones: bits, placements, messages.
#include "support/backends.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

namespace {

array<double> numbers(const dims& shape) { return reshape((arange<double>(shape.product()) * 37) % 101 / 7, shape); }

std::string thrown(void (*f)(distributed::array<double>)) {
    return message_of([&] {
        distributed::run(3, [&](distributed::session&) { f(distribute(numbers({7, 4}), distributed::split(0))); });
    });
}

}  // namespace

TEST_CASE("a part of a distributed array that is assigned has the bits of an ordinary array's part") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 3, 4, 8}) {
            if (!b.is_interpreter() && p != 3) continue;
            on_ranks({p}, [&](distributed::session&, auto check) {
                for (const dims& shape : {dims(13, 6), dims(7, 9), dims(2, 3), dims(3, 2)})
                    for (int axis : {0, 1}) {
                        const auto where = distributed::split(axis);
                        const auto in = slice(1, -1);
                        array<double> a = numbers(shape), w = numbers({shape[0] - 2, shape[1]});
                        auto x = distribute(a, where);
                        const auto y = distribute(w, where);
                        x(in) = y * 2;
                        a(in) = w * 2;
                        check(x.placement() == where && same_bits(x.gather(), a), "a slice, of a distributed array");
                        x(in, slice(1, none)) = w(all, slice(1, none)) + 1;
                        a(in, slice(1, none)) = w(all, slice(1, none)) + 1;
                        check(same_bits(x.gather(), a), "of an ordinary one");
                        x(slice(-2, none), -1) = 5;
                        a(slice(-2, none), -1) = 5;
                        x(-1) = 0.25;
                        a(-1) = 0.25;
                        check(same_bits(x.gather(), a), "a number in a column, and in a row");
                        x(all, 0) = distribute(numbers({shape[0]}), axis == 0 ? where : distributed::replicated());
                        a(all, 0) = numbers({shape[0]});
                        x(1) = numbers({shape[1]});
                        a(1) = numbers({shape[1]});
                        check(same_bits(x.gather(), a), "vectors in a column, and in a row");
                        x(slice(2), newaxis) += x(slice(1), newaxis).reshard(distributed::replicated());
                        a(slice(2), newaxis) += array<double>(a(slice(1), newaxis));
                        x(slice(5, 5)) = 9;
                        check(same_bits(x.gather(), a), "a row that broadcasts, and no row at all");
                    }
            });
        }
    });
}

TEST_CASE(
    "a stencil that is assigned to the inside exchanges borders, and the same slices read what was there before") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 3}, [](distributed::session& s, auto check) {
            array<double> a = numbers({12, 5});
            auto x = distribute(a, distributed::split(0));
            const auto in = slice(1, -1), up = slice(2, none), down = slice(none, -2);
            auto named = x(up);
            s.reset_counters();
            x(in) = x(up) - x(down);
            a(in) = a(up) - a(down);
            // A rank has four rows, of which a slice or an assignment moves three at most.
            check(s.counters().bytes_received <= 3 * 3 * 5 * 8, "borders alone");
            check(same_bits(x.gather(), a), "read before it is written");
            check(same_bits(named.gather(), numbers({12, 5})(up)), "a part that has a name is what it was");
        });
    });
}

TEST_CASE("an array that is made of a part, or assigned one, reads it there, as an ordinary one does") {
    on_ranks({2}, [](distributed::session& s, auto check) {
        const array<double> a = numbers({12, 4});
        auto x = distribute(a, distributed::split(0));
        const auto moved = [&] { return s.counters().collectives; };
        distributed::array<double> y = x(slice(1, -1));
        check(moved() == 1, "made");
        y = x(slice(2, none));
        check(moved() == 2, "assigned");
        std::vector<distributed::array<double>> all;
        all.push_back(x(slice(0, 5)));
        check(moved() == 3, "taken by a vector");
        if (s.is_root()) y.local().eval();
        check(same_bits(y.gather(), a(slice(2, none))) && same_bits(all[0].gather(), a(slice(0, 5))), "elements");
    });
}

TEST_CASE("a rank alone may ask a part that has a name for its shape and placement, which moves nothing") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 3}, [](distributed::session& s, auto check) {
            const array<double> a = numbers({7, 4});
            auto x = distribute(a, distributed::split(0));
            auto means = mean(x, 0);
            auto inside = x(slice(1, -1), newaxis), row = x(-2), column = x(all, 1), two = means(slice(2));
            if (s.is_root()) {
                check(inside.shape() == dims(5, 1, 4) && inside.ndim() == 3 && inside.size() == 20, "a slice's shape");
                check(row.shape() == dims(4) && column.shape(0) == 7 && two.shape() == dims(2), "other shapes");
                check(inside.placement() == distributed::split(0) && column.placement() == distributed::split(0),
                      "what is split");
                check(row.placement() == distributed::replicated() && two.placement() == distributed::replicated(),
                      "what every rank has");
            }
            check(s.counters().collectives == 0, "nothing moved");
            check(same_bits(inside.gather(), a(slice(1, -1), newaxis)) && same_bits(row.gather(), a(-2)), "elements");
            check(same_bits(two.gather(), mean(a, 0)(slice(2))), "elements of what was combined");
            check(inside.shape() == dims(5, 1, 4) && row.placement() == distributed::replicated(), "read before");
        });
    });
}

TEST_CASE(
    "nothing is moved for a part that is assigned a number, and with one rank there are an ordinary array's kernels") {
    on_ranks({4}, [](distributed::session& s, auto check) {
        auto x = distribute(numbers({13, 3}), distributed::split(0));
        x(slice(2, -2), 1) = 7;
        x(slice(3, 9)) = numbers({3});
        check(s.counters().collectives == 0, "no message");
    });
    on_compiling_backends([](const tested_backend&) {
        const distributed::session s(distributed::make_single_communicator());
        auto launches_of = [](auto x) {
            x.eval();
            auto run = [&] {
                x(slice(1, -1)) = x(slice(2, none)) + x(slice(none, -2));
                x.eval();
            };
            run();
            reset_counters();
            run();
            return sinter::counters().launches;
        };
        CHECK(launches_of(distribute(numbers({40, 3}), distributed::split(0))) == launches_of(numbers({40, 3})));
    });
}

TEST_CASE("assignments that parts cannot take throw on all ranks alike") {
    CHECK(thrown([](distributed::array<double> x) { x(slice(1, 3)) = numbers({3, 4}); }).find("[assignment]") == 0);
    CHECK(thrown([](distributed::array<double> x) { x(slice(3)) = x.reshard(distributed::split(1))(slice(3)); }) ==
          "[assignment] operands are split along axes 0 and 1 of the result: reshard one of them first");
    CHECK(thrown([](distributed::array<double> x) { x(0) = distribute(numbers({4}), distributed::split(0)); }) ==
          "[assignment] of a value that is split(0) to a part that is replicated: reshard it to replicated first");
    CHECK(thrown([](distributed::array<double> x) { x(slice(3)) = x(slice(1)); }) ==
          "[assignment] an operand of shape (1, 4) is split along axis 0, which broadcasts: reshard it to replicated "
          "first");
    CHECK(thrown([](distributed::array<double> x) { x(slice(none, none, 2)) = 1; }).find("[slice] steps of 2") == 0);
    CHECK(thrown([](distributed::array<double> x) { x(7) = 1; }).find("[index] index 7 is out of bounds") == 0);
    CHECK(message_of([] {
              distributed::run(2, [](distributed::session&) {
                  auto x = distribute(arange<int>(5), distributed::split(0));
                  x(slice(2)) = std::int64_t{1} << 40;
              });
          }).find("[assignment]") == 0);
}

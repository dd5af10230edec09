// Arrays over ranks in rows and columns: every placement brought into every other, and each operation by the rule of
// each axis, with the bits of one rank.
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

namespace {

constexpr int no_axis = distributed::no_axis;

}  // namespace

TEST_CASE("every pair of placements is resharded without a changed bit, also transposed, and with empty parts") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 3, 4, 6, 8}) {
            if (!b.is_interpreter() && p > 3) continue;
            on_ranks({p}, [&](distributed::session&, auto check) {
                const distributed::placement all_of[] = {distributed::replicated(),  distributed::split(0),
                                                         distributed::split(1),      distributed::block_cyclic(2),
                                                         distributed::mesh(),        distributed::mesh(p),
                                                         distributed::mesh(0, 1, 0), distributed::mesh(0, no_axis, 1)};
                for (const dims& shape : {dims(0, 3), dims(1, 1), dims(p - 1, p + 1), dims(p + 1, p - 1), dims(7, 13),
                                          dims(2, 0), dims(5, 3)}) {
                    const array<float> x = reshape(arange<float>(shape.product()), shape);
                    for (const auto& from : all_of)
                        for (const auto& to : all_of) {
                            const auto y = distribute(x, from).reshard(to);
                            check(y.placement() == to, "placement");
                            check(same_bits(y.gather(), x), "resharded");
                            if (to.kind == distributed::placement_kind::block_cyclic) {
                                check(same_bits((y * 2 - y).gather(), x), "elements in blocks");
                                continue;
                            }
                            check(same_bits(y.T().reshard(from).gather(), x.T()), "transposed and resharded");
                            check(double(sum(y)) == double(sum(x)), "summed");
                        }
                }
            });
        }
    });
}

TEST_CASE(
    "vectors over a mesh lie in parts that ranks of a row or a column have alike, and are resharded bit for bit") {
    for (int p : {1, 2, 3, 4, 6, 8})
        on_ranks({p}, [&](distributed::session&, auto check) {
            const distributed::placement all_of[] = {distributed::replicated(), distributed::split(0),
                                                     distributed::mesh(0, 0, no_axis),
                                                     distributed::mesh(0, no_axis, 0)};
            for (std::int64_t n : {0, 1, p - 1, p + 1, 13, 29}) {
                const array<double> x = arange<double>(n) / 7;
                for (const auto& from : all_of)
                    for (const auto& to : all_of) {
                        const auto y = distribute(x, from).reshard(to);
                        check(y.placement() == to && same_bits(y.gather(), x), "resharded");
                        check(same_bits(reshape(y, {n, 1}).gather(), reshape(x, {n, 1})), "another shape");
                        check(double(sum(y)) == double(sum(x)), "summed");
                        if (n > 1)
                            check(same_bits((y(slice(1, none)) - y(slice(none, -1))).gather(), diff(x)), "differences");
                    }
            }
        });
}

TEST_CASE("matrices over a mesh of ranks are mapped where they are, and reduced with the bits of one rank") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 3, 4, 6, 8}) {
            if (!b.is_interpreter() && p != 4) continue;
            on_ranks({p}, [&](distributed::session& s, auto check) {
                for (const auto& where : {distributed::mesh(), distributed::mesh(1), distributed::mesh(p)}) {
                    for (const dims& shape : {dims(29, 13), dims(1, 1), dims(p - 1, 2 * p + 1), dims(3, 601)}) {
                        random::generator g(8);
                        const array<float> x = g.normal<float>(1, 2, shape), row = x(slice(0, 1)) * 2,
                                           column = array<float>(sum(x, 1, keepdims));
                        const auto y = distribute(x, where);
                        const std::int64_t before = s.counters().collectives;
                        const auto z = tanh(y * row) - column + 1;
                        const array<float> wanted = tanh(x * row) - column + 1;
                        check(z.placement() == where && s.counters().collectives == before, "a map moves nothing");
                        check(same_bits(z.gather(), wanted), "a map");
                        if (x.size() == 0) continue;
                        check(same_bits(mean(z).gather(), mean(wanted)), "mean");
                        check(same_bits(sum(z, 0).gather(), sum(wanted, 0)), "sum of columns");
                        check(same_bits(sum(z, 1).gather(), sum(wanted, 1)), "sum of rows");
                        check(same_bits(stddev(z, 1, keepdims).gather(), stddev(wanted, 1, keepdims)), "stddev");
                        check(same_bits(argmax(z).gather(), argmax(wanted)), "argmax");
                        check(same_bits((z - mean(z, 0)).gather(), wanted - mean(wanted, 0)),
                              "a mean beside its array");
                    }
                }
                const auto y = distribute(ones<float>({4, 4}), distributed::mesh());
                check(message_of([&] { sort(y, 1); }) == "[sort] not distributed along axis 1: reshard or gather first",
                      "whole lines");
                check(message_of([&] { y + y.reshard(distributed::split(0)); }).find("reshard one of them") !=
                          std::string::npos,
                      "another placement");
                check(
                    message_of([&] { y.reshard(distributed::mesh(p + 1)); }) ==
                        "[reshard] " + std::to_string(p) + " ranks do not stand in " + std::to_string(p + 1) + " rows",
                    "a mesh of other ranks");
            });
        }
    });
}

TEST_CASE("transposes, parts, roll and assignments of arrays over a mesh follow the rule of each axis") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 4, 6}) {
            if (!b.is_interpreter() && p != 4) continue;
            on_ranks({p}, [&](distributed::session& s, auto check) {
                for (const auto& where : {distributed::mesh(), distributed::mesh(0, 1, 0), distributed::mesh(p),
                                          distributed::mesh(0, 0, no_axis)})
                    for (const dims& shape : {dims(11, 7), dims(p + 2, p + 3), dims(5, 13)}) {
                        const array<double> x = reshape(arange<double>(shape.product()) / 7, shape);
                        const auto y = distribute(x, where);
                        const std::int64_t before = s.counters().collectives;
                        const auto t = y.T();
                        check(s.counters().collectives == before, "a transpose moves nothing");
                        check(same_bits(t.gather(), x.T()) && same_bits((t * 2 + t).gather(), x.T() * 2 + x.T()),
                              "transposed");
                        const slice in(1, -1), up(2, none), down(none, -2);
                        const auto u = y(up, in) + y(down, in) + y(in, up) + y(in, down) - 4 * y(in, in);
                        check(u.placement() == where, "a stencil stays");
                        check(same_bits(u.gather(), x(up, in) + x(down, in) + x(in, up) + x(in, down) - 4 * x(in, in)),
                              "a stencil");
                        check(same_bits(y(2).gather(), x(2)) && same_bits(y(all, -1).gather(), x(all, -1)), "a line");
                        check(y.item(1, 3) == x.item(1, 3), "a number");
                        check(same_bits((y - y(0)).gather(), x - x(0)), "a line beside its matrix");
                        check(same_bits(y(newaxis, slice(1, 4), all).gather(), x(newaxis, slice(1, 4), all)),
                              "an axis more");
                        check(same_bits(roll(roll(y, 3, 0), -2, 1).gather(), roll(roll(x, 3, 0), -2, 1)), "rolled");
                        check(same_bits(reshape(y, {1, shape[0], shape[1]}).gather(),
                                        reshape(x, {1, shape[0], shape[1]})),
                              "an axis of one");
                        array<double> w = x;
                        auto z = y;
                        w(in, in) = x(up, down) * 2;
                        z(in, in) = y(up, down) * 2;
                        w(0) = w(-1);
                        z(0) = z(-1);
                        w(slice(1, 3), 2) = 5.0;
                        z(slice(1, 3), 2) = 5.0;
                        check(same_bits(z.gather(), w), "assigned");
                    }
            });
        }
    });
}

TEST_CASE("running sums, sorting and Fourier transforms over a mesh are local along axes that are whole") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 4, 6}) {
            if (!b.is_interpreter() && p != 4) continue;
            on_ranks({p}, [&](distributed::session& s, auto check) {
                random::generator g(8);
                const array<double> x = g.normal<double>(0, 1, {5, 3, 4});
                for (const auto& where : {distributed::mesh(0, 0, 1), distributed::mesh(0, 2, 0)}) {
                    const auto y = distribute(x, where);
                    const int whole = where.axis == 0 ? 2 : 1, cut = where.axis;
                    const std::int64_t before = s.counters().collectives;
                    const auto running = cumsum(y, whole), sorted = sort(y, whole), total = sum(y, whole);
                    const auto spectrum = fft::fft(y, whole);
                    check(s.counters().collectives == before, "nothing moved");
                    check(same_bits(running.gather(), cumsum(x, whole)), "running sums along a whole axis");
                    check(same_bits(sorted.gather(), sort(x, whole)), "sorted");
                    check(same_bits(total.gather(), sum(x, whole)), "summed");
                    check(allclose(spectrum.gather(), fft::fft(x, {.n = {}, .axis = whole})), "transformed");
                    check(allclose(cumsum(y, cut).gather(), cumsum(x, cut)), "running sums along a split axis");
                    check(same_bits(cummax(y, cut).gather(), cummax(x, cut)), "running extrema along a split axis");
                    const auto other = fft::fft(y, cut);
                    check(other.placement() == where, "a transform comes back");
                    check(allclose(other.gather(), fft::fft(x, {.n = {}, .axis = cut})), "by way of a whole axis");
                    check(same_bits(max(y, {0, 1}).gather(), max(x, {0, 1})), "reduced along split axes");
                    check(same_bits(var(y).gather(), var(x)), "var");
                }
                const auto m = distribute(x(0), distributed::mesh());
                check(allclose(fft::fft2(m).gather(), fft::fft2(x(0))), "a matrix that is split in both directions");
                const auto integers = distribute(reshape(arange(60), {12, 5}), distributed::mesh());
                check(same_bits(cumsum(integers, 0).gather(), cumsum(reshape(arange(60), {12, 5}), 0)) &&
                          same_bits(cumsum(integers, 1).gather(), cumsum(reshape(arange(60), {12, 5}), 1)),
                      "integers");
            });
        }
    });
}

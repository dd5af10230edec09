// Records and sets of parameters over ranks: gathered, resharded, transformed and in files as ordinary ones are.
#include <fstream>
#include <iterator>
#include <sinter/distributed_records.hpp>
#include <sinter/parameters.hpp>
#include <sinter/records.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/ranks.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

namespace {

struct particle {
    BOOST_HANA_DEFINE_STRUCT(particle, (float, x), (double, v), (std::int32_t, id));
};
struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (array<float>, w), (array<double>, b));
};
struct model {
    BOOST_HANA_DEFINE_STRUCT(model, (std::vector<layer>, layers), (array<float>, scale));
};

record_array<particle> particles(std::int64_t n) {
    random::generator g(3);
    record_array<particle> p;
    p.get(&particle::x) = g.normal<float>(0, 1, {n});
    p.get(&particle::v) = g.normal<double>(0, 1, {n});
    p.get(&particle::id) = astype<std::int32_t>(arange<int>(static_cast<int>(n)));
    return p;
}

model parameters() {
    random::generator g(4);
    model m;
    for (std::int64_t n : {7, 3}) m.layers.push_back({g.normal<float>(0, 1, {n, 5}), g.normal<double>(0, 1, {n})});
    m.scale = g.normal<float>(0, 1, {11});
    return m;
}

bool same_records(const record_array<particle>& a, const record_array<particle>& b) {
    return same_bits(a.get<"x">(), b.get<"x">()) && same_bits(a.get<"v">(), b.get<"v">()) &&
           same_bits(a.get<"id">(), b.get<"id">());
}

bool same_model(const model& a, const model& b) {
    bool same = a.layers.size() == b.layers.size() && same_bits(a.scale, b.scale);
    for (std::size_t i = 0; same && i < a.layers.size(); ++i)
        same = same_bits(a.layers[i].w, b.layers[i].w) && same_bits(a.layers[i].b, b.layers[i].b);
    return same;
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

TEST_CASE("records and sets of parameters that are distributed are what they were when they are gathered") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 2, 3, 4}, [](distributed::session& s, auto check) {
            const auto rows = distributed::split(0);
            for (std::int64_t n : {0, 1, 10}) {
                const record_array<particle> p = particles(n);
                const auto d = distributed::distribute(p, rows);
                check(d.get<"x">().placement() == rows, "placement");
                check(d.local().size() == distributed::part_of(n, s.ranks(), s.rank()).size(), "a rank's part");
                check(same_records(d.gather(), p), "gathered");
                check(same_records(gather(reshard(d, distributed::replicated())), p), "resharded");
            }
            const model m = parameters();
            const auto d = distributed::distribute(m, rows);
            check(std::get<0>(std::get<0>(d.parts())[1]).shape() == dims(3, 5), "lists");
            check(same_model(d.gather(), m), "a gathered set");
            check(same_model(d.reshard(distributed::replicated()).local(), m), "a resharded set");
        });
    });
}

TEST_CASE("members of distributed records are distributed arrays, and sets are transformed array by array") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 3}, [](distributed::session&, auto check) {
            const auto rows = distributed::split(0);
            record_array<particle> p = particles(10);
            auto d = distributed::distribute(p, rows);
            d.get(&particle::x) += d.get(&particle::v).astype<float>() * 0.5f;
            p.get(&particle::x) += astype<float>(p.get(&particle::v)) * 0.5f;
            check(same_records(d.gather(), p), "a step");
            check(double(sum(d.get<"v">())) == double(sum(p.get<"v">())), "a sum");
            const model m = parameters();
            const auto e = distributed::distribute(m, rows);
            const auto half = [](const auto& a) { return a * 0.5f; };
            const auto less = [](const auto& a, const auto& b) { return a - b * 0.1f; };
            check(same_model(transform(e, half).gather(), transform(m, half)), "transformed");
            check(same_model(transform(e, transform(e, half), less).gather(), transform(m, transform(m, half), less)),
                  "two sets");
            check(same_bits(e.get(&model::scale).gather(), m.scale), "a member by pointer");
        });
    });
}

TEST_CASE("files of records and of sets of parameters have the bytes of one rank's, and are read in parts") {
    scratch_folder folder;
    on_every_backend([&](const tested_backend&) {
        const record_array<particle> p = particles(10);
        const model m = parameters();
        const std::string records = folder.path + "/p.npy", set = folder.path + "/m.npz";
        save(folder.path + "/wanted.npy", p);
        save(folder.path + "/wanted.npz", m);
        savez(folder.path + "/p.npz", p);
        on_ranks({1, 2, 3, 4}, [&](distributed::session& s, auto check) {
            const auto rows = distributed::split(0);
            distributed::save(records, distributed::distribute(p, rows));
            distributed::save(set, distributed::distribute(m, rows));
            s.barrier();
            check(bytes_of(records) == bytes_of(folder.path + "/wanted.npy"), "bytes of records");
            check(same_records(load<particle>(records), p), "records as load reads them");
            check(same_model(load<model>(set), m), "a set as load reads it");
            const std::string archive = folder.path + "/p.npz";
            for (const auto& where : {rows, distributed::replicated()}) {
                const auto d = distributed::load<particle>(records, where);
                check(d.template get<"id">().placement() == where && d.get(&particle::x).shape() == dims(10),
                      "placement");
                check(same_records(d.gather(), p), "records in parts");
                check(same_records(distributed::load<particle>(archive, where).gather(), p), "of an archive");
                check(same_model(distributed::load<model>(set, where).gather(), m), "a set in parts");
            }
            s.barrier();
        });
    });
}

TEST_CASE("records whose members lie differently are written whole") {
    scratch_folder folder;
    on_every_backend([&](const tested_backend&) {
        on_ranks({1, 2, 3}, [&](distributed::session& s, auto check) {
            const std::string path = folder.path + "/p.npy";
            const record_array<particle> p = particles(7);
            for (const bool first : {false, true}) {
                auto d = distributed::distribute(p, distributed::replicated());
                if (first) d.get<"x">() = distributed::distribute(p.get<"x">(), distributed::split(0));
                else d.get<"id">() = distributed::distribute(p.get<"id">(), distributed::split(0));
                distributed::save(path, d);
                s.barrier();
                check(same_records(load<particle>(path), p), "records as load reads them");
                s.barrier();
            }
        });
    });
}

TEST_CASE("placements that records cannot have are refused by load on all ranks") {
    scratch_folder folder;
    on_every_backend([&](const tested_backend&) {
        const std::string one = folder.path + "/one.npy", row = folder.path + "/row.npy";
        record_array<particle> p;
        p.get<"x">() = full({}, 1.5f);
        p.get<"v">() = full({}, 2.5);
        p.get<"id">() = full({}, std::int32_t{3});
        save(one, p);
        save(row, particles(5));
        savez(folder.path + "/row.npz", particles(5));
        on_ranks({1, 2}, [&](distributed::session&, auto check) {
            auto words = [](const std::string& path, const distributed::placement& where) {
                return message_of([&] { static_cast<void>(distributed::load<particle>(path, where)); });
            };
            check(words(one, distributed::split(0)).find("[load] axis 0") == 0, "no axis to split");
            check(same_records(distributed::load<particle>(one, distributed::replicated()).gather(), p), "one record");
            for (const auto& where : {distributed::split(3), distributed::mesh(), distributed::partial()})
                for (const std::string& path : {row, folder.path + "/row.npz"})
                    check(words(path, where).find("[load] ") == 0, "the operation's name");
        });
    });
}

TEST_CASE("what is wrong with a member is told with its name on all ranks") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 2}, [](distributed::session&, auto check) {
            record_array<particle> p = particles(4);
            p.get<"v">() = zeros({5});
            check(message_of([&] { static_cast<void>(distributed::distribute(p, distributed::split(0))); }) ==
                      "[distribute] the member 'v' has shape (5,), and 'x' has (4,)",
                  "columns of other lengths");
            auto records = distributed::distribute(particles(4), distributed::split(0));
            const std::string unlike = "the member 'v' has shape (5,), and 'x' has (4,)";
            const auto five = distributed::distribute(zeros({5}), distributed::split(0));
            auto parts = records.parts();
            std::get<1>(parts) = five;
            check(message_of([&] { distributed::structure<record_array<particle>>{parts}; }) == "[structure] " + unlike,
                  "columns of other lengths, when they are put together");
            check(message_of([&] {
                      transform(records, [](const auto& a) {
                          return std::is_same_v<typename std::remove_cvref_t<decltype(a)>::value_type, double>
                                     ? a(slice(1, none))
                                     : a;
                      });
                  }) == "[transform] the member 'v' has shape (3,), and 'x' has (4,)",
                  "a function that makes them so");
            records.get<"v">() = five;
            check(message_of([&] { static_cast<void>(records.local()); }) == "[local] " + unlike, "one's part");
            check(message_of([&] { static_cast<void>(records.gather()); }) == "[gather] " + unlike, "all of it");
            check(message_of([&] { static_cast<void>(records.reshard(distributed::replicated())); }) ==
                      "[reshard] " + unlike,
                  "another placement");
            const auto d = distributed::distribute(parameters(), distributed::split(0));
            const std::string words = message_of([&] { static_cast<void>(d.reshard(distributed::partial())); });
            check(words.find("layers.0.w") != std::string::npos, "a set's array");
            check(message_of([&] {
                      static_cast<void>(d.reshard(distributed::split(1)));
                  }).find("[reshard] layers.0.b: axis 1") == 0,
                  "an axis that a set's array has not");
            check(message_of([] {
                      static_cast<void>(distributed::load<model>("none.npz", distributed::split(0)));
                  }).find("none.npz") != std::string::npos,
                  "a file that is not there");
        });
    });
}

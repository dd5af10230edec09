// Random programs of distributed arrays beside the same ones of ordinary arrays: maps, moves, random numbers and
// reductions have to be equal bit for bit, running sums and products up to rounding; records and sets of parameters.
//   programs COUNT [SEED]            on the ranks of mpirun, or alone
//   programs COUNT [SEED] THREADS    on so many threads
//   programs COUNT [SEED] gpus       on processes that RANK and WORLD_SIZE tell of, with a GPU each, by NCCL
#if defined(SINTER_TEST_MPI)
#include <mpi.h>
#endif

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sinter/distributed_records.hpp>
#include <sinter/parameters.hpp>
#include <sinter/records.hpp>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;

namespace {

/// A value both ways.
struct twin {
    array<double> whole;
    distributed::array<double> parts;
    bool exact;
    std::string made;  ///< in words, for what is wrong
};

class program {
public:
    program(distributed::session& s, std::uint64_t seed) : session_(s), random_(seed), numbers_(seed) {}

    /// False where a value differs.
    bool run() {
        for (int i = 0; i < 3; ++i) make();
        for (int step = 0; step < 12; ++step) {
            const twin x = values_[below(values_.size())];
            try {
                apply(x);
            } catch (const value_error& e) {
                // All ranks throw alike, and say what to do.
                if (!std::strstr(e.what(), "reshard")) throw;
                ++refused;
            }
        }
        bool right = true;
        for (const twin& t : values_) right = is_equal(t) && right;
        return right;
    }
    int refused = 0;

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    std::int64_t size() {
        const std::int64_t p = session_.ranks(), sizes[] = {0, 1, p - 1, p, p + 1, 7, 13, 29, 600};
        return sizes[below(9)];
    }
    distributed::placement placement() {
        const std::size_t k = below(9);
        if (k == 6) return distributed::mesh();
        if (k == 7) return distributed::mesh(0, 1, 0);
        if (k == 8) return distributed::mesh(0, distributed::no_axis, static_cast<int>(below(2)));
        return k < 2 ? distributed::replicated() : distributed::split(static_cast<int>(k) % 2);
    }
    void make() {
        const array<double> x = numbers_.normal<double>(0, 1, {size(), size()});
        const distributed::array<double> parts = distribute(x, placement());
        values_.push_back({x, parts, true, to_string(x.shape()) + " " + to_string(parts.placement())});
    }
    void add(const array<double>& whole, const distributed::array<double>& parts, bool exact) {
        values_.push_back({whole, parts, exact, story_});
    }
    void apply(const twin& x) {
        const int axis = static_cast<int>(below(2));
        const std::int64_t by = static_cast<std::int64_t>(below(9)) - 4;
        const std::size_t what = below(17);
        story_ = x.made + "; " + std::to_string(what) + " along " + std::to_string(axis);
        switch (what) {
            case 0: return add(tanh(x.whole) * 2 - 1, tanh(x.parts) * 2 - 1, x.exact);
            case 1: return add(x.whole.T(), x.parts.T(), x.exact);
            case 2: return add(roll(x.whole, by, axis), roll(x.parts, by, axis), x.exact);
            case 3: return add(x.whole, x.parts.reshard(placement()), x.exact);
            case 4: return combine(x);
            case 5: return center(x, axis);
            case 6: return slice_of(x, axis);
            case 7: return add(cumsum(x.whole, axis), cumsum(x.parts, axis), false);
            case 8: return multiply(x);
            case 9: return add(sort(x.whole, axis), sort(x.parts, axis), x.exact);
            case 10: return extremes(x, axis);
            case 11: return spread(x, axis);
            case 12: return cut_off(x);
            case 13: return assign(x, axis);
            case 14: return summarise(x, axis);
            case 15: return normalise(x, axis);
            default: return make();
        }
    }
    // Of what is right up to rounding, a sum that is zero may be on either side.
    void cut_off(const twin& x) {
        if (x.exact) add(where(x.whole > 0, x.whole, -1.5), where(x.parts > 0, x.parts, -1.5), true);
    }
    void combine(const twin& x) {
        for (const twin& y : values_) {
            if (y.whole.shape() != x.whole.shape()) continue;
            const bool exact = x.exact && y.exact;
            return add(x.whole * y.whole + x.whole, x.parts * y.parts + x.parts, exact);
        }
    }
    void center(const twin& x, int axis) {
        if (x.whole.size() == 0) return;
        add(x.whole - mean(x.whole, axis, keepdims), x.parts - mean(x.parts, axis, keepdims), x.exact);
    }
    void spread(const twin& x, int axis) {
        if (x.whole.size() == 0) return;
        const auto scale = 1 + stddev(x.whole) + max(x.whole, axis, keepdims);
        add(x.whole / scale, x.parts / (1 + stddev(x.parts) + max(x.parts, axis, keepdims)), x.exact);
    }
    // Extrema of sums that wait for their parts, and spreads and means of what is not NaN.
    void summarise(const twin& x, int axis) {
        if (x.whole.size() == 0) return;
        const array<double> whole = ptp(x.whole, axis, keepdims) + min(sum(x.whole, axis)) * nanmean(x.whole);
        add(whole, ptp(x.parts, axis, keepdims) + min(sum(x.parts, axis)) * nanmean(x.parts), x.exact);
    }
    // What has conditions, weights and exponents.
    void normalise(const twin& x, int axis) {
        if (x.whole.size() == 0 || !x.exact) return;
        const array<double> weights = 1 + arange<double>(x.whole.shape(axis));
        const array<double> whole = softmax(x.whole, axis) + average(x.whole, {axis}, weights, keepdims) +
                                    sum(x.whole, axis, keepdims, {.initial = 2, .where = x.whole > 0});
        add(whole,
            softmax(x.parts, axis) + average(x.parts, {axis}, weights, keepdims) +
                sum(x.parts, axis, keepdims, {.initial = 2, .where = x.parts > 0}),
            true);
    }
    void slice_of(const twin& x, int axis) {
        const std::int64_t n = x.whole.shape(axis), start = static_cast<std::int64_t>(below(5)) - 2;
        const slice s(start, n - static_cast<std::int64_t>(below(3)));
        if (axis == 0) add(x.whole(s), x.parts(s), x.exact);
        else add(x.whole(all, s), x.parts(all, s), x.exact);
    }
    void assign(const twin& x, int axis) {
        array<double> whole = x.whole;
        distributed::array<double> parts = x.parts;
        const slice in(1, -1), by = below(2) ? slice(2, none) : slice(none, -2);
        if (whole.shape(axis) < 3) return;
        if (axis == 0) {
            whole(in) = x.whole(by) * 0.5;
            parts(in) = x.parts(by) * 0.5;
            whole(0) = whole(-1);
            parts(0) = parts(-1);
        } else {
            whole(all, in) = x.whole(all, by) * 0.5;
            parts(all, in) = x.parts(all, by) * 0.5;
            whole(all, -1) += 1;
            parts(all, -1) += 1;
        }
        add(whole, parts, x.exact);
    }
    void multiply(const twin& x) {
        const array<double> w = cos(reshape(arange<double>(x.whole.shape(1) * 3), {x.whole.shape(1), 3}));
        const bool in_mesh =
            x.parts.placement().kind == distributed::placement_kind::mesh;  // which a library multiplies
        add(matmul(x.whole, w), matmul(in_mesh ? x.parts.reshard(distributed::split(0)) : x.parts, w), false);
    }
    void extremes(const twin& x, int axis) {
        if (x.whole.size() == 0 || !x.exact) return;
        const array<double> whole = astype<double>(argmin(x.whole, axis, keepdims)) + sum(x.whole);
        add(whole, astype<double>(argmin(x.parts, axis, keepdims)) + sum(x.parts), true);
    }
    bool is_equal(const twin& t) {
        const auto a = to_host(t.whole), b = to_host(t.parts.gather());
        bool equal = a.shape() == b.shape();
        if (equal && t.exact) equal = a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
        else if (equal) equal = allclose(t.whole, t.parts.gather(), {.rtol = 1e-9, .atol = 1e-9, .equal_nan = true});
        if (!equal)
            std::printf("rank %d: %s %s is wrong: %s\n", session_.rank(), to_string(t.whole.shape()).c_str(),
                        to_string(t.parts.placement()).c_str(), t.made.c_str());
        return equal;
    }

    distributed::session& session_;
    std::mt19937_64 random_;
    random::generator numbers_;
    std::string story_;
    std::vector<twin> values_;
};

struct particle {
    BOOST_HANA_DEFINE_STRUCT(particle, (float, x), (double, v), (std::int32_t, id));
};
struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (array<float>, w), (array<double>, b));
};

bool equal(const record_array<particle>& a, const record_array<particle>& b) {
    return array_equal(a.get<"x">(), b.get<"x">()) && array_equal(a.get<"v">(), b.get<"v">()) &&
           array_equal(a.get<"id">(), b.get<"id">());
}
bool equal(const std::vector<layer>& a, const std::vector<layer>& b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i)
        same = array_equal(a[i].w, b[i].w) && array_equal(a[i].b, b[i].b);
    return same;
}

// Records and a set of parameters, gathered, resharded and through files that all ranks write.
bool structures_are_right(distributed::session& s) {
    const auto rows = distributed::split(0);
    random::generator g(9);
    record_array<particle> p;
    p.get<"x">() = g.normal<float>(0, 1, {11});
    p.get<"v">() = g.normal<double>(0, 1, {11});
    p.get<"id">() = g.integers<std::int32_t>(0, 99, {11});
    const std::vector<layer> m{{g.normal<float>(0, 1, {7, 3}), g.normal<double>(0, 1, {2})},
                               {g.normal<float>(0, 1, {1, 5}), g.normal<double>(0, 1, {9})}};
    auto dp = distributed::distribute(p, rows);
    const auto dm = distributed::distribute(m, rows);
    bool right =
        equal(dp.gather(), p) && equal(dm.gather(), m) && equal(dm.reshard(distributed::replicated()).local(), m);
    std::int64_t number = getpid();
    s.link().broadcast(reinterpret_cast<char*>(&number), sizeof number, 0);
    const char* below = std::getenv("TMPDIR");
    const std::string stem = std::string(below ? below : "/tmp") + "/sinter_structures_" + std::to_string(number);
    distributed::save(stem + ".npy", dp);
    distributed::save(stem + ".npz", dm);
    right = right && equal(distributed::load<particle>(stem + ".npy", rows).gather(), p);
    right = right && equal(distributed::load<std::vector<layer>>(stem + ".npz", rows).gather(), m);
    s.barrier();
    if (s.is_root()) {
        std::remove((stem + ".npy").c_str());
        std::remove((stem + ".npz").c_str());
    }
    dp.get<"x">() *= 2;
    p.get<"x">() *= 2.0f;
    right = right && equal(dp.gather(), p);
    if (!right) std::printf("rank %d: records or parameters are wrong\n", s.rank());
    return right;
}

int run_programs(distributed::session& s, int count, std::uint64_t seed) {
    int wrong = !structures_are_right(s), refused = 0;
    for (int i = 0; i < count; ++i) {
        program p(s, seed + static_cast<std::uint64_t>(i));
        if (!p.run()) {
            ++wrong;
            std::printf("seed %llu, rank %d\n", static_cast<unsigned long long>(seed) + static_cast<unsigned>(i),
                        s.rank());
        }
        refused += p.refused;
    }
    if (s.is_root())
        std::printf("%d ranks (%s): %d steps refused\n%d passed, %d failed\n", s.ranks(),
                    std::string(s.communicator_name()).c_str(), refused, count + 1 - wrong, wrong);
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    const int count = argc > 1 ? std::atoi(argv[1]) : 100;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    std::atomic<int> wrong = 0;
    if (argc > 3 && std::strcmp(argv[3], "gpus") == 0) {
        const char* rank = std::getenv("LOCAL_RANK");
        device_scope on(device::cuda(rank ? std::atoi(rank) : 0));
        distributed::session s(distributed::make_nccl_communicator());
        wrong = run_programs(s, count, seed);
    } else if (argc > 3) {
        distributed::run(std::atoi(argv[3]), [&](distributed::session& s) { wrong += run_programs(s, count, seed); });
    } else {
        distributed::session s;
        wrong = run_programs(s, count, seed);
    }
    return wrong != 0;
}

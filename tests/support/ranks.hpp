// What tests of distributed arrays share: bodies that run on some numbers of ranks, and bits that are compared.
#pragma once

#include <doctest/doctest.h>
#include "support/message_of.hpp"

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

namespace test_ranks {

using namespace sinter;

template <class A, class B>
bool same_bits(const A& a, const B& b) {
    const auto x = to_host(a), y = to_host(b);
    return x.shape() == y.shape() &&
           (x.size() == 0 || std::memcmp(x.data(), y.data(), x.size() * sizeof(*x.data())) == 0);
}

/// 29 × 13 numbers of which tests have NumPy's results.
inline array<double> numbers() { return reshape(((arange<double>(29 * 13) * 37) % 101 - 50) / 7, {29, 13}); }

inline bool is_close(double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(b)); }

/// Runs a body on some numbers of ranks; `check` of what a rank found is called where all is over, since doctest's
/// assertions are for one thread.
template <class Body>
void on_ranks(std::initializer_list<int> ranks, Body body) {
    for (int p : ranks) {
        std::vector<std::string> wrong(static_cast<std::size_t>(p));
        distributed::run(p, [&](distributed::session& s) {
            std::string& own = wrong[static_cast<std::size_t>(s.rank())];
            body(s, [&](bool right, const char* what) {
                if (!right) own += std::string(what) + "; ";
            });
        });
        for (int r = 0; r < p; ++r) {
            INFO("rank ", r, " of ", p, ": ", wrong[static_cast<std::size_t>(r)]);
            CHECK(wrong[static_cast<std::size_t>(r)].empty());
        }
    }
}

using test_messages::message_of;

}  // namespace test_ranks

// error: sinter: a set of parameters has arrays, and structures that Boost.Hana knows, tuples and vectors of such, as its members
#include <sinter/sinter.hpp>
#include <sinter/parameters.hpp>

struct named_weights {
    BOOST_HANA_DEFINE_STRUCT(named_weights, (sinter::array<float>, w), (std::string, name));
};

named_weights wrong(named_weights p) {
    return sinter::transform(p, [](const auto& a) { return 2 * a; });
}

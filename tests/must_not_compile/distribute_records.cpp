// error: sinter: [distribute] takes an array: of a record_array distribute its columns
#include <sinter/distributed.hpp>
#include <sinter/records.hpp>
#include <sinter/sinter.hpp>

struct particle {
    BOOST_HANA_DEFINE_STRUCT(particle, (float, x), (float, v));
};

void f(const sinter::record_array<particle>& p) { sinter::distributed::distribute(p, sinter::distributed::split(0)); }

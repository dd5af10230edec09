// error: sinter: the pointer is to a member of another structure than the one that is distributed
#include <sinter/distributed_records.hpp>
#include <sinter/sinter.hpp>

struct particle {
    BOOST_HANA_DEFINE_STRUCT(particle, (float, x));
};
struct other {
    BOOST_HANA_DEFINE_STRUCT(other, (float, y));
};

void f(sinter::distributed::structure<sinter::record_array<particle>> d) { d.get(&other::y); }

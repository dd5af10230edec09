// error: sinter: [distribute] takes an array, a record_array or a set of parameters
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

void f() { sinter::distributed::distribute(3.0, sinter::distributed::split(0)); }

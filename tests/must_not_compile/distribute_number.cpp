// error: sinter: [distribute] takes an array, and with <sinter/distributed_records.hpp> a record_array or a
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

void f() { sinter::distributed::distribute(3.0, sinter::distributed::split(0)); }

// error: sinter: this is a value, not a part of an array
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

void f(const distributed::array<double>& u) { u.reshard(distributed::replicated())(slice(1, -1)) = 2.0; }

// error: sinter: this is a value, not a part of an array
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

void step(const distributed::array<double>& u, const distributed::array<double>& v) { u(slice(1, -1)) = v; }

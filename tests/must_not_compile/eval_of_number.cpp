// error: sinter: eval takes arrays and expressions, and ranges, tuples and structures of them
#include <sinter/sinter.hpp>

int main() { sinter::eval(1.5); }

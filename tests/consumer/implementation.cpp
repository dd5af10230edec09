// The one file with sinter's bodies of a program whose other files have declarations alone.
#define SINTER_IMPLEMENTATION
#include <sinter/sinter.hpp>

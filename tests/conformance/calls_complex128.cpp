// The calls of the table for complex128.
#define CALLS_NAME complex128
#define CALLS_ELEMENT std::complex<double>
#define CALLS_TYPE 0x2000
#include "calls.ipp"

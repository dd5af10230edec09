// The calls of the table for complex64.
#define CALLS_NAME complex64
#define CALLS_ELEMENT std::complex<float>
#define CALLS_TYPE 0x1000
#include "calls.ipp"

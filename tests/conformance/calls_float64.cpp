// The calls of the table for float64.
#define CALLS_NAME float64
#define CALLS_ELEMENT double
#define CALLS_TYPE 0x800
#include "calls.ipp"

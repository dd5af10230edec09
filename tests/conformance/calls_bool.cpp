// The calls of the table for bool.
#define CALLS_NAME bool
#define CALLS_ELEMENT bool
#define CALLS_TYPE 0x1
#include "calls.ipp"

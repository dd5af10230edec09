// The numbers by which CPUs sort elements; behind element.hxx.
R"cxx(
typedef $key key;
typedef $result result;
static inline key key_of(element x) { return $key_of_x; }
//@ if !positions
//@ if floating
static inline element element_of(key k) {
    const element x = k ^ $sign;
    return x & $sign ? -x | $sign : x;
}
// A NaN or -0.0.
static inline bool differs(element x) { return x == $sign || ordered(x) == ~(element)0; }
//@ else
static inline element element_of(key k) { return $element_of_k; }
static inline bool differs(element) { return false; }
//@ end
//@ end
)cxx"

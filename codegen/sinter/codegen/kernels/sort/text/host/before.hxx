// The order of elements as one comparison, on CPUs; behind element.hxx.
R"cxx(
// Whether a stands before b.
static inline bool before(element a, element b) {
    //@ if complex
    //@ if complex128
    const unsigned long long a_re = a.re, a_im = a.im, b_re = b.re, b_im = b.im;
    //@ else
    const unsigned a_re = (unsigned)a, a_im = (unsigned)(a >> 32), b_re = (unsigned)b, b_im = (unsigned)(b >> 32);
    //@ end
    const int a_nan = 2 * is_nan(a_re) + is_nan(a_im), b_nan = 2 * is_nan(b_re) + is_nan(b_im);
    if (a_nan != b_nan) return a_nan < b_nan;
    if (ordered(a_re) != ordered(b_re)) return ordered(a_re) < ordered(b_re);
    return ordered(a_im) < ordered(b_im);
    //@ else
    return $key_of_a < $key_of_b;
    //@ end
}
)cxx"

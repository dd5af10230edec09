// The digits of what elements are ordered by; for both languages, behind element.hxx.
R"cxx(
// Digit number `pass` of what an element is ordered by, from the lowest.
$function unsigned digit(element x, int pass) {
    //@ if complex
    //@ if complex128
    const unsigned long long re = x.re, im = x.im;
    //@ else
    const unsigned re = (unsigned)x, im = (unsigned)(x >> 32);
    //@ end
    if (pass < $part_digits) return (unsigned)(ordered(im) >> 8 * pass) & 255;
    if (pass < 2 * $part_digits) return (unsigned)(ordered(re) >> 8 * (pass - $part_digits)) & 255;
    return 2 * is_nan(re) + is_nan(im);
    //@ else
    return (unsigned)($key >> 8 * pass) & 255;
    //@ end
}

// An element that none comes after.
$function element last_element() { return $last; }
)cxx"

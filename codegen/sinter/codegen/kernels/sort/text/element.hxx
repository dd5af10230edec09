// What is sorted: elements as bits, and what floating numbers order by; for both languages.
R"cxx(
//@ if complex128
struct alignas(16) element {
    unsigned long long re, im;
};
//@ else
typedef $word element;
//@ end

//@ if floating
// A number that orders as the floating number with these bits: all NaN are equal and last, -0.0 equals 0.0.
$function $part ordered($part x) {
    const $part sign = $one << $sign_bit, size = x & ~sign, negative = ($part)(($signed_part)x >> $sign_bit);
    return size > $infinity ? ~($part)0 : ((size ^ negative) - negative) ^ sign;
}

//@ end
//@ if complex
$function bool is_nan($part x) { return x << 1 > $infinity << 1; }

//@ end
)cxx"

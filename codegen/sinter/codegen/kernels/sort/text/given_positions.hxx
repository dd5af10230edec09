// Positions of values in an array of `size` elements or rows, or indices in their place; for both languages.
R"cxx(
typedef $given given_position;

$function long long position_of(given_position given, long long size) {
    const long long i = given;
    //@ if indices
    const long long at = i < 0 ? i + size : i;
    // A bad index as codegen::bad_index has it.
    return at >= 0 && at < size ? at : -0x7fffffffffffffffll - 1 + (i & 0x7ffffffffffffffll) * 8;
    //@ else
    return i;
    //@ end
}
)cxx"

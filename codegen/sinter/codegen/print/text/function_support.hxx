// What users' functions may name besides each other and sinter's operations: the parts of the standard library that
// kernels define themselves, each under its name; it may use those before it. SINTER_FN stands before functions,
// SINTER_MEMBER before members. The types that sinter's operations compute in: inside_of and floating_of take a written
// type to that of namespace scalar, outside takes a result back; where integers meet floating numbers C++'s own rules
// decide, not NumPy's.
R"cxx(
//@ if size_t
typedef decltype(sizeof(0)) size_t;
//@ end
//@ if ptrdiff_t
typedef long ptrdiff_t;
//@ end
//@ if int8_t
typedef signed char int8_t;
//@ end
//@ if int16_t
typedef short int16_t;
//@ end
//@ if int32_t
typedef int int32_t;
//@ end
//@ if int64_t
typedef long int64_t;
//@ end
//@ if uint8_t
typedef unsigned char uint8_t;
//@ end
//@ if uint16_t
typedef unsigned short uint16_t;
//@ end
//@ if uint32_t
typedef unsigned int uint32_t;
//@ end
//@ if uint64_t
typedef unsigned long uint64_t;
//@ end
//@ if infinite_float
SINTER_FN float infinite_float() { return 1.0f / 0.0f; }
//@ end
//@ if infinite_double
SINTER_FN double infinite_double() { return 1.0 / 0.0; }
//@ end
//@ if undefined_float
SINTER_FN float undefined_float(const char*) { return 0.0f / 0.0f; }
//@ end
//@ if undefined_double
SINTER_FN double undefined_double(const char*) { return 0.0 / 0.0; }
//@ end
//@ if complex
template <class T>
struct complex {
    T re, im;
    SINTER_MEMBER constexpr complex(T r = T(), T i = T()) : re(r), im(i) {}
    SINTER_MEMBER complex(scalar::complex<T> z) : re(z.re), im(z.im) {}
    template <class U>
    SINTER_MEMBER complex(complex<U> z) : re(T(z.re)), im(T(z.im)) {}
    SINTER_MEMBER operator scalar::complex<T>() const { return {re, im}; }
    SINTER_MEMBER T real() const { return re; }
    SINTER_MEMBER T imag() const { return im; }
    SINTER_MEMBER void real(T r) { re = r; }
    SINTER_MEMBER void imag(T i) { im = i; }
    SINTER_MEMBER complex& operator+=(complex z) { return *this = *this + z; }
    SINTER_MEMBER complex& operator-=(complex z) { return *this = *this - z; }
    SINTER_MEMBER complex& operator*=(complex z) { return *this = *this * z; }
    SINTER_MEMBER complex& operator/=(complex z) { return *this = *this / z; }
    SINTER_MEMBER complex& operator*=(T x) { return *this = *this * x; }
    SINTER_MEMBER complex& operator/=(T x) { return *this = *this / x; }
    SINTER_MEMBER friend complex operator+(complex a) { return a; }
    SINTER_MEMBER friend complex operator-(complex a) { return {-a.re, -a.im}; }
    SINTER_MEMBER friend complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    SINTER_MEMBER friend complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
    SINTER_MEMBER friend complex operator*(complex a, complex b) {
        return {SINTER_UNFUSED(a.re * b.re) - SINTER_UNFUSED(a.im * b.im),
                SINTER_UNFUSED(a.re * b.im) + SINTER_UNFUSED(a.im * b.re)};
    }
    SINTER_MEMBER friend complex operator/(complex a, complex b) {
        return scalar::complex<T>{a.re, a.im} / scalar::complex<T>{b.re, b.im};
    }
    SINTER_MEMBER friend complex operator+(complex a, T x) { return {a.re + x, a.im}; }
    SINTER_MEMBER friend complex operator+(T x, complex a) { return {x + a.re, a.im}; }
    SINTER_MEMBER friend complex operator-(complex a, T x) { return {a.re - x, a.im}; }
    SINTER_MEMBER friend complex operator-(T x, complex a) { return {x - a.re, -a.im}; }
    SINTER_MEMBER friend complex operator*(complex a, T x) { return {a.re * x, a.im * x}; }
    SINTER_MEMBER friend complex operator*(T x, complex a) { return {x * a.re, x * a.im}; }
    SINTER_MEMBER friend complex operator/(complex a, T x) { return {a.re / x, a.im / x}; }
    SINTER_MEMBER friend complex operator/(T x, complex a) { return complex(x) / a; }
    SINTER_MEMBER friend bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
    SINTER_MEMBER friend bool operator==(complex a, T x) { return a.re == x && a.im == 0; }
};
//@ end
//@ if array_view
typedef SINTER_INDEX view_index;
template <class T, int N>
struct array_view {
    const T* data;
    view_index extents[N];
    template <class... I>
    SINTER_MEMBER T operator()(I... i) const {
        const view_index at[N] = {(view_index)i...};
        view_index number = at[0];
        for (int axis = 1; axis < N; ++axis) number = number * extents[axis] + at[axis];
        return data[number];
    }
    SINTER_MEMBER T operator[](view_index number) const { return data[number]; }
    SINTER_MEMBER long shape(int axis) const { return extents[axis]; }
    SINTER_MEMBER const view_index* shape() const { return extents; }
    SINTER_MEMBER view_index size() const {
        view_index n = 1;
        for (int axis = 0; axis < N; ++axis) n *= extents[axis];
        return n;
    }
    template <class U>
    SINTER_MEMBER operator array_view<U, N>() const {
        array_view<U, N> v = {(const U*)data};
        for (int axis = 0; axis < N; ++axis) v.extents[axis] = extents[axis];
        return v;
    }
};
//@ end
//@ if polar
template <class T>
SINTER_FN complex<T> polar(T r, T angle = T()) {
    return {r * scalar::cos(angle), r * scalar::sin(angle)};
}
//@ end
//@ if make_tuple
template <class... T>
SINTER_FN tuple<T...> make_tuple(T... x) {
    return {x...};
}
//@ end
//@ if tie
template <class... T>
SINTER_FN tuple<T&...> tie(T&... x) {
    return {x...};
}
//@ end
//@ if pair
template <class A, class B>
struct pair {
    A first;
    B second;
    template <class X = A, class Y = B>
    SINTER_MEMBER pair(X x = X(), Y y = Y()) : first((A)x), second((B)y) {}
};
template <class A, class B>
pair(A, B) -> pair<A, B>;
//@ end
//@ if make_pair
template <class A, class B>
SINTER_FN pair<A, B> make_pair(A a, B b) {
    return {a, b};
}
//@ end
//@ if get
template <int I, class T>
SINTER_FN auto& get(T& t) {
    if constexpr (I == 0) return t.first;
    else if constexpr (I == 1) return t.second;
    else if constexpr (I == 2) return t.third;
    else if constexpr (I == 3) return t.fourth;
    else if constexpr (I == 4) return t.fifth;
    else if constexpr (I == 5) return t.sixth;
    else if constexpr (I == 6) return t.seventh;
    else return t.eighth;
}
template <int I, class T>
SINTER_FN auto get(const T&& t) {
    return get<I>(t);
}
//@ end
//@ if swap
template <class T>
SINTER_FN void swap(T& a, T& b) {
    T c = a;
    a = b;
    b = c;
}
//@ end
//@ if std_min
template <class T>
SINTER_FN T std_min(T a, T b) {
    return b < a ? b : a;
}
//@ end
//@ if std_max
template <class T>
SINTER_FN T std_max(T a, T b) {
    return a < b ? b : a;
}
//@ end
//@ if std_clamp
template <class T>
SINTER_FN T std_clamp(T x, T low, T high) {
    return x < low ? low : high < x ? high : x;
}
//@ end
//@ if numeric_limits
template <class T>
struct numeric_limits {
    SINTER_MEMBER static constexpr T min() { return T(-1) < T(1) ? T(1ull << (sizeof(T) * 8 - 1)) : T(0); }
    SINTER_MEMBER static constexpr T lowest() { return min(); }
    SINTER_MEMBER static constexpr T max() { return T(~min()); }
};
template <>
struct numeric_limits<float> {
    SINTER_MEMBER static constexpr float min() { return 0x1p-126f; }
    SINTER_MEMBER static constexpr float lowest() { return -max(); }
    SINTER_MEMBER static constexpr float max() { return 0x1.fffffep127f; }
    SINTER_MEMBER static constexpr float epsilon() { return 0x1p-23f; }
    SINTER_MEMBER static float infinity() { return 1.0f / 0.0f; }
    SINTER_MEMBER static float quiet_NaN() { return 0.0f / 0.0f; }
};
template <>
struct numeric_limits<double> {
    SINTER_MEMBER static constexpr double min() { return 0x1p-1022; }
    SINTER_MEMBER static constexpr double lowest() { return -max(); }
    SINTER_MEMBER static constexpr double max() { return 0x1.fffffffffffffp1023; }
    SINTER_MEMBER static constexpr double epsilon() { return 0x1p-52; }
    SINTER_MEMBER static double infinity() { return 1.0 / 0.0; }
    SINTER_MEMBER static double quiet_NaN() { return 0.0 / 0.0; }
};
//@ end
//@ if inside_of
template <class A>
struct inside_of {
    typedef A type;
};
//@ end
//@ if inside_of_complex
template <class T>
struct inside_of<complex<T>> {
    typedef scalar::complex<T> type;
};
//@ end
//@ if floating_of
template <class A>
struct floating_of {
    typedef double type;
};
template <>
struct floating_of<float> {
    typedef float type;
};
//@ end
//@ if floating_of_complex
template <class T>
struct floating_of<complex<T>> {
    typedef scalar::complex<T> type;
};
//@ end
//@ if common_of
template <class A, class B>
struct common_of {
    typedef decltype(A() + B()) type;
};
template <class A>
struct common_of<A, A> {
    typedef A type;
};
//@ end
//@ if common_of_complex
template <class T>
struct common_of<complex<T>, complex<T>> {
    typedef complex<T> type;
};
template <class T, class B>
struct common_of<complex<T>, B> {
    typedef complex<decltype(T() + B())> type;
};
template <class A, class T>
struct common_of<A, complex<T>> {
    typedef complex<decltype(A() + T())> type;
};
//@ end
//@ if outside
template <class T>
SINTER_FN T outside(T x) {
    return x;
}
template <class T>
SINTER_FN complex<T> outside(scalar::complex<T> x) {
    return x;
}
//@ end
)cxx"

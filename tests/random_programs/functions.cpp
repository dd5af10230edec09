// Definitions of the users' functions; exact ones have no product whose sum a compiler may round once.
#include "functions.hpp"

#define PROGRAM_FUNCTION(name, ...)    \
    SINTER_FUNCTION(name, __VA_ARGS__) \
    static constexpr const char* name##_text = "SINTER_FUNCTION(" #name ", " #__VA_ARGS__ ")\n";

namespace random_programs {

SINTER_CONSTANT(float, turned_by, 0.5f)
PROGRAM_FUNCTION(
    steps_to_one, (int start, short limit)->int {
        auto n = static_cast<unsigned>(start);
        int count = 0;
        while (count < limit && count < 40 && n > 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            ++count;
        }
        return count;
    })
PROGRAM_FUNCTION(
    parted, (double x, long key)->std::tuple<double, long, bool> {
        const double whole = floor(x);
        return std::tuple<double, long, bool>(x - whole, key ^ (x < 0 ? 21 : 42), whole == x);
    })
PROGRAM_FUNCTION(
    chosen, (bool given, float x, signed char y)->float {
        if (given) return x < 0 ? -x : x;
        return y;
    })
PROGRAM_FUNCTION(
    stirred, (unsigned a, unsigned char b)->unsigned long {
        unsigned long h = a;
        for (int i = 0; i < 3; ++i) {
            h ^= h >> 7;
            h *= 0x9e3779b97f4a7c15ul;
            h += b;
        }
        return h;
    })
PROGRAM_FUNCTION(apart, (auto a, auto b) { return a < b ? b - a : a - b; })
PROGRAM_FUNCTION(
    walked, (float a, float b, int turns)->float {
        float r = a;
        for (int i = 0; i < (turns & 3); ++i) r = apart(r, b) + turned_by;
        return r;
    })
PROGRAM_FUNCTION(
    turned,
    (std::complex<float> z)->std::complex<float> { return std::complex<float>(-z.imag(), z.real() + turned_by); })
PROGRAM_FUNCTION(damped, (double x, float y)->double { return exp(-fabs(x)) + y; })
PROGRAM_FUNCTION(
    bent, (float x, float y, int turns, bool up)->std::pair<float, bool> {
        float r = apart(x, y) / 3;
        if (turns > 2 || up) r = std::min(-r, y) + turned_by;
        else if (turns == 0) r += x;
        return {r * turns, isfinite(r) && !(r <= y)};
    })
PROGRAM_FUNCTION(risen, (long i, array_view<float, 1> x)->float { return i > 0 ? x(i) - x(i - 1) : x(i); })

template <class F, class R, class... P>
static const codegen::invocation& taking() {
    return detail::bound_function<std::remove_cvref_t<F>, R, detail::type_list<P...>>::invocation();
}

const called_function& function_at(int n) {
    static constexpr const char* constant = "SINTER_CONSTANT(float, turned_by, 0.5f)\n";
    static const std::string walk = std::string(constant) + apart_text + walked_text,
                             turn = std::string(constant) + turned_text,
                             bend = std::string(constant) + apart_text + bent_text;
    static const called_function list[function_count] = {
        {"steps_to_one", steps_to_one_text, true, false, &taking<decltype(steps_to_one), int, int, short>},
        {"parted", parted_text, true, false, &taking<decltype(parted), std::tuple<double, long, bool>, double, long>},
        {"chosen", chosen_text, true, false, &taking<decltype(chosen), float, bool, float, signed char>},
        {"stirred", stirred_text, true, false, &taking<decltype(stirred), unsigned long, unsigned, unsigned char>},
        {"apart", apart_text, true, false, &taking<decltype(apart), double, double, double>},
        {"walked", walk.c_str(), true, false, &taking<decltype(walked), float, float, float, int>},
        {"turned", turn.c_str(), true, false, &taking<decltype(turned), std::complex<float>, std::complex<float>>},
        {"bent", bend.c_str(), true, false, &taking<decltype(bent), std::pair<float, bool>, float, float, int, bool>},
        {"damped", damped_text, false, false, &taking<decltype(damped), double, double, float>},
        {"risen", risen_text, true, true,
         &detail::bound_map<std::remove_cvref_t<decltype(risen)>, float,
                            detail::type_list<long, array_view<float, 1>>>::invocation}};
    return list[n];
}

}  // namespace random_programs

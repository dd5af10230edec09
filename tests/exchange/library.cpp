// What tests/exchange/run.py calls from Python: arrays of float as opaque pointers, in and out by DLPack, and CuPy's
// random numbers.
#include <sinter/sinter.hpp>

#include <span>

using namespace sinter;

namespace {

std::string& last_error() {
    static std::string text;
    return text;
}

// A function's result, or null and the text of what it threw.
template <class F>
auto guarded(F f) -> decltype(f()) {
    try {
        return f();
    } catch (const std::exception& e) {
        last_error() = e.what();
        return {};
    }
}

using floats = array<float>;

template <class T>
array<T> drawn(std::string_view what, std::int64_t n, double a, double b) {
    if constexpr (std::integral<T>) {
        if (what == "permutation") return random::cupy::permutation(n).template astype<T>();
        return random::cupy::randint<T>(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), {n});
    } else {
        if (what == "uniform") return random::cupy::uniform<T>(a, b, {n});
        if (what == "normal") return random::cupy::normal<T>(a, b, {n});
        return random::cupy::random_sample<T>({n});
    }
}

template <class T>
bool draw_into(void* to, std::string_view what, std::int64_t n, double a, double b) {
    copy_to(drawn<T>(what, n, a, b), std::span<T>(static_cast<T*>(to), static_cast<std::size_t>(n)));
    return true;
}

}  // namespace

extern "C" {

const char* exchange_error() { return last_error().c_str(); }
long long exchange_pool_used() { return counters().pool_used; }

floats* exchange_take_versioned(DLManagedTensorVersioned* t) {
    return guarded([&] { return new floats(from_dlpack<float>(t)); });
}
floats* exchange_take(DLManagedTensor* t) {
    return guarded([&] { return new floats(from_dlpack<float>(t)); });
}
floats* exchange_take_pointer(const float* data, long long count) {
    return guarded([&] { return new floats(from_device(data, {count})); });
}
DLManagedTensorVersioned* exchange_give_versioned(floats* a) {
    return guarded([&] { return to_dlpack(*a); });
}
DLManagedTensor* exchange_give(floats* a) {
    return guarded([&] { return to_dlpack<DLManagedTensor>(*a); });
}
floats* exchange_double(floats* a) {
    return guarded([&] { return new floats(*a * 2.0f); });
}
double exchange_sum(floats* a) {
    return guarded([&] { return double(sum<double>(*a)); });
}
const void* exchange_data(floats* a) {
    return guarded([&] { return static_cast<const void*>(a->data()); });
}
int exchange_device(floats* a) { return a->device().id(); }
void exchange_drop(floats* a) { delete a; }

bool exchange_random_seed(unsigned long long seed) {
    return guarded([&] { return random::cupy::seed(seed), true; });
}
// cupy.random's function of that name, of a type as NumPy names it, in memory of the host.
bool exchange_random(const char* what, const char* type, long long n, double a, double b, void* to) {
    return guarded([&] {
        const std::string_view t = type;
        return t == "float32"   ? draw_into<float>(to, what, n, a, b)
               : t == "float64" ? draw_into<double>(to, what, n, a, b)
               : t == "int8"    ? draw_into<std::int8_t>(to, what, n, a, b)
                                : draw_into<std::int64_t>(to, what, n, a, b);
    });
}

}  // extern "C"

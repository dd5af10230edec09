// What tests/exchange/run.py calls from Python: arrays of float as opaque pointers, in and out by DLPack.
#include <sinter/sinter.hpp>

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

}  // extern "C"

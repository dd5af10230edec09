// Arrays as DLPack tensors for others: what they say, who may write them, every dtype there and back.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/dlpack_tensors.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_tensors;

TEST_CASE("an array becomes a tensor without a copy, which outlives it") {
    on_every_backend([](const tested_backend& b) {
        DLManagedTensorVersioned* tensor = nullptr;
        const std::int64_t used = counters().pool_used;
        {
            array<float> a = reshape(arange<float>(24), {4, 6}).copy();
            array<float> view = a(slice(none, none, -1), slice(1, 4));
            tensor = to_dlpack(view);
            CHECK(tensor->dl_tensor.data == view.data());
            CHECK((tensor->flags & 1) == 1);
        }
        CHECK(tensor->major == 1);
        CHECK(tensor->dl_tensor.ndim == 2);
        CHECK(dims(tensor->dl_tensor.shape[0], tensor->dl_tensor.shape[1]) == dims(4, 3));
        CHECK(dims(tensor->dl_tensor.strides[0], tensor->dl_tensor.strides[1]) == dims(-6, 1));
        CHECK(tensor->dl_tensor.device.device_type == (b.is_cuda() ? 2 : 1));
        CHECK(host_copy<float>(tensor->dl_tensor, 3) == std::vector<float>{19, 20, 21});
        CHECK(counters().pool_used > used);
        tensor->deleter(tensor);
        CHECK(counters().pool_used == used);
    });
}

TEST_CASE("what nobody else holds may be written by the receiver, and a copy always") {
    on_every_backend([](const tested_backend&) {
        array<float> a = arange<float>(1000).copy();
        DLManagedTensorVersioned* shared = to_dlpack(a);
        CHECK(shared->flags == 1);
        DLManagedTensorVersioned* own = to_dlpack(a * 2);
        CHECK(own->flags == 0);
        DLManagedTensorVersioned* copy = to_dlpack(a, {.copy = true});
        CHECK(copy->flags == 2);
        CHECK(copy->dl_tensor.data != a.data());
        const float v = -1;
        runtime::copy_to_device(a.device(), copy->dl_tensor.data, &v, sizeof v);
        CHECK(a.item(0) == 0);
        // Exported memory is not reused in place.
        const void* address = shared->dl_tensor.data;
        a += 1;
        a.eval();
        CHECK(static_cast<const void*>(a.data()) != address);
        CHECK(host_copy<float>(shared->dl_tensor, 2) == std::vector<float>{0, 1});
        for (auto* t : {shared, own, copy}) t->deleter(t);
    });
}

TEST_CASE("every dtype goes round by both kinds of tensors") {
    on_every_backend([](const tested_backend&) {
        auto check = [&]<class T>(T, DLTypeOfTest type) {
            array<T> a = astype<T>(arange(7)).copy();
            DLManagedTensorVersioned* v = to_dlpack(a);
            CHECK(v->dl_tensor.dtype.code == type.code);
            CHECK(v->dl_tensor.dtype.bits == type.bits);
            CHECK(v->dl_tensor.dtype.lanes == 1);
            array<T> b = from_dlpack<T>(v), c = from_dlpack<T>(to_dlpack<DLManagedTensor>(a));
            CHECK(array_equal(a, b));
            CHECK(array_equal(a, c));
            CHECK(b.data() == a.data());
            // What was imported goes out as read-only.
            DLManagedTensorVersioned* again = to_dlpack(std::move(b));
            CHECK((again->flags & 1) == 1);
            again->deleter(again);
        };
        check(true, {6, 8, 1});
        check(std::int8_t{}, {0, 8, 1});
        check(std::int16_t{}, {0, 16, 1});
        check(std::int32_t{}, {0, 32, 1});
        check(std::int64_t{}, {0, 64, 1});
        check(std::uint8_t{}, {1, 8, 1});
        check(std::uint16_t{}, {1, 16, 1});
        check(std::uint32_t{}, {1, 32, 1});
        check(std::uint64_t{}, {1, 64, 1});
        check(float{}, {2, 32, 1});
        check(double{}, {2, 64, 1});
        check(complex_half{}, {5, 32, 1});
        check(std::complex<float>{}, {5, 64, 1});
        check(std::complex<double>{}, {5, 128, 1});
    });
}

// Memory of others as arrays: DLPack tensors and plain pointers, and who owns what.
#include <sys/mman.h>

#include <chrono>
#include <future>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/sinter.hpp>
#include <thread>

#include "support/backends.hpp"
#include "support/dlpack_tensors.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_tensors;

TEST_CASE("a tensor becomes an array without a copy, and its owner is told once when the last array is gone") {
    on_every_backend([](const tested_backend&) {
        producer p(numbers(12), float32, {3, 4});
        {
            const auto copied = counters().bytes_to_device;
            array<float> x = from_dlpack<float>(&p.versioned);
            CHECK(x.data() == p.memory->data);
            CHECK(x.shape() == dims(3, 4));
            CHECK(x.device() == runtime::current_device());
            CHECK(counters().bytes_to_device == copied);
            array<float> row = x(1), sum_of_rows = sum(x, 0);
            x = array<float>();
            CHECK(p.deleted == 0);
            CHECK(to_vector(row) == std::vector<float>{4, 5, 6, 7});
            CHECK(to_vector(sum_of_rows) == std::vector<float>{12, 15, 18, 21});
        }
        CHECK(p.deleted == 1);
        { array<float> x = from_dlpack<float>(&p.unversioned); }
        CHECK(p.deleted == 2);
    });
}

namespace {

/// Evaluates and frees an array in another thread, as a deleter does that waits for a lock which that thread has, and
/// says whether it came back; what hangs is left behind.
bool another_thread_evaluates() {
    auto done = std::make_shared<std::promise<float>>();
    std::future<float> sum_of_ones = done->get_future();
    std::thread([done, where = runtime::current_device()] {
        device_scope on(where);
        array<float> ones = full({7}, 1.0f);
        done->set_value(sum(ones * 2.0f).item());
    }).detach();
    return sum_of_ones.wait_for(std::chrono::seconds(30)) == std::future_status::ready && sum_of_ones.get() == 14;
}

/// What a deleter of a test does.
struct busy_deleter {
    array<float> frees;  ///< computed and given back by it
    int calls = 0;
    bool came_back = true, saw_sum = true;

    static void call(DLManagedTensorVersioned* m) {
        auto& d = *static_cast<busy_deleter*>(m->manager_ctx);
        ++d.calls;
        d.came_back = d.came_back && another_thread_evaluates();
        if (d.frees.size() == 0) return;
        array<float> freed = std::exchange(d.frees, array<float>());
        d.saw_sum = sum(freed + 1.0f).item() == 2 * static_cast<float>(freed.size());
    }
};

}  // namespace

TEST_CASE("a deleter may compute, free arrays and wait for threads that do") {
    on_every_backend([](const tested_backend&) {
        busy_deleter d;
        producer p(numbers(12), float32, {3, 4});
        p.versioned.manager_ctx = &d;
        p.versioned.deleter = busy_deleter::call;
        auto tensor = [&] {
            d.frees = full({11}, 1.0f) * 1.0f;
            return from_dlpack<float>(&p.versioned);
        };
        { array<float> x = tensor(); }
        CHECK(d.calls == 1);
        // By an assignment, by the end of a statement that read it, and by a view that was the last.
        array<float> x = tensor();
        x = array<float>();
        CHECK(d.calls == 2);
        array<float> y = tensor() * 2.0f;
        CHECK(y.item(2, 3) == 22);
        CHECK(d.calls == 3);
        array<float> row = tensor()(2);
        CHECK(d.calls == 3);
        row = row + 1.0f;
        CHECK(d.calls == 4);
        CHECK(str(row) == "[ 9. 10. 11. 12.]");
        // By another deleter: what that frees is a tensor as well.
        busy_deleter first;
        producer q(numbers(5), float32, {5});
        q.versioned.manager_ctx = &first;
        q.versioned.deleter = busy_deleter::call;
        array<float> held = tensor();
        first.frees = held(slice(0, 1), 1);
        held = array<float>();
        { array<float> other = from_dlpack<float>(&q.versioned); }
        CHECK(first.calls == 1);
        CHECK(first.came_back);
        CHECK(first.saw_sum);
        CHECK(d.calls == 5);
        CHECK(d.came_back);
        CHECK(d.saw_sum);
    });
}

TEST_CASE("strides of every kind, offsets and no axes are understood") {
    on_every_backend([](const tested_backend&) {
        producer turned(numbers(12), float32, {4, 3}, {1, 4});
        array<float> t = from_dlpack<float>(&turned.versioned);
        CHECK(str(t(1)) == "[1. 5. 9.]");
        CHECK(to_vector(t + 0.0f)[1] == 4);
        CHECK(t.strides() == dims(4, 16));

        producer reversed(numbers(7), float32, {7}, {-1});
        reversed.versioned.dl_tensor.byte_offset = 24;
        CHECK(to_vector(from_dlpack<float>(&reversed.versioned)) == std::vector<float>{6, 5, 4, 3, 2, 1, 0});

        producer repeated(numbers(3), float32, {5, 3}, {0, 1});
        CHECK(item(sum(from_dlpack<float>(&repeated.versioned))) == 15);

        producer middle(numbers(40), float32, {31});
        middle.versioned.dl_tensor.byte_offset = 12;
        array<float> m = from_dlpack<float>(&middle.versioned);
        CHECK(static_cast<void*>(m.data()) == static_cast<char*>(middle.memory->data) + 12);
        CHECK(item(sum(m)) == 31 * 18);
        CHECK(to_vector(m * 2.0f + m)[30] == 99);

        // Kernels that read four elements at once need to know that these do not begin at a multiple of them.
        producer shifted(numbers(8200), float32, {8192});
        shifted.versioned.dl_tensor.byte_offset = 4;
        CHECK(item(sum<double>(from_dlpack<float>(&shifted.versioned) * 2.0f)) == 8192.0 * 8193);

        producer single(std::vector<std::int64_t>{42}, int64, {});
        single.unversioned.dl_tensor.shape = nullptr;
        CHECK(from_dlpack<std::int64_t>(&single.unversioned).item() == 42);

        producer none(numbers(1), float32, {0, 3});
        none.versioned.dl_tensor.data = nullptr;
        array<float> empty = from_dlpack<float>(&none.versioned);
        CHECK(empty.shape() == dims(0, 3));
        CHECK(item(sum(empty)) == 0);
    });
}

TEST_CASE("the memory of an imported array reaches from its lowest to its highest element") {
    on_every_backend([](const tested_backend&) {
        producer p(numbers(100), float32, {5, 4}, {-7, 3});
        p.versioned.dl_tensor.byte_offset = 4 * 40;
        array<float> x = from_dlpack<float>(&p.versioned);
        const runtime::buffer_ref memory = x.get_handle()->memory;
        const char *begin = static_cast<char*>(memory->data), *first = static_cast<char*>(p.memory->data) + 4 * 40;
        CHECK(begin <= first - 4 * 28);
        CHECK(begin > first - 4 * 28 - 256);
        CHECK(begin + memory->bytes == first + 4 * 9 + 4);
        CHECK(to_vector(x(4)) == std::vector<float>{12, 15, 18, 21});
    });
}

TEST_CASE("statements that read imported memory run at once, and never write it") {
    on_every_backend([](const tested_backend&) {
        producer p(numbers(1000), float32, {1000});
        array<float> x = from_dlpack<float>(&p.versioned);
        array<float> twice = x * 2, part = x(slice(10, 20)) + 0.0f, total = sum(x), running = cumsum(x);
        array<float> picked = x(array<std::int64_t>{999, 0}), positive = x[x > 997];
        array<float> turned = reshape(x, {10, 100}).T() + 1.0f;
        x += 1000;
        array<float> y = from_dlpack<float>(&p.versioned);
        y(slice(0, 3)) = -1;
        p.put(5, -1e6f);
        CHECK(twice.item(5) == 10);
        CHECK(part.item(0) == 10);
        CHECK(total.item() == 499500);
        CHECK(running.item(999) == 499500);
        CHECK(to_vector(picked) == std::vector<float>{999, 0});
        CHECK(to_vector(positive) == std::vector<float>{998, 999});
        CHECK(turned.item(5, 0) == 6);
        CHECK(x.item(5) == 1005);
        CHECK(y.item(5) == 5);
        CHECK(y.item(2) == -1);
        CHECK(host_copy<float>(p.versioned.dl_tensor, 3) == std::vector<float>{0, 1, 2});
        array<float> z = from_dlpack<float>(&p.versioned);
        CHECK(z.item(5) == -1e6f);
        CHECK_THROWS_AS(out(z) = z + 1.0f, value_error);
        // A bad index belongs to the value that has it.
        array<float> wrong = z(array<std::int64_t>{5000});
        CHECK_THROWS_AS(to_vector(wrong), index_error);
    });
}

TEST_CASE("loops and steps over imported memory read it once they are written down") {
    on_every_backend([](const tested_backend&) {
        producer p(numbers(100), float32, {100});
        array<float> x = from_dlpack<float>(&p.versioned);
        array<float> y = for_loop(3, [&](auto v) { return v + x; }, x);
        graph step([](auto a) { return a * 2.0f; });
        array<float> z = step(x);
        p.put(7, 0.0f);
        CHECK(y.item(7) == 28);
        CHECK(z.item(7) == 14);
    });
}

TEST_CASE("tensors that no array can be are refused by type, and remain the caller's") {
    on_every_backend([](const tested_backend&) {
        producer p(numbers(12), float32, {3, 4});
        auto changed = [&](auto change) {
            DLManagedTensorVersioned t = p.versioned;
            change(t);
            return t;
        };
        auto t = changed([](auto& x) { x.dl_tensor.dtype = {2, 64, 1}; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), "[from_dlpack] the tensor holds float64, not float32", type_error);
        t = changed([](auto& x) { x.dl_tensor.dtype.lanes = 4; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), "[from_dlpack] the tensor holds float32 x 4, not float32",
                             type_error);
        CHECK_THROWS_AS(from_dlpack<std::int32_t>(&p.versioned), type_error);
        t = changed([](auto& x) { x.major = 2; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t),
                             "[from_dlpack] the tensor is of DLPack 2.0, and version 1 is understood", value_error);
        t = changed([](auto& x) { x.dl_tensor.device.device_type = 10; });
        CHECK_THROWS_AS(from_dlpack<float>(&t), device_error);
        t = changed([](auto& x) { x.dl_tensor.device = {2, 999}; });
        CHECK_THROWS_AS(from_dlpack<float>(&t), device_error);
        t = changed([](auto& x) { x.dl_tensor.ndim = 9; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), "[from_dlpack] arrays have at most 8 axes, not 9", shape_error);
        t = changed([](auto& x) { x.dl_tensor.ndim = -1; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), "[from_dlpack] arrays have at most 8 axes, not -1", shape_error);
        t = changed([](auto& x) { x.dl_tensor.shape = nullptr; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), "[from_dlpack] the tensor has no shape", value_error);
        t = changed([](auto& x) { x.dl_tensor.data = nullptr; });
        CHECK_THROWS_AS(from_dlpack<float>(&t), value_error);
        t = changed([](auto& x) { x.dl_tensor.byte_offset = 2; });
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), doctest::Contains("not aligned to the 4 bytes of float32"),
                             value_error);
        std::int64_t negative[] = {-1, 4}, huge[] = {1ll << 40, 1ll << 40}, far[] = {1ll << 62, 1};
        t = changed([&](auto& x) { x.dl_tensor.shape = negative; });
        CHECK_THROWS_AS(from_dlpack<float>(&t), shape_error);
        t = changed([&](auto& x) { x.dl_tensor.shape = huge; });
        CHECK_THROWS_AS(from_dlpack<float>(&t), shape_error);
        t = changed([&](auto& x) { x.dl_tensor.strides = far; });
        CHECK_THROWS_AS(from_dlpack<float>(&t), value_error);
        // Fits, but its bytes do not, nor from behind.
        far[0] = 1ll << 58;
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), doctest::Contains("of an array of shape (3, 4) are too large"),
                             value_error);
        far[0] = -far[0];
        CHECK_THROWS_WITH_AS(from_dlpack<float>(&t), doctest::Contains("of an array of shape (3, 4) are too large"),
                             value_error);
        CHECK_THROWS_AS(from_dlpack<float>(static_cast<DLManagedTensor*>(nullptr)), value_error);
        CHECK(p.deleted == 0);
    });
}

TEST_CASE("plain pointers become arrays where their memory is, with an owner or without") {
    on_every_backend([](const tested_backend& b) {
        array<double> a = arange<double>(100.0).copy();
        const double* address = a.data();
        auto owner = std::make_shared<int>(1);
        {
            array<double> same = from_device(address, {10, 10}, owner);
            CHECK(owner.use_count() == 2);
            CHECK(same.device() == a.device());
            CHECK(same.data() == address);
            CHECK(same.item(3, 4) == 34);
            CHECK(item(sum(same.T() * 2.0)) == 9900);
        }
        CHECK(owner.use_count() == 1);
        CHECK(from_device(address, {100}).item(99) == 99);
        CHECK_THROWS_AS(from_device(static_cast<float*>(nullptr), {3}, owner), value_error);
        CHECK_THROWS_AS(
            from_device(reinterpret_cast<const float*>(reinterpret_cast<const char*>(address) + 1), {3}, owner),
            value_error);
        CHECK(owner.use_count() == 1);
        // Host memory is the CPU's whatever the current device is.
        std::vector<float> host{1, 2, 3};
        array<float> on_cpu = from_device(host.data(), {3});
        CHECK(on_cpu.device() == device::cpu());
        host[0] = 7;
        CHECK(on_cpu.item(0) == 7);
        if (b.is_cuda()) CHECK(item(sum(on_cpu.to(device::cuda(0)))) == 12);
        array<int> moved = from_device(std::make_unique<std::vector<int>>(3, 5)->data(), {0},
                                       std::make_unique<std::vector<int>>(3, 5));
        CHECK(moved.size() == 0);
    });
}

TEST_CASE("nothing beside imported host memory is touched") {
    // Memory that ends and begins at pages that may not be touched, at every alignment.
    constexpr std::size_t page = 4096;
    char* pages = static_cast<char*>(mmap(nullptr, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(mprotect(pages + page, 2 * page, PROT_READ | PROT_WRITE) == 0);
    for (int i = 0; i < 2048; ++i) reinterpret_cast<float*>(pages + page)[i] = 1;
    if (is_device_executable) return;
    on_every_backend([&](const tested_backend&) {
        for (std::int64_t n : {1, 3, 31, 33, 1001, 2048})
            for (bool at_end : {false, true}) {
                const float* p = reinterpret_cast<const float*>(at_end ? pages + 3 * page - 4 * n : pages + page);
                array<float> x = from_device(p, {n});
                CHECK(item(sum(x)) == n);
                CHECK(item(sum(exp(x - 1.0f) * x)) == n);
                CHECK(cumsum(x).item(-1) == n);
                CHECK(x.copy().item(-1) == 1);
                CHECK(item(sum(x(slice(none, none, -1)) + x)) == 2 * n);
                x += 1;
                CHECK(item(sum(x)) == 2 * n);
            }
    });
    munmap(pages, 4 * page);
}

TEST_CASE("pinned memory is the CPU's") {
    on_every_backend([](const tested_backend&) {
        std::vector<float> host = numbers(4);
        std::int64_t shape[] = {4};
        DLManagedTensor t{{host.data(), {3, 0}, 1, float32, shape, nullptr, 0}, nullptr, nullptr};
        array<float> x = from_dlpack<float>(&t);
        CHECK(x.device() == device::cpu());
        CHECK(to_vector(x) == host);
    });
}

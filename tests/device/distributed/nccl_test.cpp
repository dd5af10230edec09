// Ranks between which NCCL moves bytes: one for each GPU, or as many as are wanted where NCCL and the GPU are emulated,
// which counts what is called.
#include <algorithm>
#include <thread>

#include "support/nccl_ranks.hpp"

using namespace sinter;
using namespace nccl_ranks;

namespace {

struct nccl_calls {
    long long calls = 0, groups = 0, bytes = 0;
};

nccl_calls counted() {
    long long numbers[3]{};
    counter()(numbers);
    return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

TEST_CASE("NCCL moves the bytes of every call, of all sizes and none") {
    check_on_nccl({1, 2, 3}, [](distributed::session& s, auto check) {
        distributed::communicator& link = s.link();
        check(link.name() == "NCCL", "name");
        const auto word = [](int r) { return std::string(std::size_t(3 * r), char('a' + r)); };
        std::vector<std::int64_t> sizes, out_sizes;
        std::string wanted, out;
        for (int r = 0; r < s.ranks(); ++r) {
            sizes.push_back(3 * r);
            wanted += word(r);
            out += word(s.rank());
            out_sizes.push_back(3 * s.rank());
        }
        std::string all(wanted.size(), '.'), in(wanted.size(), '.'), few(wanted.size(), '.');
        link.all_gather(word(s.rank()).data(), sizes, all.data());
        link.all_to_all(out.data(), out_sizes, in.data(), sizes);
        link.exchange(out.data(), out_sizes, few.data(), sizes);
        check(all == wanted && in == wanted && few == wanted, "all_gather, all_to_all, exchange");
        std::string told = s.is_root() ? "told" : "....";
        link.broadcast(told.data(), 4, 0);
        check(told == "told", "broadcast");
        const int next = (s.rank() + 1) % s.ranks(), last = (s.rank() + s.ranks() - 1) % s.ranks();
        const char mine[] = {char('A' + s.rank()), '!'};
        char got[2] = {};
        link.send(mine, 2, next);
        link.recv(got, 2, last);
        check(got[0] == char('A' + last) && got[1] == '!', "send and recv");
        link.barrier();
        const auto half = link.split(s.rank() % 2);
        check(half->rank() == s.rank() / 2, "split");
        const std::vector<std::int64_t> ones(std::size_t(half->size()), 1);
        std::string group(ones.size(), '.');
        half->all_gather(mine, ones, group.data());
        check(group[0] == (s.rank() % 2 ? 'B' : 'A'), "a group's all_gather");
    });
}

TEST_CASE("distributed arrays on GPUs that NCCL links have the bits of one GPU") {
    check_on_nccl({1, 2, 3}, [](distributed::session& s, auto check) {
        random::generator g(8);
        const array<float> a = g.normal<float>(0, 1, {77, 13});
        array<float> b = a;
        auto x = distribute(a, distributed::split(0));
        check(same_bits(mean(x, 0).gather(), mean(a, 0)), "mean");
        check(same_bits(x.reshard(distributed::split(1)).gather(), a), "resharded");
        const auto in = slice(1, -1), up = slice(2, none), down = slice(none, -2);
        for (int i = 0; i < 3; ++i) {
            x(in) = 0.5f * (x(up) + x(down));
            b(in) = 0.5f * (b(up) + b(down));
        }
        check(same_bits(x.gather(), b), "a stencil");
        check(x.local().device().is_cuda(), "on the GPU");
        check(s.ranks() == 1 || s.counters().messages > 0, "messages");
    });
}

TEST_CASE("what ranks that NCCL links send each other goes from GPU to GPU, not by way of the host") {
    check_on_nccl({2, 3}, [](distributed::session& s, auto check) {
        const array<float> a = random::generator(9).normal<float>(0, 1, {37, 11, 5}).eval(),
                           turned = transpose(a, {2, 0, 1}).eval();
        s.barrier();
        const counters_t before = counters();
        s.barrier();
        auto x = distribute(a, distributed::split(0));
        const array<float> other = x.reshard(distributed::split(1)).gather(), whole = x.gather(),
                           middle = distribute(a, distributed::split(1)).gather(),
                           moved = transpose(x, {2, 0, 1}).reshard(distributed::split(0)).gather(),
                           product = matmul(distribute(reshape(a, {37, 55}).T().eval(), distributed::split(1)),
                                            distribute(reshape(a, {37, 55}), distributed::split(0)))
                                         .reshard(distributed::split(0))
                                         .gather();
        eval(other, whole, middle, moved, product);
        s.barrier();
        const counters_t after = counters();
        s.barrier();
        check(after.bytes_to_host == before.bytes_to_host, "nothing to the host");
        check(after.bytes_to_device == before.bytes_to_device, "nothing from the host");
        check(same_bits(other, a) && same_bits(whole, a) && same_bits(middle, a), "the same elements");
        check(same_bits(moved, turned), "the same elements in another order");
        const array<float> flat = reshape(a, {37, 55});
        check(allclose(product, matmul(flat.T(), flat), 1e-4, 1e-4), "a sum over ranks");
    });
}

TEST_CASE("ranks that have nothing, and arrays without elements, send nothing from GPU to GPU") {
    check_on_nccl({3}, [](distributed::session& s, auto check) {
        const array<double> few = arange<double>(2).eval(), none = zeros({0, 4}).eval();
        check(same_bits(distribute(few, distributed::split(0)).gather(), few), "two elements of three ranks");
        check(same_bits(distribute(few, distributed::split(0)).reshard(distributed::replicated()).gather(), few),
              "replicated");
        check(distribute(none, distributed::split(0)).reshard(distributed::split(1)).gather().shape() == dims(0, 4),
              "none");
        check(s.ranks() == 3, "ranks");
    });
}

TEST_CASE("what ranks move is counted alike from GPU to GPU and by way of the host") {
    const auto moved = [](distributed::session& s) {
        const array<double> few = arange<double>(2).eval(), more = reshape(arange<double>(35), {5, 7}).eval();
        s.reset_counters();
        const auto x = distribute(few, distributed::split(0));
        eval(x.gather(), x.reshard(distributed::replicated()).gather());
        const auto y = distribute(more, distributed::split(0));
        eval(y.reshard(distributed::split(1)).gather(), array<double>(y(slice(1, none)) - y(slice(none, -1))));
        const auto c = s.counters();
        return std::vector<std::int64_t>{c.collectives, c.messages, c.bytes_sent, c.bytes_received};
    };
    for (int ranks : {1, 3}) {
        if (!can_run(ranks)) continue;
        const auto count = static_cast<std::size_t>(ranks);
        std::vector<std::vector<std::int64_t>> on_host(count), on_gpus(count);
        distributed::run(ranks, [&](distributed::session& s) {
            const device_scope on(device::cpu());
            on_host[std::size_t(s.rank())] = moved(s);
        });
        on_nccl(ranks,
                [&](distributed::session& s, distributed::session&) { on_gpus[std::size_t(s.rank())] = moved(s); });
        CHECK(on_host == on_gpus);
        CHECK((on_host[0][0] > 0) == (ranks > 1));
    }
}

TEST_CASE("a communicator's call is one group on each rank, and nothing is called for what is empty") {
    if (!counter()) {
        MESSAGE("not run: this NCCL does not count its calls");
        return;
    }
    nccl_calls gathered, sent, empty;
    on_nccl(2, [&](distributed::session& s, distributed::session& outer) {
        const std::vector<std::int64_t> sizes{5, 5}, none{0, 0};
        std::string all(10, '.');
        auto measure = [&](nccl_calls& to, auto call) {
            outer.barrier();
            const nccl_calls before = counted();
            outer.barrier();
            call();
            outer.barrier();
            const nccl_calls after = counted();
            if (s.is_root())
                to = {after.calls - before.calls, after.groups - before.groups, after.bytes - before.bytes};
        };
        measure(empty, [&] { s.link().all_gather("", none, all.data()); });
        measure(gathered, [&] { s.link().all_gather("abcde", sizes, all.data()); });
        const std::vector<std::int64_t> out = s.is_root() ? std::vector<std::int64_t>{0, 5} : none;
        const std::vector<std::int64_t> in = s.is_root() ? none : std::vector<std::int64_t>{5, 0};
        measure(sent, [&] { s.link().exchange("abcde", out, all.data(), in); });
    });
    CHECK((empty.calls == 0 && empty.groups == 2 && empty.bytes == 0));
    CHECK((gathered.calls == 8 && gathered.groups == 2 && gathered.bytes == 20));
    CHECK((sent.calls == 2 && sent.groups == 2 && sent.bytes == 5));
}

TEST_CASE("where one rank is on the CPU all ranks throw the same, and none waits for it") {
    if (!runtime::nccl_library()) {
        MESSAGE("not run: there is no NCCL");
        return;
    }
    CHECK(
        message_of([] {
            distributed::run(3, [](distributed::session& s) {
                const device_scope on(s.rank() == 1 ? device::cpu() : device::cuda(0));
                const std::shared_ptr<distributed::communicator> over(&s.link(), [](distributed::communicator*) {});
                distributed::make_nccl_communicator(over);
            });
        }) ==
        "[nccl] ranks need a GPU each, and the current device is the CPU: choose one by device_scope before (rank 1)");
}

TEST_CASE("what NCCL cannot do says so") {
    CHECK(
        message_of([] {
            distributed::run(2, [](distributed::session& s) {
                const device_scope on(device::cpu());
                const std::shared_ptr<distributed::communicator> over(&s.link(), [](distributed::communicator*) {});
                distributed::make_nccl_communicator(over);
            });
        }) ==
        "[nccl] ranks need a GPU each, and the current device is the CPU: choose one by device_scope before (rank 0)");
    if (!can_run(2)) {
        MESSAGE("not run: a rank that throws, which needs two GPUs and NCCL");
        return;
    }
    CHECK(message_of([] {
              on_nccl(2, [](distributed::session& s, distributed::session&) {
                  if (s.rank() == 1) throw value_error("[mine] no");
                  static_cast<void>(double(sum(distribute(arange<double>(1000), distributed::split(0)))));
              });
          }).find("[run] rank ") == 0);
}

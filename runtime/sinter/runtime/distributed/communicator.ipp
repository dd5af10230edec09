// Bodies of communicator.hpp.
#pragma once

#include <atomic>
#include <cstring>
#include <deque>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/distributed/communicator.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

/// Every collective is a copy.
class single_communicator final : public communicator {
public:
    std::string_view name() const override { return "one process"; }
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void set_timeout(std::int64_t) override {}
    void all_gather(const char* mine, codegen::span<const std::int64_t> sizes, char* all) override {
        copy(mine, sizes[0], all);
    }
    void all_to_all(const char* out, codegen::span<const std::int64_t> sizes, char* in,
                    codegen::span<const std::int64_t>) override {
        copy(out, sizes[0], in);
    }
    void broadcast(char*, std::int64_t, int) override {}
    void send(const char* data, std::int64_t size, int) override { sent_.emplace_back(data, data + size); }
    void recv(char* data, std::int64_t size, int) override {
        if (sent_.empty()) throw device_error("[recv] nothing was sent, and there is no other rank");
        copy(sent_.front().data(), size, data);
        sent_.pop_front();
    }
    void barrier() override {}
    std::shared_ptr<communicator> split(int) override { return make_single_communicator(); }
    void abort(const std::string&) noexcept override {}

private:
    static void copy(const char* from, std::int64_t size, char* to) {
        if (size > 0) std::memcpy(to, from, static_cast<std::size_t>(size));
    }
    std::deque<std::vector<char>> sent_;
};

SINTER_INLINE void communicator::exchange(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                                          codegen::span<const std::int64_t> in_sizes) {
    for (std::size_t r = 0; r < out_sizes.size(); out += out_sizes[r++])
        if (out_sizes[r] > 0) send(out, out_sizes[r], static_cast<int>(r));
    for (std::size_t r = 0; r < in_sizes.size(); in += in_sizes[r++])
        if (in_sizes[r] > 0) recv(in, in_sizes[r], static_cast<int>(r));
}

SINTER_INLINE void communicator::move_on_device(const char*, codegen::span<const transfer>, char*,
                                                codegen::span<const transfer>) {
    throw internal_error(codegen::joined({"[", name(), "] moves no device memory"}));
}

SINTER_INLINE std::string time_words(std::int64_t milliseconds) {
    if (milliseconds % 1000 != 0) return codegen::joined({milliseconds, " ms"});
    return codegen::joined({milliseconds / 1000, " s"});
}

SINTER_INLINE std::shared_ptr<communicator> make_single_communicator() {
    return std::make_shared<single_communicator>();
}

SINTER_INLINE communicator_factory use_factory(communicator_factory f) {
    static std::atomic<communicator_factory> used = nullptr;
    if (f) used = f;
    return used;
}

}  // namespace sinter::inline SINTER_ABI::distributed

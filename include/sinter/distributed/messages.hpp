// What ranks send each other for a value: parts of it as bytes, with what was moved in words.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/distributed/session.hpp>
#include <sinter/parts/value_parts.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Appends words to those that are remembered, which are the last ones.
void add_move(std::vector<std::string>& moves, const std::string& words);

/// A message of bytes in host memory to each rank, and one from each.
struct exchange_of_ranks {
    std::vector<std::int64_t> out_sizes, in_sizes;
    std::vector<char> out, in;

    explicit exchange_of_ranks(int ranks) : out_sizes(static_cast<std::size_t>(ranks)), in_sizes(out_sizes) {}
    /// To be called for one rank after the other.
    void send(int to, const handle& h);
    void expect(int from, const dims& shape, dtype type);
    /// By a collective, or where few ranks have something for each other by single messages.
    void run(const session_ref& s, const call_reason& why, std::vector<std::string>& moves, bool between_few = false);
};

/// A message of elements of one type to each rank, and one from each: in a device's memory where the session's link
/// moves that, else by way of the host.
class exchange_of_values {
public:
    exchange_of_values(const session_ref& s, dtype type, device where);
    /// To be called for one rank after the other.
    void send(int to, const handle& h);
    /// The same to all ranks, this one too, in place of messages to each.
    void send_to_all(const handle& h) { for_all_ = h; }
    void expect(int from, const dims& shape);
    void run(const call_reason& why, std::vector<std::string>& moves, bool between_few = false);
    /// What a rank sent, or all of it in the order of ranks, under another shape.
    handle received(int from) const { return received_from(begin_of(from), shapes_[static_cast<std::size_t>(from)]); }
    handle received(const dims& shape) const { return received_from(0, shape); }

private:
    std::int64_t begin_of(int rank) const;
    handle received_from(std::int64_t begin, const dims& shape) const;
    void run_on_device(collective call, const call_reason& why, std::vector<std::string>& moves);

    session_ref session_;
    dtype type_;
    device where_;
    codegen::sequence<handle> pieces_;  ///< to each rank, in a row; empty handles of ranks that get nothing
    handle for_all_;
    std::vector<dims> shapes_;  ///< from each rank
    std::vector<char> bytes_;   ///< received on the host
    handle elements_;           ///< received on a device
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/messages.ipp>
#endif

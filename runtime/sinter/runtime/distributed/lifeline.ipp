// Bodies of lifeline.hpp.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/distributed/lifeline.hpp>
#include <string_view>
#include <utility>

namespace sinter::inline SINTER_ABI::distributed {

/// What ends each message, and the one of a rank that leaves in order.
inline constexpr char end_of_words = '\0';
inline constexpr std::string_view farewell = "leaves";

SINTER_INLINE lifeline::lifeline(int rank, std::vector<runtime::file_descriptor> links)
    : rank_(rank), links_(std::move(links)), heard_(links_.size()) {}

SINTER_INLINE lifeline::~lifeline() {
    if (why_.empty()) tell(std::string(farewell));
}

SINTER_INLINE void lifeline::tell(const std::string& words) noexcept {
    for (const runtime::file_descriptor& link : links_)
        if (link) static_cast<void>(::send(link.get(), words.c_str(), words.size() + 1, MSG_NOSIGNAL | MSG_DONTWAIT));
}

SINTER_INLINE void lifeline::look_at(std::size_t i) {
    char bytes[512];
    ssize_t n = 0;
    while ((n = ::recv(links_[i].get(), bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
        heard_[i].append(bytes, static_cast<std::size_t>(n));
    const std::size_t end = heard_[i].find(end_of_words);
    if (end == std::string::npos && n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    links_[i].close();
    if (end == std::string::npos) why_ = codegen::joined({"rank ", number_of(i), " has ended"});
    else if (const std::string words = heard_[i].substr(0, end); words != farewell) why_ = words;
}

SINTER_INLINE const std::string& lifeline::ended() {
    for (std::size_t i = 0; i < links_.size() && why_.empty(); ++i)
        if (links_[i]) look_at(i);
    if (!why_.empty() && rank_ == 0) tell(why_);
    if (!why_.empty()) links_.clear();
    return why_;
}

SINTER_INLINE void lifeline::end(const std::string& why) noexcept {
    if (why_.empty()) why_ = codegen::joined({"rank ", rank_, " ended: ", why});
    tell(why_);
    links_.clear();
}

}  // namespace sinter::inline SINTER_ABI::distributed

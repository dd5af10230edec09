// The C++ text of finding the place of a row's extreme element; must not know how other accumulators combine.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Reductions as their accumulators hold them, and the places of those that carry an index.
class host_place_writer : public host_writer {
public:
    using host_writer::host_writer;

protected:
    /// Lanes in which the elements of a row's part are compared for an extreme one.
    int place_lanes() const;

    std::string accumulator(std::size_t r) const { return stored_text(k_.reductions[r].accumulator()); }
    bool indexed(std::size_t r) const { return is_indexed(k_.reductions[r].how); }
    bool origins_lie_along() const;
    std::string accumulated(std::size_t r) const;
    std::string place_type(std::size_t r) const;
    std::string turn_type(std::size_t r) const;
    std::string wins(std::size_t r, const std::string& later, const std::string& earlier) const;
    void write_place(std::size_t r);
    template <class Write>
    void write_places(const sequence<std::size_t>& reductions, const std::string& place, Write write);
    void write_place_of_tile(std::size_t r);
    void write_places_of_row(std::size_t r);

private:
    void write_later(std::size_t r, const std::string& turn);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_place_writer.ipp>
#endif

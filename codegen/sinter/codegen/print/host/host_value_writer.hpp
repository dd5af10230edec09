// The C++ text of values of a tile and of where they lie in memory; must not know in which loops they are computed.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/line_writer.hpp>
#include <sinter/codegen/schedule/facts/map_facts.hpp>
#include <sinter/codegen/schedule/stages.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What one thread of a CPU has of a tile of elements.
class host_value_writer : public line_writer {
protected:
    /// The axes that a tile runs along, and the text of where the others stand.
    struct tile_axes {
        int first, last;  ///< the axes [first, last)
        int stage;        ///< whose instructions are computed
        bool offset;      ///< whether base<a> holds the other axes' part of access a
    };
    /// How often loops over the elements of a tile are unrolled.
    static constexpr int tile_unroll = 2;

    explicit host_value_writer(const kernel& k);

    void unroll(int times = tile_unroll);
    void open_lanes(const std::string& end = "m", const std::string& index = "int l", const std::string& begin = "0",
                    int times = tile_unroll);
    void open_vectors(const std::string& count, const std::string& clause = "", int step = 0);
    dtype type_of_access(std::size_t a) const { return k_.operand_of(a).type; }
    std::string stored_text(dtype t) const { return t == dtype::bool_ ? "unsigned char" : type_text(t); }
    std::string value(std::uint32_t i) const;
    static std::string assignment(dtype t, const std::string& to, const std::string& from);
    bool is_uniform_here(std::uint32_t i) const;
    void write_unpacking();
    std::string element(std::uint32_t a, const std::string& at) const;
    void write_decode(const std::string& from, int first, int last);
    void write_bases_of(const std::string& from, int first, int last);
    void write_pointers(const tile_axes& t);
    void open_parts(const tile_axes& t);
    bool used_in(std::size_t access) const;
    bool is_placed(std::uint32_t i) const { return !placed_.empty() && placed_[i]; }
    bool is_turned(std::size_t access) const { return !turned_.empty() && turned_[access]; }

    const kernel& k_;
    const map_facts map_;
    const bool side_by_side_;    ///< rows are computed in vectors
    sequence<char> in_array_;    ///< whether the value outlives its loop
    sequence<char> persistent_;  ///< whether the value is kept for later stages
    sequence<char> here_;        ///< whether the stage being written computes the value
    sequence<char> placed_;      ///< whether the value has a place of its own beyond the loops; empty where none has
    sequence<char> turned_;      ///< by access: whether rows of it lie side by side in a tile; empty where none do
    int stage_ = 0;              ///< the stage being written
    int width_;                  ///< elements of the arrays and of the vector calls' loops
    int inner_axis_ = 0;         ///< along which the tile runs
    bool in_parts_ = false;      ///< whether a tile may wrap around several rows
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_value_writer.ipp>
#endif

// Structures that Boost.Hana knows as elements of arrays: one array for each member. Not part of the umbrella; it uses
// Boost where that is installed.
#pragma once

#include <algorithm>
#include <array>
#include <ostream>
#include <sinter/array/evaluate.hpp>
#include <sinter/array/host.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/io/io.hpp>
#include <sinter/records/record_columns.hpp>
#include <sinter/records/structure.hpp>
#include <tuple>

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A member's name as a template argument: `get<"x">()`.
template <std::size_t N>
struct fixed_name {
    char text[N];
    consteval fixed_name(const char (&from)[N]) { std::copy(from, from + N, text); }
};

template <class R, class I>
struct columns_of;
template <class R, std::size_t... I>
struct columns_of<R, std::index_sequence<I...>> {
    using type = std::tuple<array<member_type<R, I>>...>;
};

}  // namespace detail

/// Records along one axis, as numpy.rec.array has them: an array for each member, on the device, that is had by
/// `p.get(&particle::x)` or `p.get<"x">()` and may be assigned to; only the members that are used are moved. Made from
/// a std::vector of records, or of columns in the order of the members. Throws shape_error where these are not of one
/// axis and one length.
template <record_structure R>
class record_array {
public:
    using value_type = R;
    using columns_type = typename detail::columns_of<R, detail::member_numbers<R>>::type;

    record_array() = default;
    record_array(const std::vector<R>& records) : record_array(columns_from(records, detail::member_numbers<R>())) {}
    record_array(std::initializer_list<R> records) : record_array(std::vector<R>(records)) {}
    explicit record_array(columns_type columns) : columns_(std::move(columns)) { require("record_array"); }

    std::int64_t size() const { return std::get<0>(columns_).size(); }
    dims shape() const { return std::get<0>(columns_).shape(); }
    const columns_type& columns() const { return columns_; }

    template <class M>
    array<M>& get(M R::*member) {
        array<M>* found = nullptr;
        find(columns_, member, found, detail::member_numbers<R>());
        if (!found) throw type_error("[get] no member that is known as one of the record");
        return *found;
    }
    template <class M>
    const array<M>& get(M R::*member) const {
        return const_cast<record_array*>(this)->get(member);
    }
    template <detail::fixed_name Name>
    auto& get() {
        return std::get<number_of<Name>(detail::member_numbers<R>())>(columns_);
    }
    template <detail::fixed_name Name>
    const auto& get() const {
        return std::get<number_of<Name>(detail::member_numbers<R>())>(columns_);
    }

    /// One record, read; index_error beyond the ends.
    R operator()(std::int64_t i) const {
        eval(columns_);
        return read(i, detail::member_numbers<R>());
    }
    /// Those of a slice.
    record_array operator()(const slice& s) const {
        return each([&](const auto& column) { return column(s); });
    }
    /// Those where a mask is true, or at indices.
    template <expression E>
    record_array operator[](const E& e) const {
        return each([&](const auto& column) { return column[e]; });
    }
    /// A function of arrays applied to each column; all results are of one length.
    template <class F>
    record_array each(F f) const {
        return std::apply([&](const auto&... c) { return record_array(columns_type(f(c)...)); }, columns_);
    }

    /// Throws shape_error when assignments have left columns of other lengths.
    std::vector<detail::record_column> checked_columns(std::string_view operation) const {
        auto all = named(detail::member_numbers<R>());
        detail::require_columns(operation, all);
        return all;
    }

private:
    template <std::size_t... I>
    static columns_type columns_from(const std::vector<R>& records, std::index_sequence<I...>) {
        return {column_from<I>(records)...};
    }
    template <std::size_t I>
    static array<detail::member_type<R, I>> column_from(const std::vector<R>& records) {
        using M = detail::member_type<R, I>;
        codegen::sequence<M> values;
        for (const R& r : records) values.push_back(detail::member_of<I>(r));
        return array<M>(detail::store(dtype_of<M>, dims(records.size()), values.begin()));
    }
    template <class M, std::size_t... I>
    static void find(columns_type& columns, M R::*member, array<M>*& found, std::index_sequence<I...>) {
        R one{};
        auto look = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
            if constexpr (std::same_as<detail::member_type<R, K>, M>)
                if (&(one.*member) == &detail::member_of<K>(one)) found = &std::get<K>(columns);
        };
        (look(std::integral_constant<std::size_t, I>()), ...);
    }
    template <detail::fixed_name Name, std::size_t... I>
    static consteval std::size_t number_of(std::index_sequence<I...>) {
        std::size_t found = sizeof...(I);
        ((std::string_view(detail::member_name<R, I>()) == Name.text ? void(found = I) : void()), ...);
        if (found == sizeof...(I)) throw "sinter: the record has no member of this name";
        return found;
    }
    template <std::size_t... I>
    R read(std::int64_t i, std::index_sequence<I...>) const {
        R r{};
        ((detail::member_of<I>(r) = std::get<I>(columns_).item(i)), ...);
        return r;
    }
    template <std::size_t... I>
    std::vector<detail::record_column> named(std::index_sequence<I...>) const {
        return {{detail::member_name<R, I>(), std::get<I>(columns_).get_handle()}...};
    }
    void require(std::string_view operation) const { checked_columns(operation); }

    columns_type columns_;
};

/// The records in host memory; all columns are computed together.
template <record_structure R>
std::vector<R> to_vector(const record_array<R>& p) {
    p.checked_columns("to_vector");
    eval(p.columns());
    std::vector<R> records(static_cast<std::size_t>(p.size()));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto fill = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
            const auto column = to_host(std::get<K>(p.columns()));
            for (std::size_t i = 0; i < records.size(); ++i) detail::member_of<K>(records[i]) = column.data()[i];
        };
        (fill(std::integral_constant<std::size_t, I>()), ...);
    }(detail::member_numbers<R>());
    return records;
}

/// The records in the order of a member, equal ones in that in which they were (numpy.sort(p, order="x")).
template <record_structure R, class M>
record_array<R> sort(const record_array<R>& p, M R::*member) {
    p.checked_columns("sort");
    return p[argsort(p.get(member))];
}

/// str and repr as NumPy's record arrays have them.
template <record_structure R>
std::string str(const record_array<R>& p) {
    return detail::format_records(p.checked_columns("str"), false);
}
template <record_structure R>
std::string repr(const record_array<R>& p) {
    return detail::format_records(p.checked_columns("repr"), true);
}
template <record_structure R>
std::ostream& operator<<(std::ostream& out, const record_array<R>& p) {
    return out << str(p);
}

/// Writes a structured .npy file, which numpy.load reads; the extension is added when the path has none. Throws
/// io_error.
template <record_structure R>
void save(const std::string& path, const record_array<R>& p) {
    detail::save_records(path, p.checked_columns("save"));
}

/// Reads a structured .npy file: members are found by their names, others are passed over. Throws io_error for a member
/// that the file has not, type_error for one that would lose its fraction or imaginary part.
template <record_structure R>
record_array<R> load(const std::string& path) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const detail::wanted_member wanted[] = {{detail::member_name<R, I>(), dtype_of<detail::member_type<R, I>>}...};
        const auto values = detail::load_records(path, wanted);
        return record_array<R>(typename record_array<R>::columns_type{array<detail::member_type<R, I>>(values[I])...});
    }(detail::member_numbers<R>());
}

}  // namespace sinter::inline SINTER_ABI

#else

namespace sinter::inline SINTER_ABI {

template <class R>
class record_array {
    static_assert(sizeof(R) == 0, "sinter: records need the headers of Boost.Hana: install libboost-dev");
};

}  // namespace sinter::inline SINTER_ABI

#endif

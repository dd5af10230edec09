// Structures that Boost.Hana knows as elements of arrays: one array for each member. Not part of the umbrella; it uses
// Boost where that is installed.
#pragma once

#include <ostream>
#include <sinter/array/evaluate.hpp>
#include <sinter/array/host.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/io/io.hpp>
#include <sinter/records/record_tables.hpp>
#include <sinter/records/told_structure.hpp>
#include <tuple>

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A member's name as a template argument: `get<"x">()`.
template <std::size_t N>
struct fixed_name {
    char text[N];
    consteval fixed_name(const char (&from)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
    }
};

template <class R, std::size_t... I>
consteval bool has_numbers(std::index_sequence<I...>) {
    return (scalar_operand<member_type<R, I>> && ...);
}

template <class R, class I>
struct wanted_list;
template <class R, std::size_t... I>
struct wanted_list<R, std::index_sequence<I...>> {
    static constexpr wanted_member all[] = {{member_name<R, I>(), dtype_of<member_type<R, I>>}...};
};
/// The members as they are looked for in a file.
template <class R>
constexpr auto& wanted_members = wanted_list<R, member_numbers<R>>::all;

template <class R, class I>
struct columns_of;
template <class R, std::size_t... I>
struct columns_of<R, std::index_sequence<I...>> {
    using type = std::tuple<array<member_type<R, I>>...>;
};

}  // namespace detail

/// Records as numpy.rec.array has them, along any number of axes: an array for each member, on the device, that is had
/// by `p.get(&particle::x)` or `p.get<"x">()` and may be assigned to; only the members that are used are moved. Made
/// from a std::vector of records, or of a tuple of columns in the order of the members, such as functions of several
/// results give. Throws shape_error where these are not of one shape.
template <record_structure R>
class record_array {
public:
    using value_type = R;
    static_assert(detail::has_numbers<R>(detail::member_numbers<R>()),
                  "sinter: the members of records are numbers of the types that arrays have as elements");
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

    /// One record, read, by a number for each axis; index_error beyond the ends.
    template <std::integral... I>
    R operator()(I... i) const {
        eval(columns_);
        return read(detail::member_numbers<R>(), static_cast<std::int64_t>(i)...);
    }
    /// Those of slices, of `all` and numbers, of indices: what index.hpp has for arrays.
    template <class... I>
        requires(!(std::integral<I> && ...))
    record_array operator()(const I&... i) const {
        return each([&](const auto& column) { return column(i...); });
    }
    /// Those where a mask is true, or at indices.
    template <expression E>
    record_array operator[](const E& e) const {
        return each([&](const auto& column) { return column[e]; });
    }
    /// The same records along other axes (numpy.reshape).
    record_array reshape(const dims& shape) const {
        return each([&](const auto& column) { return sinter::reshape(column, shape); });
    }
    /// A function of arrays applied to each column; all results are of one shape.
    template <class F>
    record_array each(F f) const {
        return std::apply([&](const auto&... c) { return record_array(columns_type(f(c)...)); }, columns_);
    }

    /// Throws shape_error when assignments have left columns of other lengths.
    std::vector<detail::record_column> checked_columns(std::string_view operation) const {
        auto columns = named(detail::member_numbers<R>());
        detail::require_columns(operation, columns);
        return columns;
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
    R read(std::index_sequence<I...>, auto... at) const {
        R r{};
        ((detail::member_of<I>(r) = std::get<I>(columns_).item(at...)), ...);
        return r;
    }
    template <std::size_t... I>
    std::vector<detail::record_column> named(std::index_sequence<I...>) const {
        return {{detail::member_name<R, I>(), std::get<I>(columns_).get_handle()}...};
    }
    void require(std::string_view operation) const { checked_columns(operation); }

    columns_type columns_;
};

namespace detail {

template <class R>
struct member_visitor<record_array<R>> {
    static constexpr bool is_known = true;
    template <class F>
    static void visit(const record_array<R>& p, F f) {
        std::apply(f, p.columns());
    }
};

}  // namespace detail

/// The records in host memory, row-major; all columns are computed together.
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

/// The records along the last axis in the order of a member, equal ones in that in which they were (numpy.sort(p,
/// order="x")).
template <record_structure R, class M>
record_array<R> sort(const record_array<R>& p, M R::*member) {
    p.checked_columns("sort");
    const array<std::int64_t> order = argsort(p.get(member));
    return p.each([&](const auto& column) { return take_along_axis(column, order, -1); });
}

/// str as NumPy's record arrays have it.
template <record_structure R>
std::string str(const record_array<R>& p) {
    return detail::format_records(p.checked_columns("str"), false);
}
/// repr as NumPy's record arrays have it.
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

/// Reads a structured .npy file, or an .npz file with an array for each member: members are found by their names,
/// others are passed over. Throws io_error for a member that the file has not, type_error for one that would lose its
/// fraction or imaginary part, shape_error for arrays of different shapes.
template <record_structure R>
    requires(detail::has_numbers<R>(detail::member_numbers<R>()))
record_array<R> load(const std::string& path) {
    using columns = typename record_array<R>::columns_type;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        if (detail::is_archive(path)) {
            const npz_file file(path);
            for (const char* name : {detail::member_name<R, I>()...})
                if (!file.contains(name)) detail::throw_no_member("load", path, name);
            return record_array<R>(columns{file.get<detail::member_type<R, I>>(detail::member_name<R, I>())...});
        }
        const auto values = detail::load_records(path, detail::wanted_members<R>);
        return record_array<R>(columns{array<detail::member_type<R, I>>(values[I])...});
    }(detail::member_numbers<R>());
}

/// Writes an .npz file with an array for each member (numpy.savez(path, x=p.x, …)); see savez.
template <record_structure R>
void savez(const std::string& path, const record_array<R>& p) {
    std::vector<detail::named_array> arrays;
    p.checked_columns("savez");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (arrays.emplace_back(detail::member_name<R, I>(), std::get<I>(p.columns())), ...);
    }(detail::member_numbers<R>());
    detail::save_archive(path, arrays, false);
}

/// Writes a table of text with the members' names in the first line (pandas.DataFrame.to_csv(path, index=False)).
/// Throws io_error, and shape_error for records of several axes.
template <record_structure R>
void to_csv(const std::string& path, const record_array<R>& p, const csv_options& options = {}) {
    detail::write_csv(path, p.checked_columns("to_csv"), options);
}
/// Reads a table whose first line has the members' names, in any order and beside others (pandas.read_csv). Throws
/// io_error for a name that it has not, and with line and column for a field that is no number of the member's type.
template <record_structure R>
record_array<R> read_csv(const std::string& path, const csv_options& options = {}) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto values = detail::read_csv_columns(path, detail::wanted_members<R>, options);
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

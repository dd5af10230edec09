// Records and sets of parameters over ranks: their arrays, each distributed, in the arrangement of the structure. It
// uses Boost.
#pragma once

#include <sinter/distributed/files.hpp>
#include <sinter/distributed/value.hpp>
#include <sinter/parameters/parameter_files.hpp>
#include <sinter/records/record_array.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Columns of a structured .npy file, of which each rank writes its records.
void save_distributed_records(const std::string& path, codegen::span<const named_distributed> columns);
/// The same read: each rank's records, in the order in which members are wanted.
std::vector<distributed_ref> load_distributed_records(const std::string& path,
                                                      codegen::span<const wanted_member> members, const placement& p);

}  // namespace sinter::inline SINTER_ABI::detail

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI {

namespace detail {

template <class S>
inline constexpr bool is_records = false;
template <class R>
inline constexpr bool is_records<record_array<R>> = true;

/// The structure whose members pointers are to.
template <class S>
struct structure_owner {
    using type = S;
};
template <class R>
struct structure_owner<record_array<R>> {
    using type = R;
};

/// What is distributed array by array.
template <class S>
concept structure_of_arrays = is_records<S> || parameter_set<S>;

/// Its members: how many, their names and references to them.
template <class T>
struct structure_access : member_access<T> {};
template <class R>
struct structure_access<record_array<R>> {
    static constexpr std::size_t count = member_count<R>;
    template <std::size_t I>
    static constexpr const char* name() {
        return member_name<R, I>();
    }
    template <std::size_t I>
    static const auto& get(const record_array<R>& p) {
        return std::get<I>(p.columns());
    }
};
template <class T>
using structure_members = std::make_index_sequence<structure_access<T>::count>;
template <class T, std::size_t I>
using structure_member = std::remove_cvref_t<decltype(structure_access<T>::template get<I>(std::declval<const T&>()))>;

/// The arrangement with distributed arrays in it: vectors for lists, tuples for structures.
template <class T, class Members = structure_members<T>>
struct distributed_arrangement;
template <class T, class Members>
struct distributed_arrangement<array<T>, Members> {
    using type = distributed::array<T>;
};
template <class T, class A, class Members>
struct distributed_arrangement<std::vector<T, A>, Members> {
    using type = std::vector<typename distributed_arrangement<T>::type>;
};
template <class T, std::size_t... I>
    requires(sizeof...(I) > 0)
struct distributed_arrangement<T, std::index_sequence<I...>> {
    using type = std::tuple<typename distributed_arrangement<structure_member<T, I>>::type...>;
};
template <class T>
using distributed_arrangement_t = typename distributed_arrangement<T>::type;

/// What a structure's member is when it is distributed: a record's number is an array.
template <class M>
struct distributed_member {
    using type = distributed::array<M>;
};
template <class M>
    requires(holds_arrays<M>())
struct distributed_member<M> {
    using type = distributed_arrangement_t<M>;
};

/// A member of a structure, or of its arrangement.
template <class T, std::size_t I, class X>
const auto& member_of_arrangement(const X& x) {
    if constexpr (std::same_as<X, T>) return structure_access<T>::template get<I>(x);
    else return std::get<I>(x);
}

/// The arrangement of what f(place, array…) gives for each array of structures or arrangements that are alike; errors
/// name the place.
template <class T, class F, class... D>
distributed_arrangement_t<T> arranged(std::string_view operation, const parameter_place& where, F& f, const D&... d) {
    if constexpr (is_array<T>) {
        try {
            return f(where, d...);
        } catch (const error&) {
            rethrow_at(where);
        }
    } else if constexpr (is_vector<T>) {
        const std::size_t sizes[] = {static_cast<std::size_t>(d.size())...};
        for (const std::size_t n : sizes)
            if (n != sizes[0]) throw_lengths(operation, where, sizes[0], n);
        distributed_arrangement_t<T> list;
        for (std::size_t i = 0; i < sizes[0]; ++i)
            list.push_back(arranged<typename T::value_type>(operation, {&where, nullptr, i}, f, d[i]...));
        return list;
    } else {
        auto member = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
            return arranged<structure_member<T, K>>(operation, {&where, structure_access<T>::template name<K>(), K}, f,
                                                    member_of_arrangement<T, K>(d)...);
        };
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return distributed_arrangement_t<T>{member(std::integral_constant<std::size_t, I>())...};
        }(structure_members<T>());
    }
}

/// The structure of what f gives for each distributed array.
template <class T, class F>
T collected(const distributed_arrangement_t<T>& from, F& f) {
    if constexpr (is_array<T>) {
        return f(from);
    } else if constexpr (is_vector<T>) {
        T list;
        for (const auto& d : from) list.push_back(collected<typename T::value_type>(d, f));
        return list;
    } else {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            if constexpr (is_records<T>) {
                return T(typename T::columns_type{collected<structure_member<T, I>>(std::get<I>(from), f)...});
            } else {
                T all{};
                ((structure_access<T>::template get<I>(all) = collected<structure_member<T, I>>(std::get<I>(from), f)),
                 ...);
                return all;
            }
        }(structure_members<T>());
    }
}

/// Throws shape_error where the columns of records are not of one shape, which all ranks find alike.
template <class T>
void require_one_shape(std::string_view operation, const distributed_arrangement_t<T>& columns) {
    if constexpr (is_records<T>) {
        const dims first = std::get<0>(columns).shape();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto check = [&](const char* name, const dims& shape) {
                if (shape != first)
                    throw shape_error("[" + std::string(operation) + "] the member '" + name + "' has shape " +
                                      to_string(shape) + ", and '" + structure_access<T>::template name<0>() +
                                      "' has " + to_string(first));
            };
            (check(structure_access<T>::template name<I>(), std::get<I>(columns).shape()), ...);
        }(structure_members<T>());
    }
}

/// The arrays of an arrangement under names as `layers.0.w`.
template <class T>
std::vector<named_distributed> named_arrays(const distributed_arrangement_t<T>& from) {
    std::vector<named_distributed> list;
    auto add = [&](const parameter_place& where, const auto& a) {
        list.emplace_back(where.text(), a);
        return a;
    };
    static_cast<void>(arranged<T>("save", {}, add, from));
    return list;
}

/// An arrangement of arrays of an .npz file.
template <class T>
distributed_arrangement_t<T> load_arranged(const std::string& path, const parameter_names& names,
                                           const parameter_place& where, const placement& p) {
    if constexpr (is_array<T>) {
        const std::string name = where.text();
        names.require(name);
        return distributed_arrangement_t<T>(load_distributed_member(path, name, dtype_of<value_type_t<T>>, p));
    } else if constexpr (is_vector<T>) {
        distributed_arrangement_t<T> list;
        const std::size_t n = names.count_elements(where);
        for (std::size_t i = 0; i < n; ++i)
            list.push_back(load_arranged<typename T::value_type>(path, names, {&where, nullptr, i}, p));
        return list;
    } else {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return distributed_arrangement_t<T>{load_arranged<structure_member<T, I>>(
                path, names, {&where, structure_access<T>::template name<I>(), I}, p)...};
        }(structure_members<T>());
    }
}

}  // namespace detail

namespace distributed {

/// A record_array or a set of parameters of which each rank has a part, its arrays all placed alike: made by distribute
/// and load. Columns of records have one shape when it is made, and when it is used after one has been assigned; else
/// all ranks throw shape_error. `p.get<"x">()` and `p.get(&particle::x)` are the distributed arrays, which may be
/// assigned to.
template <class S>
class structure {
public:
    using parts_type = detail::distributed_arrangement_t<S>;
    /// Throws shape_error for columns of records that are not of one shape.
    explicit structure(parts_type parts, std::string_view operation = "structure") : parts_(std::move(parts)) {
        detail::require_one_shape<S>(operation, parts_);
    }

    /// Distributed arrays in the arrangement of S: tuples for structures, vectors for lists.
    const parts_type& parts() const { return parts_; }

    /// A member by its name, or by a pointer to it; type_error for one that is not known as a member.
    template <detail::fixed_name Name>
    auto& get() {
        return std::get<number_of<Name>(detail::structure_members<S>())>(parts_);
    }
    template <detail::fixed_name Name>
    const auto& get() const {
        return std::get<number_of<Name>(detail::structure_members<S>())>(parts_);
    }
    template <class M, class R>
    auto& get(M R::*member) {
        static_assert(std::same_as<R, typename detail::structure_owner<S>::type>,
                      "sinter: the pointer is to a member of another structure than the one that is distributed");
        using wanted = typename detail::distributed_member<M>::type;
        wanted* found = nullptr;
        R one{};
        auto look = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
            if constexpr (std::same_as<detail::member_type<R, K>, M>)
                if (&(one.*member) == &detail::member_of<K>(one)) found = &std::get<K>(parts_);
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (look(std::integral_constant<std::size_t, I>()), ...);
        }(detail::member_numbers<R>());
        if (!found) throw type_error("[get] no member that is known as one of the structure");
        return *found;
    }
    template <class M, class R>
    const auto& get(M R::*member) const {
        return const_cast<structure*>(this)->get(member);
    }

    /// All of it on every rank.
    S gather() const {
        detail::require_one_shape<S>("gather", parts_);
        auto f = [](const auto& a) { return a.gather(); };
        return detail::collected<S>(parts_, f);
    }
    /// This rank's part of each array, lazy.
    S local() const {
        detail::require_one_shape<S>("local", parts_);
        auto f = [](const auto& a) { return a.local(); };
        return detail::collected<S>(parts_, f);
    }
    /// The same arrays, placed otherwise; throws what array's reshard does, with the member's name.
    structure reshard(const placement& p) const {
        auto f = [&](const detail::parameter_place&, const auto& a) { return a.reshard(p); };
        detail::require_one_shape<S>("reshard", parts_);
        return structure(detail::arranged<S>("reshard", {}, f, parts_), "reshard");
    }

private:
    template <detail::fixed_name Name, std::size_t... I>
    static consteval std::size_t number_of(std::index_sequence<I...>) {
        std::size_t found = sizeof...(I);
        ((std::string_view(detail::structure_access<S>::template name<I>()) == Name.text ? void(found = I) : void()),
         ...);
        if (found == sizeof...(I)) throw "sinter: the structure has no member of this name";
        return found;
    }

    parts_type parts_;
};

/// Records or a set of parameters that every rank has alike, each array placed as distribute does; throws what that
/// does, with the member's name.
template <class S>
    requires(detail::no_operand<S> && detail::structure_of_arrays<S>)
structure<S> distribute(const S& s, const placement& p) {
    if constexpr (detail::is_records<S>) s.checked_columns("distribute");
    auto f = [&](const detail::parameter_place&, const auto& a) { return distribute(a, p); };
    return structure<S>(detail::arranged<S>("distribute", {}, f, s));
}
template <class S>
S gather(const structure<S>& s) {
    return s.gather();
}
template <class S>
structure<S> reshard(const structure<S>& s, const placement& p) {
    return s.reshard(p);
}

/// A function of distributed arrays for each array of a structure, or of two that are alike; what it gives has the
/// array's type. Throws shape_error where columns of records are not of one shape afterwards.
template <class S, class F>
structure<S> transform(const structure<S>& s, F f) {
    auto each = [&](const detail::parameter_place&, const auto& a) { return f(a); };
    return structure<S>(detail::arranged<S>("transform", {}, each, s.parts()), "transform");
}
/// A function of distributed arrays for each array of a structure, or of two that are alike.
template <class S, class F>
structure<S> transform(const structure<S>& s, const structure<S>& t, F f) {
    auto each = [&](const detail::parameter_place&, const auto& a, const auto& b) { return f(a, b); };
    return structure<S>(detail::arranged<S>("transform", {}, each, s.parts(), t.parts()), "transform");
}

/// Writes one file, each rank its part: of records a structured .npy file, of a set of parameters an .npz file with an
/// array for each member, as `save` does of ordinary ones, which `load` reads. Members of records that are placed
/// differently are moved first. Throws io_error on all ranks, and shape_error for members of different shapes.
template <class S>
void save(const std::string& path, const structure<S>& s) {
    const auto list = detail::named_arrays<S>(s.parts());
    if constexpr (detail::is_records<S>) detail::save_distributed_records(path, list);
    else detail::save_distributed_archive(path, list);
}

/// Reads records of R, of a structured .npy file or of an .npz file with an array for each member, or a set of
/// parameters of an .npz file, of which each rank reads its part. Throws what load throws of ordinary ones, on all
/// ranks that read.
template <record_structure R>
    requires(!parameter_set<R>)
structure<record_array<R>> load(const std::string& path, const placement& p) {
    using S = record_array<R>;
    if (detail::is_archive(path)) {
        const detail::parameter_names names(npz_file(path).names(), path);
        return structure<S>(detail::load_arranged<S>(path, names, {}, p), "load");
    }
    const auto values = detail::load_distributed_records(path, detail::wanted_members<R>, p);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return structure<S>(typename structure<S>::parts_type{array<detail::member_type<R, I>>(values[I])...});
    }(detail::member_numbers<R>());
}
/// Reads records of R, of a structured .npy file or of an .npz file with an array for each member, or a set of
/// parameters of an .npz file, of which each rank reads its part.
template <parameter_set P>
structure<P> load(const std::string& path, const placement& p) {
    const detail::parameter_names names(npz_file(path).names(), path);
    return structure<P>(detail::load_arranged<P>(path, names, {}, p));
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

#endif

#if SINTER_HEADER_ONLY
#include <sinter/distributed/structures.ipp>
#endif

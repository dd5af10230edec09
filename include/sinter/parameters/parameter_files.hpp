// The arrays of a set of parameters in an .npz file, by names as `layers.0.w`.
#pragma once

#include <sinter/io/io.hpp>
#include <sinter/parameters/parameter_set.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// The names in a file of which a set is read.
class parameter_names {
public:
    parameter_names(std::vector<std::string> names, std::string path);
    /// How many elements of a list there are; throws io_error where one is missing before another.
    std::size_t count_elements(const parameter_place& list) const;
    /// Throws io_error for a name that the file has not.
    void require(const std::string& name) const;

private:
    bool has_below(const std::string& name) const;

    std::vector<std::string> names_;  ///< sorted
    std::string path_;
};

}  // namespace sinter::inline SINTER_ABI::detail

#if __has_include(<boost/hana/accessors.hpp>)
namespace sinter::inline SINTER_ABI::detail {

/// A file that sets are read from.
class parameter_file {
public:
    explicit parameter_file(const std::string& path) : file_(path), names_(file_.names(), path) {}

    template <class T>
    void read(const parameter_place& where, T& to) const {
        require_arrays<T>();
        if constexpr (is_array<T>) {
            const std::string name = where.text();
            names_.require(name);
            to = file_.get<value_type_t<T>>(name);
        } else if constexpr (is_vector<T>) {
            to.resize(names_.count_elements(where));
            for (std::size_t i = 0; i < to.size(); ++i) read({&where, nullptr, i}, to[i]);
        } else {
            read_members(where, to, member_indices<T>());
        }
    }

private:
    template <class T, std::size_t... I>
    void read_members(const parameter_place& where, T& to, std::index_sequence<I...>) const {
        using members = member_access<T>;
        (read({&where, members::template name<I>(), I}, members::template get<I>(to)), ...);
    }

    npz_file file_;
    parameter_names names_;
};

}  // namespace sinter::inline SINTER_ABI::detail
#endif

#if SINTER_HEADER_ONLY
#include <sinter/parameters/parameter_files.ipp>
#endif

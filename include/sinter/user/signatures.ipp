// Bodies of signatures.hpp.
#pragma once

#include <sinter/user/signatures.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE codegen::sequence<core_application::group> core_application::read(std::string_view part) const {
    codegen::sequence<group> groups;
    auto malformed = [&] {
        return value_error("[vectorize] a signature of core axes reads (m,n),(n,p)->(m,p): " + signature_);
    };
    bool inside = false;
    std::string name;
    for (char c : part) {
        if (is_blank(c)) continue;
        if (c == '(' ? inside : c == ')' ? !inside : !inside && c != ',') throw malformed();
        bool ends = inside && (c == ',' || c == ')');
        if (c == '(') {
            groups.push_back(group());
        } else if (ends) {
            if (name.empty() && (c == ',' || !groups.back().empty())) throw malformed();
            if (!name.empty()) groups.back().push_back(name);
            name.clear();
        } else if (inside) {
            name += c;
        }
        inside = c == '(' || (inside && c != ')');
    }
    if (inside) throw malformed();
    return groups;
}

SINTER_INLINE std::int64_t* core_application::find(const std::string& name) {
    for (named_size& s : sizes_)
        if (s.name == name) return &s.size;
    return nullptr;
}

SINTER_INLINE void core_application::take_argument(std::size_t which, const dims& shape) {
    const group& g = inputs_[which];
    int rank = static_cast<int>(g.size()), own = shape.size() - rank;
    std::string place = " of argument " + std::to_string(which) + ", of shape " + to_string(shape);
    if (own < 0) throw shape_error("[vectorize] " + signature_ + " needs " + std::to_string(rank) + " axes" + place);
    for (int i = 0; i < rank; ++i) {
        const std::string& name = g[static_cast<std::size_t>(i)];
        std::int64_t size = shape[own + i];
        bool is_number = name[0] >= '0' && name[0] <= '9';
        std::int64_t number = is_number ? std::strtoll(name.c_str(), nullptr, 10) : 0;
        const std::int64_t* known = is_number ? &number : find(name);
        if (known && *known != size)
            throw shape_error("[vectorize] " + signature_ + ": axis " + name + place + " has size " +
                              std::to_string(size) +
                              (is_number ? std::string() : ", but " + name + " is " + std::to_string(*known)));
        if (!known) sizes_.push_back({name, size});
    }
    dims leading;
    for (int i = 0; i < own; ++i) leading.push_back(shape[i]);
    leading_ = codegen::broadcast_shapes("vectorize", leading_, leading);
}

SINTER_INLINE core_application::core_application(std::string_view signature, codegen::span<const handle> arguments)
    : signature_(signature) {
    inputs_ = read(before_arrow(signature));
    outputs_ = read(after_arrow(signature));
    results_.resize(outputs_.size());
    for (std::size_t a = 0; a < arguments.size(); ++a) take_argument(a, arguments[a]->shape);
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        const dims& own = arguments[a]->shape;
        dims shape = leading_, flat(leading_.product());
        for (int i = own.size() - static_cast<int>(inputs_[a].size()); i < own.size(); ++i) {
            shape.push_back(own[i]);
            flat.push_back(own[i]);
        }
        arguments_.push_back(record_reshape(record_broadcast("vectorize", arguments[a], shape), flat));
    }
}

SINTER_INLINE handle core_application::part(std::size_t argument, std::int64_t i) const {
    const handle& a = arguments_[argument];
    dims core;
    for (int k = 1; k < a->shape.size(); ++k) core.push_back(a->shape[k]);
    return record_view(a, layout{core, codegen::contiguous_strides(core), i * core.product()});
}

SINTER_INLINE dims core_application::core_of(const group& g, bool must_be_known) {
    dims core;
    for (const std::string& name : g) {
        bool is_number = name[0] >= '0' && name[0] <= '9';
        const std::int64_t* known = is_number ? nullptr : find(name);
        if (!known && !is_number && must_be_known)
            throw shape_error("[vectorize] " + signature_ + ": without a call nothing says how large " + name + " is");
        core.push_back(is_number ? std::strtoll(name.c_str(), nullptr, 10) : known ? *known : -1);
    }
    return core;
}

SINTER_INLINE void core_application::put(std::size_t result, std::int64_t i, const handle& value) {
    const group& g = outputs_[result];
    dims core = core_of(g, false);
    bool fits = value->shape.size() == core.size();
    for (int k = 0; fits && k < core.size(); ++k) fits = core[k] < 0 || core[k] == value->shape[k];
    if (!fits) {
        std::string sizes;
        for (int k = 0; k < core.size(); ++k)
            if (core[k] >= 0)
                sizes += std::string(sizes.empty() ? " with " : ", ") + g[static_cast<std::size_t>(k)] + " = " +
                         std::to_string(core[k]);
        throw shape_error("[vectorize] " + signature_ + ": the function returned shape " + to_string(value->shape) +
                          " as result " + std::to_string(result) + sizes);
    }
    for (int k = 0; k < core.size(); ++k)
        if (core[k] < 0) sizes_.push_back({g[static_cast<std::size_t>(k)], value->shape[k]});
    dims flat(count());
    for (std::int64_t n : value->shape) flat.push_back(n);
    handle& all = results_[result];
    if (!all) all = record_empty(value->type, flat);
    dims one = flat;
    one[0] = 1;
    layout where{one, codegen::contiguous_strides(flat), i * value->shape.product()};
    all = record_update(all, record_reshape(value, one), where);
}

SINTER_INLINE handle core_application::take(std::size_t result, dtype type) {
    dims shape = leading_;
    for (std::int64_t n : core_of(outputs_[result], true)) shape.push_back(n);
    return results_[result] ? record_reshape(results_[result], shape) : record_empty(type, shape);
}

}  // namespace sinter::inline SINTER_ABI::detail

// Bodies of measurements.hpp.
#pragma once

#include <sinter/analysis/segments.hpp>
#include <sinter/array/evaluate.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/scans.hpp>
#include <sinter/functions/scattering.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/labels_cuda.hpp>
#include <sinter/ndimage/labels_host.hpp>
#include <sinter/ndimage/measurements.hpp>
#include <sinter/ndimage/morphology.hpp>

#include <algorithm>
#include <limits>
#include <mutex>

namespace sinter::inline SINTER_ABI::ndimage::detail {

// ---- objects

// The places of connected neighbours in windows of 3, those before the middle alone where they are symmetric.
SINTER_INLINE std::vector<bool> connections_of(const handle& given, int rank) {
    const handle structure = structure_for("label", given, rank);
    if (structure->shape != dims::filled(rank, 3))
        throw shape_error("[label] a structure is 3 along every axis: " + to_string(structure->shape));
    std::vector<bool> connected = read_structure(structure);
    for (std::size_t k = 0; k < connected.size(); ++k)
        if (connected[k] != connected[connected.size() - 1 - k])
            throw value_error("[label] the structure is not symmetric");
    return connected;
}

// On a GPU, by numbers of a type that has room for all elements.
template <class I>
std::pair<handle, std::int64_t> label_on_device(const array<bool>& is_object, const std::vector<bool>& connected) {
    const array<I> first = first_of_objects(is_object, connected, I{});
    const array<I> number = cumsum<I>(first == arange<I>(static_cast<I>(is_object.size())));
    const array<std::int32_t> labels = astype<std::int32_t>(where(first < I{0}, I{0}, take(number, first)));
    eval(number, labels);
    return {record_reshape(labels.get_handle(), is_object.shape()), std::int64_t{number.item(-1)}};
}

SINTER_INLINE std::pair<handle, std::int64_t> label_on_host(const array<bool>& is_object,
                                                            const std::vector<bool>& connected) {
    const handle from = computed_rows(is_object.get_handle());
    runtime::require_valid(*from);
    labelled_runs runs(static_cast<const bool*>(from->memory->data) + from->at.offset, from->shape, connected);
    std::lock_guard lock(runtime::runtime_lock());
    const auto bytes = static_cast<std::size_t>(from->shape.product()) * sizeof(std::int32_t);
    const handle labels = runtime::make_stored(dtype::int32, from->shape, runtime::allocate_buffer(from->where, bytes),
                                               codegen::contiguous(from->shape));
    return {labels, runs.write(static_cast<std::int32_t*>(labels->memory->data))};
}

SINTER_INLINE std::pair<handle, std::int64_t> record_label(const handle& given, const label_options& o) {
    const int rank = given->shape.size();
    const std::vector<bool> connected = connections_of(o.structure.value, rank);
    device_scope on(given->where);
    const array<bool> is_object(record_cast(given, dtype::bool_));
    const std::int64_t n = given->shape.product();
    if (n == 0 || rank == 0) {
        const term single = record_cast(given, dtype::int32);
        return {n == 0 ? handle(single) : record_cast(is_object.get_handle(), dtype::int32),
                n == 0 ? 0 : std::int64_t(is_object.item())};
    }
    if (given->where.is_cpu()) return label_on_host(is_object, connected);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    return n < most ? label_on_device<std::int32_t>(is_object, connected)
                    : label_on_device<std::int64_t>(is_object, connected);
}

// ---- centres

// Sums by the numbers of objects, of those that are asked for.
SINTER_INLINE term sums_of_objects(const handle& values, const handle& labels, const std::vector<std::int64_t>& index) {
    const std::int64_t count = *std::max_element(index.begin(), index.end()) + 1;
    const std::int64_t n = values->shape.product();
    const handle sums =
        record_segments("center_of_mass", codegen::routine::scatter_add, record_reshape(values, dims(n)),
                        record_reshape(labels, dims(n)), count, number(0.0));
    return record_take_known(sums, index, 0);
}

SINTER_INLINE handle record_center(const handle& given, const center_options& o) {
    const int rank = given->shape.size();
    const handle labels = o.labels.value;
    if (labels && labels->shape != given->shape)
        throw shape_error("[center_of_mass] labels " + to_string(labels->shape) + " of an image " +
                          to_string(given->shape));
    if (!o.index.empty() && (!labels || *std::min_element(o.index.begin(), o.index.end()) < 0))
        throw value_error("[center_of_mass] an index without labels, or of negative ones");
    device_scope on(given->where);
    term mass = record_cast(given, dtype::float64);
    if (labels && o.index.empty()) {
        const term number = labels->type == dtype::bool_ ? record_cast(labels, dtype::int8) : labels;
        mass = choose_where(number > 0, mass, constant_like(mass, 0));
    }
    const auto everything = static_cast<std::uint8_t>((1 << rank) - 1);
    auto sum_of = [&](const term& values) {
        if (o.index.empty()) return term(record_reduce(codegen::reduction::sum, values, everything, false));
        const handle sums = sums_of_objects(values, record_cast(labels, dtype::int64), o.index);
        return term(o.index.is_one ? record_reshape(sums, {}) : sums);
    };
    const term whole = sum_of(mass);
    codegen::sequence<handle> centres;
    for (int axis = 0; axis < rank; ++axis) {
        const term place = record_cast(record_axis_index(given->shape, axis), dtype::float64);
        centres.push_back(sum_of(mass * place) / whole);
    }
    return record_stack("center_of_mass", centres, dtype::float64, whole.shape().size());
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

// Bodies of label.hpp.
#pragma once

#include <mutex>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/base/sorted_order.hpp>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const std::string* label_of(const std::string& text) {
    static std::mutex& guard = *new std::mutex;
    static auto& numbers = *new codegen::text_map;
    static auto& texts = *new codegen::sequence<const std::string*>;
    std::lock_guard lock(guard);
    labels_exist.store(true, std::memory_order_relaxed);
    const std::uint32_t known = numbers.find(text);
    if (known != codegen::number_map::none) return texts[known];
    texts.push_back(new std::string(text));
    numbers.add(text, static_cast<std::uint32_t>(texts.size() - 1));
    return texts.back();
}

SINTER_INLINE codegen::sequence<labelled_root> labelled_roots(const program& p, const codegen::plan& plan) {
    codegen::sequence<labelled_root> roots;
    if (!labels_exist.load(std::memory_order_relaxed)) return roots;
    for (std::size_t i = 0; i < p.roots.size(); ++i) roots.push_back({p.roots[i], plan.roots[i].slot});
    return roots;
}

/// Labels without repetition, in the order in which they were added.
using label_list = codegen::sequence<const std::string*>;

SINTER_INLINE void add_label(label_list& to, const std::string* label) {
    if (label && codegen::find(to.begin(), to.end(), label) == to.end()) to.push_back(label);
}

SINTER_INLINE void add_labels(label_list& to, const label_list& labels) {
    for (const std::string* label : labels) add_label(to, label);
}

// Some values and the pending ones behind them, but for those that are in `numbers`, oldest first.
SINTER_INLINE codegen::sequence<const value*> reach_pending(codegen::sequence<const value*> reached,
                                                            codegen::number_map& numbers) {
    for (std::size_t i = 0; i < reached.size(); ++i) {
        if (!reached[i]->pending) continue;
        for (const value* input : reached[i]->pending->inputs) {
            const auto number = static_cast<std::uint32_t>(reached.size());
            if (input->pending && numbers.add(reinterpret_cast<std::uintptr_t>(input), number) == number)
                reached.push_back(input);
        }
    }
    return codegen::in_order(std::move(reached),
                             codegen::sorted_order(reached.size(), [&](std::size_t a, std::size_t b) {
                                 return reached[a]->sequence < reached[b]->sequence;
                             }));
}

// Those of a value that is about to be stored and of what is computed for it alone, oldest first.
SINTER_INLINE label_list labels_behind(const value* root, codegen::span<const labelled_root> roots) {
    codegen::number_map numbers;
    for (const labelled_root& r : roots) numbers.add(reinterpret_cast<std::uintptr_t>(r.computed), 0);
    label_list labels;
    for (const value* v : reach_pending({root}, numbers)) add_label(labels, v->label);
    return labels;
}

SINTER_INLINE codegen::sequence<std::string> labels_of_steps(const codegen::plan& p,
                                                             codegen::span<const labelled_root> roots) {
    codegen::sequence<label_list> of_slot;
    for (std::size_t i = 0; i < p.slots.size(); ++i) of_slot.push_back({});
    codegen::sequence<char> is_root(p.slots.size(), 0);
    for (const labelled_root& r : roots) {
        add_labels(of_slot[r.slot], labels_behind(r.computed, roots));
        is_root[r.slot] = 1;
    }
    codegen::sequence<std::string> texts(p.steps.size());
    for (std::size_t i = p.steps.size(); i-- > 0;) {
        label_list labels;
        codegen::for_slots_of(p, p.steps[i], [&](std::uint32_t slot, bool written) {
            if (written) add_labels(labels, of_slot[slot]);
        });
        codegen::for_slots_of(p, p.steps[i], [&](std::uint32_t slot, bool written) {
            if (!written && !is_root[slot]) add_labels(of_slot[slot], labels);
        });
        for (const std::string* label : labels) texts[i] += (texts[i].empty() ? "" : ", ") + *label;
    }
    return texts;
}

// Whether a statement's errors begin with "[operation]".
SINTER_INLINE bool is_of_operation(const statement& s, std::string_view operation) {
    if (s.kind == statement_kind::call) return codegen::to_string(s.call.why) == operation;
    return s.kind == statement_kind::gather && codegen::indexing_function(s.gather.why) == operation;
}

SINTER_INLINE codegen::sequence<recorded_place> places_of(codegen::span<value* const> roots,
                                                          std::string_view operation) {
    codegen::sequence<recorded_place> places;
    if (!places_are_kept.load(std::memory_order_relaxed) && !labels_exist.load(std::memory_order_relaxed))
        return places;
    codegen::number_map numbers;
    codegen::sequence<const value*> first;
    for (const value* r : roots)
        if (r->pending && numbers.find(reinterpret_cast<std::uintptr_t>(r)) == codegen::number_map::none) {
            numbers.add(reinterpret_cast<std::uintptr_t>(r), 0);
            first.push_back(r);
        }
    for (const value* v : reach_pending(first, numbers))
        if (is_of_operation(*v->pending, operation)) places.push_back({v->place, v->label});
    if (places.empty())
        for (const value* r : roots) places.push_back({r->place, r->label});
    return places;
}

SINTER_INLINE void tell_places(codegen::span<value* const> roots) {
    try {
        throw;
    } catch (error& why) {
        // The failure of an input belongs to what failed, and others hold it.
        const std::string_view text = why.what();
        if (why.is_complete() || text.empty()) return;
        why.complete(recorded_text(places_of(roots, text.substr(1, text.find(']') - 1))));
    } catch (...) {  // not sinter's: nothing is to be said
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime

// Bodies of flat_map_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/maps/flat_map_writer.hpp>
#include <sinter/codegen/schedule/geometry.hpp>
#include <sinter/codegen/print/cuda/maps/grid_map_writer.hpp>

#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The body is a function of what was loaded.
SINTER_INLINE void flat_map_writer::write_kernel() {
    const std::string width = std::to_string(k_.how.vector_width), inner = at_.back();
    const sequence<element_check> checks = element_checks();
    const bool checked = !checks.empty();
    find_draws();
    // Few arrays leave registers for as many threads as a multiprocessor holds.
    write_head();
    write_around();
    if (k_.how.packs == 1)
        line({"const index i = (", block_number(), " * ", cuda_threads, " + threadIdx.x) * ", width, ";"});
    texts parameters{"index " + inner}, packed{"i + l"}, single{inner};
    at_.back() = "i";
    const texts loaded = element_parameters();
    parameters.append(loaded.begin(), loaded.end());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) packed.push_back(lane_value(i, "l"));
    for (std::size_t s = 0; s < k_.stores.size(); ++s) packed.push_back("u" + std::to_string(s) + ".v[l]");
    at_.back() = inner;
    if (checked) {
        write_element("exact_element", parameters);
        texts with_check, arguments;
        for (const element_check& c : checks) {
            with_check.push_back(c.type + "& " + c.name);
            arguments.push_back(c.name);
        }
        with_check.append(parameters.begin(), parameters.end());
        arguments.append(packed.begin(), packed.end());
        parameters = std::move(with_check);
        packed = std::move(arguments);
    }
    write_element("element", parameters, {map_.divides, k_.how.approximates});
    if (k_.how.packs > 1) return write_packs(packed, single);
    write_flat_neighbours(packed, single, checks);
    write_end();
}

// A thread's neighbours, stored where what was computed has the bits of the exact operations.
SINTER_INLINE void flat_map_writer::write_checked_neighbours(const texts& packed,
                                                             const sequence<element_check>& checks) {
    write_neighbours(packed, checks);
    std::string passes;
    for (const element_check& c : checks) passes += (passes.empty() ? "" : " && ") + c.passes;
    if (!checks.empty()) open({"if (", passes, ")"});
    write_pack_stores();
    if (checks.empty()) return;
    line("return;");
    close();
}

// The last threads may have fewer neighbours and take single elements.
SINTER_INLINE void flat_map_writer::write_flat_neighbours(const texts& packed, texts& single,
                                                          const sequence<element_check>& checks) {
    const std::string width = std::to_string(k_.how.vector_width);
    open({"if (i + ", width, " <= n0)"});
    write_checked_neighbours(packed, checks);
    close(checks.empty() ? "} else {" : "}");
    append_single(single);
    line("#pragma unroll 1");
    if (!checks.empty())
        return list("for (index i0 = i; i0 < n0 && i0 < i + " + width + "; ++i0) exact_element", single, ");");
    list("for (index i0 = i; i0 < n0; ++i0) element", single, ");");
    close();
}

// What the function of the body takes for one element.
SINTER_INLINE void flat_map_writer::append_single(texts& arguments) {
    at_.back() = "i" + std::to_string(k_.space.size() - 1);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) arguments.push_back(single_value(i));
    for (const store& s : k_.stores) arguments.push_back(element(s.access));
}

// The smallest dividend for which all divisions by known inverses are exact.
SINTER_INLINE std::string flat_map_writer::least_dividend() const {
    texts seen;
    std::string s;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!values_.by_inverse[i]) continue;
        std::string y = value(k_.body[i].args[1]);
        bool again = false;
        for (const std::string& other : seen) again = again || other == y;
        if (again) continue;
        seen.push_back(y);
        std::string one = joined({"scalar::least_dividend(", y, ")"});
        s = s.empty() ? one : "fmaxf(" + s + ", " + one + ")";
    }
    return s;
}

SINTER_INLINE sequence<flat_map_writer::element_check> flat_map_writer::element_checks() const {
    sequence<element_check> checks;
    if (map_.divides)
        checks.push_back({"scalar::division_check", "check", "scalar::is_exact(check, " + least_dividend() + ")"});
    if (k_.how.approximates)
        checks.push_back({"scalar::approximation_check", "forms", "scalar::is_approximated(forms)"});
    return checks;
}

// Loads and computes a thread's neighbours. In a loop they would be taken from memory of their own.
SINTER_INLINE void flat_map_writer::write_neighbours(const texts& packed, const sequence<element_check>& checks) {
    at_.back() = "i";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) write_load(i);
    for (std::size_t s = 0; s < k_.stores.size(); ++s) line({pack_at(k_.stores[s].access), " u", s, ";"});
    for (const element_check& c : checks) line({c.type, " ", c.name, ";"});
    line("#pragma unroll");
    list("for (int l = 0; l < " + std::to_string(k_.how.vector_width) + "; ++l) element", packed, ");");
}

SINTER_INLINE void flat_map_writer::write_pack_stores() {
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        std::uint32_t a = k_.stores[s].access;
        line({"*(", pack_at(a), "*)&", element(a), " = u", s, ";"});
    }
}

// Several times the neighbours of a map that reads nothing; the last block may have fewer and computes single elements.
SINTER_INLINE void flat_map_writer::write_packs(const texts& packed, texts& single) {
    const int width = k_.how.vector_width, item_stride = cuda_threads * width;
    const std::string items = std::to_string(k_.how.packs), all = std::to_string(item_stride * k_.how.packs);
    line({"const index block = ", block_number(), " * ", all, ";"});
    open({"if (n0 - block >= ", all, ")"});
    open_unrolled("for (int item = 0; item < " + items + "; ++item)");
    line({"const index i = block + item * ", item_stride, " + threadIdx.x * ", width, ";"});
    write_neighbours(packed, {});
    write_pack_stores();
    close();
    close("} else {");
    append_single(single);
    line("#pragma unroll 1");
    list("for (index i0 = block + threadIdx.x; i0 < n0; i0 += " + std::to_string(cuda_threads) + ") element", single,
         ");");
    close();
    write_end();
}

SINTER_INLINE kernel_source print_elements(const kernel& k) {
    if (k.how.flat && k.how.vector_width > 1) return written_by<flat_map_writer>(k);
    return written_by<grid_map_writer>(k);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

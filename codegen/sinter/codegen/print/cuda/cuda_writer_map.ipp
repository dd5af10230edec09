// The CUDA text of maps: one element per thread, or several neighbours at once; must not know reductions.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Where the thread stands: coordinates of all axes but the innermost, and `inner`, the first of its elements there.
SINTER_INLINE void cuda_writer::write_map_position(const std::string& inner) {
    int rank = k_.space.size();
    const int neighbours = k_.how.vector_width;
    const std::string width = neighbours > 1 ? " * " + std::to_string(neighbours) : "";
    auto scaled = [&](const std::string& s) { return width.empty() ? s : "(" + s + ")" + width; };
    std::string thread = scaled(block_number() + " * " + std::to_string(cuda_threads) + " + threadIdx.x");
    if (rank == 1) {
        line("const index " + inner + " = " + thread + ";");
        if (!k_.how.flat || width.empty()) line("if (" + inner + " >= n0) return;");
        return;
    }
    if (rank == 2) {
        line("const index " + inner + " = " + scaled("(index)blockIdx.x * blockDim.x + threadIdx.x") + ";");
        line("const index i0 = ((index)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;");
        line("if (" + inner + " >= n1 || i0 >= n0) return;");
        return;
    }
    std::string size = "n0";
    for (int i = 1; i < rank; ++i) size += " * n" + std::to_string(i);
    line("const index number = " + thread + ";");
    line("if (number >= " + size + ") return;");
    write_decode("number", 0, rank);
    if (inner != at_.back()) line("const index " + inner + " = " + at_.back() + ";");
}

// Where a thread of a map that computes `packs` elements stands, and in a loop over them each one's place: the elements
// of a thread block apart, or its rows, so that neighbouring threads meet neighbouring elements of short rows, too.
SINTER_INLINE void cuda_writer::write_first_item() {
    if (k_.space.size() != 2) return write_first_of_block();
    const std::string items = std::to_string(k_.how.packs);
    line("const index i1 = (index)blockIdx.x * blockDim.x + threadIdx.x;");
    line("const index first = ((index)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y * " + items +
         " + threadIdx.y;");
    line("if (i1 >= n1) return;");
}

// The first element of a thread, or the first column, of several a thread block apart.
SINTER_INLINE void cuda_writer::write_first_of_block() {
    line("const index first = " + block_number() + " * " + std::to_string(cuda_threads * k_.how.packs) +
         " + threadIdx.x;");
}

// Opens the loop over what a thread has several of, so far apart.
SINTER_INLINE void cuda_writer::open_packs(const std::string& at, const std::string& item_stride,
                                           const std::string& size) {
    line("#pragma unroll");
    open("for (int item = 0; item < " + std::to_string(k_.how.packs) + "; ++item)");
    line("const index " + at + " = first + item * " + item_stride + ";");
    line("if (" + at + " >= " + size + ") break;");
}

SINTER_INLINE void cuda_writer::open_items() {
    const int rank = k_.space.size();
    const std::string at = rank <= 2 ? "i0" : "number";
    std::string size = "n0";
    for (int i = 1; i < rank && rank > 2; ++i) size += " * n" + std::to_string(i);
    open_packs(at, rank == 2 ? "(index)blockDim.y" : std::to_string(cuda_threads), size);
    if (rank > 2) write_decode(at, 0, rank);
}

// All that a thread reads is on its way before it stores anything.
SINTER_INLINE void cuda_writer::write_items() {
    write_first_item();
    const std::string items = "[" + std::to_string(k_.how.packs) + "];";
    loaded_.resize(k_.accesses.size());
    sequence<std::uint32_t> loads;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (v.kind != instruction_kind::load || k_.accesses[v.payload].operand == access::own_number) continue;
        loads.push_back(i);
        line(type_text(v.type) + " t" + std::to_string(i) + items);
    }
    if (!loads.empty()) {
        open_items();
        for (std::uint32_t i : loads) line("t" + std::to_string(i) + "[item] = " + element(k_.body[i].payload) + ";");
        close();
    }
    for (std::uint32_t i : loads) loaded_[k_.body[i].payload] = "t" + std::to_string(i) + "[item]";
    const bool gathers = !k_.indexed.empty();
    for (std::size_t s = 0; gathers && s < k_.stores.size(); ++s)
        line(operand_type(k_.stores[s].access) + " u" + std::to_string(s) + items);
    open_items();
    write_body(0);
    loaded_.clear();
    for (std::size_t s = 0; gathers && s < k_.stores.size(); ++s)
        line("u" + std::to_string(s) + "[item] = " + value(k_.stores[s].value) + ";");
    if (gathers) {
        close();
        open_items();
        for (std::size_t s = 0; s < k_.stores.size(); ++s)
            line(element(k_.stores[s].access) + " = u" + std::to_string(s) + "[item];");
    } else {
        write_stores(0);
    }
    close();
    write_end();
}

SINTER_INLINE void cuda_writer::write_map() {
    write_head();
    if (k_.how.packs > 1) return write_items();
    write_around();
    write_map_position(at_.back());
    write_body(0);
    write_stores(0);
    write_end();
}

// Several neighbours along the innermost axis per thread: the body is a function of what was loaded.
SINTER_INLINE void cuda_writer::write_vector_map() {
    const std::string width = std::to_string(k_.how.vector_width), inner = "i" + std::to_string(k_.space.size() - 1);
    const sequence<element_check> checks = element_checks();
    const bool checked = !checks.empty();
    find_draws();
    // Few arrays leave registers for as many threads as a multiprocessor holds.
    write_head();
    write_around();
    if (k_.how.packs == 1) write_map_position("i");
    texts parameters{"index " + inner}, packed{"i + l"}, single{inner};
    at_.back() = "i";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i)) continue;
        parameters.push_back(type_text(k_.body[i].type) + " v" + std::to_string(i));
        packed.push_back(lane_value(i, "l"));
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        parameters.push_back(operand_type(k_.stores[s].access) + "& r" + std::to_string(s));
        packed.push_back("u" + std::to_string(s) + ".v[l]");
    }
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
    if (k_.how.flat) write_flat_neighbours(packed, single, checks);
    else write_checked_neighbours(packed, checks);
    write_end();
}

// A thread's neighbours, stored where what was computed has the bits of the exact operations.
SINTER_INLINE void cuda_writer::write_checked_neighbours(const texts& packed, const sequence<element_check>& checks) {
    write_neighbours(packed, checks);
    std::string passes;
    for (const element_check& c : checks) passes += (passes.empty() ? "" : " && ") + c.passes;
    if (!checks.empty()) open("if (" + passes + ")");
    write_pack_stores();
    if (checks.empty()) return;
    line("return;");
    close();
}

// Where all accesses lie along one axis, the last threads may have fewer neighbours and take single elements.
SINTER_INLINE void cuda_writer::write_flat_neighbours(const texts& packed, texts& single,
                                                      const sequence<element_check>& checks) {
    const std::string width = std::to_string(k_.how.vector_width);
    open("if (i + " + width + " <= n0)");
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
SINTER_INLINE void cuda_writer::append_single(texts& arguments) {
    at_.back() = "i" + std::to_string(k_.space.size() - 1);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) arguments.push_back(single_value(i));
    for (const store& s : k_.stores) arguments.push_back(element(s.access));
}

// The body as a function of what was loaded.
SINTER_INLINE void cuda_writer::write_element(const char* name, const texts& parameters, element_forms forms) {
    list("const auto " + std::string(name) + " = [&]", parameters, ") {");
    ++depth_;
    write_body(0, forms);
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        line(std::string("r").append(std::to_string(s)) + " = " + value(k_.stores[s].value) + ";");
    close("};");
}

SINTER_INLINE std::string cuda_writer::inverse_text(std::uint32_t divisor) const {
    const instruction& y = k_.body[divisor];
    if (y.kind == instruction_kind::scalar) return std::string("d").append(std::to_string(y.payload));
    return literal_text(scalar_value::of(scalar::exact_inverse(k_.literals[y.payload].as<float>())));
}

// The smallest dividend for which all divisions by known inverses are exact.
SINTER_INLINE std::string cuda_writer::least_dividend() const {
    texts seen;
    std::string s;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!values_.by_inverse[i]) continue;
        std::string y = value(k_.body[i].args[1]);
        bool again = false;
        for (const std::string& other : seen) again = again || other == y;
        if (again) continue;
        seen.push_back(y);
        std::string one = "scalar::least_dividend(" + y + ")";
        s = s.empty() ? one : "fmaxf(" + s + ", " + one + ")";
    }
    return s;
}

SINTER_INLINE sequence<cuda_writer::element_check> cuda_writer::element_checks() const {
    sequence<element_check> checks;
    if (map_.divides)
        checks.push_back({"scalar::division_check", "check", "scalar::is_exact(check, " + least_dividend() + ")"});
    if (k_.how.approximates)
        checks.push_back({"scalar::approximation_check", "forms", "scalar::is_approximated(forms)"});
    return checks;
}

// Loads and computes a thread's neighbours. In a loop they would be taken from memory of their own.
SINTER_INLINE void cuda_writer::write_neighbours(const texts& packed, const sequence<element_check>& checks) {
    at_.back() = "i";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) write_load(i);
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        line(pack_at(k_.stores[s].access) + " u" + std::to_string(s) + ";");
    for (const element_check& c : checks) line(c.type + " " + c.name + ";");
    line("#pragma unroll");
    list("for (int l = 0; l < " + std::to_string(k_.how.vector_width) + "; ++l) element", packed, ");");
}

SINTER_INLINE void cuda_writer::write_pack_stores() {
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        std::uint32_t a = k_.stores[s].access;
        line("*(" + pack_at(a) + "*)&" + element(a) + " = u" + std::to_string(s) + ";");
    }
}

// Several times the neighbours of a map that reads nothing; the last block may have fewer and computes single elements.
SINTER_INLINE void cuda_writer::write_packs(const texts& packed, texts& single) {
    const int width = k_.how.vector_width, item_stride = cuda_threads * width;
    const std::string items = std::to_string(k_.how.packs), all = std::to_string(item_stride * k_.how.packs);
    line("const index block = " + block_number() + " * " + all + ";");
    open("if (n0 - block >= " + all + ")");
    line("#pragma unroll");
    open("for (int item = 0; item < " + items + "; ++item)");
    line("const index i = block + item * " + std::to_string(item_stride) + " + threadIdx.x * " + std::to_string(width) +
         ";");
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

}  // namespace sinter::inline SINTER_ABI::codegen

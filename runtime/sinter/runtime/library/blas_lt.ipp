// Products by cuBLASLt: descriptors and an algorithm for each class of them, found at the first one.
#pragma once

#include <algorithm>
#include <mutex>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/library/blas_cuda.hpp>
#include <sinter/runtime/library/blas_lt.hpp>
#include <sinter/runtime/library/cublaslt_types.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/device/cuda_module.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

// cuBLAS depends on cuBLASLt, whose functions are found through it; its handles are handles of both.
SINTER_INLINE void load_cublaslt(cublaslt_table& t) {
    const shared_library& library = *loaded_cublas().library;
    const function_finder find(library, t.why, "cuBLAS 12.0 or later", loaded_cublas().why);
    find(t.create_desc, "cublasLtMatmulDescCreate");
    find(t.set_desc, "cublasLtMatmulDescSetAttribute");
    find(t.destroy_desc, "cublasLtMatmulDescDestroy");
    find(t.create_layout, "cublasLtMatrixLayoutCreate");
    find(t.set_layout, "cublasLtMatrixLayoutSetAttribute");
    find(t.destroy_layout, "cublasLtMatrixLayoutDestroy");
    find(t.create_preference, "cublasLtMatmulPreferenceCreate");
    find(t.set_preference, "cublasLtMatmulPreferenceSetAttribute");
    find(t.destroy_preference, "cublasLtMatmulPreferenceDestroy");
    find(t.find_algorithms, "cublasLtMatmulAlgoGetHeuristic");
    find(t.check_algorithm, "cublasLtMatmulAlgoCheck");
    find(t.get_config, "cublasLtMatmulAlgoConfigGetAttribute");
    find(t.multiply, "cublasLtMatmul");
}

SINTER_INLINE const cublaslt_table& loaded_cublaslt() {
    return loaded_or_throw<cublaslt_table, load_cublaslt>("[matmul] ");
}

/// Kernels read at most so many bytes at once: what lies better than that needs no algorithm of its own.
inline constexpr std::uintptr_t most_alignment = 16;

SINTER_INLINE std::uint32_t alignment_of(const void* p) {
    const auto at = reinterpret_cast<std::uintptr_t>(p) | most_alignment;
    return static_cast<std::uint32_t>(at & -at);
}

// An activation among the epilogues: cuBLASLt's gelu is the form with tanh.
SINTER_INLINE std::uint32_t epilogue_of(codegen::activation last) {
    using is = cublaslt_constants;
    return last == codegen::activation::relu ? is::relu : last == codegen::activation::gelu_tanh ? is::gelu : 0;
}

/// All that the algorithm of a product depends on, in cuBLAS's order: a row-major matrix is the transposed column-major
/// one, and (a b)^T = b^T a^T, so the operands change places.
struct lt_class {
    struct matrix {
        std::int64_t transposed, rows, columns, leading, stride, alignment;
    };
    std::int64_t type, compute, batch, whole, epilogue;  ///< the largest one
    matrix a, b, c;

    lt_class(dtype t, const gemm_shape& s, const matrix_operand& left, const matrix_operand& right, const void* to,
             const gemm_mode& mode)
        : type(cublas_element_type(t)), compute(cublas_compute_type(t, mode.in)), batch(s.batch), whole(s.whole) {
        using is = cublaslt_constants;
        // Only what is of other bits anyway has an algorithm of its own.
        epilogue = is::bias | (mode.last == codegen::activation::gelu_tanh ? is::gelu : is::relu);
        auto operand = [&](const matrix_operand& o, std::int64_t rows, std::int64_t columns) {
            return matrix{o.transposed, o.transposed ? columns : rows, o.transposed ? rows : columns,
                          o.leading,    s.batch > 1 ? o.stride : 0,    alignment_of(o.data)};
        };
        a = operand(right, s.n, s.k);
        b = operand(left, s.k, s.m);
        c = {0, s.n, s.m, s.c_leading, s.batch > 1 ? s.c_stride : 0, alignment_of(to)};
    }
    // That of all the sums of which these are a part.
    lt_class of_whole() const {
        lt_class all = *this;
        (a.transposed ? all.a.rows : all.a.columns) = (b.transposed ? all.b.columns : all.b.rows) = whole;
        all.whole = 0;
        return all;
    }
    bool has_epilogues() const { return type == cublas_constants::float32; }
};

/// Descriptors of a class of products.
struct lt_product {
    void *desc = nullptr, *a = nullptr, *b = nullptr, *c = nullptr;
    cublaslt_algorithm algorithm{};
    bool exists = false;        ///< an algorithm does
    bool rounds_first = false;  ///< multiplies the rounded product by alpha
};

/// The classes that a device's products have had; guarded, because a product's desc is written before each run.
struct lt_products {
    std::mutex guard;
    codegen::text_map numbers;
    codegen::sequence<lt_product> known;
};

SINTER_INLINE lt_products& lt_products_of(int index) {
    static lt_products* products = new lt_products[64];
    return products[index];
}

SINTER_INLINE void destroy(const lt_product& p) {
    const cublaslt_table& t = loaded_cublaslt();
    if (p.desc) t.destroy_desc(p.desc);
    for (void* layout : {p.a, p.b, p.c})
        if (layout) t.destroy_layout(layout);
}

SINTER_INLINE void* new_lt_layout(const lt_class& k, const lt_class::matrix& m) {
    using is = cublaslt_constants;
    const cublaslt_table& t = loaded_cublaslt();
    void* layout = nullptr;
    check_cublas(t.create_layout(&layout, static_cast<int>(k.type), static_cast<std::uint64_t>(m.rows),
                                 static_cast<std::uint64_t>(m.columns), m.leading),
                 "cublasLtMatrixLayoutCreate");
    const auto count = static_cast<std::int32_t>(k.batch);
    int status = t.set_layout(layout, is::batch_count, &count, sizeof count);
    if (!status) status = t.set_layout(layout, is::batch_stride, &m.stride, sizeof m.stride);
    if (status) t.destroy_layout(layout);
    check_cublas(status, "cublasLtMatrixLayoutSetAttribute");
    return layout;
}

// The desc with the largest epilogue that the class has; a vector lies where alignment_of is largest and not larger.
SINTER_INLINE void describe(lt_product& p, const lt_class& k, const buffer& workspace) {
    using is = cublaslt_constants;
    const cublaslt_table& t = loaded_cublaslt();
    check_cublas(t.create_desc(&p.desc, static_cast<int>(k.compute), static_cast<int>(k.type)),
                 "cublasLtMatmulDescCreate");
    auto set = [&](int attribute, const auto& value) {
        check_cublas(t.set_desc(p.desc, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
    };
    set(is::transpose_a, static_cast<std::int32_t>(k.a.transposed));
    set(is::transpose_b, static_cast<std::int32_t>(k.b.transposed));
    p.a = new_lt_layout(k, k.a);
    p.b = new_lt_layout(k, k.b);
    p.c = new_lt_layout(k, k.c);
    if (!k.has_epilogues()) return;
    set(is::epilogue, static_cast<std::uint32_t>(k.epilogue));
    set(is::bias_pointer, static_cast<const void*>(static_cast<const char*>(workspace.data) + most_alignment));
}

// What an algorithm's configuration says, or -1.
SINTER_INLINE std::int32_t config_of(cublaslt_algorithm algorithm, int attribute) {
    std::int32_t value = 0;
    std::size_t written = 0;
    const int status = loaded_cublaslt().get_config(&algorithm, attribute, &value, sizeof value, &written);
    return status == cublas_constants::success ? value : -1;
}

// Which algorithms give the bits of a product that is multiplied afterwards, seen on an H200: all but 11 to 13, of
// small products and single rows, and those that add up parts of a long sum in the result itself.
SINTER_INLINE bool rounds_first(const cublaslt_algorithm& algorithm) {
    using is = cublaslt_constants;
    const std::int32_t id = config_of(algorithm, is::algorithm_id), scheme = config_of(algorithm, is::reduction_scheme);
    return id >= 0 && scheme >= 0 && (id < 11 || id > 13) && scheme != is::reduced_in_place;
}

// Whether tiles of 128 x 128 pad nothing more than smaller ones; of floats.
SINTER_INLINE bool has_room_for_larger_tiles(const lt_class& k) {
    auto pads_alike = [](std::int64_t n) { return (n + 63) / 64 % 2 == 0; };
    return k.type == cublas_constants::float32 && k.compute == cublas_constants::compute_32 && pads_alike(k.c.rows) &&
           pads_alike(k.c.columns);
}

// Whether a later answer of cuBLASLt is better than its first: tiles of 128 x 128 where that has smaller ones, if they
// fill the GPU. On an H200 they were answered for 123 of 1,355 products of floats, and took 0.88 to 1.00 of the time,
// 0.93 on average; no such rule held for doubles.
SINTER_INLINE bool is_larger_tile(const cublaslt_algorithm& later, const cublaslt_algorithm& first) {
    using is = cublaslt_constants;
    auto has_tile = [](const cublaslt_algorithm& a, auto... tiles) {
        const std::int32_t tile = config_of(a, is::tile);
        return ((tile == tiles) || ...) && config_of(a, is::split) == 1;
    };
    return later.status == cublas_constants::success && later.waves >= 1 &&
           config_of(later, is::algorithm_id) == config_of(first, is::algorithm_id) &&
           has_tile(first, is::tile_64_64, is::tile_64_128, is::tile_128_64) && has_tile(later, is::tile_128_128);
}

SINTER_INLINE void find_algorithm(lt_product& p, const lt_class& k, void* handle, const buffer& workspace) {
    using is = cublaslt_constants;
    const cublaslt_table& t = loaded_cublaslt();
    void* preference = nullptr;
    check_cublas(t.create_preference(&preference), "cublasLtMatmulPreferenceCreate");
    int status = 0, count = 0;
    auto set = [&](int attribute, const auto& value) {
        if (!status) status = t.set_preference(preference, attribute, &value, sizeof value);
    };
    set(is::most_workspace, std::uint64_t{workspace.bytes});
    set(is::alignment_a, static_cast<std::uint32_t>(k.a.alignment));
    set(is::alignment_b, static_cast<std::uint32_t>(k.b.alignment));
    set(is::alignment_c, static_cast<std::uint32_t>(k.c.alignment));
    set(is::alignment_d, static_cast<std::uint32_t>(k.c.alignment));
    // It answers CUBLAS_STATUS_NOT_SUPPORTED, or nothing, when there is none.
    cublaslt_algorithm answers[8]{};
    const int wanted = has_room_for_larger_tiles(k) ? 8 : 1;
    const int found =
        status ? 0 : t.find_algorithms(handle, p.desc, p.a, p.b, p.c, p.c, preference, wanted, answers, &count);
    t.destroy_preference(preference);
    check_cublas(status, "cublasLtMatmulPreferenceSetAttribute");
    p.exists = found == cublas_constants::success && count > 0 && answers[0].status == cublas_constants::success;
    const auto* const larger = codegen::find_if(answers + 1, answers + std::max(count, 1),
                                                [&](const auto& a) { return is_larger_tile(a, answers[0]); });
    p.algorithm = larger == answers + std::max(count, 1) ? answers[0] : *larger;
    p.rounds_first = p.exists && rounds_first(p.algorithm);
}

// Parts of long sums are computed by the algorithm for all of them, where it can: for sums of 1500 terms cuBLASLt
// chooses one that takes 3 to 5 % longer for all ten parts of 15000.
SINTER_INLINE bool takes_algorithm_of(lt_product& p, const lt_class& whole, void* handle, const buffer& workspace) {
    lt_product all;
    try {
        describe(all, whole, workspace);
        find_algorithm(all, whole, handle, workspace);
    } catch (...) {
        destroy(all);
        throw;
    }
    destroy(all);
    cublaslt_algorithm checked{};
    const int status =
        all.exists ? loaded_cublaslt().check_algorithm(handle, p.desc, p.a, p.b, p.c, p.c, &all.algorithm, &checked)
                   : -1;
    if (status != cublas_constants::success || checked.workspace > workspace.bytes) return false;
    p.algorithm = all.algorithm;
    p.rounds_first = all.rounds_first;
    return p.exists = true;
}

// The product of a class; asking for an algorithm takes longer than a small product.
SINTER_INLINE const lt_product& find_product(lt_products& all, const lt_class& k, void* handle,
                                             const buffer& workspace) {
    constexpr std::size_t most = 4096;
    std::string key;
    codegen::append_key(key, &k, sizeof k);
    if (const std::uint32_t n = all.numbers.find(key); n != codegen::number_map::none) return all.known[n];
    if (all.known.size() == most) {
        for (const lt_product& p : all.known) destroy(p);
        all.known.clear();
        all.numbers = {};
    }
    lt_product p;
    try {
        describe(p, k, workspace);
        if (!k.whole || !takes_algorithm_of(p, k.of_whole(), handle, workspace))
            find_algorithm(p, k, handle, workspace);
    } catch (...) {
        destroy(p);
        throw;
    }
    all.known.push_back(p);
    all.numbers.add(key, static_cast<std::uint32_t>(all.known.size() - 1));
    return all.known.back();
}

SINTER_INLINE void set_epilogue(const lt_product& p, const void* bias, codegen::activation last) {
    using is = cublaslt_constants;
    const cublaslt_table& t = loaded_cublaslt();
    const std::uint32_t what = (bias ? is::bias : 0) | epilogue_of(last), epilogue = what ? what : is::no_epilogue;
    int status = t.set_desc(p.desc, is::epilogue, &epilogue, sizeof epilogue);
    // A vector that the epilogue does not add is refused as an invalid value.
    if (!status) status = t.set_desc(p.desc, is::bias_pointer, &bias, sizeof bias);
    check_cublas(status, "cublasLtMatmulDescSetAttribute");
}

SINTER_INLINE bool multiply_lt(const cublas_session& session, device where, dtype type, const gemm_shape& s,
                               const matrix_operand& a, const matrix_operand& b, void* c, gemm_mode& mode) {
    const cublaslt_table& t = loaded_cublaslt();
    if (s.batch > INT32_MAX) return false;
    const lt_class k(type, s, a, b, c, mode);
    lt_products& all = lt_products_of(where.index());
    const std::lock_guard lock(all.guard);
    const lt_product& p = find_product(all, k, session.handle(), session.workspace());
    if (!p.exists) return false;
    if (alignment_of(mode.added) < k.c.alignment) begin_with(where, type, s, mode.added, c);
    buffer_ref aligned;
    if (mode.bias && alignment_of(mode.bias) < most_alignment) {
        const auto bytes = static_cast<std::size_t>(s.n * codegen::size_of(type));
        aligned = allocate_buffer(where, bytes);
        copy_between(where, aligned->data, where, mode.bias, bytes);
        mode.bias = aligned->data;
    }
    if (k.has_epilogues()) set_epilogue(p, mode.bias, mode.last);
    // With an alpha of zero no operand is read, and so no NaN.
    const bool multiplies = p.rounds_first && mode.factor != 0;
    const double alpha = multiplies ? mode.factor : 1, kept = mode.added != nullptr;
    const float alpha_f = static_cast<float>(alpha), kept_f = mode.added != nullptr;
    const bool wide = type == dtype::float64;
    cublaslt_algorithm algorithm = p.algorithm;
    check_cublas(
        t.multiply(session.handle(), p.desc, wide ? static_cast<const void*>(&alpha) : &alpha_f, b.data, p.a, a.data,
                   p.b, wide ? static_cast<const void*>(&kept) : &kept_f, mode.added ? mode.added : c, p.c, c, p.c,
                   &algorithm, session.workspace().data, session.workspace().bytes, cuda_stream(where)),
        "cublasLtMatmul");
    if (multiplies) mode.factor = 1;
    return true;
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

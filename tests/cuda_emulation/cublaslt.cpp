// cuBLASLt of an emulated machine, for tests: it takes only what its algorithms were asked for.
#include <algorithm>
#include <cublasLt.h>

#include "cublas_handle.hpp"
#include "products.hpp"

using namespace cuda_emulation;

namespace {

constexpr std::uint64_t mark = 0x6c745f616c676f73;

struct lt_desc {
    std::uint64_t mark;
    cublasComputeType_t compute;
    cudaDataType scale;
    std::int32_t transpose[2];
    std::uint32_t epilogue;
    const void* bias;
};

struct lt_layout {
    std::uint64_t mark;
    cudaDataType type;
    std::int32_t batch;
    std::uint64_t rows, columns;
    std::int64_t leading, stride;
};

struct lt_preference {
    std::uint64_t mark, workspace;
    std::uint32_t alignment[4];
};

// What a found algorithm was asked for, in place of cublasLtMatmulAlgo_t::data.
struct lt_algorithm {
    std::uint64_t mark, sizes;
    std::uint32_t epilogue, alignment[4], bias_alignment;
    std::uint32_t workspace;
    std::int16_t id;
    std::uint16_t reduction_scheme;
    std::int32_t tile;
};
static_assert(sizeof(lt_desc) <= sizeof(cublasLtMatmulDescOpaque_t) &&
              sizeof(lt_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(lt_preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t) &&
              sizeof(lt_algorithm) <= sizeof(cublasLtMatmulAlgo_t));

template <class To, class From>
To* as(From* p) {
    To* o = reinterpret_cast<To*>(p);
    return o && o->mark == mark ? o : nullptr;
}

template <class Opaque, class T>
cublasStatus_t create(Opaque** to, const T& value) {
    *to = new Opaque{};
    std::memcpy(static_cast<void*>(*to), &value, sizeof value);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque>
cublasStatus_t destroy(Opaque* p) {
    std::uint64_t* at = reinterpret_cast<std::uint64_t*>(p);
    if (!at || *at != mark) return CUBLAS_STATUS_INVALID_VALUE;
    *at = 0;
    delete p;
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t assign(T& to, const void* from, std::size_t bytes) {
    if (bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&to, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

std::uint64_t alignment_of(const void* p) {
    const auto at = reinterpret_cast<std::uintptr_t>(p) | 256;
    return at & -at;
}

std::uint64_t mixed(std::uint64_t h, std::uint64_t v) { return (h ^ v) * 0x100000001b3; }

// Sizes, but for the length of the sums, and layouts as one word, or 0 when they do not fit or are not supported.
std::uint64_t sizes_of(const lt_desc* d, const lt_layout* a, const lt_layout* b, const lt_layout* c,
                       const lt_layout* to) {
    if (!d || !a || !b || !c || !to || std::memcmp(c, to, sizeof *c) != 0) return 0;
    const std::uint64_t k = d->transpose[0] ? a->rows : a->columns, m = d->transpose[0] ? a->columns : a->rows;
    if (m != c->rows || k != (d->transpose[1] ? b->columns : b->rows) ||
        c->columns != (d->transpose[1] ? b->rows : b->columns))
        return 0;
    std::uint64_t h = mixed(d->compute, d->transpose[0] * 2 + d->transpose[1]);
    for (const lt_layout* l : {a, b, c}) {
        if (l->type != d->scale || l->batch != c->batch || l->leading < static_cast<std::int64_t>(l->rows) ||
            !l->rows || !l->columns)
            return 0;
        for (std::int64_t v : {l->leading, l->stride, std::int64_t{l->batch}})
            h = mixed(h, static_cast<std::uint64_t>(v));
    }
    h = mixed(mixed(h, c->rows), c->columns);
    const bool has_epilogue = d->epilogue != CUBLASLT_EPILOGUE_DEFAULT;
    return has_epilogue && d->scale != CUDA_R_32F ? 0 : h | 1;
}

int last_tile = 0;

}  // namespace

extern "C" {

/// The tile of the last product, by CUBLASLT_MATMUL_TILE's numbers; no function of cuBLASLt's.
int emulated_cublaslt_tile() { return last_tile; }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute, cudaDataType scale) {
    return create(desc, lt_desc{mark, compute, scale, {0, 0}, CUBLASLT_EPILOGUE_DEFAULT, nullptr});
}

cublasStatus_t cublasLtMatmulDescDestroy(const cublasLtMatmulDesc_t desc) { return destroy(desc); }

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t what,
                                              const void* from, std::size_t bytes) {
    lt_desc* d = as<lt_desc>(desc);
    if (!d) return CUBLAS_STATUS_INVALID_VALUE;
    switch (what) {
        case CUBLASLT_MATMUL_DESC_TRANSA: return assign(d->transpose[0], from, bytes);
        case CUBLASLT_MATMUL_DESC_TRANSB: return assign(d->transpose[1], from, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE: return assign(d->epilogue, from, bytes);
        case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return assign(d->bias, from, bytes);
        default: return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
    return create(layout, lt_layout{mark, type, 1, rows, columns, leading, 0});
}

cublasStatus_t cublasLtMatrixLayoutDestroy(const cublasLtMatrixLayout_t layout) { return destroy(layout); }

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t what,
                                                const void* from, std::size_t bytes) {
    lt_layout* l = as<lt_layout>(layout);
    if (!l) return CUBLAS_STATUS_INVALID_VALUE;
    if (what == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return assign(l->batch, from, bytes);
    return what == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET ? assign(l->stride, from, bytes)
                                                               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    return create(preference, lt_preference{mark, 0, {256, 256, 256, 256}});
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(const cublasLtMatmulPreference_t preference) {
    return destroy(preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t what, const void* from,
                                                    std::size_t bytes) {
    lt_preference* p = as<lt_preference>(preference);
    if (!p) return CUBLAS_STATUS_INVALID_VALUE;
    if (what == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return assign(p->workspace, from, bytes);
    const int operand = what - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
    return operand >= 0 && operand < 4 ? assign(p->alignment[operand], from, bytes) : CUBLAS_STATUS_INVALID_VALUE;
}

// EMULATED_NO_ALGORITHM: there is none, as for sizes that cuBLASLt does not know.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                              cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference,
                                              int wanted, cublasLtMatmulHeuristicResult_t* results, int* count) {
    const lt_desc* k = as<lt_desc>(desc);
    const lt_preference* p = as<lt_preference>(preference);
    const std::uint64_t sizes = sizes_of(k, as<lt_layout>(a), as<lt_layout>(b), as<lt_layout>(c), as<lt_layout>(d));
    *count = 0;
    if (!p || wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
    if (!sizes || !multiplier(as<lt_layout>(a)->type, k->compute) || std::getenv("EMULATED_NO_ALGORITHM"))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const lt_layout* to = as<lt_layout>(c);
    const std::uint64_t inner = k->transpose[0] ? as<lt_layout>(a)->rows : as<lt_layout>(a)->columns;
    // Of few elements or long sums, those of cuBLASLt that round a factor in differently.
    const bool is_small = to->rows == 1 || to->columns == 1 || to->rows * to->columns < 64;
    lt_algorithm found{
        mark,
        sizes,
        k->epilogue,
        {},
        static_cast<std::uint32_t>(alignment_of(k->bias)),
        static_cast<std::uint32_t>(p->workspace),
        static_cast<std::int16_t>(is_small ? 11 + inner % 3 : 20),
        static_cast<std::uint16_t>(inner > 500 ? CUBLASLT_REDUCTION_SCHEME_INPLACE : CUBLASLT_REDUCTION_SCHEME_NONE),
        CUBLASLT_MATMUL_TILE_64x64};
    std::memcpy(found.alignment, p->alignment, sizeof found.alignment);
    // A second answer has larger tiles, of which the GPU computes 132 at once.
    for (; *count < std::min(wanted, 2); ++*count) {
        cublasLtMatmulHeuristicResult_t& result = results[*count] = {};
        std::memcpy(static_cast<void*>(&result.algo), &found, sizeof found);
        result.workspaceSize = p->workspace;
        result.state = CUBLAS_STATUS_SUCCESS;
        const std::uint64_t tiles = (to->rows + 127) / 128 * ((to->columns + 127) / 128);
        result.wavesCount = static_cast<float>(tiles) * static_cast<float>(to->batch) / 132.0f;
        found.tile = CUBLASLT_MATMUL_TILE_128x128;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* checked) {
    const lt_algorithm* found = as<const lt_algorithm>(algorithm);
    const std::uint64_t sizes =
        sizes_of(as<lt_desc>(desc), as<lt_layout>(a), as<lt_layout>(b), as<lt_layout>(c), as<lt_layout>(d));
    if (!found || !sizes || sizes != found->sizes) return CUBLAS_STATUS_INVALID_VALUE;
    checked->workspaceSize = found->workspace;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t what, void* to,
                                                    std::size_t bytes, std::size_t* written) {
    const lt_algorithm* found = as<const lt_algorithm>(algorithm);
    if (!found || bytes != 4) return CUBLAS_STATUS_INVALID_VALUE;
    std::int32_t value = 1;
    switch (what) {
        case CUBLASLT_ALGO_CONFIG_ID: value = found->id; break;
        case CUBLASLT_ALGO_CONFIG_TILE_ID: value = found->tile; break;
        case CUBLASLT_ALGO_CONFIG_SPLITK_NUM: break;
        case CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME: value = found->reduction_scheme; break;
        default: return CUBLAS_STATUS_INVALID_VALUE;
    }
    std::memcpy(to, &value, *written = bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_at, const void* b, cublasLtMatrixLayout_t b_at, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_at, void* d, cublasLtMatrixLayout_t d_at,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace, std::size_t workspace_bytes,
                              cudaStream_t stream) {
    const lt_desc* k = as<lt_desc>(desc);
    const lt_layout *la = as<lt_layout>(a_at), *lb = as<lt_layout>(b_at), *ld = as<lt_layout>(d_at);
    const lt_algorithm* found = as<const lt_algorithm>(algorithm);
    const std::uint64_t sizes = sizes_of(k, la, lb, as<lt_layout>(c_at), ld);
    if (!handle || !found || !sizes || sizes != found->sizes || workspace_bytes < found->workspace)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (alignment_of(workspace) < 256 || !device_elements<char>(workspace, static_cast<std::int64_t>(workspace_bytes)))
        return CUBLAS_STATUS_INVALID_VALUE;
    // An algorithm can do less than it was asked for, not more.
    const std::uint32_t epilogue = k->epilogue == CUBLASLT_EPILOGUE_DEFAULT ? 0 : k->epilogue;
    constexpr std::uint32_t known = CUBLASLT_EPILOGUE_RELU_BIAS | CUBLASLT_EPILOGUE_GELU,
                            both = CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_GELU;
    if (epilogue & ~found->epilogue || epilogue & ~known || (epilogue & both) == both)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool has_bias = epilogue & CUBLASLT_EPILOGUE_BIAS;
    // The library refuses a vector that it is not to add, too.
    if (!has_bias && k->bias) return CUBLAS_STATUS_INVALID_VALUE;
    if (has_bias && (!k->bias || alignment_of(k->bias) < found->bias_alignment)) return CUBLAS_STATUS_INVALID_VALUE;
    const void* operands[] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
        if (alignment_of(operands[i]) < found->alignment[i]) return CUBLAS_STATUS_INVALID_VALUE;
    last_tile = found->tile;
    auto how = [](std::int32_t t) { return static_cast<cublasOperation_t>(t); };
    auto p = std::make_unique<product>(product{static_cast<std::int64_t>(ld->rows),
                                               static_cast<std::int64_t>(ld->columns),
                                               static_cast<std::int64_t>(k->transpose[0] ? la->rows : la->columns),
                                               ld->batch,
                                               {a, how(k->transpose[0]), la->leading, la->stride},
                                               {b, how(k->transpose[1]), lb->leading, lb->stride},
                                               c,
                                               d,
                                               ld->leading,
                                               ld->stride,
                                               factor(alpha, k->scale),
                                               factor(beta, k->scale)});
    if (has_bias) p->bias = k->bias;
    p->relu = epilogue & CUBLASLT_EPILOGUE_RELU;
    p->gelu = epilogue & CUBLASLT_EPILOGUE_GELU;
    p->order = found->epilogue == CUBLASLT_EPILOGUE_RELU_BIAS;
    p->scales_first = found->id != 20 || found->reduction_scheme == CUBLASLT_REDUCTION_SCHEME_INPLACE;
    return enqueue_product(stream, multiplier(k->scale, k->compute), std::move(p));
}

}  // extern "C"

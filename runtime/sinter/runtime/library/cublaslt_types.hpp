// What is needed of cuBLASLt, whose products can add a vector, apply relu or gelu and take a factor, as function types
// of plain C; must not include its header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// An algorithm as cuBLASLt answers.
struct cublaslt_algorithm {
    std::uint64_t data[8];
    std::size_t workspace;
    int status;
    float waves;
    int reserved[4];
};

/// cuBLASLt's functions, enumerations being int and handles void*; cublas_check.hpp compares with the toolkit's header.
struct cublaslt_table {
    int (*create_desc)(void** desc, int compute_type, int scale_type) = nullptr;
    int (*set_desc)(void* desc, int attribute, const void* value, std::size_t bytes) = nullptr;
    int (*destroy_desc)(void* desc) = nullptr;
    int (*create_layout)(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                         std::int64_t leading) = nullptr;
    int (*set_layout)(void* layout, int attribute, const void* value, std::size_t bytes) = nullptr;
    int (*destroy_layout)(void* layout) = nullptr;
    int (*create_preference)(void** preference) = nullptr;
    int (*set_preference)(void* preference, int attribute, const void* value, std::size_t bytes) = nullptr;
    int (*destroy_preference)(void* preference) = nullptr;
    int (*find_algorithms)(void* handle, void* desc, void* a, void* b, void* c, void* d, void* preference, int wanted,
                           void* found, int* count) = nullptr;
    int (*check_algorithm)(void* handle, void* desc, void* a, void* b, void* c, void* d, void* algorithm,
                           void* checked) = nullptr;
    int (*get_config)(void* algorithm, int attribute, void* value, std::size_t bytes, std::size_t* written) = nullptr;
    int (*multiply)(void* handle, void* desc, const void* alpha, const void* a, void* a_layout, const void* b,
                    void* b_layout, const void* beta, const void* c, void* c_layout, void* d, void* d_layout,
                    void* algorithm, void* workspace, std::size_t workspace_bytes, void* stream) = nullptr;
    std::string why;  ///< not empty: it could not be loaded
};

struct cublaslt_constants {
    static constexpr int transpose_a = 3, transpose_b = 4, epilogue = 7, bias_pointer = 8;  // of a product
    static constexpr int batch_count = 5, batch_stride = 6;                                 // of a layout
    static constexpr int most_workspace = 1, alignment_a = 5, alignment_b = 6, alignment_c = 7, alignment_d = 8;
    static constexpr int no_epilogue = 1, relu = 2, bias = 4, gelu = 32;
    static constexpr int algorithm_id = 0, tile = 1, split = 2, reduction_scheme = 3;  // of an algorithm
    static constexpr int reduced_in_place = 1;
    static constexpr int tile_64_64 = 15, tile_64_128 = 17, tile_128_64 = 18, tile_128_128 = 20;
};

}  // namespace sinter::inline SINTER_ABI::runtime

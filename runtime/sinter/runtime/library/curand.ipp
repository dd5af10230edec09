// Bodies of curand.hpp.
#pragma once

#include <algorithm>
#include <utility>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/library/curand.hpp>
#include <sinter/runtime/library/curand_types.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// cuRAND's functions.
struct curand_table {
    curand_types::create *create_on_device = nullptr, *create_on_host = nullptr;
    curand_types::destroy* destroy = nullptr;
    curand_types::set_stream* set_stream = nullptr;
    curand_types::set_seed* set_seed = nullptr;
    curand_types::set_offset* set_offset = nullptr;
    curand_types::set_ordering* set_ordering = nullptr;
    curand_types::words* words = nullptr;
    curand_types::floats* floats = nullptr;
    curand_types::doubles* doubles = nullptr;
    curand_types::normal_floats *normal_floats = nullptr, *log_normal_floats = nullptr;
    curand_types::normal_doubles *normal_doubles = nullptr, *log_normal_doubles = nullptr;
    curand_types::counts* counts = nullptr;
    curand_types::directions_32* directions_32 = nullptr;
    curand_types::constants_32* constants_32 = nullptr;
    curand_types::directions_64* directions_64 = nullptr;
    curand_types::constants_64* constants_64 = nullptr;
    std::string why;  ///< not empty: it could not be loaded
};

SINTER_INLINE void load_curand(curand_table& t) {
    const shared_library& library = curand_library();
    const function_finder find(library, t.why, "a later cuRAND", missing_cuda_library("cuRAND", library));
    find(t.create_on_device, "curandCreateGenerator");
    find(t.create_on_host, "curandCreateGeneratorHost");
    find(t.destroy, "curandDestroyGenerator");
    find(t.set_stream, "curandSetStream");
    find(t.set_seed, "curandSetPseudoRandomGeneratorSeed");
    find(t.set_offset, "curandSetGeneratorOffset");
    find(t.set_ordering, "curandSetGeneratorOrdering");
    find(t.words, "curandGenerate");
    find(t.floats, "curandGenerateUniform");
    find(t.doubles, "curandGenerateUniformDouble");
    find(t.normal_floats, "curandGenerateNormal");
    find(t.normal_doubles, "curandGenerateNormalDouble");
    find(t.log_normal_floats, "curandGenerateLogNormal");
    find(t.log_normal_doubles, "curandGenerateLogNormalDouble");
    find(t.counts, "curandGeneratePoisson");
    find(t.directions_32, "curandGetDirectionVectors32");
    find(t.constants_32, "curandGetScrambleConstants32");
    find(t.directions_64, "curandGetDirectionVectors64");
    find(t.constants_64, "curandGetScrambleConstants64");
}

SINTER_INLINE const curand_table& loaded_curand(const std::string& whose) {
    return loaded_or_throw<curand_table, load_curand>(whose);
}
SINTER_INLINE const curand_table& loaded_curand() { return loaded_curand("[curand] "); }

SINTER_INLINE std::string curand_status_text(int status) {
    using k = curand_constants;
    switch (status) {
        case k::version_mismatch: return "the driver is older than the library";
        case k::not_initialized: return "no generator";
        case k::type_error: return "this kind of generator cannot do that";
        case k::out_of_range: return "an argument is out of range";
        case k::length_not_multiple: return "an odd number of normal numbers";
        case k::double_required: return "the GPU has no double precision";
        case k::launch_failure: return "a kernel could not be launched";
        case k::preexisting_failure: return "earlier work on the GPU has failed";
        case k::initialization_failed: return "the GPU could not be set up";
        case k::arch_mismatch: return "the GPU does not support it";
        case k::internal_error: return "internal error";
        default: return codegen::joined({"status ", status});
    }
}

SINTER_INLINE void check_curand(int status, const char* what) {
    if (status == curand_constants::success) return;
    if (status == curand_constants::allocation_failed)
        throw out_of_memory(codegen::joined({"[curand] ", what, ": cuRAND could not allocate memory"}));
    throw device_error(codegen::joined({"[curand] ", what, ": ", curand_status_text(status)}));
}

SINTER_INLINE bool curand_has_offset(int kind) {
    return kind != curand_constants::mtgp32 && kind != curand_constants::mt19937;
}

SINTER_INLINE curand_stream::curand_stream(int kind, int ordering, std::uint64_t seed, device where)
    : kind_(kind), ordering_(ordering), where_(where) {
    loaded_curand();
    if (where.is_cuda()) turn_ = allocate_buffer(where, 256);
    try {
        begin(seed);
    } catch (...) {
        destroy();
        throw;
    }
}

SINTER_INLINE curand_stream::~curand_stream() { destroy(); }

SINTER_INLINE void curand_stream::create() {
    const curand_table& t = loaded_curand();
    if (where_.is_cuda()) {
        cuda_stream(where_);
        check_curand(t.create_on_device(&generator_, kind_), "curandCreateGenerator");
    } else {
        check_curand(t.create_on_host(&generator_, kind_), "curandCreateGeneratorHost");
    }
    if (ordering_) check_curand(t.set_ordering(generator_, ordering_), "curandSetGeneratorOrdering");
}

SINTER_INLINE void curand_stream::destroy() noexcept {
    if (!generator_) return;
    try {
        if (where_.is_cuda()) cuda_stream(where_);
        loaded_curand().destroy(std::exchange(generator_, nullptr));
    } catch (...) {  // a device that has failed says so at the next call that may throw
    }
}

SINTER_INLINE void curand_stream::use_stream() {
    if (where_.is_cuda()) check_curand(loaded_curand().set_stream(generator_, cuda_stream(where_)), "curandSetStream");
}

SINTER_INLINE void curand_stream::begin(std::uint64_t seed) {
    const curand_table& t = loaded_curand();
    stream_work work(where_);
    if (turn_) work.writes(*turn_.get());
    // On a GPU a seed alone leaves what some kinds have drawn ahead.
    if (!drawn_.empty() || is_too_long_) destroy();
    if (!generator_) create();
    use_stream();
    check_curand(t.set_seed(generator_, seed), "curandSetPseudoRandomGeneratorSeed");
    if (curand_has_offset(kind_)) check_curand(t.set_offset(generator_, 0), "curandSetGeneratorOffset");
    work.finish();
    drawn_.clear();
    is_too_long_ = false;
}

SINTER_INLINE void curand_stream::enqueue(curand_draw what, bool is_double, void* to, std::uint64_t n, double a,
                                          double b) {
    const curand_table& t = loaded_curand();
    use_stream();
    auto* f = static_cast<float*>(to);
    auto* d = static_cast<double*>(to);
    auto* u = static_cast<unsigned int*>(to);
    const auto fa = static_cast<float>(a), fb = static_cast<float>(b);
    switch (what) {
        case curand_draw::words: check_curand(t.words(generator_, u, n), "curandGenerate"); break;
        case curand_draw::floats: check_curand(t.floats(generator_, f, n), "curandGenerateUniform"); break;
        case curand_draw::doubles: check_curand(t.doubles(generator_, d, n), "curandGenerateUniformDouble"); break;
        case curand_draw::normals:
            if (is_double) check_curand(t.normal_doubles(generator_, d, n, a, b), "curandGenerateNormalDouble");
            else check_curand(t.normal_floats(generator_, f, n, fa, fb), "curandGenerateNormal");
            break;
        case curand_draw::log_normals:
            if (is_double) check_curand(t.log_normal_doubles(generator_, d, n, a, b), "curandGenerateLogNormalDouble");
            else check_curand(t.log_normal_floats(generator_, f, n, fa, fb), "curandGenerateLogNormal");
            break;
        case curand_draw::counts: check_curand(t.counts(generator_, u, n, a), "curandGeneratePoisson"); break;
    }
    count_library_call();
}

SINTER_INLINE void curand_stream::note(curand_run r) {
    if (r.count == 0 || is_too_long_) return;
    if (!drawn_.empty() && drawn_.back().kind == r.kind) drawn_.back().count += r.count;
    else if (drawn_.size() < most_runs) drawn_.push_back(r);
    else is_too_long_ = true;
}

SINTER_INLINE const codegen::sequence<curand_run>& curand_stream::drawn() const {
    if (is_too_long_)
        throw value_error(codegen::joined({"[curand] draws of different kinds have alternated more than ", most_runs,
                                           " times, and what this generator has drawn is not known any more"}));
    return drawn_;
}

SINTER_INLINE buffer_ref curand_stream::draw(curand_draw what, bool is_double, std::uint64_t n, double a, double b) {
    const bool in_pairs = what == curand_draw::normals || what == curand_draw::log_normals;
    if (in_pairs) n += n % 2;
    buffer_ref to = allocate_buffer(where_, n * (is_double ? sizeof(double) : sizeof(float)));
    if (n == 0) return to;
    stream_work work(where_);
    if (turn_) work.writes(*turn_.get());
    work.writes(*to.get());
    timed_work event("library call", where_);
    enqueue(what, is_double, to->data, n, a, b);
    if (event) event.end("cuRAND");
    work.finish();
    using kind = curand_run::what;
    note({!in_pairs   ? (what == curand_draw::doubles ? kind::doubles : kind::words)
          : is_double ? kind::normal_doubles
                      : kind::normal_floats,
          n});
    return to;
}

// In pieces that are whole pairs, and a last one that is as odd as the whole.
SINTER_INLINE void curand_stream::discard(const curand_run& r) {
    constexpr std::uint64_t most = 1 << 20;
    using kind = curand_run::what;
    for (std::uint64_t left = r.count; left > 0;) {
        const std::uint64_t n = std::min(left, most);
        const bool normal = r.kind == kind::normal_floats || r.kind == kind::normal_doubles;
        const bool is_double = r.kind == kind::doubles || r.kind == kind::normal_doubles;
        draw(normal ? curand_draw::normals : is_double ? curand_draw::doubles : curand_draw::words, is_double, n);
        left -= n;
    }
}

SINTER_INLINE void curand_stream::skip(std::uint64_t words) {
    const bool only_words =
        !is_too_long_ && (drawn_.empty() || (drawn_.size() == 1 && drawn_[0].kind == curand_run::what::words));
    if (!curand_has_offset(kind_) || !only_words) return discard({curand_run::what::words, words});
    const std::uint64_t before = drawn_.empty() ? 0 : drawn_[0].count;
    if (words > ~before) throw value_error(codegen::joined({"[skip] no generator has so many words: ", words}));
    stream_work work(where_);
    if (turn_) work.writes(*turn_.get());
    use_stream();
    check_curand(loaded_curand().set_offset(generator_, before + words), "curandSetGeneratorOffset");
    work.finish();
    note({curand_run::what::words, words});
}

SINTER_INLINE void curand_stream::draw_again(const codegen::sequence<curand_run>& drawn) {
    for (const curand_run& r : drawn) {
        if (r.kind == curand_run::what::words) skip(r.count);
        else discard(r);
    }
}

template <std::size_t Bits, class Word>
void copy_curand_directions(curand_directions& to, const Word (*all)[Bits], const Word* first, int rows,
                            std::int64_t dimensions) {
    for (int i = 0; i < rows; ++i)
        for (std::int64_t d = 0; d < dimensions; ++d)
            to.all.push_back(i < static_cast<int>(Bits) ? std::uint64_t{all[d][i]} << (64 - Bits) : 0);
    for (std::int64_t d = 0; first && d < dimensions; ++d) to.first.push_back(std::uint64_t{first[d]} << (64 - Bits));
}

SINTER_INLINE curand_directions find_curand_directions(bool scrambled, int bits, int rows, std::int64_t dimensions,
                                                       const char* why) {
    using k = curand_constants;
    if (dimensions > k::most_dimensions)
        throw value_error(
            codegen::joined({"[sobol] the number of dimensions is above ", k::most_dimensions, ": ", dimensions}));
    const std::string what = codegen::joined({"[sobol] ", why, " by cuRAND; "});
    const curand_table& t = loaded_curand(what);
    curand_directions found;
    if (bits == 32) {
        unsigned int(*all)[32] = nullptr, *first = nullptr;
        check_curand(t.directions_32(&all, scrambled ? k::scrambled_32 : k::directions_32),
                     "curandGetDirectionVectors32");
        if (scrambled) check_curand(t.constants_32(&first), "curandGetScrambleConstants32");
        copy_curand_directions<32>(found, all, first, rows, dimensions);
    } else {
        unsigned long long(*all)[64] = nullptr, *first = nullptr;
        check_curand(t.directions_64(&all, scrambled ? k::scrambled_64 : k::directions_64),
                     "curandGetDirectionVectors64");
        if (scrambled) check_curand(t.constants_64(&first), "curandGetScrambleConstants64");
        copy_curand_directions<64>(found, all, first, rows, dimensions);
    }
    return found;
}

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HAS_CUDA && !SINTER_HEADER_ONLY && __has_include(<curand.h>)
#include <sinter/runtime/library/curand_check.hpp>
#endif

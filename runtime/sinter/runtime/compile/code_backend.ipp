// Bodies of code_backend.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/code_backend.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <sinter/runtime/compile/row_printers.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>

#include <mutex>
#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// Plans have laid out launches for as many thread blocks in a cluster as the quick code allowed.
SINTER_INLINE bool compiled_kernel::move_to(const compiled_text& fresh) {
    compiled_kernel other;
    other.source = source;
    quick->backend->find_entries(other, fresh, quick->kernel, quick->where);
    quick->backend->configure(other, quick->kernel, quick->where);
    if (other.most_cluster < most_cluster) return false;
    host_run = other.host_run;
    host_finish = other.host_finish;
    cuda_run = other.cuda_run;
    return true;
}

SINTER_INLINE replaceable_kernel& written_text::entry(const std::string& name) const {
    std::lock_guard lock(guard_);
    for (const codegen::owner<replaceable_kernel>& k : kernels_)
        if (k->name == name) return *k;
    auto fresh = codegen::owner(new replaceable_kernel());
    fresh->name = name;
    fresh->function = code.back().function(name);
    kernels_.push_back(std::move(fresh));
    return *kernels_.back();
}

SINTER_INLINE cuda_kernel written_text::kernel(const std::string& name, bool starts_early) const {
    return cuda_kernel(entry(name), starts_early);
}

// All of them or none, so that kernels of one text are of one compilation.
SINTER_INLINE bool written_text::move_to(const compiled_text& fresh) {
    std::lock_guard lock(guard_);
    codegen::sequence<void*> others;
    for (const codegen::owner<replaceable_kernel>& k : kernels_) {
        others.push_back(fresh.function(k->name));
        if (where_.is_cuda() && !takes_place_of(where_, cuda_kernel(others.back()), *k)) return false;
    }
    for (std::size_t i = 0; i < others.size(); ++i) kernels_[i]->function = others[i];
    return true;
}

SINTER_INLINE code_key host_key(const codegen::kernel_source& source, device) {
    static const std::string& options = *new std::string([] {
        std::string joined;
        for (const std::string& o : host_compile_options(false)) joined += o + " ";
        return joined;
    }());
    static const code_target& target = *new code_target(host_target());
    return {target, options, source.text};
}

SINTER_INLINE void find_host_entries(compiled_kernel& c, const compiled_text& code, const codegen::kernel& k, device) {
    c.host_run = code.host.function<host_entry>(c.source.name.c_str());
    if (codegen::has_finish(k)) c.host_finish = code.host.function<host_entry>((c.source.name + "_finish").c_str());
}

SINTER_INLINE std::string compile_host_source(const codegen::kernel_source& source, device) {
    return compile_host(source.text);
}

SINTER_INLINE codegen::sequence<std::string> compile_host_sources(
    codegen::span<const codegen::kernel_source* const> sources) {
    codegen::sequence<const std::string*> texts;
    for (const codegen::kernel_source* source : sources) texts.push_back(&source->text);
    return compile_host_together({texts.data(), texts.size()});
}

SINTER_INLINE const code_backend& host_code_backend() {
    static const code_backend b{
        .emit = print_host,
        .key = host_key,
        .identity = [](const codegen::kernel_source&, device) { return host_compiler_identity(); },
        .compile = compile_host_source,
        .compile_quickly = compile_host_quickly,
        .company = [](const codegen::kernel_source& source) { return company_of(source.text); },
        .compile_together = compile_host_sources,
        .load = [](const std::string& image, device) { return compiled_text{{}, shared_image(image)}; },
        .find_entries = find_host_entries,
        .configure = [](compiled_kernel&, const codegen::kernel&, device) {},
        // Ten to a hundred nanoseconds more for each element, two threads at work, against 50 to 150 ms.
        .most_quick_elements = 1 << 20};
    return b;
}

SINTER_INLINE code_key cuda_key(std::string options, const codegen::kernel_source& source, device where) {
    const cuda_properties& p = properties(where.index());
    return {cuda_code_target(p.major, p.minor), std::move(options), source.text};
}

SINTER_INLINE std::string nvrtc_identity_for(device where) {
    const cuda_properties& p = properties(where.index());
    return codegen::joined({nvrtc_identity(), " sm_", p.major, p.minor});
}

SINTER_INLINE std::string compile_cuda_source(const codegen::kernel_source& source, device where) {
    const cuda_properties& p = properties(where.index());
    return compile_cuda(source.text, p.major, p.minor, source.options);
}

// Of the texts of 37 ordinary first calls those of 120 lines and more take 87 to 970 ms, half of which is left; those
// of 28 to 119 lines that unroll loops 47 to 165, of which a quarter is saved, up to half; of others nothing is.
SINTER_INLINE std::string compile_cuda_source_quickly(const codegen::kernel_source& source, device where) {
    constexpr std::ptrdiff_t long_text = 120, least_unrolled = 28;
    const bool unrolls = source.text.find("#pragma unroll") != std::string::npos;
    const bool is_short =
        codegen::count(source.text.begin(), source.text.end(), '\n') < (unrolls ? least_unrolled : long_text);
    if (is_short && env().tiers != code_tiers::quick) return {};
    const cuda_properties& p = properties(where.index());
    return compile_cuda_quickly(source.text, p.major, p.minor, source.options);
}

SINTER_INLINE void find_cuda_entries(compiled_kernel& c, const compiled_text& code, const codegen::kernel&,
                                     device where) {
    c.cuda_run = code.cuda.kernel(c.source.name, properties(where.index()).major >= codegen::early_start_capability);
}

SINTER_INLINE void allow_clusters(compiled_kernel& c, const codegen::kernel& k, device where) {
    if (!codegen::is_cooperative(k.how.map)) return;
    const auto resident = static_cast<std::size_t>(codegen::most_resident_bytes(k));
    if (resident > 0)
        allow_shared_memory(where, c.cuda_run, resident + static_cast<std::size_t>(codegen::fixed_bytes_of_block(k)));
    if (!k.is(codegen::mapping::resident_row))
        c.most_cluster = allow_cluster(where, c.cuda_run, {codegen::cuda_threads}, codegen::portable_cluster, resident);
}

SINTER_INLINE const code_backend& cuda_code_backend() {
    static const code_backend b{
#if SINTER_HAS_CUDA
        .emit = print_cuda,
#else
        .emit = nullptr,
#endif
        .key = [](const codegen::kernel_source& source,
                  device where) { return cuda_key(codegen::lines_of(source.options), source, where); },
        .identity = [](const codegen::kernel_source& source,
                       device where) { return codegen::lines_of(source.options) + nvrtc_identity_for(where); },
        .compile = compile_cuda_source,
        .compile_quickly = compile_cuda_source_quickly,
        .company = nullptr,
        .compile_together = nullptr,
        .load = [](const std::string& image, device where) { return compiled_text{cuda_module(where, image), {}}; },
        .find_entries = find_cuda_entries,
        .configure = allow_clusters,
        .most_quick_elements = INT64_MAX};
    return b;
}

SINTER_INLINE std::string users_identity(const codegen::kernel_source& source) {
    return codegen::joined({"user's ", source.name, "\n", codegen::lines_of(source.options)});
}

SINTER_INLINE const code_backend& users_code_backend() {
    static const code_backend b{
        .emit = nullptr,
        .key = [](const codegen::kernel_source& source,
                  device where) { return cuda_key(users_identity(source), source, where); },
        .identity = [](const codegen::kernel_source& source,
                       device where) { return users_identity(source) + nvrtc_identity_for(where); },
        .compile =
            [](const codegen::kernel_source& source, device where) {
                const cuda_properties& p = properties(where.index());
                return compile_users_cuda(source.text, source.name, source.options, p.major, p.minor);
            },
        .compile_quickly = nullptr,
        .company = nullptr,
        .compile_together = nullptr,
        .load = [](const std::string& image,
                   device where) { return compiled_text{cuda_module(where, image.substr(image.find('\n') + 1)), {}}; },
        .find_entries = nullptr,
        .configure = nullptr};
    return b;
}

SINTER_INLINE const code_backend& code_backend_of(device where) {
    return where.is_cuda() ? cuda_code_backend() : host_code_backend();
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

// Bodies of kernel_cache.hpp.
#pragma once

#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/record_pack.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

#include <cstdio>
#include <memory>
#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

struct kernel_table {
    std::mutex guard;
    codegen::sequence<compiled_kernel*> kernels;
    codegen::text_map numbers;  ///< from a memory key, into the kernels
};

SINTER_INLINE kernel_table& kernels_in_memory() {
    static kernel_table& t = *new kernel_table;
    return t;
}

SINTER_INLINE codegen::kernel_source emit(const codegen::kernel& k, device where) {
    return where.is_cuda() ? codegen::emit_cuda(k) : codegen::emit_host(k);
}

SINTER_INLINE std::string memory_key(const codegen::kernel& k, device where) {
    return static_cast<char>('a' + where.id() + 1) + codegen::key(k);
}

// Loads an image of the disk cache; one that the loader refuses is as good as none.
template <class Load>
bool load_cached(const std::string& image, Load& load) {
    try {
        load(image);
        return true;
    } catch (const out_of_memory&) {
        throw;
    } catch (const error&) {
        return false;
    }
}

// Gives the image of a source to `load`: from a pack, from the disk cache, else from `compile`; the cache gets what
// could be loaded. `identity` is the compiler's, for keys of the disk cache; a pack's kernels are those of whichever
// compiler made them.
template <class Identity, class Compile, class Load>
void load_image(const code_key& key, Identity identity, Compile compile, Load load) {
    if (const std::string_view* packed = find_packed(key)) {
        load(std::string(*packed));
        count_pack_hit();
        return record_kernel(key, *packed);
    }
    const std::string disk_key = identity() + "\n" + std::string(key.text);
    std::optional<std::string> image = kernel_cache().load(disk_key);
    if (image && load_cached(*image, load)) {
        count_disk_hit();
    } else {
        try {
            image = compile();
        } catch (const device_error& e) {
            if (!has_packs()) throw;
            throw device_error(std::string(e.what()) + "; " + describe_packs(key.target));
        }
        load(*image);
        kernel_cache().store(disk_key, *image);
    }
    record_kernel(key, *image);
}

SINTER_INLINE code_key host_key(const std::string& text) {
    static const std::string& options = *new std::string([] {
        std::string joined;
        for (const std::string& o : host_compile_options(false)) joined += o + " ";
        return joined;
    }());
    static const code_target& target = *new code_target(host_target());
    return {target, options, text};
}

template <class Load>
void load_host_image(const std::string& text, Load load) {
    load_image(host_key(text), host_compiler_identity, [&] { return compile_host(text); }, load);
}

// The key of a text of CUDA C++: sinter's own, or a user's.
SINTER_INLINE code_key cuda_key(const std::string& text, std::string_view options, device where) {
    const cuda_properties& p = properties(where.index());
    return {cuda_code_target(p.major, p.minor), options, text};
}

SINTER_INLINE std::string nvrtc_identity_for(const cuda_properties& p) {
    return nvrtc_identity() + " sm_" + std::to_string(p.major) + std::to_string(p.minor);
}

template <class Load>
void load_cuda_image(const codegen::kernel_source& source, device where, Load load) {
    const cuda_properties& p = properties(where.index());
    const std::string options = codegen::lines_of(source.options);
    load_image(
        cuda_key(source.text, options, where), [&] { return options + nvrtc_identity_for(p); },
        [&] { return compile_cuda(source.text, p.major, p.minor, source.options); }, load);
}

SINTER_INLINE void load_host(compiled_kernel& c, bool two_phases) {
    load_host_image(c.source.text, [&](const std::string& image) {
        const shared_image loaded(image);
        c.host_run = loaded.function<host_entry>(c.source.name.c_str());
        if (two_phases) c.host_finish = loaded.function<host_entry>((c.source.name + "_finish").c_str());
    });
}

SINTER_INLINE void load_cuda(compiled_kernel& c, const codegen::kernel& k, device where) {
    load_cuda_image(c.source, where, [&](const std::string& image) {
        const bool starts_early = properties(where.index()).major >= codegen::early_start_capability;
        c.cuda_run = cuda_module(where, image).kernel(c.source.name, starts_early);
    });
    if (!codegen::is_cooperative(k.how.map)) return;
    const auto resident = static_cast<std::size_t>(codegen::most_resident_bytes(k));
    if (resident > 0)
        allow_shared_memory(where, c.cuda_run, resident + static_cast<std::size_t>(codegen::fixed_bytes_of_block(k)));
    if (!k.is(codegen::mapping::resident_row))
        c.most_cluster = allow_cluster(where, c.cuda_run, {codegen::cuda_threads}, codegen::portable_cluster, resident);
}

struct text_table {
    std::mutex guard;
    codegen::sequence<compiled_text*> texts;
    codegen::text_map numbers;  ///< from device and text, into the texts
};

SINTER_INLINE const compiled_text& find_text(const codegen::kernel_source& source, device where) {
    static text_table& t = *new text_table;
    std::string key = static_cast<char>('a' + where.id() + 1) + source.text;
    std::lock_guard lock(t.guard);
    if (std::uint32_t found = t.numbers.find(key); found != codegen::number_map::none) {
        count_cache_hit();
        return *t.texts[found];
    }
    if (env().shows("source")) std::fprintf(stderr, "%s\n", source.text.c_str());
    auto c = std::make_unique<compiled_text>();
    if (where.is_cuda())
        load_cuda_image(source, where, [&](const std::string& image) { c->cuda = cuda_module(where, image); });
    else load_host_image(source.text, [&](const std::string& image) { c->host = shared_image(image); });
    t.texts.push_back(c.get());
    t.numbers.add(key, static_cast<std::uint32_t>(t.texts.size() - 1));
    return *c.release();
}

SINTER_INLINE cuda_kernel find_users_kernel(const std::string& source, const std::string& kernel,
                                            std::span<const std::string> options, device where) {
    struct table {
        std::mutex guard;
        codegen::sequence<cuda_kernel> kernels;
        codegen::text_map numbers;
    };
    static table& t = *new table;
    std::string identity = kernel + "\n" + codegen::lines_of(options);
    std::string key = static_cast<char>('a' + where.id() + 1) + identity + source;
    std::lock_guard lock(t.guard);
    if (std::uint32_t found = t.numbers.find(key); found != codegen::number_map::none) {
        count_cache_hit();
        return t.kernels[found];
    }
    const cuda_properties& p = properties(where.index());
    identity = "user's " + identity;
    load_image(
        cuda_key(source, identity, where), [&] { return identity + nvrtc_identity_for(p); },
        [&] { return compile_users_cuda(source, kernel, options, p.major, p.minor); },
        [&](const std::string& named) {
            const std::size_t end = named.find('\n');
            t.kernels.push_back(cuda_module(where, named.substr(end + 1)).kernel(named.substr(0, end)));
        });
    t.numbers.add(key, static_cast<std::uint32_t>(t.kernels.size() - 1));
    return t.kernels.back();
}

SINTER_INLINE bool is_kernel_packed(const codegen::kernel& k, device where) {
    if (!has_packs()) return false;
    const codegen::kernel_source source = emit(k, where);
    return find_packed(where.is_cuda() ? cuda_key(source.text, codegen::lines_of(source.options), where)
                                       : host_key(source.text)) != nullptr;
}

SINTER_INLINE const compiled_kernel* kernel_in_memory(const codegen::kernel& k, device where) {
    kernel_table& t = kernels_in_memory();
    std::lock_guard lock(t.guard);
    const std::uint32_t found = t.numbers.find(memory_key(k, where));
    return found == codegen::number_map::none ? nullptr : t.kernels[found];
}

SINTER_INLINE const compiled_kernel& find_kernel(const codegen::kernel& k, device where) {
    kernel_table& t = kernels_in_memory();
    std::string key = memory_key(k, where);
    std::lock_guard lock(t.guard);
    if (std::uint32_t found = t.numbers.find(key); found != codegen::number_map::none) {
        count_cache_hit();
        return *t.kernels[found];
    }
    auto c = std::make_unique<compiled_kernel>();
    c->source = emit(k, where);
    if (env().shows("schedule"))
        std::fprintf(stderr, "[schedule] %s: %s\n", c->source.name.c_str(), to_text(k.how).c_str());
    if (env().shows("source")) std::fprintf(stderr, "%s\n", c->source.text.c_str());
    if (where.is_cuda()) load_cuda(*c, k, where);
    else load_host(*c, codegen::has_finish(k));
    t.kernels.push_back(c.get());
    t.numbers.add(key, static_cast<std::uint32_t>(t.kernels.size() - 1));
    return *c.release();
}

}  // namespace sinter::inline SINTER_ABI::runtime

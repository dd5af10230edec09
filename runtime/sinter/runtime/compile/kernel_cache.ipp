// Bodies of kernel_cache.hpp.
#pragma once

#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/record_pack.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>

#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>

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

// Gives the image of a source to `load`: from a pack, from the disk cache, else from the compiler; the cache gets what
// could be loaded. A pack's kernels are those of whichever compiler made them.
template <class Load>
void load_image(const code_backend& backend, const codegen::kernel_source& source, device where, Load load) {
    const code_key key = backend.key(source, where);
    if (const std::string_view* packed = find_packed(key)) {
        load(std::string(*packed));
        count_pack_hit();
        return record_kernel(key, *packed);
    }
    const std::string disk_key = backend.identity(source, where) + "\n" + source.text;
    std::optional<std::string> image = kernel_cache().load(disk_key);
    if (image && load_cached(*image, load)) {
        count_disk_hit();
    } else {
        try {
            image = backend.compile(source, where);
        } catch (const device_error& e) {
            if (!has_packs()) throw;
            throw device_error(std::string(e.what()) + "; " + describe_packs(key.target));
        }
        load(*image);
        kernel_cache().store(disk_key, *image);
    }
    record_kernel(key, *image);
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
    const code_backend& backend = code_backend_of(where);
    load_image(backend, source, where, [&](const std::string& image) { *c = backend.load(image, where); });
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
    const codegen::kernel_source text{kernel, source, {options.begin(), options.end()}};
    std::string key = static_cast<char>('a' + where.id() + 1) + kernel + "\n" + codegen::lines_of(options) + source;
    std::lock_guard lock(t.guard);
    if (std::uint32_t found = t.numbers.find(key); found != codegen::number_map::none) {
        count_cache_hit();
        return t.kernels[found];
    }
    const code_backend& backend = users_code_backend();
    load_image(backend, text, where, [&](const std::string& image) {
        t.kernels.push_back(backend.load(image, where).cuda.kernel(image.substr(0, image.find('\n'))));
    });
    t.numbers.add(key, static_cast<std::uint32_t>(t.kernels.size() - 1));
    return t.kernels.back();
}

SINTER_INLINE bool is_kernel_packed(const codegen::kernel& k, device where) {
    if (!has_packs()) return false;
    const code_backend& backend = code_backend_of(where);
    return find_packed(backend.key(backend.emit(k), where)) != nullptr;
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
    const code_backend& backend = code_backend_of(where);
    c->source = backend.emit(k);
    if (env().shows("schedule"))
        std::fprintf(stderr, "[schedule] %s: %s\n", c->source.name.c_str(), to_text(k.how).c_str());
    if (env().shows("source")) std::fprintf(stderr, "%s\n", c->source.text.c_str());
    load_image(backend, c->source, where,
               [&](const std::string& image) { backend.find_entries(*c, backend.load(image, where), k, where); });
    backend.configure(*c, k, where);
    t.kernels.push_back(c.get());
    t.numbers.add(key, static_cast<std::uint32_t>(t.kernels.size() - 1));
    return *c.release();
}

}  // namespace sinter::inline SINTER_ABI::runtime

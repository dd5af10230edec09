// Bodies of kernel_cache.hpp.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/once_table.hpp>
#include <sinter/runtime/compile/compile_pool.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/wanted_code.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE once_table<compiled_kernel>& kernels_in_memory() {
    static once_table<compiled_kernel>& t = *new once_table<compiled_kernel>;
    return t;
}

SINTER_INLINE std::size_t loaded_kernels() { return kernels_in_memory().made(); }

SINTER_INLINE void unload_kernels() {
    forget_refinable();
    const auto stays = [](const void* value) {
        const auto& c = *static_cast<const compiled_kernel*>(value);
        return c.is_held() || (c.quick && c.quick->is_asked_for);
    };
    for (const void* value : kernels_in_memory().take_unless(stays)) {
        auto* const c = const_cast<compiled_kernel*>(static_cast<const compiled_kernel*>(value));
        for (compiled_text& text : c->code) text.unload();
        delete c;
    }
}

SINTER_COLD_BEGIN

SINTER_INLINE std::string memory_key(const codegen::kernel& k, device where) {
    return static_cast<char>('a' + where.id() + 1) + codegen::key(k);
}

/// Code that all threads have from `table`, and that may be replaced by better code of its source.
template <class Code>
class wanted_refinable : public wanted_code {
public:
    wanted_refinable(once_table<Code>& table, const std::string& key, device d, bool waits)
        : wanted_code(code_backend_of(d), d), own_(table, key, waits) {}

    /// Null as long as it is not made.
    const Code* value() const { return own_.value(); }
    bool is_mine() const override { return own_.is_mine(); }
    void settle() noexcept override {
        try {
            if (is_loaded_ && !failure) {
                finish();
                if (is_quick && env().tiers == code_tiers::both)
                    keep_refinable(*made_, {backend, kernel(), where, disk_key()});
                own_.settle(made_.release());
            }
        } catch (...) {
            failure = std::current_exception();
        }
        own_.give_up();
        if (!made_) return;
        for (compiled_text& text : made_->code) text.unload();
        made_->code.clear();
    }

protected:
    codegen::owner<Code> made_;
    bool is_loaded_ = false;

private:
    virtual void finish() {}
    virtual codegen::kernel kernel() const { return {}; }

    typename once_table<Code>::claim own_;
};

SINTER_INLINE once_table<written_text>& texts_in_memory() {
    static once_table<written_text>& t = *new once_table<written_text>;
    return t;
}

SINTER_INLINE codegen::sequence<const refinable_code*>*& text_scope::current() {
    static thread_local codegen::sequence<const refinable_code*>* quick = nullptr;
    return quick;
}

SINTER_INLINE std::string memory_key(const codegen::kernel_source& s, device where) {
    return static_cast<char>('a' + where.id() + 1) + s.text;
}

SINTER_INLINE const written_text* text_in_memory(const codegen::kernel_source& source, device where) {
    return texts_in_memory().find(memory_key(source, where));
}

/// A text of written kernels whose code is wanted.
class wanted_text : public wanted_refinable<written_text> {
public:
    wanted_text(const codegen::kernel_source& s, device d, bool waits, bool may_be_quick)
        : wanted_refinable(texts_in_memory(), memory_key(s, d), d, waits) {
        source = &s;
        is_quick = env().record.empty() && env().tiers != code_tiers::full &&
                   (may_be_quick || env().tiers == code_tiers::quick);
        if (is_mine() && env().shows("source")) std::fprintf(stderr, "%s\n", s.text.c_str());
    }

private:
    void load(const std::string& code) override {
        made_ = codegen::owner(new written_text(*source, where, backend->load(code, where)));
        is_loaded_ = true;
    }
};

SINTER_INLINE void use_text(const written_text& text) {
    if (!text.quick) return;
    const refinable_code* const one = &text;
    codegen::sequence<const refinable_code*>* const quick = text_scope::current();
    if (!quick) return refine_now({&one, 1});
    if (codegen::find(quick->begin(), quick->end(), one) == quick->end()) quick->push_back(one);
}

SINTER_INLINE const written_text& find_text(const codegen::kernel_source& source, device where) {
    wanted_text w(source, where, true, text_scope::current());
    if (w.value()) count_cache_hit();
    else {
        find_code(w);
        w.settle();
        if (w.failure) std::rethrow_exception(w.failure);
    }
    use_text(*w.value());
    return *w.value();
}

SINTER_COLD_END

SINTER_INLINE cuda_kernel find_users_kernel(const std::string& source, const std::string& kernel,
                                            codegen::span<const std::string> options, device where) {
    struct wanted_users_kernel : wanted_code {
        using wanted_code::wanted_code;
        cuda_kernel made;
        void load(const std::string& code) override {
            made = backend->load(code, where).cuda.kernel(code.substr(0, code.find('\n')));
        }
    };
    static once_table<cuda_kernel>& t = *new once_table<cuda_kernel>;
    const codegen::kernel_source text{kernel, source, {options.begin(), options.end()}};
    once_table<cuda_kernel>::claim own(
        t, static_cast<char>('a' + where.id() + 1) + kernel + "\n" + codegen::lines_of(options) + source, true);
    if (own.value()) {
        count_cache_hit();
        return *own.value();
    }
    wanted_users_kernel w(users_code_backend(), where);
    w.source = &text;
    find_code(w);
    return own.settle(new cuda_kernel(w.made));
}

SINTER_COLD_BEGIN

SINTER_INLINE bool is_kernel_packed(const codegen::kernel& k, device where) {
    if (!has_packs()) return false;
    const code_backend& backend = code_backend_of(where);
    return find_packed(backend.key(backend.emit(k), where)) != nullptr;
}

SINTER_INLINE const compiled_kernel* kernel_in_memory(const codegen::kernel& k, device where) {
    return kernels_in_memory().find(memory_key(k, where));
}

// Whether a run of the kernel as it is may go with quick code; a pack is recorded once and used for long, and quick
// code of what need not be exact has other bits.
SINTER_INLINE bool may_be_quick(const codegen::kernel& k, const code_backend& backend) {
    const bool is_large = k.kept_size() > backend.most_quick_elements / std::max<std::int64_t>(k.reduced_size(), 1);
    return !k.fast && env().tiers != code_tiers::full && env().record.empty() &&
           (env().tiers == code_tiers::quick || !is_large);
}

/// A kernel whose code is wanted, printed when this thread has it to make.
class wanted_kernel : public wanted_refinable<compiled_kernel> {
public:
    wanted_kernel(const codegen::kernel& k, device d, bool waits)
        : wanted_refinable(kernels_in_memory(), memory_key(k, d), d, waits), kernel_(k) {
        if (value()) count_cache_hit();
        if (is_mine()) print();
        is_quick = may_be_quick(k, *backend);
    }

private:
    void print() noexcept;
    void load(const std::string& code) override {
        made_->code.push_back(backend->load(code, where));
        backend->find_entries(*made_, made_->code.back(), kernel_, where);
        is_loaded_ = true;
    }
    void finish() override { backend->configure(*made_, kernel_, where); }
    codegen::kernel kernel() const override { return kernel_; }

    const codegen::kernel& kernel_;
};

SINTER_INLINE void wanted_kernel::print() noexcept {
    try {
        made_ = codegen::owner(new compiled_kernel());
        made_->source = backend->emit(kernel_);
        source = &made_->source;
        if (env().shows("schedule"))
            std::fprintf(stderr, "[schedule] %s: %s\n", source->name.c_str(), to_text(kernel_.how).c_str());
        if (env().shows("source")) std::fprintf(stderr, "%s\n", source->text.c_str());
    } catch (...) {
        failure = std::current_exception();
    }
}

SINTER_INLINE const compiled_kernel& find_kernel(const codegen::kernel& k, device where) {
    wanted_kernel w(k, where, true);
    if (w.value()) return *w.value();
    find_code(w);
    w.settle();
    if (w.failure) std::rethrow_exception(w.failure);
    return *w.value();
}

// Texts first, which take longer than most kernels.
SINTER_INLINE codegen::sequence<codegen::owner<wanted_code>> wanted_of(codegen::span<const codegen::kernel> kernels,
                                                                       device where,
                                                                       codegen::span<const sought_text> texts) {
    codegen::sequence<codegen::owner<wanted_code>> all;
    for (const sought_text& t : texts)
        all.push_back(codegen::owner(new wanted_text(t.source, where, false, t.may_be_quick)));
    for (const codegen::kernel& k : kernels) all.push_back(codegen::owner(new wanted_kernel(k, where, false)));
    return all;
}

// Those that this thread has to compile: what neither a pack nor the disk cache has.
SINTER_INLINE codegen::sequence<compilation*> uncompiled(const codegen::sequence<codegen::owner<wanted_code>>& all) {
    codegen::sequence<compilation*> found;
    for (const auto& w : all)
        if (w->is_mine() && !w->failure && w->is_to_compile()) found.push_back(w.get());
    return found;
}

// Before any other thread's are waited for, which may be waiting for these.
SINTER_INLINE void settle_all(const codegen::sequence<codegen::owner<wanted_code>>& all, compilations& own) {
    own.take();
    for (const auto& w : all) w->settle();
}

SINTER_INLINE void make_kernels(codegen::span<const codegen::kernel> kernels, device where,
                                codegen::span<const sought_text> texts) {
    const codegen::sequence<codegen::owner<wanted_code>> all = wanted_of(kernels, where, texts);
    compilations own(uncompiled(all));
    compile_all(own.all());
    settle_all(all, own);
}

SINTER_INLINE codegen::sequence<const compiled_kernel*> find_kernels(codegen::span<const codegen::kernel> kernels,
                                                                     device where,
                                                                     codegen::span<const sought_text> texts) {
    const codegen::sequence<codegen::owner<wanted_code>> all = wanted_of(kernels, where, texts);
    compilations own(uncompiled(all));
    compile_all(own.all());
    settle_all(all, own);
    codegen::sequence<const compiled_kernel*> found;
    codegen::sequence<const refinable_code*> large;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const auto& w = static_cast<const wanted_kernel&>(*all[texts.size() + i]);
        if (w.failure) std::rethrow_exception(w.failure);
        found.push_back(w.value() ? w.value() : &find_kernel(kernels[i], where));
        if (!may_be_quick(kernels[i], code_backend_of(where))) large.push_back(found.back());
    }
    refine_now({large.data(), large.size()});
    return found;
}

SINTER_COLD_END

}  // namespace sinter::inline SINTER_ABI::runtime

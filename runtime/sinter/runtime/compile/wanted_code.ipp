// Bodies of wanted_code.hpp.
#pragma once

#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/record_pack.hpp>
#include <sinter/runtime/compile/wanted_code.hpp>

#include <string_view>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// An image of the disk cache that the loader refuses is as good as none.
SINTER_INLINE bool wanted_code::load_cached(const std::string& code) {
    try {
        load(code);
        return true;
    } catch (const out_of_memory&) {
        throw;
    } catch (const error&) {
        return false;
    }
}

SINTER_INLINE bool wanted_code::is_to_compile() noexcept {
    try {
        key_ = backend->key(*source, where);
        if (const std::string_view* packed = find_packed(key_)) {
            is_quick = false;
            load(std::string(*packed));
            count_pack_hit();
            record_kernel(key_, *packed);
            return false;
        }
        disk_key_ = backend->identity(*source, where) + "\n" + source->text;
        if (const std::optional<std::string> stored = kernel_cache().load(disk_key_); stored && load_cached(*stored)) {
            is_quick = false;
            count_disk_hit();
            record_kernel(key_, *stored);
            return false;
        }
        if (!is_quick) return true;
        const std::optional<std::string> quick = kernel_cache().load(quick_disk_key(disk_key_));
        if (!quick || !load_cached(*quick)) return true;
        count_disk_hit();
    } catch (...) {
        failure = std::current_exception();
    }
    return false;
}

SINTER_INLINE void wanted_code::take_compiled() noexcept {
    try {
        if (failure) std::rethrow_exception(failure);
        if (image.empty()) return;
        load(image);
        kernel_cache().store(is_quick ? quick_disk_key(disk_key_) : disk_key_, image);
        if (!is_quick) record_kernel(key_, image);
    } catch (const device_error& e) {
        failure = std::current_exception();
        try {
            if (image.empty() && has_packs())
                failure =
                    std::make_exception_ptr(device_error(std::string(e.what()) + "; " + describe_packs(key_.target)));
        } catch (...) {  // what was wrong first is told
        }
    } catch (...) {
        failure = std::current_exception();
    }
}

SINTER_INLINE compilations::compilations(const codegen::sequence<compilation*>& found) {
    if (!found.empty()) turn_.emplace(turn_of::wanted_code);
    for (compilation* c : found)
        if (!turn_->is_taken() || static_cast<wanted_code*>(c)->is_to_compile()) all_.push_back(c);
}

SINTER_INLINE void compilations::take() noexcept {
    for (compilation* c : all_) static_cast<wanted_code*>(c)->take_compiled();
    turn_.reset();
}

SINTER_INLINE void find_code(wanted_code& w) {
    if (!w.failure && w.is_to_compile()) {
        compilations own({&w});
        compile_all(own.all());
        own.take();
    }
    if (w.failure) std::rethrow_exception(w.failure);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END

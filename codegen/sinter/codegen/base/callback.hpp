// A reference to a function object of somebody else's, like std::function that copies nothing and compiles one function
// per object instead of a dozen.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

template <class F>
class callback;

/// For parameters alone: the object has to outlive it.
template <class R, class... A>
class callback<R(A...)> {
public:
    template <class F>
        requires requires(const F& f, A... a) { static_cast<R>(f(a...)); }
    [[gnu::always_inline]] callback(const F& f)
        : object_(&f), call_([](const void* object, A... a) -> R {
              return static_cast<R>((*static_cast<const F*>(object))(static_cast<A&&>(a)...));
          }) {}
    callback(const callback&) = default;
    R operator()(A... a) const { return call_(object_, static_cast<A&&>(a)...); }

private:
    const void* object_;
    R (*call_)(const void* object, A... a);
};

}  // namespace sinter::inline SINTER_ABI::codegen

// Kernels from text with CuPy's conventions: elementwise_kernel and reduction_kernel.
#pragma once

#include <sinter/user/kernel_options.hpp>
#include <sinter/user/kernel_parameters.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/user/vectorize.hpp>

#include <atomic>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// The function of a text whose parameters are all numbers, and whether it takes the element's number and their count.
struct text_plan {
    const text_options* options;
    const codegen::invocation* function;
    bool takes_number, takes_count;
    mutable const text_plan* next = nullptr;
};

/// One call of a kernel that is given as text.
struct text_call {
    std::string_view operation, name, preamble;
    codegen::span<const text_parameter> inputs, outputs;
    codegen::span<const dtype> input_types, output_types;
    codegen::span<const function_argument> arguments;
    std::string_view before_loop = {}, after_loop = {};
    const text_options* options = nullptr;
    std::atomic<const text_plan*>* plan = nullptr;  ///< kept from call to call for the same types, by options
};

/// What it computes for each element. Throws type_error, shape_error, device_error.
codegen::sequence<handle> record_text(const text_call& call);

struct reduction_plan;

/// The text of a reduction: what combines `a` and `b`, what becomes of the result `a`, and what no elements give.
struct text_reduction {
    std::string_view combine, after, identity;
    dtype type;                                ///< in which elements combine
    std::atomic<const reduction_plan*>* plan;  ///< kept from call to call for the same types, by options
};
/// The outputs of a reduction over axes, each bit one; the call computes what is combined, of the first output's type.
handle record_text_reduction(const text_call& call, const text_reduction& how, const axes* over, bool keep);

template <literal In, literal Out, class... X>
struct text_types {
    static constexpr const auto& in = parameters_in<In>;
    static constexpr const auto& out = parameters_in<Out>;
    static_assert(
        in.is_valid() && out.is_valid(),
        "sinter: the parameters of a kernel are written `type name`, with a dtype, a type of C++ or a letter as type");
    static_assert(!out.has_raw(),
                  "sinter: a kernel writes outputs at its own element only; raw outputs need a raw_kernel");
    static constexpr dtype given[] = {argument_dtype<X>()..., dtype::bool_};
    static constexpr bool numbers[] = {!expression<X>..., true};
    static constexpr placeholder_types found = deduce(in, given, numbers);
    static_assert(
        found.conflict == 0,
        "sinter: a type placeholder of a kernel stands for arrays of different types: convert one with astype");
    template <std::size_t I>
    using input = typename codegen::cpp_type<found.of(in.at[I])>::type;
    template <std::size_t I>
    using output = typename codegen::cpp_type<found.of(out.at[I])>::type;
    /// The type that elements combine in: that of a text, or of the first output where it is empty.
    template <literal Type>
    static constexpr dtype combined_type() {
        text_parameter p = out.at[0];
        if constexpr (!Type.view().empty()) {
            constexpr bool valid = [] {
                text_parameter read;
                return read_type(trimmed(Type.view()), read) && found.knows(read);
            }();
            static_assert(valid,
                          "sinter: the reduce_type of a reduction_kernel is a dtype, a type of C++ or the placeholder "
                          "of an input");
            p = text_parameter();
            read_type(trimmed(Type.view()), p);
        }
        return found.of(p);
    }
    template <std::size_t... I>
    static constexpr bool knows_outputs(std::index_sequence<I...>) {
        return (found.knows(out.at[I]) && ...);
    }
    static_assert(knows_outputs(std::make_index_sequence<out.size>()),
                  "sinter: an output of a kernel has a type placeholder that no input has");

    template <std::size_t... I, std::size_t... O, class F>
    static auto with(F f, std::index_sequence<I...>, std::index_sequence<O...>, const X&... x) {
        const dtype inputs[] = {dtype_of<input<I>>..., dtype::bool_}, outputs[] = {dtype_of<output<O>>...};
        const function_argument arguments[] = {make_argument<input<I>>(x)..., function_argument()};
        text_call c;
        c.inputs = {in.at, in.size};
        c.outputs = {out.at, out.size};
        c.input_types = {inputs, in.size};
        c.output_types = {outputs, out.size};
        c.arguments = {arguments, in.size};
        return f(c);
    }
    template <class F>
    static auto call(F f, const X&... x) {
        return with(f, std::make_index_sequence<in.size>(), std::make_index_sequence<out.size>(), x...);
    }
    template <std::size_t... O>
    static auto arrays(const codegen::sequence<handle>& h, std::index_sequence<O...>) {
        if constexpr (sizeof...(O) == 1) return array<output<0>>(h[0]);
        else return std::tuple<array<output<O>>...>{array<output<O>>(h[O])...};
    }
};

}  // namespace detail

/// A kernel from text that computes each element (cupy.ElementwiseKernel): `elementwise_kernel<"T x, T y", "T z",
/// "z = (x - y) * (x - y)">`. Single letters stand for types that the arguments decide; in the operation `i` is the
/// element's number and `n` the number of elements; `raw` parameters are whole arrays, read as `x[k]` and `x(j, k)`,
/// with x.size() and x.shape(axis). Arguments broadcast; calls are lazy and fuse with what is around. The text is C++
/// without headers, in which mathematics means sinter's functions; the preamble stands before it.
///
/// CuPy's loop_prep and after_loop stand before and after each thread's loop over its elements: the operation reads and
/// changes what loop_prep declares, both know the raw parameters, those that are given as numbers and `n`, names that
/// loop_prep may not declare itself. How many elements a thread has, also none, and in which order is not said. Such a
/// kernel is not fused.
///
/// Compiler options are given to the object: `elementwise_kernel<…> k({"-DSCALE=3", "-Isrc/kernels"})`. -D and -U hold
/// for this kernel's preamble and operation alone, -I is where the preamble's headers are read, at the first call: both
/// become part of the text and mean the same everywhere. What else there is goes to NVRTC, which then compiles the
/// kernel by itself instead of fusing it, as with --use_fast_math; a loop that calls it is compiled with it. The CPU
/// compiles without those. Throws compile_error with the numbered source, device_error on the interpreter, shape_error;
/// the constructor value_error.
template <detail::literal In, detail::literal Out, detail::literal Operation, detail::literal Name = "elementwise",
          detail::literal Preamble = "", detail::literal LoopPrep = "", detail::literal AfterLoop = "">
class elementwise_kernel {
    const detail::text_options* options_ = nullptr;

public:
    constexpr elementwise_kernel() = default;
    explicit elementwise_kernel(const std::vector<std::string>& options)
        : options_(detail::find_text_options(options)) {}

    /// An array, or a tuple of several.
    template <detail::operand... X>
    auto operator()(const X&... x) const {
        static_assert(sizeof...(X) == detail::parameters_in<In>.size,
                      "sinter: this kernel takes another number of arguments");
        if constexpr (sizeof...(X) == detail::parameters_in<In>.size) {
            using types = detail::text_types<In, Out, X...>;
            codegen::sequence<detail::handle> h = types::call(
                [&](detail::text_call& c) {
                    static std::atomic<const detail::text_plan*> plan{nullptr};
                    c.plan = &plan;
                    c.operation = Operation.view();
                    c.name = Name.view();
                    c.preamble = Preamble.view();
                    c.before_loop = LoopPrep.view();
                    c.after_loop = AfterLoop.view();
                    c.options = options_;
                    return detail::record_text(c);
                },
                x...);
            return types::arrays(h, std::make_index_sequence<detail::parameters_in<Out>.size>());
        }
    }
};

/// A reduction from text (cupy.ReductionKernel): `reduction_kernel<"T x, T y", "T z", "x * y", "a + b", "z = sqrt(a)",
/// "0">` maps the arguments, combines `a` with `b`, and finishes with the result `a`. Elements combine in the output's
/// type and in an order that the extent alone decides; the combination is taken to be associative. `a + b`, `a * b`,
/// `min(a, b)` and `max(a, b)` are sinter's own reductions. The identity is the result of no elements, and changes
/// nothing else. With a reduce_type, elements are mapped to, combine in and reach the end as `a` in that type:
/// "float64" for sums of float32. Options as for elementwise_kernel.
template <detail::literal In, detail::literal Out, detail::literal Map, detail::literal Combine, detail::literal After,
          detail::literal Identity, detail::literal Name = "reduction", detail::literal Preamble = "",
          detail::literal ReduceType = "">
class reduction_kernel {
    static constexpr std::size_t count = detail::parameters_in<In>.size;
    const detail::text_options* options_ = nullptr;

public:
    constexpr reduction_kernel() = default;
    explicit reduction_kernel(const std::vector<std::string>& options) : options_(detail::find_text_options(options)) {}

    /// Over all elements: `k(a, b)`; over axes: `k(a, b, axes{1})`, and `k(a, b, axes{1}, keepdims)`.
    template <detail::operand... X>
        requires(sizeof...(X) == count)
    auto operator()(const X&... x) const {
        return reduce_over(nullptr, false, x...);
    }
    template <detail::operand X>
        requires(count == 1)
    auto operator()(const X& x, const axes& over) const {
        return reduce_over(&over, false, x);
    }
    template <detail::operand X>
        requires(count == 1)
    auto operator()(const X& x, const axes& over, keepdims_t) const {
        return reduce_over(&over, true, x);
    }
    template <detail::operand X, detail::operand Y>
        requires(count == 2)
    auto operator()(const X& x, const Y& y, const axes& over) const {
        return reduce_over(&over, false, x, y);
    }
    template <detail::operand X, detail::operand Y>
        requires(count == 2)
    auto operator()(const X& x, const Y& y, const axes& over, keepdims_t) const {
        return reduce_over(&over, true, x, y);
    }
    template <detail::operand X, detail::operand Y, detail::operand Z>
        requires(count == 3)
    auto operator()(const X& x, const Y& y, const Z& z, const axes& over) const {
        return reduce_over(&over, false, x, y, z);
    }

private:
    template <class... X>
    auto reduce_over(const axes* over, bool keep, const X&... x) const {
        using types = detail::text_types<In, Out, X...>;
        static_assert(detail::parameters_in<Out>.size == 1, "sinter: a reduction_kernel has one output");
        return array<typename types::template output<0>>(types::call(
            [&](detail::text_call& c) {
                static std::atomic<const detail::text_plan*> map{nullptr};
                static std::atomic<const detail::reduction_plan*> plan{nullptr};
                c.plan = &map;
                c.operation = Map.view();
                c.name = Name.view();
                c.preamble = Preamble.view();
                c.options = options_;
                constexpr dtype type = types::template combined_type<ReduceType>();
                return detail::record_text_reduction(c, {Combine.view(), After.view(), Identity.view(), type, &plan},
                                                     over, keep);
            },
            x...));
    }
};

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/kernels.ipp>
#endif

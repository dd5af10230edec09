// Measures sinter's rows, the workloads and the programs, on one device: sinter cpu|cuda; with `compile` it leaves
// kernels for another such process in the disk cache.
#include "limits_cuda.hpp"
#include "programs/all.hpp"
#include "sinter.hpp"

#include <sinter/io/npy.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <sinter/runtime/base/thread_team.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace sinter;
using namespace bench;

namespace {

/// "1e6", "16384x4096" or "500x100x100".
dims shape_of(const std::string& size) {
    dims shape;
    std::istringstream text(size);
    for (std::string part; std::getline(text, part, 'x');) shape.push_back(static_cast<std::int64_t>(std::stod(part)));
    return shape;
}

#if SINTER_HAS_CUDA

// Medians of what batches of two calls take, in turns in this process, for others may run on faster or slower cores; as
// facts of the second.
std::string in_turns(int batches, int calls, const char* what, const std::function<void(int)>& beside,
                     const std::function<void(int)>& own) {
    std::vector<double> times[2];
    for (int b = 0; b < batches; ++b)
        for (int which : {0, 1}) {
            const double start = now();
            for (int i = 0; i < calls; ++i) (which ? own : beside)(i);
            target.synchronize();
            times[which].push_back((now() - start) / calls * 1e6);
        }
    for (std::vector<double>& t : times) std::nth_element(t.begin(), t.begin() + batches / 2, t.end());
    char facts[160];
    std::snprintf(facts, sizeof facts, ", \"beside\": \"%s\", \"beside_median\": %.3f, \"own_median\": %.3f", what,
                  times[0][batches / 2], times[1][batches / 2]);
    return facts;
}

std::string beside_launches(const bench::work& w) {
    const runtime::cuda_properties& p = runtime::properties(0);
    const std::string text = "extern \"C\" __global__ void nothing(const float* x) {}\n";
    const runtime::cuda_kernel nothing =
        runtime::load_cuda_kernel(target, runtime::compile_cuda(text, p.major, p.minor), "nothing");
    const void* pointer = nullptr;
    void* parameters[] = {&pointer};
    return in_turns(
        41, 2000, "a bare launch", [&](int) { runtime::launch_cuda(target, nothing, {1}, {256}, 0, parameters); },
        w.call);
}

std::string beside_chains_by_hand(std::int64_t n, const bench::work& w) {
    auto by_hand = [prepared = limits::prepared_chain(n)](int i) {
        limits::chain_launch(prepared, bench::unseen_bits())(i);
    };
    return in_turns(11, 1, "one by hand", by_hand, w.call);
}

#endif

// What sinter's calls are to be compared with in the same process: those of a few microseconds depend on the core that
// they are made on, and compilers, too.
std::string beside_by_hand([[maybe_unused]] const std::string& row, [[maybe_unused]] const std::string& size,
                           [[maybe_unused]] const bench::work& w) {
#if SINTER_HAS_CUDA
    if (target.is_cpu()) return "";
    if (row == "tiny") return beside_launches(w);
    if (row == "first_use") return beside_chains_by_hand(shape_of(size)[0], w);
    const bool is_short = size == "1e6" && (row == "gaussian" || row == "polar" || row == "sum_of_squares");
    if (is_short) return in_turns(41, 1000, "the kernel by hand", limits::cuda_launch(row, size), w.call);
#endif
    return "";
}

bench::work elementwise_row(const std::string& row, const dims& shape) {
    auto x = inputs(shape);
    if (row == "gaussian")
        return evaluating([x](int i) {
            array<float> pdf = exp(-0.5f * square((pick(x, i) - 0.25f) / 1.5f)) / (1.5f * std::sqrt(2 * float(pi)));
            return std::tuple(pdf);
        });
    if (row == "polar") {
        auto r1 = inputs(shape, 0.5, 1.5), r2 = inputs(shape, 1.5, 2.5), t1 = inputs(shape);
        return evaluating([=](int i) {
            const array<float>&r = pick(r1, i), &q = pick(r2, i), &t = pick(x, i), &u = pick(t1, i);
            array<float> d = sqrt(square(r * cos(t) - q * cos(u)) + square(r * sin(t) - q * sin(u)));
            return std::tuple(d);
        });
    }
    if (row == "black_scholes") {
        auto price = inputs(shape, 10, 50), strike = inputs(shape, 10, 50), years = inputs(shape, 0.5, 2);
        return evaluating([=](int i) {
            const float r = 0.05f, v = 0.2f;
            const array<float>&s = pick(price, i), &k = pick(strike, i), &t = pick(years, i);
            array<float> d1 = (log(s / k) + (r + 0.5f * v * v) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
            auto normal = [](const auto& d) { return 0.5f * (1 + erf(d * float(std::sqrt(0.5)))); };
            array<float> discounted = k * exp(-r * t), call = s * normal(d1) - discounted * normal(d2),
                         put = call - s + discounted;
            return std::tuple(call, put);
        });
    }
    return evaluating([x](int i) { return std::tuple(array<float>(pick(x, i) * pick(x, i) + pick(x, i))); });
}

// The gaussian as a user's function.
SINTER_FUNCTION(
    gaussian_of, (float x)->float {
        float z = (x - 0.25f) / 1.5f;
        return exp(-0.5f * (z * z)) / (1.5f * 2.5066283f);
    })

SINTER_FUNCTION(
    escape_count, (float cr, float ci)->int {
        float re = 0, im = 0;
        int n = 0;
        for (; n < 256; ++n) {
            float re2 = re * re, im2 = im * im;
            if (re2 + im2 >= 4) break;
            im = 2 * re * im + ci;
            re = re2 - im2 + cr;
        }
        return n;
    })

// Users' functions and loops, which should cost what kernels cost that say the same.
bench::work function_row(const std::string& row, const dims& shape) {
    if (row == "gaussian_function")
        return evaluating(
            [x = inputs(shape)](int i) { return std::tuple(array<float>(vectorize(gaussian_of)(pick(x, i)))); });
    array<float> re = linspace<float>(-2, 0.5f, shape[1]).eval(),
                 im = reshape(linspace<float>(-1.25f, 1.25f, shape[0]), {shape[0], 1}).eval();
    if (row == "mandelbrot_function")
        return evaluating([=](int) { return std::tuple(array<int>(vectorize(escape_count)(re, im))); });
    return evaluating([=](int) {
        auto state =
            while_loop([](auto x, auto y, auto n) { return x * x + y * y < 4 && n < 256; },
                       [=](auto x, auto y, auto n) { return std::tuple(x * x - y * y + re, 2 * x * y + im, n + 1); },
                       0.0f, 0.0f, zeros<int>(shape));
        return std::tuple(array<int>(std::get<2>(state)));
    });
}

template <class T>
bench::work eigen_row(const dims& shape) {
    array<T> x = inputs<T>(shape)[0], a = (x + x.mT()).eval();
    return evaluating([a](int) {
        auto [values, vectors] = linalg::eigh(a);
        return std::tuple(values, vectors);
    });
}

// Matrices and stacks of them.
bench::work linalg_row(const std::string& row, const dims& shape) {
    if (row == "eighs") return eigen_row<float>(shape);
    if (row == "eigh") return eigen_row<double>(shape);
    auto x = inputs<double>(shape);
    if (row == "svd" || row == "svds")
        return evaluating([x](int i) {
            auto [u, s, vh] = linalg::svd(pick(x, i));
            return std::tuple(u, s, vh);
        });
    if (row == "qr" || row == "qrs")
        return evaluating([x](int i) {
            auto [q, r] = linalg::qr(pick(x, i));
            return std::tuple(q, r);
        });
    if (row == "eig" || row == "eigs")
        return evaluating([x](int i) {
            auto [values, vectors] = linalg::eig(pick(x, i));
            return std::tuple(values, vectors);
        });
    if (row == "inv" || row == "invs") return evaluating([x](int i) { return std::tuple(linalg::inv(pick(x, i))); });
    array<double> b = row == "solve" ? inputs<double>({shape[0]})[0] : inputs<double>({shape[0], shape[1], 1})[0];
    return evaluating([x, b](int i) { return std::tuple(linalg::solve(pick(x, i), b)); });
}

bench::work matrix_row(const std::string& row, const dims& shape) {
    auto x = inputs(shape);
    if (row == "transpose")
        return evaluating([x](int i) { return std::tuple(array<float>(pick(x, i) + pick(x, i).T())); });
    array<float> along = inputs({shape[1]})[0], column = inputs({shape[0], 1})[0];
    return evaluating([=](int i) { return std::tuple(array<float>(pick(x, i) * along + column * 2)); });  // broadcast
}

bench::work product_row(const std::string& row, const dims& shape) {
    auto x = inputs(shape);
    array<float> y = inputs({shape[1], shape[1]})[0], b = inputs({shape[1]})[0];
    const precision in = row == "matmul"          ? precision::highest
                         : row == "matmul_tf32x3" ? precision::tf32x3
                                                  : precision::tf32;
    if (row == "layer_tf32")
        return evaluating([=](int i) { return std::tuple(array<float>(relu(matmul(pick(x, i), y, in) + b))); });
    return evaluating([=](int i) { return std::tuple(matmul(pick(x, i), y, in)); });
}

// Rows of functions that are not in the library yet light up when they come.
template <class X>
bench::work scan_row(const std::string& row, const X& x) {
    if (row == "cumsum")
        if constexpr (requires { cumsum(x[0]); })
            return evaluating([x](int i) { return std::tuple(array(cumsum(pick(x, i)))); });
    if (row == "sort")
        if constexpr (requires { sort(x[0]); })
            return evaluating([x](int i) { return std::tuple(array(sort(pick(x, i)))); });
    throw std::invalid_argument(row + " is not in the library yet");
}

template <class T>
bench::work transforming(const dims& shape) {
    std::vector<array<T>> z;
    for (const array<float>& x : inputs(shape)) z.push_back(astype<T>(x * std::complex<float>(0.5f, -1)).eval());
    return evaluating([z](int i) { return std::tuple(fft::fft(pick(z, i))); });
}

bench::work vector_row(const std::string& row, const dims& shape) {
    if (row == "random") return evaluating([=](int) { return std::tuple(random::random<double>(shape)); });
    if (row == "randn") return evaluating([=](int) { return std::tuple(random::standard_normal<float>(shape)); });
    if (row == "mean_exp_randn")
        return evaluating(
            [=](int) { return std::tuple(array<float>(mean(exp(random::standard_normal<float>(shape))))); });
    if (row == "fft") return transforming<std::complex<float>>(shape);
    if (row == "fft_half") return transforming<complex_half>(shape);
    if (row == "randn_inv")
        return evaluating([=](int) { return std::tuple(linalg::inv(random::standard_normal<float>(shape))); });
    if (row == "randn_svd")
        return evaluating([=](int) {
            auto [u, s, vh] = linalg::svd(random::standard_normal<float>(shape));
            return std::tuple(u, s, vh);
        });
    auto x = inputs(shape, 0, 1);
    if (row == "sum_of_squares")
        return evaluating([x](int i) { return std::tuple(array<float>(sum(square(pick(x, i) - 0.25f)))); });
    if (row == "select")
        return evaluating([x](int i) { return std::tuple(array<float>(pick(x, i)[pick(x, i) > 0.5f])); });
    if (row == "gather") {
        array<std::int64_t> index = random::integers<std::int64_t>(0, shape[0], shape).eval();
        return evaluating([=](int i) { return std::tuple(array<float>(pick(x, i)(index))); });
    }
    if (row == "scatter") {
        array<std::int64_t> index = random::integers<std::int64_t>(0, shape[0], shape).eval();
        auto to = std::make_shared<array<float>>(zeros<float>(shape).eval());
        return evaluating([=](int i) {
            (*to)[index] = pick(x, i);
            return std::tuple(*to);
        });
    }
    return scan_row(row, x);
}

// A file that lies in memory is loaded again and again.
bench::work load_row(const dims& shape) {
    const std::string path = bench::path_in_memory();
    // save would add an extension.
    runtime::output_file file("bench", path);
    const std::string header = detail::make_npy_header(dtype::float32, shape);
    const std::vector<float> elements = to_vector(inputs(shape)[0]);
    file.write(header.data(), header.size());
    file.write(reinterpret_cast<const char*>(elements.data()), 4 * elements.size());
    file.close();
    return evaluating([path](int) { return std::tuple(load<float>(path)); });
}

// Sixteen additions and multiplications in the order of the bits below the leading one.
void evaluate_chain(const array<float>& x, int bits) {
    array<float> y = x;
    for (; bits > 1; bits /= 2)
        if (bits % 2) y = y + 10;
        else y = y * x;
    y.eval();
}

// An order that hardly any run has seen.
bench::work first_use() {
    auto call = [x = inputs({1000})[0]](int) { evaluate_chain(x, bench::unseen_bits()); };
    return {call, [] { target.synchronize(); }, true, {}};
}

/// Chains that this process has not seen, while another has left their kernels in the disk cache.
class cached_chains {
public:
    /// That other process, which is given the first of them.
    static void compile(const array<float>& x, int first) {
        for (int i = 0; i < count; ++i) evaluate_chain(x, bits_of(first, i));
        target.synchronize();
    }
    void evaluate_next(const array<float>& x) {
        if (next_ == count) refill();
        const std::int64_t before = counters().kernels_compiled;
        evaluate_chain(x, bits_of(first_, next_++));
        if (counters().kernels_compiled != before) throw std::runtime_error("the disk cache does not keep kernels");
    }
    void refill() {
        next_ = 0;
        first_ = bench::unseen_bits();
        const std::string self = std::filesystem::read_symlink("/proc/self/exe").string(),
                          device = target.is_cuda() ? "cuda" : "cpu";
        const std::string command = "'" + self + "' " + device + " compile " + std::to_string(first_) + " > /dev/null";
        if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
    }

private:
    static constexpr int count = 64;
    static int bits_of(int first, int i) { return ((first + i) & 0xFFFF) | 0x10000; }
    int first_ = 0, next_ = count;
};

bench::work first_use_cached() {
    auto chains = std::make_shared<cached_chains>();
    chains->refill();
    auto call = [chains, x = inputs({1000})[0]](int) { chains->evaluate_next(x); };
    return {call, [] { target.synchronize(); }, true, {}};
}

// What a launch costs us. dispatch: an evaluation that is found and finds nothing to launch, which is all our own time;
// replay: a kernel of a step that a graph replays.
bench::work launch_row(const std::string& row, const dims& shape) {
    if (row == "dispatch") {
        array<float> x = zeros<float>({0}).eval();
        return {[x](int) { array<float>(x * x + x).eval(); }, [] { target.synchronize(); }, false, {}};
    }
    // Twenty updates of parts of two small arrays, each of which needs the one before it, with an array and numbers of
    // each call.
    auto body = [](auto a, auto share) {
        const auto inner = slice(1, -1), left = slice(none, -2), right = slice(2, none);
        array<float> noise = 0.01f * random::uniform<float>(-1, 1, a.shape()), x = a + noise, y = a - noise;
        for (int i = 0; i < 10; ++i) {
            y(inner) = x(inner) + share * (x(left) + x(right) - 2 * x(inner));
            x(inner) = y(inner) + share * (y(left) + y(right) - 2 * y(inner));
        }
        return x;
    };
    auto step = std::make_shared<graph<decltype(body)>>(body);
    auto x = std::make_shared<std::vector<array<float>>>(inputs(shape));
    auto launches = std::make_shared<std::int64_t>(0);
    auto call = [=](int i) { (void)(*step)(pick(*x, i), 0.1f + 0.001f * static_cast<float>(i % 100)); };
    // Until its kernels are no longer replaced, a step may be recorded again.
    for (int i = 0; i < 4; ++i) call(i);
    target.synchronize();
    const std::int64_t before = counters().launches;
    call(4);
    *launches = counters().launches - before;
    return {[=](int i) {
                if (i % *launches == 0) call(static_cast<int>(i / *launches));
            },
            [] { target.synchronize(); }, false, [=] { return counted([&] { call(0); }); }};
}

template <class Program>
bench::work program_row(const std::string& size) {
    auto p = std::make_shared<Program>(Program::initialize(size));
    auto call = [p](int) {
        p->drop_results();
        p->run();
    };
    return {call, [] { target.synchronize(); }, false, [call] { return counted([&] { call(0); }); }};
}

bench::work make(const std::string& row, const std::string& size) {
    if (row == "first_use") return first_use();
    if (row == "first_use_cached") return first_use_cached();
    if (row == "load") return load_row(shape_of(size));
    if (row == "dispatch" || row == "replay") return launch_row(row, shape_of(size));
    if (row == "arc_distance") return program_row<programs::arc_distance>(size);
    if (row == "azimint_naive") return program_row<programs::azimint_naive>(size);
    if (row == "covariance") return program_row<programs::covariance>(size);
    if (row == "equation_of_state") return program_row<programs::equation_of_state>(size);
    if (row == "gesummv") return program_row<programs::gesummv>(size);
    if (row == "go_fast") return program_row<programs::go_fast>(size);
    if (row == "hdiff") return program_row<programs::hdiff>(size);
    if (row == "jacobi_2d") return program_row<programs::jacobi_2d>(size);
    if (row == "mandelbrot1") return program_row<programs::mandelbrot1>(size);
    if (row == "mlp") return program_row<programs::mlp>(size);
    if (row == "program_softmax") return program_row<programs::softmax>(size);
    for (const char* name : {"gaussian", "polar", "black_scholes", "tiny"})
        if (row == name) return elementwise_row(row, shape_of(size));
    for (const char* name : {"gaussian_function", "mandelbrot_function", "mandelbrot_loop"})
        if (row == name) return function_row(row, shape_of(size));
    for (const char* name : {"broadcast", "transpose"})
        if (row == name) return matrix_row(row, shape_of(size));
    for (const char* name : {"softmax", "log_softmax", "layer_norm", "cosine", "mean_var", "mean_var_columns",
                             "argmax_max", "column_sums", "row_sums", "middle_sums", "cumsum_columns"})
        if (row == name) return reduction_row(row, shape_of(size));
    for (const char* name :
         {"inv", "solve", "svd", "eigh", "eig", "qr", "invs", "qrs", "svds", "eigs", "solves", "eighs"})
        if (row == name) return linalg_row(row, shape_of(size));
    for (const char* name : {"matmul", "matmul_tf32x3", "matmul_tf32", "layer_tf32"})
        if (row == name) return product_row(row, shape_of(size));
    return vector_row(row, shape_of(size));
}

bench::work make_beside(const std::string& row, const std::string& size) {
    bench::work w = make(row, size);
    w.facts = [=] { return (w.facts ? w.facts() : "") + beside_by_hand(row, size, w); };
    return w;
}

}  // namespace

int main(int argc, char** argv) {
    const bool cuda = argc > 1 && std::string(argv[1]) == "cuda";
    if (cuda && device_count() == 0) {
        std::string why;
        runtime::cuda_available(&why);
        std::printf("{\"missing\": %s}\n", bench::quoted(why).c_str());
        return 0;
    }
    if (cuda) target = device::cuda(0);
    device_scope on(target);
    random::seed(42);
    if (argc > 3 && std::string(argv[2]) == "compile") {
        cached_chains::compile(inputs({1000})[0], std::atoi(argv[3]));
        return 0;
    }
    const std::string about =
        cuda ? runtime::properties(0).name + ", driver " + std::to_string(runtime::cuda_driver_version()) + ", " +
                   runtime::nvrtc_identity()
             : std::to_string(runtime::thread_count()) + " threads, " + runtime::host_compiler_identity();
    std::printf("{\"version\": \"%s\", \"about\": %s}\n", SINTER_VERSION, bench::quoted(about).c_str());
    std::fflush(stdout);
    return bench::serve(make_beside);
}

// What the emulated libraries of matrices over ranks share: ranks that are threads meet in a call, one of them computes
// on the whole matrices, and each gets its blocks; calls are recorded, and objects counted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "library_calls.hpp"

namespace cuda_emulation {

[[noreturn]] inline void wrong_call(const std::string& what) {
    std::fprintf(stderr, "emulated library: %s\n", what.c_str());
    std::abort();
}

template <class Function>
Function* nccl_function(const char* name) {
    static void* nccl = dlopen("libnccl.so.2", RTLD_NOW);
    auto* f = nccl ? reinterpret_cast<Function*>(dlsym(nccl, name)) : nullptr;
    if (!f) wrong_call(std::string("no ") + name + " in libnccl.so.2");
    return f;
}

struct library_handle {
    cudaStream_t stream;

    bool drain() const {
        static auto* synchronize = driver_function<int(cudaStream_t)>("cuStreamSynchronize");
        return synchronize && synchronize(stream) == 0;
    }
};

struct process_grid {
    void* group;
    int rank, rows, columns;
};

inline process_grid* new_grid(void* comm, std::int64_t rows, std::int64_t columns, int by_rows) {
    int rank = 0, ranks = 0;
    nccl_function<int(void*, int*)>("ncclCommUserRank")(comm, &rank);
    nccl_function<int(void*, int*)>("ncclCommCount")(comm, &ranks);
    if (rows * columns != ranks || by_rows != 1) wrong_call("a grid that is not one of all ranks by rows");
    return new process_grid{nccl_function<void*(void*)>("emulated_nccl_group")(comm), rank, static_cast<int>(rows),
                            static_cast<int>(columns)};
}

/// One axis of a matrix in blocks: whose an element is, and where it lies there.
struct dealt_axis {
    std::int64_t n, block;
    int ranks;

    int owner(std::int64_t i) const { return static_cast<int>(i / block % ranks); }
    std::int64_t place(std::int64_t i) const { return i / block / ranks * block + i % block; }
    std::int64_t count(int rank) const {
        std::int64_t own = 0;
        for (std::int64_t i = 0; i < n; ++i) own += owner(i) == rank;
        return own;
    }
};

struct matrix_description {
    process_grid* grid;
    int type;
    dealt_axis rows, columns;
    std::int64_t leading;

    bool is_right() const {
        const int row = grid->rank / grid->columns;
        return rows.n >= 0 && columns.n >= 0 && rows.block > 0 && columns.block > 0 && leading > 0 &&
               leading >= rows.count(row);
    }
    std::int64_t elements() const { return leading * columns.count(grid->rank % grid->columns); }
};

/// Both libraries' answers.
constexpr int success = 0, invalid_value = 3;

/// What a library was asked, and what it has given and not got back.
struct call_record {
    std::mutex mutex;
    std::string names;
    long long objects = 0;

    void add(const std::string& name, int change = 0) {
        const std::lock_guard lock(mutex);
        names += name + " ";
        objects += change;
    }
    template <class Object>
    int make(const char* name, void** to, Object* object) {
        add(name, 1);
        *to = object;
        return success;
    }
    template <class Object>
    int destroy(const char* name, void* object) {
        add(name, -1);
        delete static_cast<Object*>(object);
        return success;
    }
    int make_matrix(const char* name, void** to, const matrix_description& d) {
        return d.is_right() ? make(name, to, new matrix_description(d)) : invalid_value;
    }
};

/// What one rank brings to a call.
struct matrix_part {
    matrix_description* of;
    void* address;
};

/// A matrix of the ranks, by columns; written back to their parts on demand.
template <class T>
class whole_matrix {
public:
    explicit whole_matrix(std::vector<matrix_part> parts) : parts_(std::move(parts)) {
        const matrix_description& d = *parts_[0].of;
        elements_.resize(static_cast<std::size_t>(rows() * columns()) + 64);
        for (const matrix_part& p : parts_)
            if (p.of->rows.n != d.rows.n || p.of->columns.n != d.columns.n || p.of->rows.block != d.rows.block)
                wrong_call("ranks describe a matrix differently");
        visit([](T& whole, T& part) { whole = part; });
    }
    std::int64_t rows() const { return parts_[0].of->rows.n; }
    std::int64_t columns() const { return parts_[0].of->columns.n; }
    T* data() { return elements_.data(); }
    void write() {
        visit([](T& whole, T& part) { part = whole; });
    }

private:
    template <class F>
    void visit(F f) {
        const matrix_description& d = *parts_[0].of;
        std::vector<T*> locals;
        for (const matrix_part& p : parts_) locals.push_back(device_elements<T>(p.address, p.of->elements()));
        for (std::int64_t j = 0; j < columns(); ++j)
            for (std::int64_t i = 0; i < rows(); ++i) {
                const auto rank = static_cast<std::size_t>(d.rows.owner(i) * d.columns.ranks + d.columns.owner(j));
                const std::int64_t at = d.columns.place(j) * parts_[rank].of->leading + d.rows.place(i);
                f(elements_[static_cast<std::size_t>(j * rows() + i)], locals[rank][at]);
            }
    }
    std::vector<matrix_part> parts_;
    std::vector<T> elements_;
};

/// Ranks in the middle of a call.
struct meeting {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<void*> arguments;
    std::string name;
    int come = 0;
    long long round = 0;
};

inline meeting& meeting_of(void* group) {
    static std::mutex mutex;
    static std::map<void*, meeting> all;
    const std::lock_guard lock(mutex);
    return all[group];
}

/// Runs `f` once, with what each rank brought, when all have come.
template <class Arguments, class F>
void together(const process_grid& g, const std::string& name, Arguments& mine, F f) {
    meeting& m = meeting_of(g.group);
    const int ranks = g.rows * g.columns;
    std::unique_lock lock(m.mutex);
    if (m.come == 0) {
        m.name = name;
        m.arguments.assign(static_cast<std::size_t>(ranks), nullptr);
    }
    if (m.name != name) wrong_call("one rank calls " + m.name + " and another one " + name);
    m.arguments[static_cast<std::size_t>(g.rank)] = &mine;
    if (++m.come < ranks) {
        const long long round = m.round;
        if (!m.changed.wait_for(lock, std::chrono::seconds(10), [&] { return m.round != round; }))
            wrong_call("not all ranks came to " + name);
        return;
    }
    std::vector<Arguments*> all;
    for (void* a : m.arguments) all.push_back(static_cast<Arguments*>(a));
    f(all);
    m.come = 0;
    ++m.round;
    m.changed.notify_all();
}

/// The memory to work in that a routine asks for and wants to be given.
struct work_size {
    std::size_t device, host;
};
inline work_size work_of(std::int64_t m, std::int64_t n) {
    return {static_cast<std::size_t>(1000 + m * n), static_cast<std::size_t>(10 + n)};
}
inline void require_work(const char* name, work_size wanted, const void* device, std::size_t device_bytes,
                         const void* host, std::size_t host_bytes) {
    if (wanted.device != device_bytes || wanted.host != host_bytes || !host)
        wrong_call(std::string(name) + " is given other memory to work in than it asked for");
    device_elements<char>(device, static_cast<std::int64_t>(device_bytes));
}

}  // namespace cuda_emulation

// Values behind arrays: memory, or a pending statement; counted references and the queue of what is pending.
#pragma once

#include <exception>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/runtime/base/process/call_place.hpp>
#include <sinter/runtime/base/counted_ref.hpp>
#include <sinter/runtime/base/light_mutex.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/execute/plan_ref.hpp>
#include <sinter/runtime/lazy/code.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct value;
struct pending_queue;

/// An array's or an expression's hold on a value: as long as there is one, the value can be named.
class handle {
public:
    handle() = default;
    explicit handle(value* v) noexcept : value_(v) { acquire(); }
    /// The same for a value that references keep, without an atomic addition where this is its first handle; the lock
    /// is held.
    static handle first_of(value* v) noexcept;
    handle(const handle& other) noexcept : handle(other.value_) {}
    handle(handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    handle& operator=(handle other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~handle() {
        if (value_) release_handle(value_);
    }
    value* get() const noexcept { return value_; }
    /// The value as the only one of several.
    codegen::span<value* const> alone() const noexcept { return {&value_, 1}; }
    value* operator->() const noexcept { return value_; }
    value& operator*() const noexcept { return *value_; }
    explicit operator bool() const noexcept { return value_ != nullptr; }

private:
    void acquire() const noexcept;
    static void release_handle(value* v) noexcept;
    value* value_ = nullptr;
};

/// The plan of a statement alone over stored values, and all that it depends on besides the statement's form: compared
/// in full, so that finding it needs no graph and no table.
struct hot_plan {
    struct leaf {
        dtype type;
        std::uint32_t slot;  ///< number of the buffer: leaves may share one
        std::size_t bytes;   ///< of the buffer
        dims shape;
        codegen::layout at;
    };
    dtype type;
    device where;
    dims shape;
    codegen::sequence<leaf> leaves;
    std::size_t inputs = 0;  ///< buffers among the leaves
    plan_ref plan;
};

/// The words of an expression: equal words are one form, so that forms are compared by their numbers.
struct expression_form {
    codegen::sequence<code> codes;
    std::uint64_t hash = 0;
    std::uint32_t number = 0;        ///< no other form's, before or after
    std::uint32_t next = 0;          ///< of the forms with the same hash
    mutable std::uint32_t uses = 0;  ///< form_refs
    bool has_power = false;          ///< its plan depends on the values of exponents
    bool is_expensive = false;       ///< calls a function whose results are stored rather than computed twice
    bool is_component = false;       ///< is one result of a call that has several
    mutable codegen::sequence<hot_plan> recent;  ///< what ran lately, see find_hot
    mutable std::uint32_t next_recent = 0;
};

/// The form of some words; runtime_lock() is held.
const expression_form& form_of(const codegen::sequence<code>& codes);
/// Forgets plans that have not run since then, and forms that have none and no statement; runtime_lock() is held.
void forget_forms(std::uint64_t last_run);

/// A statement's hold on a form.
using form_ref = counted_ref<expression_form>;
inline void hold(const expression_form& f) noexcept { ++f.uses; }
inline void let_go(const expression_form& f) noexcept { --f.uses; }

enum class statement_kind : std::uint8_t {
    expression,
    index,
    empty,
    view,
    reduce,
    scan,
    select,
    gather,
    update,
    call,
    loop  ///< in what another loop repeats: never computed as a statement
};

/// A loop in the body of another one, which is run in each turn of that.
class inner_loop {
public:
    virtual ~inner_loop() = default;
    /// Appends the last state of the loop over these inputs, computed.
    virtual void run(codegen::sequence<handle> inputs, codegen::sequence<handle>& results) const = 0;

private:
    friend void hold(const inner_loop& l) noexcept { ++l.uses_; }
    friend void let_go(const inner_loop& l) noexcept {
        if (--l.uses_ == 0) delete &l;
    }
    mutable std::uint32_t uses_ = 0;  ///< of counted_ref
};

/// What a pending value will be computed from.
struct statement {
    statement_kind kind = statement_kind::expression;
    form_ref form;                                     ///< of an expression
    codegen::sequence<value*> inputs;                  ///< counted references without a name
    codegen::sequence<codegen::scalar_value> scalars;  ///< of an expression
    codegen::layout where;                             ///< of a view or an update
    codegen::reduce_info reduce{};                     ///< of a reduction or a scan
    codegen::gather_info gather{};                     ///< of a gather
    codegen::call_info call;                           ///< of a call
    counted_ref<inner_loop> loop;                      ///< of a loop
    std::uint32_t part = 0;                            ///< of its state

    /// Whether it calls a function whose results are stored rather than computed twice.
    bool is_expensive() const { return form && form->is_expensive; }
};

/// An array's contents: stored, pending or failed. Everything but the counts is guarded by runtime_lock().
struct value {
    // Both counts in one word, so that holding and letting go is one atomic operation.
    static constexpr std::uint64_t one_reference = 1, one_handle = (std::uint64_t{1} << 32) | one_reference;
    std::atomic<std::uint64_t> counts{0};
    /// Handles and the statements that read it.
    std::int32_t references() const noexcept {
        return static_cast<std::int32_t>(counts.load(std::memory_order_acquire));
    }
    std::int32_t handles() const noexcept {
        return static_cast<std::int32_t>(counts.load(std::memory_order_acquire) >> 32);
    }

    dtype type;
    dims shape;
    device where;

    buffer_ref memory;   ///< once stored
    codegen::layout at;  ///< where its elements lie in memory
    codegen::owner<statement> pending;
    std::exception_ptr failure;
    plan_ref plan;  ///< that stored it

    /// Words of what it is computed from, when that is nothing but numbers and stays below `most_symbolic`; else 0.
    /// Such a value is never queued, and stored only when it is read itself.
    std::uint16_t symbolic = 0;
    static constexpr std::size_t most_symbolic = 64;

    bool computed_before = false;  ///< was computed inside a plan that did not store it
    bool kept_alive = false;       ///< stored, but only pending statements hold it
    std::uint32_t root = 0;        ///< which of its plan's roots it is
    std::uint64_t sequence = 0;    ///< position among the statements of its thread
    std::uint64_t context = 0;     ///< hash of its own and the preceding statements' shape of wiring
    bool stale = false;            ///< what it is computed from was pending at the last read, or it was itself
    bool crosses = false;          ///< was stale at the first read after it
    std::uint32_t number = 0;      ///< among the values of the program `seen_by`
    std::uint64_t seen_by = 0;
    const std::string* label = nullptr;  ///< what the user calls it, see label.hpp
    const call_place* place = nullptr;   ///< where it was recorded, if that is kept
    std::uint64_t noted = 0;             ///< number that a step_record has given it, no other value's
    pending_queue* queue = nullptr;
    value* previous = nullptr;
    value* next = nullptr;

    bool is_stored() const { return pending == nullptr && !failure; }
    std::int64_t bytes() const { return shape.product() * codegen::size_of(type); }
};

/// The pending statements of one thread, oldest first.
struct pending_queue {
    value* first = nullptr;
    value* last = nullptr;
    std::size_t count = 0;
    std::size_t nodes = 0;
    std::uint64_t next_sequence = 1;
    std::uint64_t last_read = 0;         ///< sequence at which something was read last
    bool flushed = false;                ///< since the last read
    int traces = 0;                      ///< loops that are being recorded: their statements never run
    pending_queue* next_idle = nullptr;  ///< of those whose threads have ended

    static constexpr int window = 32;
    std::uint64_t signatures[window] = {};  ///< of the last statements, in turn
    std::uint64_t rolling = 0;              ///< hash of them in order

    /// The place of a loop's body at which the least is alive, looked for during one turn of the loop.
    struct turn {
        std::uint64_t end = 0;      ///< sequence at which the turn is over; 0: none is being looked at
        std::uint64_t context = 0;  ///< at the best place so far
        std::int64_t alive = 0;     ///< bytes that a flush there would store
    } turn;
};

/// What waits for the end of runtime_lock(): code of others, which may take locks of its own or come back to sinter.
struct postponed_call {
    void (*run)(postponed_call*) noexcept = nullptr;  ///< may destroy it
    postponed_call* next = nullptr;
};

/// A recursive mutex that calls, once its thread has given it away, what was postponed meanwhile.
class postponing_mutex {
public:
    void lock() noexcept { mutex_.lock(); }
    void unlock() noexcept {
        if (!first_ || !mutex_.is_last()) return mutex_.unlock();
        unlock_and_call();
    }
    /// Calls it as soon as this thread does not have the mutex, in order: now, or when it gives it away.
    void call_outside(postponed_call& c) noexcept;

private:
    void unlock_and_call() noexcept;
    light_recursive_mutex mutex_;
    postponed_call* first_ = nullptr;  ///< guarded by the mutex, as the next
    postponed_call* last_ = nullptr;
};

/// Guards all values, queues and plans of the process.
postponing_mutex& runtime_lock();

/// This thread's queue; queues outlive their threads, as their values may.
pending_queue& this_queue();

/// Bytes of stored values that only pending statements hold.
std::atomic<std::int64_t>& bytes_kept_alive();

/// Throws shape_error when a size is negative or the bytes of an array do not fit in 63 bits.
void check_shape(dtype type, const dims& shape);

/// A new value in memory.
handle make_stored(dtype type, const dims& shape, buffer_ref memory, const codegen::layout& at);

/// A new pending value; see before_recording. The statement is left empty.
handle make_pending(dtype type, const dims& shape, device where, statement&& s);
/// The same for a view, an update, an index or an empty array, at this layout of what is viewed or updated; the lock is
/// held.
handle make_pending(statement_kind kind, dtype type, const dims& shape, device where,
                    codegen::span<value* const> inputs, const codegen::layout& at);
/// The same for an expression of these words; inputs and scalars are copied.
handle make_pending(dtype type, const dims& shape, device where, const codegen::sequence<code>& codes,
                    const codegen::sequence<value*>& inputs, const codegen::sequence<codegen::scalar_value>& scalars);

/// An empty statement.
codegen::owner<statement> take_statement();

/// Appends a pending value to a queue.
void link_pending(value& v, pending_queue& q);

/// A statement's reference to a value.
inline void hold(value* v) noexcept { v->counts.fetch_add(value::one_reference, std::memory_order_relaxed); }
void let_go(value* v) noexcept;

inline void handle::acquire() const noexcept {
    if (value_) value_->counts.fetch_add(value::one_handle, std::memory_order_relaxed);
}

inline handle handle::first_of(value* v) noexcept {
    // Without a handle nobody copies one, and references change under the lock only.
    const std::uint64_t now = v->counts.load(std::memory_order_relaxed);
    if (now >> 32 != 0) return handle(v);
    v->counts.store(now + value::one_handle, std::memory_order_relaxed);
    handle first;
    first.value_ = v;
    return first;
}

/// Turns a pending value into a stored or a failed one and drops its statement.
void materialise(value& v, buffer_ref memory, const codegen::layout& at);
void materialise(value& v);  ///< what it is stored as has been set
void fail(value& v, std::exception_ptr why);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/value.ipp>
#endif

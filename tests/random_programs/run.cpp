// Executes statements that make or change values.
#include "run.hpp"

#include <cmath>
#include <cstring>

namespace random_programs {

using namespace sinter::detail;

const machine::variable& machine::at(int v) const {
    if (v < 0 || static_cast<std::size_t>(v) >= variables.size() || !variables[static_cast<std::size_t>(v)].value)
        throw not_applicable();
    return variables[static_cast<std::size_t>(v)];
}

bool machine::has_nan(int v) const {
    const handle& h = at(v).value;
    if (codegen::kind_rank(h->type) < 2) return false;
    handle is = record_apply(op::isnan, {&h, 1});
    std::vector<unsigned char> found(static_cast<std::size_t>(h->shape.product()));
    detail::read(is, found.data());
    for (unsigned char c : found)
        if (c) return true;
    return false;
}

std::vector<index_item> machine::index_items(const std::vector<item>& items) const {
    std::vector<index_item> list;
    for (const item& i : items) {
        index_item x{.kind = static_cast<index_item::what>(static_cast<int>(index_item::what::number))};
        slice::bound bounds[3];
        for (int k = 0; k < 3; ++k)
            if (i.given[k]) bounds[k] = slice::bound(i.value[k]);
        switch (i.kind) {
            case item::what::number: x.number = i.value[0]; break;
            case item::what::range:
                x.kind = index_item::what::slice;
                x.range = slice(bounds[0], bounds[1], bounds[2]);
                break;
            case item::what::newaxis: x.kind = index_item::what::newaxis; break;
            case item::what::ellipsis: x.kind = index_item::what::ellipsis; break;
            case item::what::indices:
                x.kind = index_item::what::indices;
                x.indices = at(i.variable).value;
                if (!codegen::is_integer(x.indices->type) || at(i.variable).nearly) throw not_applicable();
        }
        list.push_back(std::move(x));
    }
    return list;
}

// Whether a value would be compared more strictly after a conversion than its operations were exact. Half precision is
// always: what differs in float's last digits may round to neighbours that lie far apart.
static bool sharpens(dtype from, dtype to) {
    return codegen::is_half(to) || (codegen::real_of(from) == dtype::float32 && codegen::real_of(to) == dtype::float64);
}

// An operation's operands on top of the stack become its result.
void machine::apply_token(const token& t, std::vector<entry>& stack) {
    auto arity = static_cast<std::size_t>(codegen::info(t.operation).arity);
    if (stack.size() < arity) throw not_applicable();
    entry* args = stack.data() + stack.size() - arity;
    dtype given[3]{};
    entry r{dtype::float32, {}, false, -1};
    for (std::size_t i = 0; i < arity; ++i) {
        given[i] = args[i].type;
        r.shape = codegen::broadcast_shapes(codegen::info(t.operation).name, r.shape, args[i].shape);
        r.nearly = r.nearly || args[i].nearly;
    }
    dtype common = codegen::common_type(t.operation, given);
    if (!codegen::defined_for(t.operation, common)) throw not_applicable();
    for (std::size_t i = 0; i < arity; ++i)
        if (!same_backend_ && args[i].nearly && sharpens(args[i].type, common)) throw not_applicable();
    r.type = codegen::result_type(t.operation, common);
    if (how_ == mode::eager && shows_nan_sign(t.operation)) {
        const entry& shown = args[arity - 1];
        if (shown.variable == -1 || (shown.variable >= 0 && has_nan(shown.variable))) throw not_applicable();
    }
    if (!same_backend_ && r.nearly && !keeps_nearness(t.operation)) throw not_applicable();
    if (!same_backend_ && t.operation == op::where && args[0].nearly) throw not_applicable();
    r.nearly = r.nearly || !is_exact(t.operation, common);
    if (!same_backend_ && r.nearly && codegen::is_half(r.type)) throw not_applicable();
    if (counts_) ++counts_->operations[static_cast<int>(t.operation)][static_cast<int>(common)];
    stack.resize(stack.size() - arity);
    stack.push_back(r);
}

machine::computed machine::compute_expression(const statement& s) {
    return compute_tokens(s.tokens, [&](int v) { return at(v); });
}

machine::computed machine::compute_tokens(const std::vector<token>& tokens, const std::function<variable(int)>& input) {
    recorder r;
    std::vector<entry> stack;
    for (const token& t : tokens) switch (t.kind) {
            case token::what::input: {
                const variable v = input(t.variable);
                r.add_input(v.value);
                stack.push_back({v.value->type, v.value->shape, v.nearly, t.variable < 0 ? -1 : t.variable});
                break;
            }
            case token::what::scalar:
                r.add_scalar(number_of(t));
                // A scalar is named -2: its sign is known unless it is NaN.
                stack.push_back({t.type, {}, false, std::isnan(t.parts[0]) ? -1 : -2});
                break;
            case token::what::cast:
                if (!same_backend_ && stack.back().nearly &&
                    (!codegen::is_complex(t.type) || sharpens(stack.back().type, t.type)))
                    throw not_applicable();
                r.add_cast(t.type);
                if (counts_) ++counts_->casts[static_cast<int>(stack.back().type)][static_cast<int>(t.type)];
                stack.back().type = t.type;
                break;
            case token::what::apply: apply_token(t, stack); r.add_op(t.operation);
        }
    if (stack.size() != 1) throw not_applicable();
    return {record(std::move(r), stack[0].type, stack[0].shape), stack[0].nearly};
}

machine::computed machine::compute_random(const statement& s) {
    random_source from{s.seed, s.seed >> 32};
    if (s.style == 0) return {record_uniform(s.type, s.shape, from), false};
    if (s.style == 1) return {record_draws(named<distribution::standard_normal>(), s.type, {}, s.shape, from), false};
    return {record_integers(s.type, codegen::kind_of(s.type) == 'u' ? 0 : -9, 20, s.shape, {s.seed, 0}), false};
}

machine::computed machine::compute_view(const statement& s) {
    const variable& v = at(s.variables[0]);
    const handle& h = v.value;
    switch (s.what) {
        case kind::transpose: {
            if (s.shape.size() != h->shape.size()) throw not_applicable();
            return {record_view(h, codegen::transposed(codegen::contiguous(h->shape), s.shape)), v.nearly};
        }
        case kind::reshape: return {record_reshape(h, s.shape), v.nearly};
        case kind::broadcast: return {record_broadcast("broadcast_to", h, s.shape), v.nearly};
        case kind::mask_read: {
            const variable& m = at(s.variables[1]);
            if (m.value->type != dtype::bool_ || (m.nearly && !same_backend_)) throw not_applicable();
            index_item x{.kind = index_item::what::mask, .indices = m.value};
            return {read_selection(h, select(h, {&x, 1})), v.nearly};
        }
        default: {
            std::vector<index_item> items = index_items(s.items);
            return {read_selection(h, select(h, items)), v.nearly};
        }
    }
}

machine::computed machine::compute_reduce(const statement& s) {
    const variable& v = at(s.variables[0]);
    if (!codegen::accepts(s.how, v.value->type)) throw not_applicable();
    const bool continuous =
        codegen::info(s.how).accumulate == codegen::accumulation::same && !codegen::wants_first(s.how);
    if (v.nearly && !same_backend_ && !continuous) throw not_applicable();
    if (v.value->shape.size() < max_rank && s.axes >> v.value->shape.size()) throw not_applicable();
    handle h = record_reduce(s.how, v.value, s.axes, s.keepdims);
    if (counts_) {
        ++counts_->reductions[static_cast<int>(s.how)][static_cast<int>(v.value->type)];
        ++counts_->reduced_axes[__builtin_popcount(s.axes)];
    }
    // The product of complex numbers is rounded as each backend's complex product is.
    return {h, v.nearly || (s.how == reduction::prod && codegen::is_complex(v.value->type))};
}

machine::computed machine::compute_scan(const statement& s) {
    const variable& v = at(s.variables[0]);
    const bool adds = codegen::info(s.how).accumulate == codegen::accumulation::wide;
    if (!codegen::accepts(s.how, v.value->type) || s.axis >= v.value->shape.size()) throw not_applicable();
    if (v.nearly && !same_backend_ && adds) throw not_applicable();
    return {record_scan(s.how, v.value, s.axis),
            v.nearly || (s.how == reduction::prod && codegen::is_complex(v.value->type))};
}

// Whether no sum of products rounds, whatever their order.
// Whether every order of adding gives the same bits, the sign of a zero included: libraries need not begin with a zero,
// and where that is the only other term it decides the sign.
bool machine::multiplies_exactly(const handle& a, const handle& b) const {
    const bool single = a->shape.back() == 1;
    double largest[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
        const handle& h = side ? b : a;
        auto n = static_cast<std::size_t>(h->shape.product());
        std::vector<unsigned char> bytes(n * static_cast<std::size_t>(codegen::size_of(h->type)));
        std::vector<double> parts(2 * n);
        detail::read(h, bytes.data());
        codegen::convert(h->type, dtype::complex128, bytes.data(), parts.data(), static_cast<std::int64_t>(n));
        for (double x : parts) {
            if (!(std::fabs(x) < 1e6) || x * 8 != std::rint(x * 8)) return false;
            if (x == 0 && (single || std::signbit(x))) return false;
            largest[side] = std::max(largest[side], std::fabs(x));
        }
    }
    double limit = codegen::real_of(a->type) == dtype::float64 ? 0x1p53 : 0x1p24;
    return 64 * 2 * largest[0] * largest[1] * static_cast<double>(a->shape.product() + 1) < limit;
}

machine::computed machine::compute_matmul(const statement& s) {
    const variable &a = at(s.variables[0]), &b = at(s.variables[1]);
    dtype type = codegen::promote(a.value->type, b.value->type);
    if ((a.nearly || b.nearly) && !same_backend_) throw not_applicable();
    handle x = record_cast(a.value, type), y = record_cast(b.value, type);
    if (codegen::kind_rank(type) < 2) return {record_products(x, y), false};
    if (how_ == mode::eager && !multiplies_exactly(x, y)) throw not_applicable();
    // OpenBLAS's kernels of one machine give zeros of complex products another sign than those of the next.
    return {record_matmul(x, y), codegen::is_complex(type)};
}

// An empty array that is filled part by part.
machine::computed machine::compute_concatenate(const statement& s) {
    dims shape = at(s.variables[0]).value->shape;
    dtype type = at(s.variables[0]).value->type;
    if (s.axis >= shape.size()) throw not_applicable();
    bool nearly = false;
    shape[s.axis] = 0;
    for (int v : s.variables) {
        const dims& part = at(v).value->shape;
        if (part.size() != shape.size() || at(v).value->type != type) throw not_applicable();
        for (int i = 0; i < part.size(); ++i)
            if (i != s.axis && part[i] != shape[i]) throw not_applicable();
        shape[s.axis] += part[s.axis];
        nearly = nearly || at(v).nearly;
    }
    handle whole = record_empty(type, shape);
    std::int64_t start = 0;
    for (int v : s.variables) {
        std::int64_t n = at(v).value->shape[s.axis];
        whole = record_update(whole, at(v).value, codegen::sliced(codegen::contiguous(shape), s.axis, start, 1, n));
        start += n;
    }
    return {whole, nearly};
}

machine::computed machine::assigned_value(const statement& s, std::size_t which) const {
    if (s.variables.size() > which) {
        const variable& v = at(s.variables[which]);
        return {v.value, v.nearly};
    }
    return {record_scalar(number_of(s.tokens[0]), {}), false};
}

machine::computed machine::compute_update(const statement& s) {
    const variable& v = at(s.variables[0]);
    dtype type = v.value->type;
    bool nearly = v.nearly;
    handle kept;  // the base that a part on the right holds until the end of the statement
    computed right;
    selection where;
    std::vector<index_item> items = index_items(s.items);
    if (s.what == kind::mask_update) {
        const variable& m = at(s.variables[1]);
        if (m.value->type != dtype::bool_ || (m.nearly && !same_backend_)) throw not_applicable();
        items.push_back({.kind = index_item::what::mask, .indices = m.value});
        right = assigned_value(s, 2);
    } else if (s.what == kind::overlap_update) {
        kept = v.value;
        std::vector<index_item> others = index_items(s.other_items);
        right = {read_selection(kept, select(kept, others)), nearly};
        if (s.style == 1) {
            handle pair[] = {right.value, read_selection(v.value, select(v.value, items))};
            if (nearly && !same_backend_) throw not_applicable();
            right.value = record_apply(op::add, pair);
        }
    } else {
        right = assigned_value(s, 1);
    }
    handle base = v.value;
    where = select(base, items);
    if (s.what == kind::compound_update) {
        handle pair[] = {read_selection(base, where), right.value};
        bool inexact = (nearly || right.nearly) && !same_backend_;
        if (inexact || shows_nan_sign(s.operation)) throw not_applicable();
        dtype given[] = {type, right.value->type};
        dtype common = codegen::common_type(s.operation, given);
        if (codegen::defined_for(s.operation, common) && !is_exact(s.operation, common)) right.nearly = true;
        right.value = record_apply(s.operation, pair);
    }
    if (codegen::kind_rank(right.value->type) > codegen::kind_rank(type)) throw not_applicable();
    if ((right.nearly || nearly) && !same_backend_ && sharpens(right.value->type, type)) throw not_applicable();
    handle written = write_selection(base, where, right.value);
    return {written, nearly || right.nearly};
}

std::optional<machine::computed> machine::compute(const statement& s) {
    switch (s.what) {
        case kind::data: {
            std::vector<unsigned char> bytes = make_data(s.type, s.shape, s.seed, s.style);
            return computed{store(s.type, s.shape, bytes.data()), false};
        }
        case kind::full: return computed{record_scalar(number_of(s.tokens[0]), s.shape), false};
        case kind::fill: {
            const variable& v = at(s.variables[0]);
            if (number_of(s.tokens[0]).type != v.value->type) throw not_applicable();
            return computed{record_scalar(number_of(s.tokens[0]), v.value->shape), false};
        }
        case kind::index: return computed{record_cast(record_index(s.shape), s.type), false};
        case kind::random: return compute_random(s);
        case kind::expression: return compute_expression(s);
        case kind::function: return compute_function(s);
        case kind::made: return compute_made(s);
        case kind::loop: return compute_loop(s);
        case kind::cast: {
            const variable& v = at(s.variables[0]);
            if (v.nearly && !same_backend_ && (!codegen::is_complex(s.type) || sharpens(v.value->type, s.type)))
                throw not_applicable();
            if (counts_) ++counts_->casts[static_cast<int>(v.value->type)][static_cast<int>(s.type)];
            return computed{record_cast(v.value, s.type), v.nearly};
        }
        case kind::select:
        case kind::take:
        case kind::mask_read:
        case kind::transpose:
        case kind::reshape:
        case kind::broadcast: return compute_view(s);
        case kind::reduce: return compute_reduce(s);
        case kind::scan: return compute_scan(s);
        case kind::update:
        case kind::compound_update:
        case kind::overlap_update:
        case kind::mask_update: return compute_update(s);
        case kind::concatenate: return compute_concatenate(s);
        case kind::matmul: return compute_matmul(s);
        case kind::copy_handle: return computed{at(s.variables[0]).value, at(s.variables[0]).nearly};
        case kind::copy: return computed{copied(at(s.variables[0]).value), at(s.variables[0]).nearly};
        default: return std::nullopt;
    }
}

void machine::count(const statement& s) {
    if (!counts_) return;
    ++counts_->kinds[static_cast<int>(s.what)];
    ++counts_->executed;
    for (const item& i : s.items) counts_->negative_steps += i.given[2] && i.value[2] < 0;
    if (s.target < 0) return;
    const dims& shape = variables[static_cast<std::size_t>(s.target)].value->shape;
    ++counts_->ranks[shape.size()];
    counts_->add_size(shape.product());
}

}  // namespace random_programs

// Executes statements that look at values, whole programs, and compares what two runs saw.
#include "run.hpp"

#include <sinter/codegen/ops/apply.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace random_programs {

void machine::observe(int number, int v) {
    const handle& h = at(v).value;
    observation o{number, v, h->type, h->shape, at(v).nearly, {}};
    o.bytes.resize(static_cast<std::size_t>(h->shape.product() * codegen::size_of(h->type)));
    detail::read(h, o.bytes.data());
    result.seen.push_back(std::move(o));
}

void machine::observe_text(int number, int v) {
    if (at(v).nearly) throw not_applicable();
    std::string text = detail::text_of(at(v).value, true);
    observation o{number, v, dtype::uint8, dims(text.size()), false, {}};
    o.bytes.assign(text.begin(), text.end());
    result.seen.push_back(std::move(o));
}

void machine::look(const statement& s, int number) {
    switch (s.what) {
        case kind::drop:
            at(s.variables[0]);
            variables[static_cast<std::size_t>(s.variables[0])].value = handle();
            break;
        case kind::read: observe(number, s.variables[0]); break;
        case kind::read_item: {
            const handle& h = at(s.variables[0]).value;
            if (h->shape.product() == 0) throw not_applicable();
            dice d(s.seed);
            dims place;
            for (std::int64_t n : h->shape) place.push_back(d.roll(static_cast<int>(n)));
            codegen::scalar_value x = detail::read_item(h, {place.begin(), static_cast<std::size_t>(place.size())});
            observation o{number, s.variables[0], h->type, {}, at(s.variables[0]).nearly, {}};
            o.bytes.assign(x.bytes, x.bytes + codegen::size_of(x.type));
            result.seen.push_back(std::move(o));
            break;
        }
        case kind::print: observe_text(number, s.variables[0]); break;
        case kind::eval:
        case kind::explain: {
            std::vector<handle> list;
            for (int v : s.variables) list.push_back(at(v).value);
            if (s.what == kind::eval) detail::evaluate(list);
            else if (how_ != mode::eager) (void)detail::explain_values(list).text();
            break;
        }
        default: throw not_applicable();
    }
}

void machine::evaluate_now(const statement& s, const handle& value) {
    detail::evaluate({&value, 1});
    const bool by_indices = std::ranges::any_of(s.items, [](const item& i) { return i.kind == item::what::indices; });
    if (!by_indices && s.what != kind::made) return;
    std::vector<unsigned char> bytes(static_cast<std::size_t>(value->shape.product() * codegen::size_of(value->type)));
    detail::read(value, bytes.data());
}

bool machine::execute(const statement& s, int number, bool done) {
    if (!done) {
        if (counts_) ++counts_->skipped;
        return false;
    }
    try {
        std::optional<computed> c = compute(s);
        if (!c) {
            look(s, number);
        } else {
            if (how_ == mode::eager) evaluate_now(s, c->value);
            auto t = static_cast<std::size_t>(s.target);
            if (t >= variables.size()) variables.resize(t + 1);
            variable& to = variables[t];
            if (to.value && to.value->type != c->value->type) throw not_applicable();
            to.type = c->value->type;
            to.nearly = c->nearly;
            to.value = std::move(c->value);
        }
    } catch (const not_applicable&) {
        if (how_ != mode::eager) throw;
        return false;
    } catch (const sinter::internal_error&) {
        throw;
    } catch (const sinter::error&) {
        if (how_ != mode::eager) throw;
        return false;
    }
    count(s);
    if (how_ == mode::disturbed) disturb();
    return true;
}

void machine::disturb() {
    std::vector<handle> live;
    for (const variable& v : variables)
        if (v.value) live.push_back(v.value);
    if (live.empty()) return;
    auto any = [&] { return live[static_cast<std::size_t>(disturbance_.roll(static_cast<int>(live.size())))]; };
    if (disturbance_.once_in(4)) {
        std::vector<handle> list{any()};
        if (disturbance_.once_in(2)) list.push_back(any());
        detail::evaluate(list);
    }
    if (disturbance_.once_in(8)) (void)detail::explain_values(live).text();
    if (disturbance_.once_in(6)) extras_.push_back(any());
    if (!extras_.empty() && disturbance_.once_in(8)) extras_.erase(extras_.begin());
}

void machine::finish(bool together) {
    if (together) {
        std::vector<handle> live;
        for (const variable& v : variables)
            if (v.value) live.push_back(v.value);
        detail::evaluate(live);
    }
    for (std::size_t v = variables.size(); v-- > 0;)
        if (variables[v].value) observe(-1, static_cast<int>(v));
}

outcome run(const program& p, mode how, const outcome* reference, std::uint64_t disturbance, operation_counts* counts) {
    machine m(how, p.same_backend, counts);
    m.disturb_with(disturbance);
    std::vector<int> order = p.order();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const statement& s = p.statements[static_cast<std::size_t>(order[i])];
        m.result.done.push_back(m.execute(s, order[i], !reference || reference->done[i]));
    }
    m.finish(p.reads_together);
    return std::move(m.result);
}

// Bits of one real number; every NaN is the same.
static bool same_part(dtype type, const unsigned char* a, const unsigned char* b) {
    auto size = static_cast<std::size_t>(codegen::size_of(type));
    if (std::memcmp(a, b, size) == 0) return true;
    if (!codegen::is_floating(type)) return false;
    double x, y;
    codegen::convert(type, dtype::float64, a, &x, 1);
    codegen::convert(type, dtype::float64, b, &y, 1);
    return std::isnan(x) && std::isnan(y);
}

// Within what functions of different libraries differ by.
static bool near_part(dtype type, const unsigned char* a, const unsigned char* b, double scale) {
    if (same_part(type, a, b)) return true;
    if (!codegen::is_floating(type)) return false;
    double x, y;
    codegen::convert(type, dtype::float64, a, &x, 1);
    codegen::convert(type, dtype::float64, b, &y, 1);
    if (std::isnan(x) || std::isnan(y)) return false;
    double tolerance = type == dtype::float32 ? 2e-5 : 1e-10;
    if (std::isinf(x) || std::isinf(y)) {
        // One side may overflow where the other just does not.
        double largest = type == dtype::float32 ? 3.4e38 : 1.79e308, other = std::isinf(x) ? y : x;
        return std::signbit(x) == std::signbit(y) && std::fabs(other) > largest * 0.99;
    }
    return std::fabs(x - y) <= tolerance * std::max({std::fabs(x), std::fabs(y), scale});
}

static std::string number_text(dtype type, const unsigned char* at) {
    double parts[2];
    codegen::convert(type, dtype::complex128, at, parts, 1);
    char text[80];
    std::snprintf(text, sizeof text, codegen::is_complex(type) ? "(%.17g, %.17g)" : "%.17g", parts[0], parts[1]);
    return text;
}

static std::string difference(const observation& a, const observation& b, bool bits) {
    std::string where = "statement " + std::to_string(a.statement) + ", variable " + std::to_string(a.variable) + ": ";
    if (a.type != b.type || a.shape != b.shape)
        return where + std::string(to_string(a.type)) + " " + to_string(a.shape) + " and " +
               std::string(to_string(b.type)) + " " + to_string(b.shape);
    auto size = static_cast<std::size_t>(codegen::size_of(a.type));
    dtype part = codegen::real_of(a.type);
    auto step = static_cast<std::size_t>(codegen::size_of(part));
    for (std::size_t at = 0; at < a.bytes.size(); at += size) {
        double scale = 1;
        if (codegen::is_complex(a.type)) {
            double v[2];
            codegen::convert(a.type, dtype::complex128, a.bytes.data() + at, v, 1);
            if (std::isfinite(v[0]) && std::isfinite(v[1])) scale = std::max({scale, std::fabs(v[0]), std::fabs(v[1])});
        }
        for (std::size_t k = 0; k < size; k += step) {
            const unsigned char *x = a.bytes.data() + at + k, *y = b.bytes.data() + at + k;
            if (a.nearly && !bits ? near_part(part, x, y, scale) : same_part(part, x, y)) continue;
            return where + std::string(to_string(a.type)) + " " + to_string(a.shape) + " differs at element " +
                   std::to_string(at / size) + ": " + number_text(a.type, a.bytes.data() + at) + " and " +
                   number_text(a.type, b.bytes.data() + at);
        }
    }
    return {};
}

std::string difference(const outcome& expected, const outcome& found, bool bits) {
    if (expected.seen.size() != found.seen.size()) return "a different number of values was read";
    for (std::size_t i = 0; i < expected.seen.size(); ++i) {
        std::string d = difference(expected.seen[i], found.seen[i], bits);
        if (!d.empty()) return d;
    }
    return {};
}

}  // namespace random_programs

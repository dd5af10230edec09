// What stands for the standard's containers, pointers and algorithms, where they could go wrong.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/sorted_order.hpp>
#include <sinter/codegen/base/span.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using namespace sinter;

namespace {

struct counted {
    explicit counted(int& alive) : alive_(&alive) { ++alive; }
    counted(const counted&) = delete;
    virtual ~counted() { --*alive_; }

private:
    int* alive_;
};

struct derived : counted {
    using counted::counted;
    std::string more = "more";
};

template <class To, class From>
constexpr bool converts = std::is_convertible_v<From, To>;

}  // namespace

TEST_CASE("an owner deletes what it owns once, wherever it has been moved") {
    int alive = 0;
    {
        codegen::owner<counted> a(new counted(alive)), b;
        CHECK(b == nullptr);
        b = std::move(a);
        CHECK(a == nullptr);
        CHECK(alive == 1);
        codegen::owner<counted>& same = b;
        b = std::move(same);
        CHECK(b != nullptr);
        CHECK(alive == 1);
        b = codegen::owner<derived>(new derived(alive));
        CHECK(alive == 1);
        codegen::sequence<codegen::owner<counted>> all;
        for (int i = 0; i < 7; ++i) all.push_back(codegen::owner(new counted(alive)));
        CHECK(alive == 8);
        all.erase(all.begin() + 2);
        CHECK(alive == 7);
        delete all.back().release();
        CHECK(alive == 6);
        all[0].reset();
        CHECK(alive == 5);
    }
    CHECK(alive == 0);
}

TEST_CASE("a sequence destroys each element once, however it grows, shrinks, is copied, moved or assigned") {
    // Longer than what a string has room for, so that each owns memory of its own.
    const auto text = [](int i) { return std::string(37, static_cast<char>('a' + i)); };
    codegen::sequence<std::string> a;
    for (int i = 0; i < 11; ++i) a.push_back(text(i));
    const codegen::sequence<std::string> copied = a;
    codegen::sequence<std::string> b = std::move(a);
    CHECK(a.empty());
    CHECK(b == copied);
    b.push_back(b[3]);
    b.erase(b.begin() + 1, b.begin() + 4);
    CHECK(b.size() == 9);
    CHECK(b[1] == text(4));
    CHECK(b.back() == text(3));
    b.resize(13, text(25));
    CHECK(b[12] == text(25));
    b.resize(41, b[1]);
    CHECK(b[40] == text(4));
    b.resize(2, "");
    CHECK(b == codegen::sequence<std::string>{text(0), text(4)});
    b = copied;
    b = codegen::sequence<std::string>(b);
    CHECK(b == copied);
    b.clear();
    CHECK(b.empty());
    CHECK(copied[10] == text(10));
}

TEST_CASE("a sequence of bytes keeps them where it takes more memory, and has none of its own while it is empty") {
    codegen::sequence<char> none, same = none;
    CHECK(none.data() == nullptr);
    CHECK(same == none);
    codegen::sequence<std::uint16_t> x{7, 5};
    x.reserve(3);
    x.make_room(19);
    CHECK(x == codegen::sequence<std::uint16_t>{7, 5});
    const std::uint16_t* const at = x.data();
    for (int i = 2; i < 21; ++i) x.push_back(static_cast<std::uint16_t>(i));
    CHECK(x.data() == at);
    x.resize(23, 9);
    x.pop_back();
    CHECK(x.size() == 22);
    CHECK(x.back() == 9);
    CHECK(x[20] == 20);
}

TEST_CASE("texts are joined from texts, characters and the decimals of integers") {
    const std::string own = "own";
    const std::string_view view = std::string_view("a view").substr(2);
    CHECK(codegen::joined({}) == "");
    CHECK(codegen::joined({own, ' ', view, "", ": ", -7, ", ", std::uint8_t{200}}) == "own view: -7, 200");
    CHECK(codegen::joined({std::numeric_limits<std::int64_t>::min(), '/', std::numeric_limits<std::uint64_t>::max()}) ==
          "-9223372036854775808/18446744073709551615");
    CHECK(codegen::joined({static_cast<signed char>(-1), true}) == "-11");
}

TEST_CASE("a span shows elements of what has data() and size(), and adds const alone") {
    std::vector<int> v{3, 1, 4, 1, 5};
    const codegen::sequence<int> s{2, 7, 1};
    int plain[] = {8, 2};
    codegen::span<const int> a = v, b = s, c = plain, d(v.data() + 1, v.data() + 3), none;
    CHECK(a.size() == 5);
    CHECK(b.back() == 1);
    CHECK(c.size_bytes() == sizeof plain);
    CHECK(d.size() == 2);
    CHECK(d[0] == 1);
    CHECK(none.empty());
    CHECK(a.subspan(3).front() == 1);
    CHECK(a.subspan(1, 2).back() == 4);
    CHECK(a.first(2).last(1)[0] == 1);
    const codegen::span<int> written = v;
    written[4] = 9;
    CHECK(a.back() == 9);
    CHECK(std::span<const int>(a).size() == 5);
    CHECK(codegen::span(s).data() == s.data());

    CHECK(converts<codegen::span<const int>, codegen::span<int>>);
    CHECK(converts<codegen::span<const int>, std::vector<int>>);
    CHECK(converts<codegen::span<int>, std::vector<int>&>);
    CHECK_FALSE(converts<codegen::span<int>, codegen::span<const int>>);
    CHECK_FALSE(converts<codegen::span<int>, const std::vector<int>&>);
    CHECK_FALSE(converts<codegen::span<int>, std::vector<int>>);
    CHECK_FALSE(converts<codegen::span<const long>, std::vector<int>&>);
    CHECK_FALSE(converts<codegen::span<const counted>, std::vector<derived>&>);
}

TEST_CASE("the order of elements keeps equal ones as they stand") {
    const codegen::sequence<int> x{5, 3, 5, 1, 3, 5, 1};
    const codegen::sequence<std::int64_t> order =
        codegen::sorted_order(x.size(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    CHECK(order == codegen::sequence<std::int64_t>{3, 6, 1, 4, 0, 2, 5});
    CHECK(codegen::in_order(codegen::sequence<int>(x), order) == codegen::sequence<int>{1, 1, 3, 3, 5, 5, 5});
    CHECK(codegen::sorted_order(std::size_t{0}, [](std::size_t, std::size_t) { return true; }).empty());
}

TEST_CASE("a callback calls the object that it was made of") {
    int calls = 0;
    auto count = [&](int by, const std::string& word) { return calls += by + static_cast<int>(word.size()); };
    auto twice = [](codegen::callback<int(int, const std::string&)> f) {
        const codegen::callback<int(int, const std::string&)> again = f;
        const int first = f(1, "ab");
        return first * 10 + again(2, "");
    };
    CHECK(twice(count) == 35);
    CHECK(calls == 5);
}

TEST_CASE("searches answer as the standard's, of no elements too") {
    const codegen::sequence<int> x{4, 8, 15, 16, 23}, none;
    auto is_odd = [](int v) { return v % 2 == 1; };
    CHECK(codegen::find(x.begin(), x.end(), 15) - x.begin() == 2);
    CHECK(codegen::find(x.begin(), x.end(), 5) == x.end());
    CHECK(*codegen::find_if(x.begin(), x.end(), is_odd) == 15);
    CHECK(codegen::count_if(x.begin(), x.end(), is_odd) == 2);
    CHECK(codegen::count(x.begin(), x.end(), 8) == 1);
    CHECK(codegen::any_of(x.begin(), x.end(), is_odd));
    CHECK_FALSE(codegen::all_of(x.begin(), x.end(), is_odd));
    CHECK_FALSE(codegen::none_of(x.begin(), x.end(), is_odd));
    CHECK_FALSE(codegen::any_of(none.begin(), none.end(), is_odd));
    CHECK(codegen::all_of(none.begin(), none.end(), is_odd));
    CHECK(codegen::none_of(none.begin(), none.end(), is_odd));
}

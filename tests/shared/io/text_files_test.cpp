// Arrays of every backend from and to text, beside NumPy's loadtxt and savetxt.
#include <cmath>
#include <fstream>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/data_files.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_files;

TEST_CASE("text is read as numpy.loadtxt reads it") {
    on_every_backend([](const tested_backend&) {
        const std::string folder = data_folder + "/text/";
        auto check = [&]<class T>(const std::string& name, T, const loadtxt_options& options) {
            CAPTURE(name);
            const array<T> read = loadtxt<T>(folder + name + ".txt", options), wanted = load<T>(folder + name + ".npy");
            CHECK(read.shape() == wanted.shape());
            CHECK(same(read, wanted));
        };
        check("plain", 0.0, {});
        check("limits", 0.0, {});
        check("commas", 0.0, {.delimiter = ",", .skiprows = 1});
        check("columns", 0.0, {.usecols = {1, 0}});
        check("columns_from_end", 0.0, {.usecols = {-1, 0, -2}});
        check("one_axis", 0.0, {.ndmin = 1});
        check("unpacked", 0.0, {.unpack = true});
        check("row", 0.0, {.ndmin = 2});
        check("column", 0.0, {.ndmin = 2});
        check("one", 0.0, {});
        check("first_rows", 0.0, {.max_rows = 2});
        check("lines", std::int64_t{}, {});
        check("integers", std::int64_t{}, {});
        check("floats", 0.0f, {});
        check("complex", std::complex<double>(), {});
        check("truth", true, {});
        check("percent", 0.0, {.comments = "%"});
        check("several_comments", 0.0, {.comments = {"//", "%"}});
        check("no_comments", 0.0, {.comments = {}});
        check("separators", std::int64_t{}, {});
        check("quotes", 0.0, {.delimiter = ",", .quotechar = "\""});
        check("quotes_skipped", 0.0, {.skiprows = 1, .max_rows = 2, .quotechar = "'"});
        auto length = [](std::string_view s) { return s.size(); };
        auto comma = [](std::string s) {
            if (const std::size_t at = s.find(','); at != s.npos) s[at] = '.';
            return std::stod(s);
        };
        check("quoted_commas", 0.0,
              {.delimiter = ";", .quotechar = "'", .converters = {{0, comma}, {1, length}, {-1, length}}});
        auto hexadecimal = [](const std::string& s) { return std::stoi(s, nullptr, 16); };
        auto percent = [](const std::string& s) { return std::stod(s) / 100; };
        check("converted", 0.0, {.delimiter = ",", .usecols = {1, 0}, .converters = {{0, hexadecimal}, {1, percent}}});
        check("converted_all", std::int64_t{},
              {.converters = [](std::string_view s) { return 10.0 * double(s.size()) - 0.5; }});
    });
}

TEST_CASE("what is missing in a text is filled as numpy.genfromtxt fills it") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        auto read = [&]<class T>(const std::string& text, T, const genfromtxt_options& options) {
            std::ofstream(folder.path + "/x.txt") << text;
            return genfromtxt<T>(folder.path + "/x.txt", options);
        };
        auto check = [](const auto& actual, const auto& wanted) {
            CHECK(actual.shape() == wanted.shape());
            CHECK(same(actual, wanted));
        };
        const double nan = constants::nan;
        const std::string gaps = "# head\n1,2,3\n4,,6\n\n7,N/A,-999 # tail\n";
        check(read(gaps, 0.0, {.delimiter = ","}), array<double>{{1, 2, 3}, {4, nan, 6}, {7, nan, -999}});
        check(read(gaps, 0, {.delimiter = ","}), array<int>{{1, 2, 3}, {4, -1, 6}, {7, -1, -999}});
        check(read(gaps, 0.0, {.delimiter = ",", .filling_values = {7, 8, 9}}),
              array<double>{{1, 2, 3}, {4, 8, 6}, {7, 8, -999}});
        check(read(gaps, 0.0f, {.delimiter = ",", .missing_values = {"-999"}, .filling_values = 0.5}),
              array<float>{{1, 2, 3}, {4, 0.5f, 6}, {7, 0.5f, 0.5f}});
        check(read(gaps, 0.0, {.delimiter = ",", .usecols = {-1, 1}}), array<double>{{3, 2}, {6, nan}, {-999, nan}});
        const std::string uneven = "1 2\n3 4 5\n6 7\ntotal 9 9 9\n";
        check(read(uneven, 0.0, {.invalid_raise = false}), array<double>{{1, 2}, {6, 7}});
        check(read(uneven, 0.0, {.skip_footer = 3}), array<double>{1, 2});
        check(read(uneven, 0.0, {.unpack = true, .max_rows = 1}), array<double>{1, 2});
        check(read("1 x\n2 3\n", std::complex<double>(), {}), array<std::complex<double>>{{1, nan}, {2, 3}});
        check(read("TRUE False x 1\n", true, {}), array<bool>{true, false, false, true});
        check(read("7.5 2\n3 x\n", std::int64_t{}, {.skip_header = 0}), array<std::int64_t>{{-1, 2}, {3, -1}});
        auto said = [&](auto f) {
            try {
                f();
            } catch (const error& e) {
                return std::string(e.what());
            }
            return std::string();
        };
        CHECK(said([&] {
                  read(uneven, 0.0, {.skip_footer = 1});
              }).ends_with("x.txt: 3 columns, where line 1 has 2 (line 2)"));
        CHECK(said([&] { read("1 x\n", std::uint8_t{}, {}); }) == "[genfromtxt] filling_values: -1 is no uint8");
        check(read("1 2\n", std::uint8_t{}, {}), array<std::uint8_t>{1, 2});
        check(read("1 2 3\n4 5\n", 0, {.usecols = {0, 1}}), array<int>{{1, 2}, {4, 5}});
        CHECK_THROWS_AS(read("1 2 x\n", 0.0, {.filling_values = {1, 2}}), value_error);
        CHECK_THROWS_AS(read("1\n", 0.0, {.skip_footer = 1, .max_rows = 1}), value_error);
        CHECK_THROWS_AS(genfromtxt(folder.path + "/none.txt"), io_error);
    });
}

TEST_CASE("text is written byte for byte as numpy.savetxt writes it") {
    on_every_backend([](const tested_backend&) {
        scratch_folder scratch;
        auto check = [&]<class T>(const std::string& name, T, const savetxt_options& options) {
            CAPTURE(name);
            const std::string from = data_folder + "/text/" + name, to = scratch.path + "/x.txt";
            savetxt(to, load<T>(from + ".npy"), options);
            CHECK(read_text(to) == read_text(from + ".txt"));
        };
        check("saved", 0.0, {});
        check("saved_line", 0, {});
        check("saved_formats", 0.0, {.fmt = "%d %8.3f;%+.2e"});
        check("saved_commas", std::int64_t{},
              {.fmt = "%5d", .delimiter = ",", .header = "a,b\nnumbers", .footer = "end"});
        check("saved_complex", std::complex<double>(), {});
        check("saved_general", 0.0f, {.fmt = "%g"});
    });
}

TEST_CASE("each column may have its own format, with the delimiter between them") {
    on_every_backend([](const tested_backend&) {
        scratch_folder scratch;
        const std::string path = scratch.path + "/x.txt";
        const array<double> table{{1, 2.0 / 3}, {-20, 0.25}};
        savetxt(path, table, {.fmt = {"%d", "%.3f"}, .delimiter = ","});
        CHECK(read_text(path) == "1,0.667\n-20,0.250\n");
        savetxt(path, table, {.fmt = {"%5d", "<%g>"}, .delimiter = "%"});
        CHECK(read_text(path) == "    1%<0.666667>\n  -20%<0.25>\n");
        savetxt(path, table(all, 0), {.fmt = {"%g"}});
        CHECK(read_text(path) == "1\n-20\n");
        savetxt(path, table, "%g", {.delimiter = ','});
        CHECK(read_text(path) == "1,0.666667\n-20,0.25\n");
        CHECK(array_equal(loadtxt(path, {.delimiter = ',', .max_rows = 1}), array<double>{1, 0.666667}));
        CHECK(array_equal(genfromtxt(path, {.delimiter = ','}), loadtxt(path, {.delimiter = ","})));
        savetxt(path, table(0), std::string("%.1f"));
        CHECK(read_text(path) == "1.0\n0.7\n");
        CHECK_THROWS_WITH_AS(savetxt(path, table, {.fmt = {"%d"}}),
                             "[savetxt] fmt '%d' has 1 conversions for 2 columns", value_error);
        CHECK_THROWS_AS(savetxt(path, table, {.fmt = {"%d", "%d", "%d"}, .delimiter = ","}), value_error);
        CHECK_THROWS_AS(savetxt(path, table, {.fmt = {}}), value_error);
    });
}

TEST_CASE("numbers of half precision are written as the float64 that they are, as NumPy's are") {
    on_every_backend([](const tested_backend&) {
        scratch_folder scratch;
        const std::string path = scratch.path + "/x.txt";
        savetxt(path, array<half>{half(0.1f), half(-65504.0f)}, {.fmt = "%.7g"});
        CHECK(read_text(path) == "0.09997559\n-65504\n");
        CHECK(array_equal(loadtxt<half>(path), array<half>{half(0.1f), half(-65504.0f)}));
        savetxt(path, array<bfloat16>{{bfloat16(0.1f), bfloat16(1.0f)}}, {.fmt = "%.4f"});
        CHECK(read_text(path) == "0.1001 1.0000\n");
        CHECK(array_equal(loadtxt<bfloat16>(path), array<bfloat16>{bfloat16(0.1f), bfloat16(1.0f)}));
        CHECK(array_equal(genfromtxt<half>(path), array<half>{half(0.1001f), half(1.0f)}));
        savetxt(path, array<complex_half>{complex_half(0.5f, -2.0f)}, {.fmt = "%.1f"});
        CHECK(read_text(path) == " (0.5-2.0j)\n");
    });
}

TEST_CASE("what is wrong in a text or its options is named with line and column") {
    scratch_folder scratch;
    const std::string path = scratch.path + "/x.txt";
    auto message = [&](const std::string& text, const loadtxt_options& options = {}) -> std::string {
        std::ofstream(path, std::ios::binary) << text;
        try {
            loadtxt<std::int8_t>(path, options);
        } catch (const error& e) {
            return std::string(e.what()).substr(0, 10) == "[loadtxt] " ? std::string(e.what()).substr(10) : "?";
        }
        return "no error";
    };
    CHECK(message("1 2\n3 x\n") == path + ": 'x' is no int8 (line 2, column 2)");
    CHECK(message("# c\n\n1 2\n3\n") == path + ": 1 columns, where line 3 has 2 (line 4)");
    CHECK(message("1,,2", {.delimiter = ","}) == path + ": '' is no int8 (line 1, column 2)");
    CHECK(message("1 300") == path + ": '300' is no int8 (line 1, column 2)");
    CHECK(message("1.0") == path + ": '1.0' is no int8 (line 1, column 1)");
    CHECK(message("1 2\n3\n", {.usecols = {1}}) == path + ": there is no column 1 among 1 (line 2)");
    CHECK(message("1 2", {.usecols = {2}}) == path + ": there is no column 2 among 2 (line 1)");
    CHECK(message("1 2", {.usecols = {-3}}) == path + ": there is no column -3 among 2 (line 1)");
    CHECK(message("1", {.delimiter = ",,"}) == "a delimiter is one character: ',,'");
    CHECK(message("1", {.ndmin = 3}) == "ndmin is 0, 1 or 2, not 3");
    CHECK(message("1", {.skiprows = -1}) == "skiprows is negative: -1");
    CHECK_THROWS_WITH_AS(loadtxt(scratch.path + "/nothing"), doctest::Contains("No such file"), io_error);
    for (const char* bad : {"1_0", "0x10", "+-1", "nan(1)", "1e", "--1", "1d5", "1,2", "1+", "True"}) {
        std::ofstream(path, std::ios::binary) << bad;
        CHECK_THROWS_AS(loadtxt(path), io_error);
    }
    for (const char* bad : {"1+j", "1+2", "(1+2j", "1+2i", "j", "1+2jj", "(1+2j) j"}) {
        std::ofstream(path, std::ios::binary) << bad;
        CHECK_THROWS_AS(loadtxt<std::complex<float>>(path, {.delimiter = ","}), io_error);
    }
    auto to = [&](text_number v) { return message("1 2", {.converters = [v](std::string_view) { return v; }}); };
    CHECK(to(127) == "no error");
    CHECK(to(-128.9) == "no error");
    CHECK(to(128) == path + ": '1' is converted to 128, which is no int8 (line 1, column 1)");
    CHECK(to(-129.0) == path + ": '1' is converted to -129, which is no int8 (line 1, column 1)");
    CHECK(to(std::nan("")) == path + ": '1' is converted to nan, which is no int8 (line 1, column 1)");
    CHECK(to(UINT64_MAX) == path + ": '1' is converted to 18446744073709551615, which is no int8 (line 1, column 1)");
    CHECK(to(std::complex(1.0f, -2.5f)) == path + ": '1' is converted to 1-2.5j, which is no int8 (line 1, column 1)");
    const text_converter fails = [](const std::string& s) { return std::stoi(s); };
    CHECK(message("1 x", {.converters = fails}) == path + ": 'x' is refused by its converter: stoi (line 1, column 2)");
    CHECK(message("1 2", {.converters = {{2, fails}}}) ==
          path + ": there is no column 2, which has a converter, among 2 (line 1)");
    CHECK(message("1 2", {.converters = {{-3, fails}}}) ==
          path + ": there is no column -3, which has a converter, among 2 (line 1)");
    CHECK(message("1 2", {.usecols = {1}, .converters = {{7, fails}}}) == "no error");
    const loadtxt_options quoted{.delimiter = ",", .quotechar = "'"};
    CHECK(message("'1\n\n',2\n'3'',4',x\n", quoted) == path + ": '3',4' is no int8 (line 4, column 1)");
    CHECK(message("'1\r\n\r',2\r\nx,4", quoted) == path + ": 'x' is no int8 (line 4, column 1)");
    CHECK(message("'1\n', # 2\n3", quoted) == path + ": '' is no int8 (line 1, column 2)");
    CHECK(message("''\n", quoted) == path + ": '' is no int8 (line 1, column 1)");
    CHECK(message(" '1'\n", quoted) == path + ": ''1'' is no int8 (line 1, column 1)");
    CHECK(message("'1", quoted) == "no error");
    // NumPy takes the space behind a row that begins with a quote for one more field.
    CHECK(message("'1' 2 \n3 4 # c\n'5' '6'", {.quotechar = "'"}) == "no error");
    CHECK(message("1", {.quotechar = "''"}) == "a quotechar is one character: ''''");
    CHECK(message("1", {.comments = "//", .quotechar = "'"}) == "with a quotechar comments begin with one character");
    CHECK(message("1", {.comments = {"#", "%"}, .quotechar = "'"}) ==
          "with a quotechar comments begin with one character");
    CHECK(message("1", {.comments = {"#", ""}}) == "comments begin with a text that does not end lines");
    CHECK(message("1", {.comments = "\n"}) == "comments begin with a text that does not end lines");
    CHECK(message("1", {.quotechar = "\n"}) == "the quotechar must not end lines");
    CHECK(message("1", {.delimiter = "\r"}) == "the delimiter must not end lines");
    CHECK(message("1", {.comments = ",", .delimiter = ","}) ==
          "the delimiter and a comment cannot be told from each other");
    CHECK(message("1", {.comments = " "}) == "the delimiter and a comment cannot be told from each other");
    CHECK(message("1", {.quotechar = "\t"}) == "the delimiter and the quotechar cannot be told from each other");
    CHECK(message("1", {.delimiter = "'", .quotechar = "'"}) ==
          "the delimiter and the quotechar cannot be told from each other");
    CHECK(message("1", {.quotechar = "#"}) == "the quotechar and a comment cannot be told from each other");
    CHECK(message("1", {.max_rows = -2}) == "max_rows is negative: -2");
    std::ofstream(path, std::ios::binary) << "1 0";
    auto is_zero = [](const std::string& s) { return s == "0" ? 0.5 : 0.0; };
    CHECK(to_vector(loadtxt<bool>(path, {.converters = is_zero})) == std::vector<bool>{false, true});
    auto constant = [](auto v) { return loadtxt_options{.converters = [v](std::string_view) { return v; }}; };
    CHECK(loadtxt<std::uint64_t>(path, constant(UINT64_MAX)).item(1) == UINT64_MAX);
    CHECK(loadtxt<std::int64_t>(path, constant(INT64_MIN)).item(0) == INT64_MIN);
    CHECK(loadtxt<std::int64_t>(path, constant(-0x1p63)).item(0) == INT64_MIN);
    CHECK_THROWS_AS(loadtxt<std::int64_t>(path, constant(0x1p63)), io_error);
    CHECK_THROWS_AS(loadtxt<std::uint64_t>(path, constant(-1)), io_error);
    CHECK_THROWS_AS(loadtxt<double>(path, constant(std::complex(1.0, 0.0))), io_error);
    CHECK(loadtxt<std::complex<float>>(path, constant(-7)).item(0) == std::complex<float>(-7, 0));
    CHECK(loadtxt<float>(path, constant(1e300)).item(0) == std::numeric_limits<float>::infinity());
    const array<double> a{1.5, 2};
    for (const char* bad : {"", "x", "%", "%s", "%5", "%n", "%.200e", "%*d", "%ld", "%d %d %d", "%x"})
        CHECK_THROWS_AS(savetxt(path, a, {.fmt = bad}), value_error);
    CHECK_THROWS_AS(savetxt(path, full({}, 1.0)), shape_error);
    CHECK_THROWS_AS(savetxt(path, zeros({2, 2, 2})), shape_error);
    CHECK(message("") == "no error");
}

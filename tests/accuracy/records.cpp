// Files of bounds, records and the page; bodies of records.hpp.
#include "records.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace accuracy {
namespace {

const char* const backends[][2] = {{"host", "CPU"}, {"interpreter", "interpreter"}, {"cuda", "GPU"}};
const char* const types[] = {"float32", "float64", "float16", "bfloat16"};

std::string key_of(const std::string& function, const std::string& type) { return function + " " + type; }

double number(const std::string& word, const std::string& line) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end) throw std::runtime_error("[accuracy] no number: " + word + " in the line " + line);
    return value;
}

}  // namespace

bound_table::bound_table(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("[accuracy] cannot read " + path);
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> words;
        std::istringstream text(line.substr(0, line.find('#')));
        for (std::string word; text >> word;) words.push_back(word);
        if (words.size() == 2) goals_[words[0]] = number(words[1], line);
        else if (words.size() == 4) others_[words[0] + " " + words[1] + " " + words[2]] = number(words[3], line);
        else if (!words.empty()) throw std::runtime_error("[accuracy] neither a goal nor a bound: " + line);
    }
}

double bound_table::bound(const std::string& function, const std::string& type, const std::string& backend) const {
    for (const std::string& where : {backend, std::string("*")})
        if (const auto other = others_.find(key_of(function, type) + " " + where); other != others_.end())
            return other->second;
    return goal(function);
}

std::string error_text(double error) {
    if (!std::isfinite(error)) return "no bound";
    char text[40];
    if (error < 99.5) std::snprintf(text, sizeof text, "%.2f", std::ceil(error * 100 - 1e-9) / 100);
    else std::snprintf(text, sizeof text, "%.1e", error);
    return text;
}

void write_records(const std::string& path, const std::string& how, const std::vector<record>& records) {
    std::ofstream out(path);
    out << "# " << how << "\nfunction,dtype,arguments,ulp,argument\n";
    for (const record& r : records)
        out << r.function << ',' << r.type << ',' << r.arguments << ',' << error_text(r.error) << ',' << r.argument
            << '\n';
    if (!out.flush()) throw std::runtime_error("[accuracy] cannot write " + path);
}

std::map<std::string, record> read_records(const std::string& path, std::string& how) {
    std::map<std::string, record> all;
    std::ifstream in(path);
    std::string line;
    if (!std::getline(in, line)) return all;
    how = line.substr(2);
    std::getline(in, line);
    while (std::getline(in, line)) {
        record r;
        std::string count, error;
        std::istringstream text(line);
        for (std::string* part : {&r.function, &r.type, &count, &error, &r.argument}) std::getline(text, *part, ',');
        r.arguments = static_cast<std::int64_t>(number(count, line));
        r.error = error == "no bound" ? HUGE_VAL : number(error, line);
        all[key_of(r.function, r.type)] = r;
    }
    return all;
}

void write_page(const std::string& path, const std::string& folder, const bound_table& bounds,
                const std::vector<std::string>& functions) {
    std::ofstream out(path);
    out << "# Accuracy\n\n"
           "The largest error that the [sweep](../tests/README.md#accuracy) has found, in units in the last place of "
           "the exact result:\n"
           "0.5 is the nearest number. float16 and bfloat16 are tried at all of their numbers, float32 at every 61st, "
           "float64 at random\n"
           "ones and near zeros, poles and the ends of results; special functions at fewer, pairs of numbers at random "
           "ones. Errors\n"
           "beyond the goal are bold, of which [bounds.txt](../tests/accuracy/bounds.txt) says why. Near the zeros of "
           "`digamma`, `j0`,\n"
           "`j1`, `logaddexp`, `logaddexp2`, `betaln` and, left of zero, `lgamma` the units are those of what the "
           "result is a difference\n"
           "of. `sinter_accuracy --update` writes this page.\n\n";
    std::map<std::string, record> records[3];
    for (int b = 0; b < 3; ++b) {
        std::string how = "not measured";
        records[b] = read_records(folder + "/accuracy-" + backends[b][0] + ".csv", how);
        out << "- " << backends[b][1] << ": " << how << "\n";
    }
    for (const char* type : types) {
        out << "\n## " << type << "\n\n| | goal | " << backends[0][1] << " | " << backends[1][1] << " | "
            << backends[2][1] << " |\n|---|---|---|---|---|\n";
        for (const std::string& f : functions) {
            std::string cells;
            bool any = false;
            for (const auto& of_backend : records) {
                const auto found = of_backend.find(key_of(f, type));
                if (found == of_backend.end()) {
                    cells += " | ";
                    continue;
                }
                any = true;
                const bool missed = found->second.error > bounds.goal(f);
                cells += (missed ? " | **" : " | ") + error_text(found->second.error) + (missed ? "**" : "");
            }
            if (any) out << "| `" << f << "` | " << error_text(bounds.goal(f)) << cells << " |\n";
        }
    }
    if (!out.flush()) throw std::runtime_error("[accuracy] cannot write " + path);
}

}  // namespace accuracy

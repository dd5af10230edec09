// Bodies of poly1d.hpp.
#pragma once

#include <cstdio>
#include <sinter/analysis/poly1d.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::string coefficient_text(std::complex<double> c) {
    auto digits = [](double v) {
        char text[40];
        std::snprintf(text, sizeof text, "%.4g", v);
        return std::string(text);
    };
    if (c.imag() == 0) return digits(c.real());
    if (c.real() == 0) return digits(c.imag()) + "j";
    return "(" + digits(c.real()) + " + " + digits(c.imag()) + "j)";
}

// A term, `2 x**3`; empty where its coefficient is printed as zero.
SINTER_INLINE std::string term_text(const std::string& coefficient, std::size_t power, const std::string& variable) {
    if (coefficient == "0") return "";
    std::string text = coefficient;
    if (power > 0) text.append(" ").append(variable);
    if (power > 1) text.append("**").append(std::to_string(power));
    return text;
}

// Powers behind ** go up into a line above; lines end before 70 characters.
SINTER_INLINE std::string with_raised_powers(const std::string& text) {
    std::string above, below, all = " ";
    std::size_t at = 0;
    for (std::size_t stars; (stars = text.find("**", at)) != text.npos;) {
        std::size_t end = stars + 2;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        const std::string part = text.substr(at, stars - at), power = text.substr(stars + 2, end - stars - 2);
        const std::string low = part + std::string(power.size() - 1, ' '),
                          high = std::string(part.size() - 1, ' ') + power;
        if (below.size() + low.size() > 70 || above.size() + high.size() > 70) {
            all.append(above).append("\n").append(below).append("\n ");
            above = high;
            below = low;
        } else {
            above += high;
            below += low;
        }
        at = end;
    }
    return all + above + "\n" + below + text.substr(at);
}

SINTER_INLINE std::string polynomial_text(const std::vector<std::complex<double>>& coefficients,
                                          const std::string& variable) {
    std::string text;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const std::string term = term_text(coefficient_text(coefficients[i]), coefficients.size() - 1 - i, variable);
        if (term.empty()) continue;
        if (i == 0) text = term;
        else if (term[0] == '-') text += " - " + term.substr(1);
        else text += " + " + term;
    }
    return with_raised_powers(text.empty() ? "0" : text);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END

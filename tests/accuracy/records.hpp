// Bounds, what runs measured, and the page that shows it, as files; must not know how errors are measured.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace accuracy {

/// The largest error that a run found for one function and type.
struct record {
    std::string function, type;
    std::int64_t arguments = 0;
    double error = 0;
    std::string argument;  ///< where it is
};

/// What errors may be: a goal for each function, and more where that is not reached.
class bound_table {
public:
    explicit bound_table(const std::string& path);
    /// Whether the function has a goal.
    bool has(const std::string& function) const { return goals_.contains(function); }
    double goal(const std::string& function) const { return goals_.at(function); }
    /// The largest error that is allowed on a backend.
    double bound(const std::string& function, const std::string& type, const std::string& backend) const;
    const std::map<std::string, double>& goals() const { return goals_; }

private:
    std::map<std::string, double> goals_, others_;
};

/// An error as it is shown: rounded up in its third digit.
std::string error_text(double error);

void write_records(const std::string& path, const std::string& how, const std::vector<record>& records);
/// What stands in such a file, by function and type; empty where there is none. `how` becomes what was written.
std::map<std::string, record> read_records(const std::string& path, std::string& how);
/// Writes the page of all backends' records in a folder.
void write_page(const std::string& path, const std::string& folder, const bound_table& bounds,
                const std::vector<std::string>& functions);

}  // namespace accuracy

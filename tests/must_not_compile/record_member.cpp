// error: sinter: the members of records are numbers of the types that arrays have as elements
#include <sinter/sinter.hpp>
#include <sinter/records.hpp>

struct person {
    BOOST_HANA_DEFINE_STRUCT(person, (int, age), (std::string, name));
};

sinter::record_array<person> wrong;

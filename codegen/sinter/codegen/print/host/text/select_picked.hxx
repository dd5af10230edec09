// Which elements of a tile are selected; what is in memory may be any byte, and is added up.
R"cxx(
unsigned char set[$tile];
for (int l = 0; l < m; ++l) set[l] = $mask;
int found = 0;
if (counts) {
    for (int l = 0; l < m; ++l) found += set[l];
    count += found;
    continue;
}
for (int l = 0; l < m; ++l) {
    picked[found] = l;
    found += set[l];
}
)cxx"

// Selected elements of parts: those of one part are stored at once, of several counted and then stored behind others'.
R"cxx(
const long long size = $size, parts = size <= 65536 ? 1 : (size + 16383) / 16384;
long long* const counts = (long long*)memory[$counts];
//@ if ends
long long at = 0;
for (long long item = 0; item < begin; ++item) at += counts[item];
for (long long item = begin; item < end; ++item)
    at += $part(memory, n, c, item * 16384, $end_of_item, at, false, error);
//@ if tells
if (end == parts) $count = at;
//@ end
//@ else
if (parts == 1) {
    //@ if tells
    $count = $part(memory, n, c, 0, size, 0, false, error);
    //@ else
    $part(memory, n, c, 0, size, 0, false, error);
    //@ end
    return;
}
for (long long item = begin; item < end; ++item)
    counts[item] = $part(memory, n, c, item * 16384, $end_of_item, 0, true, error);
//@ end
)cxx"

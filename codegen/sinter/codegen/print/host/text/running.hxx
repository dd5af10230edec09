// Prefixes in the fixed order, of totals that come one by one.
R"cxx(
// Prefixes of up to 32 totals that come one by one: row k holds what the tree has after k steps.
template <class A, A (*combine)(A, A)>
struct prefixes {
    A row[6][32];
    int count = 0;
    // Takes the next total; true when it was the last of 32, whose prefix is the total one level up.
    bool add(A total) {
        row[0][count] = total;
        for (int k = 0, h = 1; k < 5; ++k, h *= 2)
            row[k + 1][count] = count >= h ? combine(row[k][count - h], row[k][count]) : row[k][count];
        count = (count + 1) % 32;
        return count == 0;
    }
    A last() const { return row[5][31]; }
    // The prefix before the next total goes behind what is there.
    void put_behind(A& x, bool& any) const {
        if (count > 0) x = any ? combine(x, row[5][count - 1]) : row[5][count - 1];
        any = any || count > 0;
    }
};

// A row of elements: where it stands, and the prefix of its groups.
template <class A, A (*combine)(A, A)>
struct running {
    prefixes<A, combine> segments, tiles;
    A groups;
    bool any = false;
    void add(A total) {
        if (!segments.add(total) || !tiles.add(segments.last())) return;
        groups = any ? combine(groups, tiles.last()) : tiles.last();
        any = true;
    }
    // The prefix before the next segment; false when there is none.
    bool before(A& x) const {
        bool is_any = any;
        x = groups;
        tiles.put_behind(x, is_any);
        segments.put_behind(x, is_any);
        return is_any;
    }
    // One segment in place; the elements behind its end are anything.
    void scan(A (&a)[128]) {
        A b[32], d[32], p;
        for (int c = 0; c < 32; ++c) {
            for (int l = 1; l < 4; ++l) a[4 * c + l] = combine(a[4 * c + l - 1], a[4 * c + l]);
            b[c] = a[4 * c + 3];
        }
        for (int h = 1; h < 32; h *= 2) {
            for (int c = 0; c < h; ++c) d[c] = b[c];
            for (int c = h; c < 32; ++c) d[c] = combine(b[c - h], b[c]);
            for (int c = 0; c < 32; ++c) b[c] = d[c];
        }
        const bool is_any = before(p);
        if (is_any) {
            d[0] = p;
            for (int c = 1; c < 32; ++c) d[c] = combine(p, b[c - 1]);
        } else {
            for (int c = 1; c < 32; ++c) d[c] = b[c - 1];
        }
        for (int c = is_any ? 0 : 1; c < 32; ++c)
            for (int l = 0; l < 4; ++l) a[4 * c + l] = combine(d[c], a[4 * c + l]);
        add(b[31]);
    }
    // Only its total.
    void pass(const A (&a)[128]) {
        A b[32], d[32];
        for (int c = 0; c < 32; ++c)
            b[c] = combine(combine(combine(a[4 * c], a[4 * c + 1]), a[4 * c + 2]), a[4 * c + 3]);
        for (int h = 1; h < 32; h *= 2) {
            for (int c = 0; c < h; ++c) d[c] = b[c];
            for (int c = h; c < 32; ++c) d[c] = combine(b[c - h], b[c]);
            for (int c = 0; c < 32; ++c) b[c] = d[c];
        }
        add(b[31]);
    }
};
)cxx"

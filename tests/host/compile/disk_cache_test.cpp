// The disk cache: privacy, damage, size bound, many processes at once and processes killed while they write.
// SINTER_TEST_FULL=1 runs 16 processes, 2,000 kills and 10,000 damaged entries.
#include "support/full.hpp"
#include "support/scratch_folder.hpp"

#include <dirent.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/file.hpp>
#include <vector>

using namespace sinter::runtime;

// A payload that only its key and length determine, so that any reader can check it.
static std::string payload_of(int key, std::size_t size) {
    std::mt19937 generator(unsigned(key) + 1);
    std::string text(size, '\0');
    for (char& c : text) c = char(generator());
    return text;
}
static std::string key_of(int key) { return "kernel text " + std::to_string(key); }
static std::size_t size_of_payload(int key) { return std::size_t(key) * 1237 % 50'000; }

static std::string slurp(const std::string& path) {
    std::string text;
    read_file(path.c_str(), text);
    return text;
}
static void spill(const std::string& path, const std::string& text) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(fd >= 0);
    REQUIRE(write_all(fd, text));
    close(fd);
}
static int count_files(const std::string& folder, std::string_view ending) {
    int n = 0;
    DIR* d = opendir(folder.c_str());
    REQUIRE(d);
    while (const dirent* e = readdir(d)) n += std::string_view(e->d_name).ends_with(ending);
    closedir(d);
    return n;
}

TEST_CASE("what is removed is no longer there, and nothing else goes") {
    const scratch_folder folder;
    disk_cache cache(folder.path);
    cache.store("one", "1");
    cache.store("two", "2");
    cache.remove("one");
    cache.remove("none");
    CHECK_FALSE(cache.load("one"));
    CHECK(cache.load("two") == "2");
    disk_cache("").remove("two");
}

TEST_CASE("what was stored is loaded again, by another cache object as well") {
    const scratch_folder folder;
    disk_cache cache(folder.path + "/made/when missing");
    REQUIRE(cache.enabled());
    CHECK_FALSE(cache.load("a"));
    cache.store("a", "payload");
    cache.store("empty", "");
    cache.store("a", std::string("with \0 inside", 13));
    disk_cache again(folder.path + "/made/when missing");
    CHECK(again.load("a") == std::string("with \0 inside", 13));
    CHECK(again.load("empty") == "");
    CHECK_FALSE(again.load("b"));
    struct stat s;
    REQUIRE(stat(cache.directory().c_str(), &s) == 0);
    CHECK((s.st_mode & 0777) == 0700);
    REQUIRE(stat(cache.entry_path("a").c_str(), &s) == 0);
    CHECK((s.st_mode & 0777) == 0600);
}

TEST_CASE("a cache without a safe folder is off and never throws") {
    const scratch_folder folder;
    disk_cache none("");
    CHECK_FALSE(none.enabled());
    none.store("a", "b");
    none.trim();
    CHECK_FALSE(none.load("a"));

    const std::string open_to_all = folder.path + "/shared";
    REQUIRE(mkdir(open_to_all.c_str(), 0700) == 0);
    REQUIRE(chmod(open_to_all.c_str(), 0777) == 0);
    CHECK_FALSE(disk_cache(open_to_all).enabled());
    CHECK_FALSE(disk_cache("/proc/no/such").enabled());
    spill(folder.path + "/file", "x");
    CHECK_FALSE(disk_cache(folder.path + "/file").enabled());
    if (geteuid() == 0) {
        const std::string foreign = folder.path + "/foreign";
        REQUIRE(mkdir(foreign.c_str(), 0700) == 0);
        REQUIRE(chown(foreign.c_str(), 12345, 12345) == 0);
        CHECK_FALSE(disk_cache(foreign).enabled());
    }

    disk_cache vanished(folder.path + "/vanished");
    REQUIRE(rmdir(vanished.directory().c_str()) == 0);
    vanished.store("a", "b");
    CHECK_FALSE(vanished.load("a"));
}

TEST_CASE("an entry that is no plain file, or not ours, is a miss") {
    const scratch_folder folder;
    disk_cache cache(folder.path);
    cache.store("good", "payload");
    REQUIRE(symlink(cache.entry_path("good").c_str(), cache.entry_path("link").c_str()) == 0);
    CHECK_FALSE(cache.load("link"));
    REQUIRE(mkdir(cache.entry_path("folder").c_str(), 0700) == 0);
    CHECK_FALSE(cache.load("folder"));
    cache.store("folder", "x");
    REQUIRE(mkfifo(cache.entry_path("pipe").c_str(), 0600) == 0);
    CHECK_FALSE(cache.load("pipe"));
    spill(cache.entry_path("other key"), slurp(cache.entry_path("good")));
    CHECK_FALSE(cache.load("other key"));
    CHECK(cache.load("good") == "payload");
    CHECK(count_files(folder.path, ".tmp") == 0);
}

TEST_CASE("every damaged entry is a miss, is removed and can be stored again") {
    const scratch_folder folder;
    disk_cache cache(folder.path);
    std::mt19937 generator(7);
    const auto below = [&](std::size_t n) { return std::size_t(generator()) % n; };
    int unnoticed = 0, kept = 0, lost = 0;
    for (int n = 0; n < (is_full() ? 10000 : 150); ++n) {
        const std::string payload = payload_of(n, 1 + size_of_payload(n) % 5000);
        cache.store(key_of(n), payload);
        const std::string path = cache.entry_path(key_of(n)), entry = slurp(path);
        std::string bad = entry;
        switch (n % 7) {
            case 0: bad[below(bad.size())] ^= char(1 << below(8)); break;
            case 1: bad.resize(below(bad.size())); break;
            case 2: bad += char(generator()); break;
            case 3: bad.assign(bad.size(), '\0'); break;
            case 4: std::fill_n(bad.begin() + std::ptrdiff_t(below(bad.size())), 1, char(generator())); break;
            case 5: bad.resize(bad.size() / 2), bad.resize(entry.size()); break;
            case 6: std::swap(bad[below(bad.size())], bad[below(bad.size())]); break;
        }
        if (bad == entry) continue;
        spill(path, bad);
        unnoticed += cache.load(key_of(n)).has_value();
        kept += access(path.c_str(), F_OK) == 0;
        cache.store(key_of(n), payload);
        lost += cache.load(key_of(n)) != payload;
    }
    CHECK(unnoticed == 0);
    CHECK(kept == 0);
    CHECK(lost == 0);
}

TEST_CASE("the size is bounded and the entries used longest ago go first") {
    const scratch_folder folder;
    disk_cache cache(folder.path, 100'000);
    cache.store("too large", std::string(30'000, 'x'));
    CHECK_FALSE(cache.load("too large"));
    for (int n = 0; n < 100; ++n) {
        cache.store(key_of(n), payload_of(n, 5000));
        const timespec times[2] = {{1'000'000 + n, 0}, {1'000'000 + n, 0}};
        if (n < 99) utimensat(AT_FDCWD, cache.entry_path(key_of(n)).c_str(), times, 0);
    }
    cache.trim();
    CHECK(count_files(folder.path, ".kernel") <= 20);
    CHECK(count_files(folder.path, ".kernel") >= 10);
    CHECK(cache.load(key_of(99)) == payload_of(99, 5000));
    CHECK_FALSE(cache.load(key_of(0)));

    // A hit renews an old entry, and what a killed writer left long ago goes.
    cache.store("old", "but used");
    const timespec old[2] = {{1000, 0}, {1000, 0}};
    utimensat(AT_FDCWD, cache.entry_path("old").c_str(), old, 0);
    CHECK(cache.load("old") == "but used");
    struct stat s;
    REQUIRE(stat(cache.entry_path("old").c_str(), &s) == 0);
    CHECK(s.st_mtime > 1'000'000);
    const std::string abandoned = cache.temporary_path("x");
    spill(abandoned, "half");
    utimensat(AT_FDCWD, abandoned.c_str(), old, 0);
    cache.trim();
    CHECK(access(abandoned.c_str(), F_OK) != 0);
}

TEST_CASE("trimming removes nothing that the cache has not written") {
    const scratch_folder folder;
    disk_cache cache(folder.path, 1000);
    const std::string digits(64, '7');
    const std::vector<std::string> foreign{
        "thesis.tmp",      "image-backup.tmp",           "0123456789abcdef.1.2.tmp", "0123456789abcdef.1.2.3.4.tmp",
        "pop.kernel",      digits.substr(1) + ".kernel", digits + "7.kernel",        "0123456789abcdeX.1.2.3.tmp",
        digits + ".1.tmp", "0123456789abcdef.1..3.tmp"};
    const timespec old[2] = {{1000, 0}, {1000, 0}};
    for (const std::string& name : foreign) {
        spill(folder.path + "/" + name, std::string(2000, 'x'));
        utimensat(AT_FDCWD, (folder.path + "/" + name).c_str(), old, 0);
    }
    cache.store("own", "kept: what others have written does not count");
    cache.trim();
    for (const std::string& name : foreign) {
        CAPTURE(name);
        CHECK(access((folder.path + "/" + name).c_str(), F_OK) == 0);
    }
    CHECK(cache.load("own"));
}

TEST_CASE("an entry of a size that cannot be is a miss and takes no memory") {
    const scratch_folder folder;
    disk_cache cache(folder.path);
    cache.store("a", "payload");
    for (off_t size : {off_t(1) << 40, off_t(1) << 20}) {
        cache.store("a", "payload");
        REQUIRE(truncate(cache.entry_path("a").c_str(), size) == 0);
        CHECK_FALSE(cache.load("a"));
        CHECK(access(cache.entry_path("a").c_str(), F_OK) != 0);
    }
}

TEST_CASE("a limit of the size of files makes stores fail and raises no signal") {
    const scratch_folder folder;
    const pid_t child = fork();
    if (child == 0) {
        disk_cache cache(folder.path);
        const rlimit small{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &small);
        cache.store("large", std::string(5000, 'x'));
        cache.store("small", "payload");
        const file_descriptor image = memory_file("image");
        const bool written = write_all(image.get(), std::string(5000, 'x'));
        sigset_t pending;
        sigpending(&pending);
        _exit(written || cache.load("large") || !cache.load("small") || sigismember(&pending, SIGXFSZ) ? 1 : 0);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(count_files(folder.path, ".tmp") == 0);
}

TEST_CASE("root makes no cache in the home of another user") {
    const scratch_folder folder;
    environment e;
    std::string why;
    e.home = folder.path;
    CHECK(cache_directory(e, why) == folder.path + "/.cache/sinter");
    if (geteuid() != 0) return;
    REQUIRE(chown(folder.path.c_str(), 12345, 12345) == 0);
    CHECK(cache_directory(e, why).empty());
    CHECK(why.find(folder.path) != std::string::npos);
    why.clear();
    e.xdg_cache_home = folder.path + "/cache";
    CHECK(cache_directory(e, why).empty());
    e.cache_dir = folder.path + "/named";
    CHECK(cache_directory(e, why) == e.cache_dir);
    e.cache_dir.clear();
    std::filesystem::create_directories(folder.path + "/cache/sinter");
    CHECK(cache_directory(e, why) == folder.path + "/cache/sinter");
}

// Stores and checks random entries; the answer is how many were wrong.
static int exercise(const std::string& folder, unsigned seed, int rounds) {
    disk_cache cache(folder);
    std::mt19937 generator(seed);
    int wrong = 0;
    for (int n = 0; n != rounds; ++n) {
        const int key = int(generator() % 40);
        const std::string expected = payload_of(key, size_of_payload(key));
        if (const auto found = cache.load(key_of(key))) wrong += *found != expected;
        if (generator() % 2) cache.store(key_of(key), expected);
    }
    return wrong;
}

TEST_CASE("many processes share one cold cache") {
    const scratch_folder folder;
    std::vector<pid_t> children;
    for (int p = 0; p < (is_full() ? 16 : 6); ++p) {
        const pid_t child = fork();
        if (child == 0) _exit(std::min(exercise(folder.path + "/cold", unsigned(p), is_full() ? 400 : 100), 255));
        REQUIRE(child > 0);
        children.push_back(child);
    }
    for (pid_t child : children) {
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    CHECK(exercise(folder.path + "/cold", 99, 50) == 0);
    CHECK(count_files(folder.path + "/cold", ".tmp") == 0);
}

TEST_CASE("processes killed while they write leave no wrong entry") {
    const scratch_folder folder;
    std::mt19937 generator(3);
    int killed = 0;
    for (int n = 0; n < (is_full() ? 2000 : 40); ++n) {
        const pid_t child = fork();
        if (child == 0) _exit(std::min(exercise(folder.path, unsigned(n), -1), 255));
        REQUIRE(child > 0);
        usleep(useconds_t(500 + generator() % 20'000));
        kill(child, SIGKILL);
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        killed += WIFSIGNALED(status);
    }
    CHECK(killed == (is_full() ? 2000 : 40));
    CHECK(count_files(folder.path, ".kernel") > 0);
    const disk_cache cache(folder.path);
    int damaged = 0;
    for (int key = 0; key < 40; ++key) {
        const bool there = access(cache.entry_path(key_of(key)).c_str(), F_OK) == 0;
        if (there) damaged += cache.load(key_of(key)) != payload_of(key, size_of_payload(key));
    }
    CHECK(damaged == 0);
    MESSAGE("killed " << killed << " writers, " << count_files(folder.path, ".tmp") << " left a temporary file");
}

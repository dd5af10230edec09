"""Measurements as a table in Markdown and as CSV; must not measure."""
import csv


def duration(us):
    """Three figures and a unit: 3.52 ms."""
    for unit, scale in (("s", 1e6), ("ms", 1e3), ("µs", 1)):
        if us >= scale or unit == "µs":
            v = us / scale
            return f"{v:.2f} {unit}" if v < 10 else f"{v:.1f} {unit}" if v < 100 else f"{v:.0f} {unit}"


def limit_time(row, size, results, limit_of):
    """The time of moving the bytes that must move, measured in the same run, or None."""
    limit = limit_of(row, size)
    return results.get((*limit, "by hand"), {}).get("median") if limit else None


def sizes_in_tables(row, results, facts):
    """The measured sizes without those that are only points of a line."""
    return [s for s in row.sizes_on(facts["device"], facts["quick"]) if any(k[:2] == (row.name, s) for k in results)]


def cell(fields, best):
    if "median" not in fields:
        return ""
    text = duration(fields["median"])
    return f"**{text}**" if fields["median"] == best else text


def ratio(a, b):
    return f"{a / b:.2f}" if a and b else ""


def table(chosen, team, facts, results, limit_of):
    present = [w.name for w in team if any(who == w.name and "median" in f for (_, _, who), f in results.items())]
    libraries = [name for name in present if name != "by hand"]
    yield "| | size | " + " | ".join(libraries) + " | by hand | limit | sinter ÷ limit | sinter ÷ best peer |"
    yield "|---|---|" + "---|" * (len(libraries) + 4)
    for row in chosen:
        for size in sizes_in_tables(row, results, facts):
            times = {name: results.get((row.name, size, name), {}) for name in present}
            best = min((times[n]["median"] for n in libraries if "median" in times[n]), default=None)
            limit = limit_time(row, size, results, limit_of)
            own = times["sinter"].get("median")
            peers = [times[n]["median"] for n in libraries if n != "sinter" and "median" in times[n]]
            yield (f"| {row.title} | {size} | " + " | ".join(cell(times[n], best) for n in libraries)
                   + f" | {cell(times.get('by hand', {}), None)} | {duration(limit) if limit else ''} | {ratio(own, limit)} | "
                   + f"{ratio(own, min(peers, default=None))} |")


def busy_table(chosen, team, facts, results):
    libraries = [w.name for w in team if not w.missing and w.name != "by hand"]
    yield "| | size | " + " | ".join(libraries) + " | sinter ÷ best peer |"
    yield "|---|---|" + "---|" * (len(libraries) + 1)
    for row in chosen:
        for size in sizes_in_tables(row, results, facts):
            busy = {name: results.get((row.name, size, name), {}).get("busy") for name in libraries}
            peers = [v for name, v in busy.items() if v and name != "sinter"]
            yield (f"| {row.title} | {size} | " + " | ".join(duration(busy[n]) if busy[n] else "" for n in libraries)
                   + f" | {ratio(busy['sinter'], min(peers, default=None))} |")


def counts(chosen, facts, results):
    yield "| | size | launches | library calls | compiled | must move | peak memory | peak ÷ (inputs + results) | first call |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in chosen:
        for size in sizes_in_tables(row, results, facts):
            f = results.get((row.name, size, "sinter"), {})
            if "launches" not in f:
                continue
            yield (f"| {row.title} | {size} | {f['launches']} | {f['library_calls']} | {f['compiled']} | "
                   f"{sum(row.moves(size)) / 1e6:.1f} MB | {f['peak'] / 1e6:.1f} MB | {f['peak'] / max(f['used'], 1):.3f} | "
                   f"{f['first_ms']:.1f} ms |")
    for row in chosen:
        for size in sizes_in_tables(row, results, facts):
            f = results.get((row.name, size, "sinter"), {})
            if "beside" in f:
                yield ""
                yield (f"In one process and in turns, {f['beside']} takes {duration(f['beside_median'])} and {row.title} "
                       f"{duration(f['own_median'])}: {f['own_median'] / f['beside_median']:.2f} times as long.")


def write(stem, facts, team, chosen, sweeps, results, limit_of):
    machine = facts["machine"]
    lines = [
        f"# {machine.gpu or machine.cpu}, {facts['date']}", "",
        f"- Measured on {facts['device']}; CPU {machine.cpu}, {facts['threads']} threads for everyone; load average "
        f"{facts['load'][0]:.1f} at the beginning, {facts['load'][1]:.1f} at the end; {facts['seconds']:.0f} s"
        + ("; quick: small sizes, few repeats." if facts["quick"] else "."),
        "- Medians of many calls, libraries in turns. Inputs are on the device and in turn so many that no cache holds them (64 sets at "
        "most), results are allocated by every call, waits included, warm-up not. Bold: the fastest library.",
        "- *limit*: as many bytes copied, read or written by a plain loop as the row must read and write, in the same run; for 16 "
        "elements a bare launch, for products the call of cuBLAS alone, in TF32 unless the row is in float32. *by hand*: a loop or CUDA kernel of bench/limits.", ""]
    for worker in team:
        lines.append(f"- {worker.name} " + (f"left out: {worker.missing}" if worker.missing else f"{worker.version} {worker.about}".strip()))
    lines += ["", *table(chosen, team, facts, results, limit_of), ""]
    if facts["device"] == "cpu":
        lines += ["Time that all threads of a call were busy, the least of all repeats, which other programs on the machine disturb little:", "",
                  *busy_table(chosen, team, facts, results), ""]
    lines += [
              "What sinter's calls took, each counted once after warm-up (*compiled*: kernels compiled again; *first call*: with compilation or "
              "the disk cache):", "", *counts(chosen, facts, results), ""]
    for name in sweeps:
        lines.append(f"![{name}]({stem.name}-{name}.svg)")
    lines += [f"![ratio to the limit]({stem.name}-ratios.svg)", ""]
    with open(f"{stem}.md", "w") as file:
        file.write("\n".join(lines))
    with open(f"{stem}.csv", "w", newline="") as file:
        out = csv.writer(file)
        fields = ["median", "best", "busy", "first_ms", "launches", "library_calls", "compiled", "peak", "used"]
        out.writerow(["row", "size", "device", "who", "version", "samples", *(f + "_us" if i < 3 else f for i, f in enumerate(fields)), "missing"])
        versions = {w.name: w.version for w in team}
        for (row, size, who), f in results.items():
            out.writerow([row, size, facts["device"], who, versions[who], len(f.get("microseconds", [])),
                          *(f.get(k, "") for k in fields), f.get("missing", "")])

"""Measurements as SVG: lines of bandwidth over sizes, and bars of the ratio to the limit; must not measure."""
import math

import report

COLOURS = {"sinter": "#000000", "by hand": "#999999", "numpy": "#E69F00", "numexpr": "#56B4E9", "cupy": "#009E73",
           "cupy.fuse": "#77CC55", "torch": "#CC79A7", "torch.compile": "#D55E00", "jax": "#0072B2", "limit": "#999999"}


class Drawing:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def line(self, points, colour, width=1, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"'
                          + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    def text(self, x, y, words, size=12, anchor="start", colour="#222222", weight="normal"):
        words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
                          f'font-weight="{weight}">{words}</text>')

    def rectangle(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def circle(self, x, y, radius, colour):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')

    def save(self, path):
        with open(path, "w") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                       f'height="{self.height}" font-family="Helvetica, Arial, sans-serif">\n'
                       f'<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def spread(labels, gap):
    """Heights of labels, moved apart so that none covers another; keeps their order."""
    placed = []
    for y, name in sorted(labels):
        placed.append((max(y, placed[-1][0] + gap) if placed else y, name))
    return placed


def nice_step(largest):
    step = 10 ** math.floor(math.log10(largest / 4))
    return next(step * k for k in (1, 2, 5, 10) if largest / (step * k) <= 6)


def sweep(path, row, facts, team, sizes, results, limit_of):
    """Bytes that must move per second over the number of elements, a line per library."""
    def bandwidth(size, us):
        return sum(row.moves(size)) / us / 1e3

    lines = {w.name: [(float(s), bandwidth(s, results[row.name, s, w.name]["median"])) for s in sizes
                      if "median" in results.get((row.name, s, w.name), {})] for w in team}
    limits = [(s, report.limit_time(row, s, results, limit_of)) for s in sizes]
    lines["limit"] = [(float(s), bandwidth(s, t)) for s, t in limits if t]
    lines = {name: points for name, points in lines.items() if points}
    if not lines:
        return
    d = Drawing(760, 440)
    left, right, top, bottom = 64, 620, 64, 390
    # Caches make the limit of small sizes tower over everything else.
    tallest = max(v for name, points in lines.items() if name not in ("limit", "by hand") for _, v in points)
    tallest = max(tallest, lines.get("limit", [(0, 0)])[-1][1]) * 1.15
    low, high = math.log10(float(sizes[0])), math.log10(float(sizes[-1]))

    def place(n, v):
        return left + (right - left) * (math.log10(n) - low) / max(high - low, 1), bottom - (bottom - top) * min(v / tallest, 1)

    d.text(left, 26, row.title, 16, weight="bold")
    d.text(left, 46, f"{facts['machine'].gpu or facts['machine'].cpu}, {facts['threads']} threads: "
           f"GB/s that must move, over elements", 12)
    step = nice_step(tallest)
    for k in range(int(tallest / step) + 1):
        y = place(10**low, k * step)[1]
        d.line([(left, y), (right, y)], "#dddddd")
        d.text(left - 8, y + 4, f"{k * step:g}", 11, "end")
    for size in sizes:
        x = place(float(size), 0)[0]
        d.line([(x, bottom), (x, bottom + 5)], "#222222")
        d.text(x, bottom + 20, "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in size[2:]), 12, "middle")
    for name, points in reversed(lines.items()):
        drawn = [place(*p) for p in points]
        d.line(drawn, COLOURS[name], 3 if name == "sinter" else 1.8, "5 4" if name in ("limit", "by hand") else "")
        if name not in ("limit", "by hand"):
            for x, y in drawn:
                d.circle(x, y, 4 if name == "sinter" else 2.5, COLOURS[name])
    ends = [(place(*points[-1])[1], name) for name, points in lines.items()]
    for y, name in spread(ends, 16):
        d.text(right + 10, y + 4, name, 13, colour=COLOURS[name], weight="bold" if name == "sinter" else "normal")
    d.save(path)


def ratios(path, facts, team, chosen, results, limit_of):
    """For each row, bars of each library's time over the limit, on a logarithmic axis."""
    groups = []
    for row in chosen:
        for size in row.sizes_on(facts["device"], facts["quick"]):
            limit = report.limit_time(row, size, results, limit_of)
            times = [(w.name, results[row.name, size, w.name]["median"] / limit) for w in team
                     if limit and w.name != "by hand" and "median" in results.get((row.name, size, w.name), {})]
            if times:
                groups.append((f"{row.title} {size}", times))
    if not groups:
        return
    bar, gap, left, width = 9, 10, 330, 520
    largest = max(10, max(v for _, times in groups for _, v in times))
    smallest = min(1, min(v for _, times in groups for _, v in times)) / 1.05
    height = 84 + sum(bar * len(times) + gap for _, times in groups)
    d = Drawing(left + width + 70, height)

    def place(v):
        return left + width * math.log(v / smallest) / math.log(largest / smallest)

    d.text(20, 26, "Time ÷ limit: the bytes that must move, at the measured bandwidth", 16, weight="bold")
    d.text(20, 46, f"{facts['machine'].gpu or facts['machine'].cpu}, {facts['threads']} threads; shorter is better", 12)
    for power in range(0, int(math.log10(largest)) + 1):
        x = place(10**power)
        d.line([(x, 72), (x, height - 8)], "#222222" if power == 0 else "#cccccc")
        d.text(x, 66, f"{10 ** power}×", 11, "middle")
    y = 80
    for title, times in groups:
        d.text(left - 10, y + bar * len(times) / 2 + 4, title, 11, "end")
        for name, v in times:
            d.rectangle(place(smallest), y, max(place(v) - place(smallest), 1), bar - 1, COLOURS[name])
            d.text(place(v) + 4, y + bar - 1.5, f"{name} {v:.2f}" if v < 10 else f"{name} {v:.0f}", 8.5)
            y += bar
        y += gap
    d.save(path)


def write(stem, facts, team, chosen, sweeps, results, limit_of):
    for row in chosen:
        if row.name in sweeps:
            sweep(f"{stem}-{row.name}.svg", row, facts, team, sweeps[row.name], results, limit_of)
    ratios(f"{stem}-ratios.svg", facts, team, chosen, results, limit_of)

#!/usr/bin/env python3
"""Writes sources that stand for several of a test program's, which share what they instantiate: `together.py MOST FOLDER SOURCE...` prints
what is to be compiled. Each source stands in a namespace of its own, behind what all of them include; one that defines macros, or something
of other namespaces, is left as it is."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include ([<"])(.*)[>"]', re.MULTILINE)
ALONE = re.compile(r"^(?:# *(?:define|undef|if|pragma)|namespace \w|template <>|extern |TYPE_TO_STRING)", re.MULTILINE)


def headers_of(source, text):
    """Its lines of includes; what is found from where it stands by the whole path."""
    for kind, name in INCLUDE.findall(text):
        beside = (source.parent / name).resolve()
        yield f"#include <{name}>" if kind == "<" else f'#include "{beside if beside.exists() else name}"'


def written(sources, to):
    texts = {source: source.read_text() for source in sources}
    lines = list(dict.fromkeys(line for source in sources for line in headers_of(source, texts[source])))
    for number, source in enumerate(sources):
        lines += [f"namespace source_{number} {{", f'#include "{source}"', "}"]
    text = "\n".join(lines) + "\n"
    if not to.exists() or to.read_text() != text:
        to.write_text(text)
    return to


def main():
    most, folder, sources = int(sys.argv[1]), pathlib.Path(sys.argv[2]), list(map(pathlib.Path, sys.argv[3:]))
    folder.mkdir(parents=True, exist_ok=True)
    alone = [source for source in sources if ALONE.search(source.read_text())]
    others = [source for source in sources if source not in alone]
    groups = [others[at:at + most] for at in range(0, len(others), most)]
    for source in alone + [written(group, folder / f"{number}.cpp") for number, group in enumerate(groups)]:
        print(source)


if __name__ == "__main__":
    main()

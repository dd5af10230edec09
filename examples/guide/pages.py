"""Collects the pages of the documentation: those that mkdocs.yml names, what they link to, and the reference. Must not know what any
page says."""
import argparse
import os
import pathlib
import re
import shutil
import sys

import reference

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.M | re.S)
FRONT = "index.md"
STYLE = """.md-grid { max-width: 72rem; }
.md-typeset table:not([class]) { display: block; overflow-x: auto; }
.md-typeset code { word-break: normal; }
"""


def source_of(page):
    return "README.md" if page == FRONT else page


def page_of(source):
    return FRONT if source == "README.md" else source


class Collector:
    def __init__(self, folder, repository):
        self.folder, self.repository = folder, repository
        self.waiting, self.done = [], set()

    def want(self, source):
        if source not in self.done:
            self.done.add(source)
            self.waiting.append(source)

    def rewritten(self, link, source):
        """A link as it reads on the site: to a page or a picture, to the repository's address, or its text alone."""
        is_picture, text, target = link.groups()
        name, _, anchor = target.partition("#")
        if name.startswith("site:"):  # pages that only the site has
            to = name.removeprefix("site:")
        elif re.match(r"[a-z]+:", target) or not name:
            return link.group(0)
        else:
            to = os.path.relpath((ROOT / source).parent / name, ROOT)
        if is_picture:
            (self.folder / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / to, self.folder / to)
        elif name.startswith("site:"):
            pass
        elif name.endswith(".md"):
            self.want(to)
        else:
            return f"[{text}]({self.repository}/blob/main/{to})" if self.repository else text
        relative = os.path.relpath(page_of(to), os.path.dirname(page_of(source)) or ".")
        return f"{is_picture}[{text}]({relative}{'#' + anchor if anchor else ''})"

    def collect(self, pages):
        for page in pages:
            if not page.startswith("reference/"):
                self.want(source_of(page))
        while self.waiting:
            source = self.waiting.pop()
            text = re.sub(r"^<!--.*?-->\n", "", (ROOT / source).read_text(), flags=re.M | re.S)
            parts = CODE.split(text)
            # Code stands at the odd places.
            text = "".join(part if i % 2 else LINK.sub(lambda link: self.rewritten(link, source), part) for i, part in enumerate(self.merged(parts)))
            if source.startswith("bench/results/"):  # tables of figures, which the search would show first
                text = "---\nsearch:\n  exclude: true\n---\n" + text
            to = self.folder / page_of(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            # The Markdown of GitHub needs no blank line before a list.
            to.write_text(re.sub(r"^(?!- |\s|$)(.*)\n(?=- )", r"\1\n\n", text, flags=re.M))

    @staticmethod
    def merged(parts):
        """Inline code inside of a link's words is part of the text."""
        result = [parts[0]]
        for i in range(1, len(parts), 2):
            if parts[i].startswith("```"):
                result += [parts[i], parts[i + 1]]
            elif re.search(r"\[[^\]\n]*(?:\n[^\]\n]+)?$", result[-1]) and re.match(r"[^\[]*?\]\(", parts[i + 1], re.S):
                result[-1] += parts[i] + parts[i + 1]
            else:
                result += [parts[i], parts[i + 1]]
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", type=pathlib.Path, required=True, help="Doxygen's output")
    parser.add_argument("--to", type=pathlib.Path, required=True, help="folder for the pages")
    parser.add_argument("--repository", default="", help="address that links to sources lead to; else they are plain text")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.to, ignore_errors=True)
    arguments.to.mkdir(parents=True)
    configuration = (HERE / "mkdocs.yml").read_text()
    Collector(arguments.to, arguments.repository).collect(re.findall(r": (\S+\.md)$", configuration, re.M))
    shutil.copy(HERE / "iframe-worker.js", arguments.to)
    (arguments.to / "style.css").write_text(STYLE)
    count, without, _ = reference.write(ROOT, arguments.xml, arguments.to / "reference")
    print(f"The reference has {count} names; without a docstring: {', '.join(without) or 'none'}")
    return 0 if count > 500 else 1


if __name__ == "__main__":
    sys.exit(main())

"""Writes the alphabetical reference of the public names as Markdown, from Doxygen's XML of the headers and from the tables of operations
and distributions. Must not know what any name does."""
import collections
import re
import xml.etree.ElementTree as ElementTree

SKIPPED_NAMESPACES = ("runtime", "codegen", "detail")
# Overloads that only say by a static_assert what to write instead.
REFUSING = re.compile(r"detail::(?:keyword_arguments|placed_arguments|anything|no_axis|foreign|stand_in|host_argument|\w+_without_braces|refused_array)")
ERROR = re.compile(r"\b(?:shape|index|value|type|linalg|io|compile|device|data|internal)_error\b|\bout_of_memory\b")
PEER = re.compile(r"\b(?:numpy|scipy|cupy|cupyx|torch|jax|pandas|np)\.[A-Za-z_][\w.]*\w")
KINDS = {"b": "bool", "i": "signed integers", "u": "unsigned integers", "f": "floating numbers", "c": "complex numbers"}


class Entry:
    """A public name: its declarations, what its docstrings say, and where it stands."""

    def __init__(self, name, kind, header):
        self.name, self.kind, self.header = name, kind, header
        self.signatures, self.texts, self.members, self.peers, self.examples, self.call = [], [], [], [], [], None

    def add(self, signature, text):
        if signature and signature not in self.signatures:
            self.signatures.append(signature)
        if text and not any(text.rstrip(".") in known for known in self.texts):
            self.texts.append(text)

    def anchor(self):
        return re.sub(r"\W+", "-", self.name).strip("-").lower() or "operator"

    def summary(self):
        text = re.sub(r"\s+", " ", self.texts[0]) if self.texts else ""
        first = re.match(r".*?[.:;](?= |$)", text)
        return (first.group(0) if first else text).rstrip(".:;")


def flattened(node):
    """Doxygen's text as Markdown."""
    if node is None:
        return ""
    parts = [node.text or ""]
    for child in node:
        inner = flattened(child)
        if child.tag == "computeroutput":
            inner = f"`{inner}`"
        elif child.tag == "listitem":
            inner = f"\n- {inner.strip()}"
        elif child.tag == "para" and parts[-1].strip():
            inner = "\n\n" + inner
        parts += [inner, child.tail or ""]
    return "".join(parts)


def docstring(member):
    texts = [flattened(member.find(part)).strip() for part in ("briefdescription", "detaileddescription")]
    return re.sub(r"[ \t]+", " ", "\n\n".join(text for text in texts if text))


def plain(text):
    text = re.sub(r"\s+", " ", text).replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" &", "&").replace("detail::", "")
    return re.sub(r"(&&?|\*)(?=[a-z])", r"\1 ", text)


def signature(member):
    head = []
    for parameter in member.findall("templateparamlist/param"):
        word = plain(flattened(parameter.find("type"))) + " " + (parameter.findtext("declname") or "")
        default = parameter.find("defval")
        head.append(word.strip() + (f" = {plain(flattened(default))}" if default is not None else ""))
    template = f"template <{', '.join(head)}>\n" if head else ""
    result = plain(flattened(member.find("type")))
    arguments = plain(member.findtext("argsstring") or "").replace("={}", " = {}")
    return f"{template}{result} {member.findtext('name')}{arguments}".replace("\n ", "\n").strip()


def place(member):
    at = member.find("location")
    return at.get("file"), int(at.get("line"))  # relative to the tree


def follows_closely(lines, earlier, later):
    """Whether no blank line and no other comment stands between two declarations, which then share a docstring."""
    between = lines[earlier - 1:later - 1]
    return all(line.strip() for line in between) and not any(line.lstrip().startswith("///") for line in between)


def read_namespace(tree, entries, root):
    compound = tree.find("compounddef")
    space = compound.findtext("compoundname")
    if space.split("::")[0] != "sinter" or any(part in SKIPPED_NAMESPACES for part in space.split("::")):
        return
    prefix = space.removeprefix("sinter").removeprefix("::").removeprefix("functions").removeprefix("::")
    members = sorted((m for m in compound.iter("memberdef") if m.get("kind") in ("function", "variable", "typedef", "enum")), key=place)
    latest, sources = None, {}
    for member in members:
        file, line = place(member)
        lines = sources.setdefault(file, (root / file).read_text().split("\n"))
        text = docstring(member)
        if not text and latest and latest[0] == file and (latest[1] == line or follows_closely(lines, latest[1], line)):
            text = latest[2]
        latest = (file, line, text)
        name = member.findtext("name")
        if REFUSING.search(flattened(member)) or name.startswith(("operator", "SINTER_")) or "->" in (member.findtext("argsstring") or ""):
            continue
        full = f"{prefix}::{name}" if prefix else name
        entry = entries.setdefault(full, Entry(full, member.get("kind"), file))
        entry.add(signature(member) if member.get("kind") == "function" else plain(member.findtext("definition") or name), text)


def read_class(tree, entries, root):
    compound = tree.find("compounddef")
    full = compound.findtext("compoundname")
    if not full.startswith("sinter::") or any(part in SKIPPED_NAMESPACES for part in re.split(r"::|<", full)) or "<" in full:
        return
    full = full.removeprefix("sinter::")
    header = compound.find("location").get("file")
    entry = Entry(full, compound.get("kind"), header)
    entry.add(f"{compound.get('kind')} {full};", docstring(compound))
    for member in compound.iter("memberdef"):
        if member.get("prot", "public") != "public" or member.get("kind") not in ("function", "variable"):
            continue
        if REFUSING.search(flattened(member)) or "handle" in flattened(member) or "_" == member.findtext("name")[-1]:
            continue
        words = signature(member) if member.get("kind") == "function" else plain(
            f"{flattened(member.find('type'))} {member.findtext('name')} {flattened(member.find('initializer'))}")
        if not re.search(r"\brequires\b", words):
            entry.members.append((words, docstring(member)))
    if entry.texts or entry.members:
        entries[full if full not in entries else f"{full} (type)"] = entry


def read_operations(root, entries, peers_of):
    rows = (root / "codegen/sinter/codegen/ops/ops.def").read_text()
    header = "include/sinter/array/operators.hpp"
    rules = {}
    for comment, name, arity, kinds in re.findall(r'((?:^///.*\n)+)SINTER_OP\((\w+), (\d), \w+, "(\w+)"', rows, re.M):
        if entries[name].texts if name in entries else False:
            continue
        rules[name] = entry = entries[name] = Entry(name, "function", header)
        operands = ", ".join(f"{kind}&& {word}" for kind, word in list(zip("ABC", "abc"))[:int(arity)])
        kinds_of = ", ".join(f"operand {kind}" for kind in "ABC"[:int(arity)])
        text = re.sub(r"\s*^///\s*", " ", comment, flags=re.M).strip()
        entry.add(f"template <{kinds_of}>\nauto {name}({operands})",
                  f"{text}\n\nElement by element, of arrays, expressions and numbers: {', '.join(KINDS[kind] for kind in kinds)}.")
        entry.peers = peers_of.get(name, [])
    for alias, name in re.findall(r"^SINTER_ALIAS\((\w+), (\w+)\)", (root / "codegen/sinter/codegen/ops/aliases.def").read_text(), re.M):
        if name in rules:
            entry = entries[alias] = Entry(alias, "function", header)
            entry.add(rules[name].signatures[0].replace(f" {name}(", f" {alias}("), f"A second name of `{name}`. {rules[name].texts[0]}")
            entry.peers = rules[name].peers


def read_distributions(root, entries):
    header = "include/sinter/random/random.hpp"
    text = ""
    for line in (root / "include/sinter/random/distributions.def").read_text().split("\n"):
        if line.startswith("///"):
            text = line[3:].strip()
        row = re.match(r"SINTER_DISTRIBUTION\(\d, ([\w:]+), (\w+)(.*)\)$", line)
        if not row:
            continue
        kind, name, words = row.group(1), row.group(2), [word.strip() for word in row.group(3).split(",")][1:]
        parameters = [f"{word} = {default}" if default else word for word, default in zip(words[::2], words[1::2])]
        arguments = ", ".join(parameters + ["const dims& size"])
        entry = entries[f"random::{name}"] = Entry(f"random::{name}", "function", header)
        entry.add(f"template <class T = {kind}>\narray<T> {name}({arguments})",
                  f"{text or 'Random numbers of this distribution.'} Parameters are numbers or arrays, which broadcast; without a size "
                  f"the result has their shape. A member of `random::generator` too.")
        entry.peers = [f"numpy.random.Generator.{name}"]
        text = ""


def named_by_tests(root):
    """The functions of NumPy and SciPy that the tests compare each operation with."""
    table = (root / "tests/generate/ops.py").read_text().split("\nFUNCTIONS = {")[1].split("\n}")[0]
    found = {}
    for name, words in re.findall(r'"(\w+)": ((?:(?!,\s*"\w+": )[\s\S])*)', table):
        found[name] = sorted({("numpy." if module == "np" else "scipy.special.") + peer
                              for module, peer in re.findall(r"\b(np|special)\.(\w+)", words) if peer == name or module == "special"})
    return found


def examples_of(root):
    """The rows of the user guide's tables, by the functions that their last column calls: (NumPy, sinter)."""
    found = collections.defaultdict(list)
    for line in (root / "include/README.md").read_text().split("\n"):
        cells = re.split(r" \| ", line.strip()[2:-2]) if line.startswith("| ") else []
        if len(cells) == 2 and "`" in cells[1]:
            for name in set(re.findall(r"\b([a-z][\w:]*)(?:<[^`]*?>)?\(", " ".join(re.findall(r"`([^`]+)`", cells[1])))):
                found[name].append((cells[0], cells[1]))
    return found


def shown_calls(root):
    """The code and the output of the page of examples, by the last parts of the functions' names."""
    text = (root / "examples/guide/examples.md").read_text()
    return {name: (code, output) for name, code, output in
            re.findall(r"^## (\S+)\n\n```cpp\n(.*?)\n```\n\n```\n(.*?)\n```", text, re.M | re.S)}


def described(entry):
    lines = [f"## {entry.name} {{ #{entry.anchor()} }}", ""]
    if entry.signatures:
        lines += ["```cpp", *entry.signatures, "```", ""]
    lines += ["\n\n".join(entry.texts) or "No description.", ""]
    text = " ".join(entry.texts)
    peers = list(dict.fromkeys(entry.peers + PEER.findall(text)))
    errors = sorted(set(ERROR.findall(text)))
    facts = [f"**Elsewhere** {', '.join(f'`{peer}`' for peer in peers)}"] if peers else []
    facts += [f"**Throws** {', '.join(f'`{error}`' for error in errors)}"] if errors else []
    facts.append(f"**Header** `{entry.header}`")
    lines += [" · ".join(facts), ""]
    if entry.call:
        lines += ["```cpp", entry.call[0], "```", "", "```text", entry.call[1], "```", ""]
    if entry.examples:
        lines += ["| elsewhere | sinter |", "|---|---|", *(f"| {left} | {right} |" for left, right in entry.examples[:3]), ""]
    for words, comment in entry.members:
        lines += ["```cpp", words, "```", "", comment, ""] if comment else ["```cpp", words, "```", ""]
    return "\n".join(lines)


def described_by(entry, name, generator):
    """A sentence for a name without a docstring, where another name has what there is to say."""
    owner, _, kind = name.rpartition("_")
    last = name.split("::")[-1]
    if kind in ("options", "result"):
        entry.add("", f"{'Options' if kind == 'options' else 'Results'} of `{owner}`.")
    elif name.startswith("random::") and last in generator:
        entry.add("", f"{generator[last]} Draws from this thread's generator.")
    elif name.startswith("constants::") or entry.kind == "variable":
        entry.add("", "A constant.")


def collect(root, xml):
    entries = {}
    for path in sorted(xml.glob("*.xml")):
        if path.name.startswith("namespace"):
            read_namespace(ElementTree.parse(path), entries, root)
    for path in sorted(xml.glob("*.xml")):
        if path.name.startswith(("class", "struct", "concept")):
            read_class(ElementTree.parse(path), entries, root)
    peers = {name: peers for name, peers in named_by_tests(root).items()}
    read_operations(root, entries, peers)
    read_distributions(root, entries)
    generator = dict((re.search(r"(\w+)\(", words).group(1), text) for words, text in entries["random::generator"].members if "(" in words and text)
    for name, entry in entries.items():
        if not entry.texts:
            described_by(entry, name, generator)
    for name, rows in examples_of(root).items():
        if name in entries:
            entries[name].examples = rows
    calls = shown_calls(root)
    for name, entry in entries.items():
        code, output = calls.get(name.split("::")[-1], ("", ""))
        if re.search(rf"(?<![\w:]){name}\b[<(]", code):
            entry.call = code, output
    return sorted(entries.values(), key=lambda entry: (entry.name.split("::")[-1].lower(), entry.name))


def write_messages(root, folder):
    """A page of all texts of errors by type, as the sources compose them: what a program fills in is …."""
    found = collections.defaultdict(set)
    for path in sorted(p for room in ("include", "runtime", "codegen") for p in (root / room).rglob("*.[hi]pp")):
        for kind, words in re.findall(r"\bthrow (\w+_error|out_of_memory)\(((?:[^;]|\n)*?)\);", path.read_text()):
            # String literals stand for themselves, what stands between them for a value.
            literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", words))
            text = re.sub("…{2,}", "…", "…".join(literals)).replace('\\"', '"').replace("\\n", " ").strip()
            if text.startswith("["):
                found[kind].add(text + ("" if words.rstrip().endswith('"') else "…"))
    lines = ["# Texts of errors", "", "As the sources compose them, by type; … stands for a value.", ""]
    for kind, texts in sorted(found.items()):
        lines += [f"## {kind}", "", *(f"- `{text}`" for text in sorted(texts)), ""]
    (folder / "messages.md").write_text("\n".join(lines))


def write(root, xml, folder):
    """Writes a page for each first letter and an index; returns how many names there are and those without a docstring."""
    entries = collect(root, xml)
    folder.mkdir(parents=True, exist_ok=True)
    pages = collections.defaultdict(list)
    for entry in entries:
        pages[entry.name.split("::")[-1][0].lower()].append(entry)
    index = ["# Reference", "", f"All {len(entries)} public names, by their last part; each with its declarations as they stand in the headers.", "",
             " · ".join(f"[{letter.upper()}]({letter}.md)" for letter in sorted(pages)), "", "| name | |", "|---|---|"]
    for letter, found in sorted(pages.items()):
        index += [f"| [`{entry.name}`]({letter}.md#{entry.anchor()}) | {entry.summary().replace('|', chr(92) + '|')} |" for entry in found]
        (folder / f"{letter}.md").write_text(f"# {letter.upper()}\n\n" + "\n".join(map(described, found)))
    (folder / "index.md").write_text("\n".join(index) + "\n")
    write_messages(root, folder)
    return len(entries), [entry.name for entry in entries if not entry.texts], sorted(pages)

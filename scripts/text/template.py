"""template.py - the small language that documents are written in, and its expansion to marked text.

  {city}            a slot: a value of values.py or a line of the bank "city"
  {p.last}          a part of a person, the same one everywhere in the document
  {exam*1-3}        one to three lines of the bank "exam", one space between
  {x!u} {x!l}       the value in capitals, in lower case
  <a|b|c>           one of these
  [S|12 {street}]   all of it is one span; the letters are in GROUPS
  \\n \\<             a new line, the character itself

A text is parsed to a list of nodes and expanded to pieces (text, label or None).
"""
import re

GROUPS = {"N": "PERSON", "P": "PLACE", "S": "STREET", "O": "ORGANIZATION", "D": "DATE", "A": "AGE", "T": "PHONE",
          "I": "ID", "E": "EMAIL", "U": "URL"}
SLOT = re.compile(r"\{([a-z_0-9]+)(?:\.([a-z0-9]+))?(?:\*(\d)-(\d))?(?:!([ult]))?\}")


class TemplateError(Exception):
    pass


def parse(text):
    nodes, at = sequence(text, 0, "")
    if at != len(text):
        raise TemplateError("unexpected %r in %r" % (text[at], text))
    return nodes


def sequence(text, at, ends):
    """Nodes up to one of these characters: strings, ("slot", ...), ("choice", [...]), ("group", label, nodes)."""
    nodes, plain = [], []
    while at < len(text) and text[at] not in ends:
        char = text[at]
        if char == "\\":
            plain.append("\n" if text[at + 1] == "n" else text[at + 1])
            at += 2
            continue
        if char not in "{<[":
            plain.append(char)
            at += 1
            continue
        nodes.append("".join(plain))
        plain = []
        node, at = special(text, at)
        nodes.append(node)
    nodes.append("".join(plain))
    return [n for n in nodes if n], at


def special(text, at):
    if text[at] == "{":
        match = SLOT.match(text, at)
        if not match:
            raise TemplateError("a slot is wrong in %r" % text[at:at + 40])
        return ("slot",) + match.groups(), match.end()
    if text[at] == "[":
        label = GROUPS.get(text[at + 1:at + 2])
        if not label or text[at + 2:at + 3] != "|":
            raise TemplateError("a group is wrong in %r" % text[at:at + 40])
        nodes, at = sequence(text, at + 3, "]")
        return ("group", label, nodes), at + 1
    options, at = [], at
    while text[at] != ">":
        nodes, at = sequence(text, at + 1, "|>")
        options.append(nodes)
        if at >= len(text):
            raise TemplateError("a choice has no end in %r" % text)
    return ("choice", options), at + 1


def cased(pieces, how):
    change = {"u": str.upper, "l": str.lower, "t": lambda s: s[:1].upper() + s[1:]}[how]
    return [(change(text), label) for text, label in pieces]


def expand(nodes, scene):
    """Pieces of marked text. scene.slot(name, part) gives the value of a slot."""
    pieces = []
    for node in nodes:
        if isinstance(node, str):
            pieces.append((node, None))
        elif node[0] == "choice":
            pieces += expand(scene.rng.choice(node[1]), scene)
        elif node[0] == "group":
            pieces.append(("".join(t for t, _ in expand(node[2], scene)), node[1]))
        else:
            pieces += slot(node, scene)
    return pieces


def slot(node, scene):
    _, name, part, low, high, how = node
    pieces = []
    for i in range(scene.rng.randint(int(low), int(high)) if low else 1):
        if i:
            pieces.append((" ", None))
        pieces += scene.slot(name, part)
    return cased(pieces, how) if how else pieces


def read_sections(path):
    """{section: [texts]}: "== name" opens a section of one text a line; in "== doc", "--" divides longer texts."""
    sections, name = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("== "):
                name = line[3:].strip()
                sections.setdefault(name, [[]] if name == "doc" else [])
                if name == "doc" and sections[name][-1]:
                    sections[name].append([])
            elif name == "doc":
                if line == "--":
                    sections[name].append([])
                else:
                    sections[name][-1].append(line)
            elif line.strip() and not line.startswith("#"):
                if name is None:
                    raise TemplateError("%s: a line before the first section" % path)
                sections[name].append(line)
    docs = ["\n".join(lines).strip("\n") for lines in sections.pop("doc", [])]
    if docs:
        sections["doc"] = [d for d in docs if d]
    return sections

#!/usr/bin/env python3
"""generate.py [--seed N] [--count N] [--kinds a,b] [--part train|test|all] - made-up documents with their spans marked.

Writes JSON lines {"id", "kind", "text", "spans": [{"start", "end", "label"}]} to standard output, offsets in code
points: what the model of words (src/text/chain/chain.h) is trained and tested with. The same options give the same bytes. Documents
are templates (data/text/kinds, in the language of template.py) filled with values (values.py, people.py) and then roughened
(noise.py). The parts "train" and "test" share neither templates nor words of open lists: of each section with four
texts or more, one in four is for the test. docs/methods/scrub-training.md has more.
"""
import argparse
import json
import os
import random
import sys
import zlib

import noise
import template
from people import Person
from values import SLOTS
from vocabulary import Letters, Vocabulary

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "text")
LEXICON = os.path.join(DATA, "lexicon.lst")
DEPTH = 8  # of banks within banks


def texts_of_part(texts, part):
    """Those of a section that this part may use: every fourth by checksum is the test's."""
    if part == "all" or len(texts) < 4:
        return texts
    ranked = sorted(texts, key=lambda t: (zlib.crc32(t.encode()), t))
    cut = (len(texts) + 2) // 4
    chosen = set(ranked[:cut] if part == "test" else ranked[cut:])
    return [t for t in texts if t in chosen]


class Kinds:
    """All templates: documents by kind, banks of lines by name."""

    def __init__(self, folder, part):
        self.documents, self.options, self.banks = {}, {}, {}
        raw = {}
        for name in sorted(os.listdir(folder)):
            kind = name.rsplit(".", 1)[0]
            sections = template.read_sections(os.path.join(folder, name))
            self.options[kind] = options(sections.pop("options", []))
            if "doc" in sections:
                self.documents[kind] = parsed(sections.pop("doc"), part)
            for bank, texts in sections.items():
                raw.setdefault(bank, []).extend(texts)
        self.banks = {bank: parsed(texts, part) for bank, texts in raw.items()}
        clash = sorted(set(self.banks) & set(SLOTS))
        if clash:
            raise template.TemplateError("a bank is called as a slot: " + ", ".join(clash))


def parsed(texts, part):
    return [template.parse(text) for text in texts_of_part(texts, part)]


def options(lines):
    """{"weight": 5, "upper": 15}: how often the kind is written, and which changes befall how many in 100 of it."""
    found = {"weight": 5}
    for line in lines:
        words = line.split()
        found.update({words[i]: int(words[i + 1]) for i in range(0, len(words), 2)})
    return found


class Scene:
    """One document while it is written."""

    def __init__(self, seed, source):
        self.rng = random.Random(seed)
        self.words, self.kinds = source.words, source.kinds
        self.made_first, self.made_last = source.letters
        self.people, self.used, self.depth = {}, set(), 0
        self.tongue = self.rng.choice(self.words.own["closed.language"])

    def language(self):
        """That of the document mostly, so that its foreign names go together."""
        return self.tongue if self.rng.random() < 0.6 else self.rng.choice(self.words.own["closed.language"])

    def fresh(self):
        return Person(self)

    def unused(self, bank):
        """A text of a bank, if possible one that is not in the document yet."""
        texts = self.kinds.banks[bank]
        for _ in range(4):
            number = self.rng.randrange(len(texts))
            if (bank, number) not in self.used:
                break
        self.used.add((bank, number))
        return texts[number]

    def slot(self, name, part):
        if len(name) == 1 and name != "n" or name in ("pt", "dr"):
            if name not in self.people:
                self.people[name] = Person(self, self.people.get("pt") if name == "k" else None)
            return self.people[name].part(part)
        if name in SLOTS:
            return SLOTS[name](self)
        if name not in self.kinds.banks:
            raise template.TemplateError("nothing is called {%s}" % name)
        if self.depth > DEPTH:
            return []
        self.depth += 1
        pieces = template.expand(self.unused(name), self)
        self.depth -= 1
        return pieces


def marked(pieces):
    """The text of pieces and where its labelled ones are."""
    text, spans, at = [], [], 0
    for piece, label in pieces:
        core = piece.strip() if label else ""
        if core:
            start = at + piece.index(core)
            if label == "PERSON" and spans and spans[-1]["label"] == label and spans[-1]["end"] == at - 1 \
                    and text[-1] == " ":
                start = spans.pop()["start"]  # a first name and a surname after it are one name
            spans.append({"start": start, "end": at + piece.index(core) + len(core), "label": label})
        text.append(piece)
        at += len(piece)
    return "".join(text), spans


def document(number, kind, scene, chances):
    pieces = template.expand(scene.rng.choice(scene.kinds.documents[kind]), scene)
    for name, change in noise.CHANGES.items():
        if scene.rng.random() * 100 < chances.get(name, 0):
            pieces = change(pieces, scene.rng)
    text, spans = marked(pieces)
    return {"id": "%s-%d" % (kind, number), "kind": kind, "text": text, "spans": spans}


class Source:
    """What the documents of one part are made from: read once, never changed."""

    def __init__(self, part):
        self.part = part
        self.words = Vocabulary(part, LEXICON, os.path.join(DATA, "lists"))
        self.kinds = Kinds(os.path.join(DATA, "kinds"), part)
        lists = self.words.lists
        self.letters = (Letters(lists["female"] + lists["male"]), Letters(lists["surname"]))


def documents(source, seed, count, chosen=None):
    """The documents one after another."""
    kinds = source.kinds
    names = chosen or sorted(kinds.documents)
    unknown = [n for n in names if n not in kinds.documents]
    if unknown:
        raise template.TemplateError("no such kind: %s; there are %s" %
                                     (unknown[0], ", ".join(sorted(kinds.documents))))
    weights = [kinds.options[n]["weight"] for n in names]
    rng = random.Random("%s %d" % (source.part, seed))
    for number in range(count):
        kind = rng.choices(names, weights)[0]
        scene = Scene("%s %d %d" % (source.part, seed, number), source)
        yield document(number, kind, scene, kinds.options[kind])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kinds", help="only these, with commas between")
    parser.add_argument("--part", choices=("train", "test", "all"), default="train")
    args = parser.parse_args()
    try:
        for doc in documents(Source(args.part), args.seed, args.count, args.kinds.split(",") if args.kinds else None):
            sys.stdout.write(json.dumps(doc, ensure_ascii=False) + "\n")
    except template.TemplateError as error:
        sys.exit("generate.py: %s" % error)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""written.py [FILE]... - made-up documents of written/*.txt with their spans marked, as JSON lines like generate.py's.

Where generate.py fills templates, which repeat, these were written one by one, so that the model of words
(src/text/chain/chain.h) also sees how letters, notes and records differ. A line "== ID" starts a document, which ends before
the next such line; {{LABEL|words}} marks what is personal in it; a line with # before the first document is a comment.
Without files all are taken but those of written/held_out.txt, which are for measuring. docs/methods/scrub-training.md
has more.
"""
import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "data/text/written"
HELD_OUT = "held_out.txt"
MARK = re.compile(r"\{\{([A-Z]+)\|(.*?)\}\}", re.DOTALL)


def documents(path):
    """The documents of a file: name and marked text."""
    parts = re.split(r"^== (\S+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for name, marked in zip(parts[1::2], parts[2::2]):
        yield name, marked.removesuffix("\n")


def unmark(marked):
    """The text without marks, and its spans; offsets in code points."""
    text, spans, at = "", [], 0
    for mark in MARK.finditer(marked):
        text += marked[at:mark.start()]
        spans.append({"start": len(text), "end": len(text) + len(mark[2]), "label": mark[1]})
        text += mark[2]
        at = mark.end()
    return text + marked[at:], spans


def main(files):
    for path in map(pathlib.Path, files or sorted(f for f in FOLDER.glob("*.txt") if f.name != HELD_OUT)):
        for name, marked in documents(path):
            text, spans = unmark(marked)
            print(json.dumps({"id": name, "kind": path.stem, "text": text, "spans": spans}, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])

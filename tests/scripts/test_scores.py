"""test_scores.py TACIT - how much `tacit scrub` finds, and how much of what it replaces is personal: recall and precision
by tokens (words and numbers) on marked documents of our own, and on ../shared/data/text where it is there. The shipped
weights were learned from text of the same templates as our own documents: these tell of a detector that was lost, no more."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TACIT = sys.argv.pop(1)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARED = os.path.join(ROOT, "..", "shared", "data", "text")
TOKEN = re.compile(r"\w+", re.UNICODE)


def found_by_tacit(path):
    """Spans by id, in code points."""
    with tempfile.TemporaryDirectory() as folder:
        spans = os.path.join(folder, "spans.jsonl")
        subprocess.run([TACIT, "scrub", path, "--jsonl", "text", "--accept-unread", "--replace", "all=tag", "-q", "--spans", spans,
                        "-o", os.path.join(folder, "out.jsonl")], check=True)
        with open(spans, encoding="utf-8") as lines:
            return [json.loads(line)["spans"] for line in lines]


def points(text):
    """Of each byte its character's number, and one more."""
    numbers = [i for i, character in enumerate(text) for _ in character.encode("utf-8")]
    return numbers + [len(text)]


def overlaps(start, end, spans):
    return any(start < b and a < end for a, b in spans)


class Tally:
    def __init__(self):
        self.personal = self.taken = self.both = self.clean = self.touched = 0

    def add(self, text, gold, taken):
        for token in TOKEN.finditer(text):
            is_personal, is_taken = overlaps(*token.span(), gold), overlaps(*token.span(), taken)
            self.personal += is_personal
            self.taken += is_taken
            self.both += is_personal and is_taken
        if not gold:
            self.clean += 1
            self.touched += bool(taken)


def measure(path):
    tally = Tally()
    with open(path, encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines if line.strip()]
    for document, spans in zip(documents, found_by_tacit(path), strict=True):
        at = points(document["text"])
        tally.add(document["text"], [(s["start"], s["end"]) for s in document["spans"]],
                  [(at[s["start"]], at[s["end"]]) for s in spans])
    return tally


class Scores(unittest.TestCase):
    def check(self, path, recall, precision):
        if not os.path.exists(path):
            self.skipTest("no " + os.path.basename(path))
        tally = measure(path)
        self.assertGreaterEqual(tally.both / tally.personal, recall)
        self.assertGreaterEqual(tally.both / tally.taken, precision)
        self.assertLessEqual(tally.touched * 10, tally.clean)

    def test_own_documents(self):
        self.check(os.path.join(ROOT, "tests", "data", "letters.jsonl"), 0.95, 0.95)

    def test_letters(self):
        self.check(os.path.join(SHARED, "letters.jsonl"), 0.99, 0.95)

    def test_chat(self):
        self.check(os.path.join(SHARED, "presidio_generated_large.jsonl"), 0.92, 0.90)


if __name__ == "__main__":
    unittest.main()

"""test_generate.py - the generator of marked text (scripts/text): spans lie where they say, the seed decides, and the
parts for training and for testing have nothing in common that they should not."""
import json
import os
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts", "text"))

import generate  # noqa: E402
import noise  # noqa: E402
import template  # noqa: E402
import vocabulary  # noqa: E402

LABELS = set(template.GROUPS.values()) | {"SSN", "CARD", "IBAN", "IP"}


def parse_fails(text):
    try:
        template.parse(text)
    except template.TemplateError:
        return True
    return False


class Generate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources = {part: generate.Source(part) for part in ("train", "test")}

    def well_formed(self, doc):
        at = 0
        for span in doc["spans"]:
            text = doc["text"][span["start"]:span["end"]]
            self.assertTrue(at <= span["start"] < span["end"] <= len(doc["text"]), doc["id"])
            self.assertEqual(text, text.strip(), doc["id"])
            self.assertIn(span["label"], LABELS)
            at = span["end"]

    def test_spans(self):
        clean = 0
        for part in ("train", "test"):
            docs = list(generate.documents(self.sources[part], 5, 300))
            for doc in docs:
                self.well_formed(doc)
                self.assertNotIn("{", "".join(doc["text"].split('{"name"')), doc["id"])
            clean += sum(not doc["spans"] for doc in docs)
        self.assertGreater(clean, 600 // 5)

    def test_seed_decides(self):
        first, again, other = (list(generate.documents(self.sources["train"], s, 40)) for s in (3, 3, 4))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_kinds(self):
        self.assertEqual({d["kind"] for d in generate.documents(self.sources["train"], 1, 20, ["notes"])}, {"notes"})
        with self.assertRaises(template.TemplateError):
            list(generate.documents(self.sources["train"], 1, 1, ["nothing"]))

    def test_parts_are_disjoint(self):
        texts = ["text %d" % i for i in range(40)]
        train, test = (set(generate.texts_of_part(texts, part)) for part in ("train", "test"))
        self.assertEqual((len(train), len(test)), (30, 10))
        self.assertFalse(train & test)
        self.assertEqual(generate.texts_of_part(texts[:3], "test"), texts[:3])
        for word in ("Weston", "weston", "Hodgkins"):
            self.assertNotEqual(vocabulary.of_part("train", word), vocabulary.of_part("test", word))

    def test_marking(self):
        pieces = [("Dr. ", None), ("Ann", "PERSON"), (" ", None), ("Lee", "PERSON"), (", ", None), (" Rome ", "PLACE")]
        text, spans = generate.marked(pieces)
        self.assertEqual([text[s["start"]:s["end"]] for s in spans], ["Ann Lee", "Rome"])
        text, spans = generate.marked(noise.upper([("Herr ", None), ("Weiß", "PERSON")], None))
        self.assertEqual(text[spans[0]["start"]:spans[0]["end"]], "WEISS")

    def test_language(self):
        for wrong in ("{", "{Name}", "<a|b", "[X|a]", "a ] {b"):
            self.assertTrue(parse_fails(wrong), wrong)
        self.assertEqual(template.parse(r"a\n\<b"), ["a\n<b"])

    def test_front_coding(self):
        self.assertEqual(list(vocabulary.front_coded(["!annA", "$aBA", "#tB"])), [("ann", 0), ("anna", 26), ("ant", 1)])
        self.assertEqual(vocabulary.titled("isle of wight-mcdonald"), "Isle of Wight-McDonald")

    def test_committed_letters(self):
        with open(os.path.join(ROOT, "tests", "data", "letters.jsonl"), encoding="utf-8") as lines:
            docs = [json.loads(line) for line in lines]
        self.assertGreaterEqual(len(docs), 50)
        for doc in docs:
            self.well_formed(doc)


if __name__ == "__main__":
    unittest.main()

"""test_planted.py TACIT - one name in a long text in which nothing else is personal is found, whatever the form; how many
such texts are touched without it; and --explain changes nothing. The texts are those of data/text/written that have
nobody in them, and those of ../shared/data/text where it is there."""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

TACIT = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data" / "text"
LONG = 65  # words, with which a text was once taken to have nobody in it
sys.path.insert(0, str(ROOT / "scripts" / "text"))
import written  # noqa: E402

# Surnames that are words, trades or eponyms (Smith, Green, Schwartz) are found in a person's place; that touches one
# clean text in thirty more ("the eGFR by Schwartz"). A person missed costs ten times a harmless replacement.
TOUCHED_LEARNED, TOUCHED_HELD_OUT = 0.12, 0.31

FIRST = """Tom Maria Chidi Fatima Wei Anjali Piotr Dmitri Leila Kwame Siobhan Hannah Jorge Yuki Olu Grace Ingrid Mehmet
Thandiwe Rahul Amelia Frank Eleni Noor Xiomara""".split()
LAST = """Grant Okonkwo Hernandez Whitfield Nguyen Patel Kowalczyk Abernathy O'Brien Fitzgerald Ramanathan Mensah Lindqvist
Yamamoto Haddad Petrov Brown Young Baker Price Okafor Delacroix Zielinski Osei Castellanos Thornbury Achterberg Rao""".split()
FORMS = """Dr {L} reviewed the plan.|Seen by {F} {L} this morning.|Spoke with Mrs {L} about the result.|{F} {L} agreed.
I spoke to {F} about it.|Discussed with Dr. {F} {L}.|Mr {L} was told of this.|Ms. {L} will follow this up.
Please call {F} {L} if it gets worse.|Signed, {F} {L}|Her husband {F} was with her.|Thanks to {F} {L} for the help.
Referred by Dr {L}.|Nurse {L} was present.|Reviewed by {F} {L}, RN.|{L}, {F} attended alone.|Prof {L} advised against it.
The patient, {F} {L}, was comfortable.|Reviewed by {L} today.|{F} rang about the result.|Told {F} {L} to come back.
Family meeting with {F} and the team.|Consultant: {F} {L}|Mother ({F} {L}) was present.|Contact {F} with questions."""
FORMS = FORMS.replace("\n", "|").split("|")


def clean_texts(files):
    """Documents with nobody in them that are long."""
    for path in files:
        for _, marked in written.documents(path):
            text, spans = written.unmark(marked)
            if not spans and len(re.findall(r"\w+", text)) >= LONG:
                yield text


def clean_shared(path):
    with open(path, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    return [text for text in texts if len(re.findall(r"\w+", text)) >= LONG]


def scrub(texts, *options):
    """Of each text its spans, as pairs of byte offsets, and what was written."""
    with tempfile.TemporaryDirectory() as folder:
        source, spans, out = (os.path.join(folder, name) for name in ("in.jsonl", "spans.jsonl", "out.jsonl"))
        with open(source, "w", encoding="utf-8") as lines:
            for text in texts:
                print(json.dumps({"text": text}, ensure_ascii=False), file=lines)
        subprocess.run([TACIT, "scrub", source, "--jsonl", "text", "--accept-unread", "-q", "--seed", "1", "--spans", spans, "-o", out,
                        *(option.replace("FOLDER", folder) for option in options)], check=True)
        with open(spans, encoding="utf-8") as lines:
            found = [[(s["start"], s["end"]) for s in json.loads(line)["spans"]] for line in lines]
        with open(out, "rb") as lines:
            return found, lines.read()


def plant(text, chance):
    """The text with a sentence more at some place where one may stand, and the bytes of the names in it."""
    form = chance.choice(FORMS)
    names = {"F": chance.choice(FIRST), "L": chance.choice(LAST)}
    ends = [m.end() for m in re.finditer(r"[a-z)]\.\s|\n", text)] + [len(text)]
    at = chance.choice(ends)
    before = text[:at] + ("" if text[at - 1:at].isspace() else " ")
    sentence = form.format(**names)
    behind = ("\n" if before.endswith("\n") else " ") + text[at:]
    places = []
    for letter, name in names.items():
        if "{" + letter + "}" in form:
            start = len((before + sentence[:sentence.index(name)]).encode())
            places.append((start, start + len(name.encode())))
    return before + sentence + behind, places


def recall(texts, times):
    chance = random.Random(26)
    planted = [plant(text, chance) for _ in range(times) for text in texts]
    found, _ = scrub([text for text, _ in planted])
    hits = [any(a < end and start < b for a, b in spans)
            for (_, places), spans in zip(planted, found, strict=True) for start, end in places]
    return sum(hits) / len(hits)


class Planted(unittest.TestCase):
    def check(self, texts, least, most_touched):
        touched = sum(bool(spans) for spans in scrub(texts)[0])
        self.assertLessEqual(touched, most_touched * len(texts))
        self.assertGreaterEqual(recall(texts, 8 if os.environ.get("TACIT_LONG") else 1), least)

    def test_learned_from(self):
        files = sorted(f for f in written.FOLDER.glob("*.txt") if f.name != written.HELD_OUT)
        self.check(list(clean_texts(files)), 0.975, TOUCHED_LEARNED)

    def test_held_out(self):
        self.check(list(clean_texts([written.FOLDER / written.HELD_OUT])), 0.97, TOUCHED_HELD_OUT)

    def test_articles(self):
        path = SHARED / "anem_clean_even.jsonl"
        if not path.exists():
            self.skipTest("no " + path.name)
        self.check(clean_shared(path), 0.98, 0.40)

    def test_explain_changes_nothing(self):
        chance = random.Random(9)
        texts = [plant(text, chance)[0] for text in clean_texts(sorted(written.FOLDER.glob("*.txt")))]
        same = scrub(texts) == scrub(texts, "--explain", "FOLDER/explain.jsonl")
        self.assertTrue(same, "spans or text differ")


if __name__ == "__main__":
    unittest.main()

"""test_clinical.py TACIT - clinical values (pressures, scores, stages, doses, ratios) come out of `tacit scrub` byte for byte,
alone and beside names and dates; days of a month are found all the same; and no number that only a guess is about is
replaced by another number."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TACIT = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "text"))
import written  # noqa: E402

BEFORE = ("Seen on 03/14/2019 by Dr Rose Okafor, MRN 4471902. Mr Piotr Kowalczyk, DOB 07/02/1961, came with his wife Anjali "
          "on 9/12. ")
BEHIND = " Review on 4/5 with Dr Okafor. Tel 617-555-0143."
PROBABLE = 0.75  # a form that is less likely is a guess
DATES = """Seen on 9/12 in clinic.|Symptoms since 3/4.|Review due 12/14.|Admitted 2/17 with pain.|LMP 6/18.|Discharged 8/21.
Appt 5/28 at 10:30.|Started 11/10, stopped 12/27.|week of 7/27|Last seen 4/24.|from 3/14 to 3/28|Fri 8/2 clinic"""
DATES = DATES.replace("\n", "|").split("|")


def values():
    lines = (ROOT / "tests" / "data" / "clinical_values.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def scrub(texts):
    """Of each text what it became, and its spans with their words."""
    with tempfile.TemporaryDirectory() as folder:
        source, spans, out = (os.path.join(folder, name) for name in ("in.jsonl", "spans.jsonl", "out.jsonl"))
        with open(source, "w", encoding="utf-8") as lines:
            for text in texts:
                print(json.dumps({"text": text}, ensure_ascii=False), file=lines)
        subprocess.run([TACIT, "scrub", source, "--jsonl", "text", "--accept-unread", "-q", "--words", "--spans", spans, "-o", out], check=True)
        with open(out, encoding="utf-8") as became, open(spans, encoding="utf-8") as found:
            return [(json.loads(a)["text"], json.loads(b)["spans"]) for a, b in zip(became, found, strict=True)]


class Clinical(unittest.TestCase):
    def check(self, before, behind):
        lines = values()
        self.assertGreaterEqual(len(lines), 300)
        for line, (became, _) in zip(lines, scrub([before + line + behind for line in lines]), strict=True):
            with self.subTest(line=line):
                self.assertIn(line, became)

    def test_alone(self):
        self.check("", "")

    def test_in_a_letter(self):
        self.check(BEFORE, BEHIND)

    def test_in_a_note(self):
        self.check("12/3/2020 Nurse Abernathy\n", "\nSeen 3/4 by A. Rao\n")

    def test_days_are_found(self):
        for text, (_, spans) in zip(DATES, scrub(DATES), strict=True):
            with self.subTest(text=text):
                self.assertTrue([s for s in spans if s["label"] == "DATE" and "/" in s["text"]])

    def test_no_guess_makes_up_a_number(self):
        texts = [written.unmark(marked)[0] for path in sorted(written.FOLDER.glob("*.txt"))
                 for _, marked in written.documents(path)]
        texts += [BEFORE + line + BEHIND for line in values()]
        guessed = [s for _, spans in scrub(texts) for s in spans
                   if s["likelihood"] < PROBABLE and any(c.isdigit() for c in s["text"])]
        self.assertTrue(guessed)
        for span in guessed:
            self.assertRegex(span["replacement"], r"^\[[A-Z_]+\]$")


if __name__ == "__main__":
    unittest.main()

"""test_statement.py TACIT - what recipients are told holds nothing that helps to undo a release. Random tables are released
under many policies; no statement has a value of the data that its release does not have, a seed, a key, a path, a dropped
column or a number that does not follow from the release; what it says can be counted there; and data that are changed
without changing the release do not change the statement."""
import csv
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

TACIT = str(pathlib.Path(sys.argv.pop(1)).resolve())
CASES = 72
SEED = "918273645"
TOWNS = [(f"town{c}", f"county{c // 3}") for c in range(9)]
LIKE = ["--method mingen --loss 0.1", "--method local", "--method datafly --loss 0.1", "--method local --minimality resist --suppressed drop",
        "--method mingen --loss 0.3 --suppressed drop", "--method mingen --loss 0.0473"]
STEPS = ["", "techniques:\n  - noise: {columns: [income], size: 0.317, seed: 55443322}\n",
         "techniques:\n  - swap: {columns: [illness]}\n  - round: {columns: [income], base: 7351}\n"]


def draw(rng, rows):
    head = ["identity", "code", "birth", "town", "sex", "illness", "income"]
    people = [[f"Name{rng.randrange(10 ** 9):09}", f"{rng.choice('78')}{rng.randrange(4)}{rng.randrange(100, 1000)}",
               f"19{rng.randrange(40, 99)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}", rng.choice(TOWNS)[0],
               rng.choice(["male", "female"]), rng.choice(["asthma", "ulcer", "gout", "flu"]),
               str(rng.randrange(20000, 90000))] for _ in range(rows)]
    return head, people


def beneath(rng, people):
    """The same people but for what even the first level hides, and their identities."""
    return [[f"Other{rng.randrange(10 ** 9):09}", p[1][:-1] + str(rng.randrange(10)),
             p[2][:-2] + f"{rng.randrange(1, 29):02}"] + p[3:] for p in people]


class Statement(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "qzfolder"
        self.path.mkdir()
        (self.path / "qztowns.csv").write_text("".join(f"{t};{c};*\n" for t, c in TOWNS))

    def tearDown(self):
        self.folder.cleanup()

    def release(self, head, people, like, steps, replace, kind):
        with open(self.path / "qzdata.csv", "w", newline="") as file:
            csv.writer(file).writerows([head] + people)
        (self.path / "qzpolicy.yaml").write_text(
            f"k: 3\nperson: none\n{steps}{'key-file: qzkey' if replace == 'pseudonym' else ''}\ncolumns:\n"
            f"  identity: {{role: identifier, replace: {replace}}}\n  code: {{role: quasi, hierarchy: {{mask: right}}}}\n"
            "  birth: {role: quasi, hierarchy: {date: true}}\n  town: {role: quasi, hierarchy: qztowns.csv}\n"
            "  sex: quasi\n  illness: sensitive\n  income: insensitive\n")
        for name in ("out.csv", "said." + kind):
            (self.path / name).unlink(missing_ok=True)
        done = subprocess.run([TACIT, "anonymize", "qzdata.csv", "--policy", "qzpolicy.yaml", "--seed", SEED, "--quiet",
                               "--no-evaluate", "-o", "out.csv", "--statement", "said." + kind] + like.split(),
                              cwd=self.path, capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        made = [(self.path / name).exists() for name in ("out.csv", "said." + kind)]
        self.assertEqual(made, [done.returncode == 0] * 2)
        return ((self.path / "out.csv").read_bytes(), (self.path / ("said." + kind)).read_text()) if made[0] else None

    def look(self, text, head, people, out, replace):
        rows = list(csv.reader(out.decode().splitlines()))
        shown = set(rows[0]).union(*map(set, rows[1:]))
        for value in {cell for row in people for cell in row} - shown:
            self.assertNotIn(value, text)
        for secret in [SEED, "qz", "/", "55443322", "0.317", "7351", "0.0473", "4.73", "0.1", "0.3"]:
            self.assertNotIn(secret, text)
        if replace == "drop":
            self.assertNotIn("identity", text)
        else:
            key = (self.path / "qzkey").read_bytes()
            self.assertNotIn(key.hex(), text)
            self.assertFalse(key.strip().decode("latin-1") in text)
        stars = {round(100 * sum(row[i] == "*" for row in rows[1:]) / (len(rows) - 1) + 1e-9) for i in range(len(rows[0]))}
        allowed = {3} | stars | set(range(1, 7))
        self.assertLessEqual({int(n) for n in re.findall(r"\d+", text)}, allowed)
        return rows

    def hold(self, said, rows, like):
        """What a statement in JSON says can be counted in the release."""
        self.assertEqual([v["name"] for v in said["variables"]], rows[0])
        if "local" in like:
            for i, variable in enumerate(said["variables"]):
                for note in variable["notes"]:
                    share = re.search(r"about (\d+) %", note["text"])
                    if share:
                        counted = 100 * sum(row[i] == "*" for row in rows[1:]) / (len(rows) - 1)
                        self.assertLessEqual(abs(int(share[1]) - counted), 0.5001)
        quasi = [rows[0].index(name) for name in ("code", "birth", "town", "sex")]
        classes = Counter(tuple(row[i] for i in quasi) for row in rows[1:])
        classes.pop(("*",) * 4, None)
        self.assertGreaterEqual(min(classes.values(), default=3), said["k"])
        self.assertEqual("method" in said, "resist" in like)

    def test_nothing_helps(self):
        made, same = Counter(), 0
        for case in range(CASES):
            rng = random.Random(case)
            head, people = draw(rng, rng.choice([12, 60, 200]))
            like, steps = LIKE[case % len(LIKE)], STEPS[case // len(LIKE) % len(STEPS)]
            replace, kind = rng.choice(["drop", "pseudonym"]), "md" if case % 4 == 3 else "json"
            got = self.release(head, people, like, steps, replace, kind)
            if not got:
                continue
            made[like] += 1
            rows = self.look(got[1], head, people, got[0], replace)
            if kind == "json":
                self.hold(json.loads(got[1]), rows, like)
            if replace == "drop":
                again = self.release(head, beneath(rng, people), like, steps, replace, kind)
                if again and again[0] == got[0]:
                    same += 1
                    self.assertEqual(again[1], got[1])
        self.assertEqual(set(made), set(LIKE))
        self.assertGreaterEqual(same, 5)


if __name__ == "__main__":
    unittest.main()

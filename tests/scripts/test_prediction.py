"""test_prediction.py TACIT - what --target says, computed again from the two files alone. Releases of random tables, and of adult
where it is at hand, are made in the order of the data; naive Bayes is learned here from the data and from the release by
the formulas of docs/methods/loss.md, and tried on the records that are held out."""
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from collections import Counter, defaultdict

TACIT = str(pathlib.Path(sys.argv.pop(1)).resolve())
DATA = pathlib.Path(__file__).resolve().parents[2] / "../shared/data/adult"
WORD = 2 ** 64


def mix(x):
    for multiplier, shift in ((0x9E3779B97F4A7C15, 32), (0xBF58476D1CE4E5B9, 29)):
        x = ((x ^ (x >> shift)) * multiplier) % WORD
    return x ^ (x >> 32)


def held_out(seed, row):
    return (mix((mix((mix(seed) + 1) % WORD) + row) % WORD) >> 11) / 2 ** 53 * 3 < 1


def cut(values):
    """Numbers as bins of about as many records each; others as they are."""
    try:
        numbers = [float(v) if v else None for v in values]
    except ValueError:
        return lambda v: v
    known = sorted(n for n in numbers if n is not None)
    bins = max(b for b in range(2, 33) if b == 2 or b ** 5 <= len(values) ** 2)
    each, cuts, closed = len(set(known)) <= bins, [], 0
    for at in range(1, len(known)):
        full = at * bins // len(known)
        if known[at] > known[at - 1] and (each or full > closed):
            closed = full
            cuts.append((known[at - 1] + known[at]) / 2)

    def category(value):
        try:
            return sum(float(value) > c for c in cuts) if value else value
        except ValueError:
            return value
    return category


def learn(train, target):
    """Classes and their counts, and of each other column the counts of categories by class."""
    classes = Counter(row[target] for row in train)
    columns = [defaultdict(Counter) for _ in train[0]]
    for row in train:
        for column, category in enumerate(row):
            columns[column][category][row[target]] += 1
    return classes, columns


def predict(model, row, target, order):
    classes, columns = model
    scores = {}
    for y, count in classes.items():
        scores[y] = math.log(count)
        for column, category in enumerate(row):
            if column != target and category in columns[column]:
                scores[y] += math.log((columns[column][category][y] + 1) / (count + len(columns[column])))
    best = max(scores.values())
    return min((y for y in scores if scores[y] > best - 1e-9), key=order.index)


def readings(before, after, cuts):
    """How the release shows each value: as itself, or as the label that it has most often."""
    out = []
    for column, category in enumerate(cuts):
        values = {category(row[column]) for row in before}
        shown, read = defaultdict(Counter), {}
        first = {label: -i for i, label in enumerate(dict.fromkeys(category(a[column]) for a in after))}
        for b, a in zip(before, after):
            shown[b[column]][category(a[column])] += 1
        for value, counts in shown.items():
            claims = sum(n for label, n in counts.items() if label in values)
            labels = [(n, first[label], label) for label, n in counts.items() if label not in values]
            read[value] = category(value) if not labels or claims >= max(labels)[0] else max(labels)[2]
        out.append(read)
    return out


def scores_of(before, after, target, seed):
    cuts = [cut([row[c] for row in before]) for c in range(len(before[0]))]
    order = list(dict.fromkeys(row[target] for row in before))
    tried = [i for i in range(len(before)) if held_out(seed, i)]
    shown = [i for i in range(len(before)) if not held_out(seed, i)]
    as_categories = [[category(cell) for category, cell in zip(cuts, row)] for row in before]
    read = readings(before, after, cuts)
    known = [[category(cell) for category, cell in zip(cuts, after[i])] for i in shown if after[i][target] in order]
    results = []
    for train, rows in (([as_categories[i] for i in shown], [as_categories[i] for i in tried]),
                        (known, [[read[c][cell] for c, cell in enumerate(before[i])] for i in tried])):
        model = learn(train, target)
        right = sum(predict(model, row, target, order) == before[i][target] for row, i in zip(rows, tried))
        results.append(right / len(tried))
    common = Counter(before[i][target] for i in shown).most_common(1)[0][0]
    return results + [sum(before[i][target] == common for i in tried) / len(tried)], len(tried)


class Prediction(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def check(self, data, like, target, seed, delimiter=","):
        done = subprocess.run([TACIT, "anonymize", str(data), "--keep-order", "--seed", str(seed), "--quiet", "--target", target,
                               "--report", "r.json", "-o", "out.csv"] + like, cwd=self.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(data) as b, open(self.path / "out.csv") as a:
            before, after = (list(csv.reader(f, delimiter=delimiter)) for f in (b, a))
        said = json.loads((self.path / "r.json").read_text())["information_loss"]["prediction"]
        wanted, tried = scores_of(before[1:], after[1:], before[0].index(target), seed)
        self.assertEqual(said["tested"], tried)
        # equally likely classes may be taken either way
        for name, value in zip(("before", "after", "baseline"), wanted):
            self.assertLessEqual(abs(said[name] - value), 2.5 / tried, (name, said[name], value, like))
        return said

    def test_random(self):
        exact = kept = 0
        for case in range(24):
            rng = random.Random(case)
            data = self.path / "d.csv"
            with open(data, "w", newline="") as file:
                out = csv.writer(file)
                out.writerow(["town", "age", "job", "ill"])
                for _ in range(rng.choice([150, 400])):
                    town, age = rng.choice("abcdef"), rng.randrange(20, 70)
                    job = rng.choice(["clerk", "cook", "smith"] if age < 45 else ["smith", "judge"])
                    ill = rng.choice(["flu", "gout"] if town < "d" else ["flu", "asthma", "asthma"])
                    out.writerow([town, age, job, ill])
            (self.path / "towns.csv").write_text("".join(f"{t};{'west' if t < 'd' else 'east'};*\n" for t in "abcdef"))
            like = ["--k", "4", "--quasi", "town,age,job", "--sensitive", "ill", "--hierarchy", "town=towns.csv", "--hierarchy",
                    "age=interval:0/10,30", "--method", rng.choice(["mingen", "local", "datafly"]), "--loss", "0.1"]
            if case % 4 == 3:
                like = ["--method", "none", "--quasi", "town,age,job", "--sensitive", "ill", "--person", "none", "--techniques",
                        "swap:columns=town"]
            said = self.check(data, like, "ill", case)
            kept += said["after"] > said["baseline"]
            exact += 1
        self.assertGreater(kept, 5)
        self.assertEqual(exact, 24)

    @unittest.skipUnless((DATA / "adult.csv").exists(), "adult.csv is not at hand")
    def test_adult(self):
        quasi = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
        like = ["--k", "5", "--quasi", ",".join(quasi), "--sensitive", "salary-class", "--method", "local"]
        for name in quasi:
            like += ["--hierarchy", f"{name}={DATA}/adult_hierarchy_{name}.csv"]
        said = self.check(DATA / "adult.csv", like, "salary-class", 1, ";")
        self.assertGreater(said["after"], said["baseline"])


if __name__ == "__main__":
    unittest.main()

"""test_forms.py TACIT - releases of tables in other forms, read by readers of their own: a small parser of PX files, csv for
SDMX-CSV, openpyxl for workbooks. Each says what the full file of the data holder says, and nothing of what it must not."""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TACIT = sys.argv.pop(1)
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
FIRMS = [EXAMPLES / "firms.csv", "--dim", f"district={EXAMPLES}/hierarchies/districts.hrc", "--dim",
         f"branch={EXAMPLES}/hierarchies/branches.csv", "--value", "turnover", "--holding", "owner", "--rule", "p:10", "--rule", "freq:2"]


def px_of(path):
    """Keywords with their lists of texts, and the cells of DATA."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    keywords, at = {}, 0
    while True:
        head = re.compile(r'\s*([A-Z-]+)(?:\("([^"]*)"\))?=').match(text, at)
        at = head.end()
        if head[1] == "DATA":
            return keywords, re.findall(r'"([^"]*)"|([^\s";]+)', text[at:text.rindex(";")])
        value = re.compile(r'((?:"[^"]*"|[^";])*);').match(text, at)
        at = value.end()
        keywords[head[1], head[2]] = re.findall(r'"([^"]*)"', value[1]) or [value[1].strip()]


class Forms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def protect(self, *arguments, status=0):
        run = subprocess.run([TACIT, "protect", *map(str, arguments)], capture_output=True, check=False)
        self.assertEqual(run.returncode, status, run.stderr.decode())
        return run.stderr.decode()

    def rows(self, name, delimiter=","):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter=delimiter))

    def full(self):
        """The data holder's cells: codes, value, status."""
        return [(row["district"], row["branch"], row["turnover"], row["status"]) for row in self.rows("full.csv")]

    def release(self, name, *more):
        self.protect(*FIRMS, "-o", self.path(name), "--full", self.path("full.csv"), "-q", *more)
        suppressed = [cell for cell in self.full() if cell[3] in "ux"]
        self.assertTrue(suppressed and {cell[3] for cell in suppressed} == {"u", "x"})
        return self.full()

    def test_px(self):
        full = self.release("t.px")
        keywords, cells = px_of(self.path("t.px"))
        self.assertEqual(keywords["CHARSET", None], ["ANSI"])
        self.assertEqual(keywords["AXIS-VERSION", None], ["2013"])
        self.assertEqual(keywords["CONTENTS", None], ["turnover"])
        self.assertEqual(keywords["STUB", None] + keywords["HEADING", None], ["district", "branch"])
        self.assertEqual(keywords["VALUES", "district"], keywords["CODES", "district"])
        for word in "TITLE", "MATRIX", "SUBJECT-AREA", "SUBJECT-CODE", "UNITS", "DECIMALS":
            self.assertIn((word, None), keywords)
        names = [(d, b) for d in keywords["CODES", "district"] for b in keywords["CODES", "branch"]]
        self.assertEqual(len(names), len(cells))
        said = [(*name, dots or number) for name, (dots, number) in zip(names, cells)]
        self.assertEqual(said, [(d, b, v if s in "sz" else "..") for d, b, v, s in full])

    def test_sdmx(self):
        for form, head in (("sdmx", {"DATAFLOW": "OFFICE:FIRMS(1.0)"}),
                           ("sdmx2", {"STRUCTURE": "dataflow", "STRUCTURE_ID": "OFFICE:FIRMS(1.0)", "ACTION": "I"})):
            for statuses, conf in (([], {"u": "N", "x": "N"}), (["--statuses", "full"], {"u": "C", "x": "D"})):
                full = self.release("t.csv", "--as", form, "--dataflow", "OFFICE:FIRMS(1.0)", *statuses)
                rows = self.rows("t.csv")
                self.assertEqual(list(rows[0]), [*head, "district", "branch", "OBS_VALUE", "OBS_STATUS", "CONF_STATUS"])
                for row, (d, b, v, s) in zip(rows, full, strict=True):
                    out = s in "sz"
                    self.assertEqual(row, {**head, "district": d, "branch": b, "OBS_VALUE": v if out else "",
                                           "OBS_STATUS": "A" if out else "Q", "CONF_STATUS": conf.get(s, "F")})

    def test_plain(self):
        full = self.release("t.csv", "--statuses", "plain")
        self.assertEqual([tuple(row.values()) for row in self.rows("t.csv")],
                         [(d, b, v if s in "sz" else "", "s" if s in "sz" else "x") for d, b, v, s in full])
        self.assertNotIn(",u", pathlib.Path(self.path("t.csv")).read_text(encoding="utf-8"))

    def test_xlsx(self):
        try:
            import openpyxl
        except ImportError:
            self.skipTest("openpyxl is not installed")
        for statuses in [], ["--statuses", "full"]:
            full = self.release("t.xlsx", *statuses)
            sheet = openpyxl.load_workbook(self.path("t.xlsx")).active
            rows = [["" if cell is None else str(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
            self.assertEqual(rows[0], ["district", "branch", "turnover", "status"])
            wanted = [[d, b, v if s in "sz" else "", s if statuses else "s" if s in "sz" else "x"] for d, b, v, s in full]
            self.assertEqual(rows[1:], wanted)
            ranges = list(sheet.conditional_formatting)
            self.assertEqual([str(shaded.sqref) for shaded in ranges], [f"A2:D{len(rows)}"])
            rules = [(rule.formula, rule.dxf.fill.bgColor.rgb) for rule in ranges[0].rules]
            self.assertEqual([formula for formula, _ in rules], [['$D2="u"'], ['$D2="x"']])
            self.assertNotEqual(rules[0][1], rules[1][1])

    def reason(self, row, rules):
        """The letter and the percents of a row of the full file, by the definitions of the rules."""
        total, first, second = float(row["turnover"]), float(row["max1"]), float(row["max2"])
        if row["status"] != "u":
            return ["D" if row["status"] == "x" else "V"]
        if int(row["freq"]) <= 2:
            return ["A"]
        if "p:10" in rules and total - first - second < 0.1 * first:
            return ["F", f"{100 * first / total:.1f}", f"{100 * second / total:.1f}"]
        if "nk:2,60" in rules and first + second > 0.6 * total:
            return ["C", f"{100 * (first + second) / total:.1f}"]
        return ["B", f"{100 * first / total:.1f}"]

    def test_sbs(self):
        found = set()
        for rules in ["freq:2", "p:10"], ["freq:2", "nk:2,60"], ["freq:2", "nk:1,40"]:
            more = [word for rule in rules for word in ("--rule", rule)]
            self.protect(*FIRMS[:9], *more, "-o", self.path("t.csv"), "--full", self.path("full.csv"), "--sbs", self.path("t.sbs"), "-q")
            wanted = [[row["district"], row["branch"], row["turnover"], row["freq"], *self.reason(row, rules)]
                      for row in self.rows("full.csv") if row["freq"] != "0"]
            with open(self.path("t.sbs"), encoding="utf-8", newline="") as file:
                self.assertEqual(list(csv.reader(file)), wanted)
            found |= {row[4] for row in wanted}
            self.assertEqual(os.stat(self.path("t.sbs")).st_mode & 0o077, 0)
        self.assertEqual(found, set("VABCDF"))

    def test_decimals_and_one_dimension(self):
        pathlib.Path(self.path("t.csv")).write_text("a,value,freq,status\nx,1.25,9,u\ny,2,9,s\nz,-0.5,9,s\n\u00e4 b,3,9,s\n", encoding="utf-8")
        self.protect(self.path("t.csv"), "--dim", "a", "--value", "value", "--negative", "-o", self.path("t.px"), "-q")
        keywords, cells = px_of(self.path("t.px"))
        self.assertEqual(keywords["DECIMALS", None], ["2"])
        self.assertEqual(keywords["STUB", None], ["a"])
        self.assertNotIn(("HEADING", None), keywords)
        self.assertEqual(keywords["VALUES", "a"], ["Total", "x", "y", "z", "\u00e4 b"])
        self.assertEqual(cells[0], ("", "5.75"))
        self.assertEqual(cells[1], ("..", ""))

    def test_outsider(self):
        """A .px is a table like any other: the audit reads it as outsiders do."""
        self.release("t.px")
        run = subprocess.run([TACIT, "audit", self.path("t.px"), *map(str, FIRMS[1:7])], capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr.decode())

    def test_refused(self):
        for arguments, words in (
                (["-o", "t.px", "--statuses", "full"], "a .px says which cells are suppressed, no more"),
                (["-o", "t.px", "--as", "sdmx"], "says another form"),
                (["-o", "t.jj", "--as", "csv"], "says another form"),
                (["-o", "t.jj", "--statuses", "plain"], "a .jj has all values"),
                (["-o", "t.px", "--intervals"], "intervals have no place in this form"),
                (["--as", "sdmx", "--intervals"], "intervals have no place in this form"),
                (["-o", "t.csv", "--dataflow", "A:B(1.0)"], "--dataflow applies to --as sdmx"),
                (["-o", "t.sas7bdat"], "is read, not written"),
                (["-o", "t.csv", "--sbs", "t.sbs", "--method", "adjust"], "suppresses none"),
                (["--as", "juggle"], "--as takes csv, px, xlsx, sdmx or sdmx2")):
            self.assertIn(words, self.protect(*FIRMS, *arguments, status=2))
        pathlib.Path(self.path("o.csv")).write_text("OBS_VALUE,value,status\nx,1,u\ny,2,s\nz,3,s\n", encoding="utf-8")
        arguments = [self.path("o.csv"), "--dim", "OBS_VALUE", "--value", "value", "--as", "sdmx"]
        self.assertIn("rename it", self.protect(*arguments, status=2))


if __name__ == "__main__":
    unittest.main()

"""test_formats.py CONVERT TACIT - files that other programs have written are read as they read them, and what is written says
the same to them; and whatever the command takes, it takes in these formats. CONVERT is the program of
tests/support/convert.c."""
import csv
import datetime
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import zipfile

CONVERT, TACIT = sys.argv.pop(1), sys.argv.pop(1)
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def convert(self, *arguments):
        return subprocess.run([CONVERT, *arguments], capture_output=True, check=False)

    def read(self, name):
        """The rows of the CSV that a file stands for."""
        run = self.convert(self.path(name), self.path("read.csv"))
        self.assertEqual(run.stderr.decode(), "")
        with open(self.path("read.csv"), encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def refused(self, name, *words):
        run = self.convert(self.path(name), self.path("read.csv"))
        self.assertEqual(run.returncode, 1)
        for word in words:
            self.assertIn(word, run.stderr.decode())

    def write(self, text, name):
        """A file of the CSV's format, from its text."""
        with open(self.path("from.csv"), "w", encoding="utf-8", newline="") as file:
            file.write(text)
        run = self.convert(self.path("from.csv"), self.path(name))
        self.assertEqual(run.stderr.decode(), "")


class Doors(Formats):
    """What comes in as a CSV comes in as any other format; the command says the same, byte for byte."""
    ENDINGS = [".xlsx", ".sqlite"]
    FILES = {"gt1.csv": "figure35-gt1.csv", "gt3.csv": "figure35-gt3.csv", "figure34.csv": "figure34.csv", "figure46.csv": "figure46.csv",
             "patients.csv": "patients.csv", "firms.csv": "firms.csv"}
    TEXTS = {"people.csv": "name,birth,ZIP\nAnn,10/2/61,02139\nAbe,7/14/61,02139\nAl,3/8/61,02138\nDan,5/1/50,02138\nDon,6/2/52,02142\n",
             "plain.csv": "birth,ZIP,diagnosis\n10/2/61,02139,Cardiac\n7/14/61,02139,Cancer\n3/8/61,02138,Liver\n",
             "truth.csv": "row,name\n1,Ann\n2,Abe\n3,Al\n", "counts.csv": "n,count\n1,10\n2,5\n",
             "table.csv": "region,sex,freq,status,lpl,upl\nnorth,f,8,u,2,2\nnorth,m,19,x,0,0\nnorth,x,22,s,0,0\nsouth,f,17,x,0,0\n"
                          "south,m,32,x,0,0\nsouth,x,12,s,0,0\n",
             "known.csv": "name,hospital\nAnders Isenfell,Estley General\n"}
    COMMANDS = {
        "data": "anonymize patients.csv --policy patients.yaml --seed 1 -q -o out.csv",
        "risk": "risk patients.csv --quasi sex,postcode,birth --seed 1",
        "profile": "profile patients.csv --policy-out out.csv --force",
        "hierarchy": "hierarchy patients.csv --column marital -o out.csv",
        "register": "audit plain.csv --population people.csv --truth truth.csv --hierarchy ZIP=mask:right",
        "earlier releases": "audit gt3.csv --policy figure34.yaml --previous gt1.csv --joined out.csv",
        "original": "audit gt3.csv --policy figure34.yaml --original figure34.csv",
        "marginals": "anonymize figure34.csv --policy figure34.yaml --seed 1 --summary figure46.csv --suppressed drop -o out.csv",
        "known people": "scrub letter.txt --known known.csv --seed 1 --accept-unread -o out.csv",
        "records of a table": "protect firms.csv --dim district=hierarchies/districts.hrc --dim branch=hierarchies/branches.csv --value turnover "
                              "--holding owner --rule p:10 -o out.csv",
        "table": "audit table.csv --dim region --dim sex",
    }

    def say(self, command, ending):
        """What the command says, its input files of that ending."""
        files = "|".join(map(re.escape, list(self.FILES) + list(self.TEXTS)))
        words = [re.sub(f"^({files})$", lambda found: found[0][:-4] + ending, word) for word in command.split()]
        run = subprocess.run([TACIT, *words], cwd=self.folder, capture_output=True, check=False)
        written = pathlib.Path(self.path("out.csv"))
        out = written.read_bytes() if written.exists() else b""
        written.unlink(missing_ok=True)
        said = re.sub(rb"(time|read) .*", b"", run.stdout + run.stderr).replace(ending.encode(), b".csv")
        return run.returncode, re.sub(rb"[ \n]+", b" ", said), out

    def test_doors(self):
        shutil.copytree(EXAMPLES, self.folder, dirs_exist_ok=True)
        for name, source in self.FILES.items():
            shutil.copy(EXAMPLES / source, self.path(name))
        for name, text in self.TEXTS.items():
            pathlib.Path(self.path(name)).write_text(text, encoding="utf-8")
        for ending in self.ENDINGS:
            for name in list(self.FILES) + list(self.TEXTS):
                self.assertEqual(self.convert(self.path(name), self.path(name[:-4] + ending)).stderr, b"")
            for door, command in self.COMMANDS.items():
                with self.subTest(door=door, ending=ending):
                    wanted = self.say(command, ".csv")
                    self.assertIn(wanted[0], (0, 5))
                    self.assertNotIn(b"cannot open", wanted[1])
                    self.assertEqual(self.say(command, ending), wanted)


class Workbooks(Formats):
    def book(self):
        import openpyxl
        return openpyxl.Workbook()

    def save(self, book, name="x.xlsx"):
        book.save(self.path(name))
        return name

    def test_cells(self):
        book = self.book()
        sheet = book.active
        rows = [["name", "born", "seen", "at", "sum", "yes", "none", "big"],
                ["Zo\u00eb, \"Z\"\nB", datetime.date(1965, 9, 20), datetime.datetime(2020, 2, 29, 23, 59, 59), datetime.time(5, 6, 7),
                 0.1, True, None, 9007199254740992],
                [" padded ", datetime.date(1900, 1, 1), datetime.datetime(1999, 12, 31), datetime.time(0, 0), -1e300, False, None, -3]]
        for row in rows:
            sheet.append(row)
        self.assertEqual(self.read(self.save(book)), [
            rows[0],
            ["Zo\u00eb, \"Z\"\nB", "1965-09-20", "2020-02-29T23:59:59", "05:06:07", "0.1", "true", "", "9007199254740992"],
            [" padded ", "1900-01-01", "1999-12-31T00:00:00", "00:00:00", "-1e+300", "false", "", "-3"]])

    def test_days(self):
        """Every day around the one that the calendar of 1900 has too many, in both calendars."""
        import openpyxl.utils.datetime as calendar
        for epoch, first in ((calendar.WINDOWS_EPOCH, datetime.date(1900, 1, 1)), (calendar.MAC_EPOCH, datetime.date(1904, 1, 2))):
            book = self.book()
            book.epoch = epoch
            days = [first + datetime.timedelta(days=i) for i in list(range(100)) + [40000, 2900000]]
            book.active.append(["day"])
            for day in days:
                book.active.append([day])
            self.assertEqual(self.read(self.save(book)), [["day"]] + [[day.isoformat()] for day in days])

    def test_number_formats(self):
        cases = {"d/m/yy": "2020-01-02", "[$-409]mmm\\-yy;@": "2020-01-02", '"day" 0': "43832", "[Red]0.00": "43832", "General": "43832",
                 "mmm": "2020-01-02", "#,##0 \"m\"": "43832", "[h]:mm": "2020-01-02T00:00:00", "yyyy-mm-dd hh:mm": "2020-01-02T00:00:00"}
        book = self.book()
        book.active.append(list("abcdefghi"))
        book.active.append([43832] * len(cases))
        for cell, code in zip(book.active[2], cases):
            cell.number_format = code
        self.assertEqual(self.read(self.save(book))[1], list(cases.values()))

    def test_sparse_and_merged(self):
        book = self.book()
        sheet = book.active
        for place, value in {"C3": "house", "D3": "person", "E3": "x", "C4": "h1", "D4": 1, "D5": 2, "D6": 3, "E8": "last", "C8": "h2"}.items():
            sheet[place] = value
        sheet.merge_cells("C4:C6")
        sheet.merge_cells("A1:B2")  # outside
        self.assertEqual(self.read(self.save(book)),
                         [["house", "person", "x"], ["h1", "1", ""], ["h1", "2", ""], ["h1", "3", ""], ["", "", ""], ["h2", "", "last"]])

    def test_choice(self):
        book = self.book()
        book.active.title = "Notes"
        book.active.append(["read me"])
        sheet = book.create_sheet("It's 2020")
        for row in (["Title"], [], ["", "a", "b", "c"], ["", 1, 2, "note"], ["", 3, 4]):
            sheet.append(row)
        hidden = book.create_sheet("zz")
        hidden.append(["h"])
        hidden.sheet_state = "hidden"
        self.save(book)
        self.assertEqual(self.read("x.xlsx"), [["read me"]])
        self.assertEqual(self.read("x.xlsx#Notes"), [["read me"]])
        self.assertEqual(self.read("x.xlsx#'it''s 2020'!B3:C5"), [["a", "b"], ["1", "2"], ["3", "4"]])
        self.assertEqual(self.read("x.xlsx#It's 2020!B3:C"), [["a", "b"], ["1", "2"], ["3", "4"]])
        self.assertEqual(self.read("x.xlsx#A1:A1"), [["read me"]])
        self.assertEqual(self.read("x.xlsx#zz"), [["h"]])
        self.refused("x.xlsx#It's 2020", "B3", "beside the columns")
        self.refused("x.xlsx#none", "\"none\"", "\"Notes\", \"It's 2020\", \"zz\"")
        self.refused("x.xlsx#Notes!C3:D4", "no cells")
        os.rename(self.path("x.xlsx"), self.path("a#b.xlsx"))
        self.assertEqual(self.read("a#b.xlsx"), [["read me"]])
        self.assertEqual(self.read("a#b.xlsx#zz"), [["h"]])
        with open(self.path("y.csv"), "w", encoding="utf-8") as file:
            file.write("a\n1\n")
        self.refused("y.csv#x", "leave out #")

    def test_formulas_and_errors(self):
        """What a program keeps beside formulas, which openpyxl does not write."""
        book = self.book()
        book.active.append(["a", "b", "c", "d"])
        self.save(book)
        row = ('<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>"x"</f><v>x_x000D_</v></c><c r="C2" t="e"><f>1/0</f>'
               '<v>#DIV/0!</v></c><c r="D2" t="inlineStr"><is><r><t>one</t></r><r><t> two</t></r><rPh sb="0" eb="1"><t>no</t></rPh></is></c></row>')
        with zipfile.ZipFile(self.path("x.xlsx")) as old, zipfile.ZipFile(self.path("y.xlsx"), "w") as new:
            for part in old.namelist():
                new.writestr(part, old.read(part).replace(b"</sheetData>", row.encode() + b"</sheetData>"))
        self.assertEqual(self.read("y.xlsx")[1], ["2", "x\r", "#DIV/0!", "one two"])

    def test_written(self):
        """What is written, as openpyxl reads it: kinds of cells, every character, numbers to the last digit."""
        import openpyxl
        self.write("i,r,d,m,t,big,old,code\n"
                   "1,0.30000000000000004,1965-09-20,2020-02-29T23:59:59.5,05:06:07,9007199254740993,1899-12-31,007\n"
                   "-2,123456.78901234567,1900-03-01,1999-12-31T00:00:00,,1,1965-01-01,\"a<b>&\"\"c\"\" _x000D_ \u20ac\U0001f600\x01\ttab\nline \"\n"
                   ",,,,,,,\n", "x.xlsx")
        book = openpyxl.load_workbook(self.path("x.xlsx"))
        self.assertEqual(book.sheetnames, ["data"])
        rows = [list(row) for row in book.active.iter_rows(values_only=True)]
        self.assertEqual(rows[0], ["i", "r", "d", "m", "t", "big", "old", "code"])
        self.assertEqual(rows[1], [1, 0.30000000000000004, datetime.datetime(1965, 9, 20), datetime.datetime(2020, 2, 29, 23, 59, 59, 500000),
                                   "05:06:07", "9007199254740993", "1899-12-31", "007"])
        self.assertEqual(rows[2][:7], [-2, 123456.78901234567, datetime.datetime(1900, 3, 1), datetime.datetime(1999, 12, 31), None, "1", "1965-01-01"])
        self.assertEqual(rows[2][7].replace("_x005F_", "_").replace("_x0001_", "\x01"), "a<b>&\"c\" _x000D_ \u20ac\U0001f600\x01\ttab\nline ")
        self.assertEqual(len(rows), 4)

    def test_same_bytes(self):
        for name in ("x.xlsx", "y.xlsx"):
            self.write("a,b\n1,x\n2,y\n", name)
        with open(self.path("x.xlsx"), "rb") as x, open(self.path("y.xlsx"), "rb") as y:
            self.assertEqual(x.read(), y.read())

    def test_bombs(self):
        """A last row far below, and a part that unpacks to much: refused, and soon."""
        book = self.book()
        book.active.append([f"c{i}" for i in range(4000)])
        self.save(book)
        with zipfile.ZipFile(self.path("x.xlsx")) as old:
            parts = {part: old.read(part) for part in old.namelist()}
        sheet = "xl/worksheets/sheet1.xml"
        far = parts[sheet].replace(b"</sheetData>", b'<row r="1048576"><c r="A1048576"><v>1</v></c></row></sheetData>')
        for name, text, word in (("far.xlsx", far, "250 times"),
                                 ("entity.xlsx", b'<!DOCTYPE x [<!ENTITY a "b">]>' + parts[sheet], "sheet1.xml"),
                                 ("deep.xlsx", b"<a>" * 100000, "sheet1.xml"), ("tag.xlsx", b'<a b="' + b"c" * 5000000 + b'"/>', "sheet1.xml")):
            with zipfile.ZipFile(self.path(name), "w", zipfile.ZIP_DEFLATED) as new:
                for part, bytes_of in parts.items():
                    new.writestr(part, text if part == sheet else bytes_of)
            self.refused(name, word)

    def test_others(self):
        with zipfile.ZipFile(self.path("x.zip"), "w") as new:
            new.writestr("x.csv", "a\n1\n")
        self.refused("x.zip", "no workbook")
        with open(self.path("x.xls"), "wb") as file:
            file.write(bytes.fromhex("D0CF11E0A1B11AE1") + bytes(512))
        self.refused("x.xls", "save it as .xlsx")


class Databases(Formats):
    def base(self, *statements, name="x.sqlite"):
        base = sqlite3.connect(self.path(name))
        for statement in statements:
            if isinstance(statement, str):
                base.execute(statement)
            else:
                base.executemany(*statement)
        base.commit()
        base.close()
        return name

    def test_values(self):
        rows = [(1, "Zo\u00eb, \"Z\"\nB", 0.1, None, b"\x00\xff", "1899-12-31", 1), (-2 ** 63, "", -1e300, None, None, None, "x"),
                (2 ** 63 - 1, None, 3.0, None, b"", "2020-01-01", 2.5)]
        self.base('CREATE TABLE "a ""b""" (i INTEGER PRIMARY KEY, t VARCHAR(20), r REAL, n INT, b BLOB, d DATE, mixed)',
                  ('INSERT INTO "a ""b""" VALUES (?,?,?,?,?,?,?)', rows))
        self.assertEqual(self.read("x.sqlite"), [
            ["i", "t", "r", "n", "b", "d", "mixed"], ["-9223372036854775808", "", "-1e+300", "", "", "", "x"],
            ["1", "Zo\u00eb, \"Z\"\nB", "0.1", "", "00FF", "1899-12-31", "1"], ["9223372036854775807", "", "3", "", "", "2020-01-01", "2.5"]])

    def test_again(self):
        """A column that is what it was keeps its type in words, and its values theirs."""
        self.base("CREATE TABLE people (i INTEGER, t VARCHAR(20), r FLOAT, m NUMERIC, n INT, d DATE)",
                  ("INSERT INTO people VALUES (?,?,?,?,?,?)", [(1, "007", 0.1, 12, None, "1899-12-31"), (2 ** 62, "", 3.0, 1.5, None, None)]))
        self.assertEqual(self.convert(self.path("x.sqlite"), self.path("y.sqlite")).stderr, b"")
        base = sqlite3.connect(self.path("y.sqlite"))
        self.assertEqual(base.execute("SELECT name, type FROM pragma_table_info('people')").fetchall(),
                         [("i", "INTEGER"), ("t", "VARCHAR(20)"), ("r", "FLOAT"), ("m", "NUMERIC"), ("n", "TEXT"), ("d", "TEXT")])
        self.assertEqual(base.execute("SELECT * FROM people").fetchall(),
                         [(1, "007", 0.1, 12, None, "1899-12-31"), (2 ** 62, "", 3.0, 1.5, None, None)])
        self.assertEqual(base.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        base.close()

    def test_written(self):
        self.write("i,r,t,e,none\n1,0.30000000000000004,007,,\n-9223372036854775808,1,\"a\nb\",\"\",\n", "x.sqlite")
        base = sqlite3.connect(self.path("x.sqlite"))
        self.assertEqual(base.execute("SELECT * FROM data").fetchall(),
                         [(1, 0.30000000000000004, "007", None, None), (-2 ** 63, 1.0, "a\nb", "", None)])
        base.close()
        self.write("i,r,t,e,none\n1,0.30000000000000004,007,,\n-9223372036854775808,1,\"a\nb\",\"\",\n", "y.sqlite")
        self.assertEqual(pathlib.Path(self.path("x.sqlite")).read_bytes(), pathlib.Path(self.path("y.sqlite")).read_bytes())

    def test_choice(self):
        self.base("CREATE TABLE b (x)", "INSERT INTO b VALUES (1)", "CREATE TABLE A (y) ", "CREATE VIEW v AS SELECT 1",
                  "CREATE TABLE w (k TEXT PRIMARY KEY, z) WITHOUT ROWID", "INSERT INTO w VALUES ('q', 2), ('p', 3)")
        self.assertEqual(self.read("x.sqlite#B"), [["x"], ["1"]])
        self.assertEqual(self.read("x.sqlite#a"), [["y"]])
        self.assertEqual(self.read("x.sqlite#w"), [["k", "z"], ["p", "3"], ["q", "2"]])
        self.refused("x.sqlite", "several tables", '"A", "b", "w"')
        self.refused("x.sqlite#none", "no table of that name", '"A", "b", "w"')
        self.refused("x.sqlite#v", "view")
        self.base(name="e.sqlite")
        self.base("CREATE TABLE a (x)", "DROP TABLE a", name="n.sqlite")
        self.refused("n.sqlite", "no tables")

    def test_changes_beside(self):
        base = sqlite3.connect(self.path("x.sqlite"))
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("CREATE TABLE a (x)")
        base.execute("INSERT INTO a VALUES (1)")
        base.commit()
        self.refused("x.sqlite", "-wal")
        base.close()
        self.assertEqual(self.read("x.sqlite"), [["x"], ["1"]])

    def test_hostile(self):
        """Pages that name each other, text that is none, values that are made on being asked for."""
        self.base("PRAGMA page_size=512", "CREATE TABLE a (x TEXT)", ("INSERT INTO a VALUES (?)", [("y" * 50,)] * 2000))
        whole = bytearray(pathlib.Path(self.path("x.sqlite")).read_bytes())
        root = 512  # page 2: an interior page, whose cells begin with a page each
        self.assertEqual(whole[root], 5)
        cells = int.from_bytes(whole[root + 3:root + 5], "big")
        for i in range(cells):
            cell = int.from_bytes(whole[root + 12 + 2 * i:root + 14 + 2 * i], "big")
            whole[root + cell:root + cell + 4] = (2).to_bytes(4, "big")
        pathlib.Path(self.path("cycle.sqlite")).write_bytes(whole)
        self.refused("cycle.sqlite", "damaged")
        self.base("CREATE TABLE a (x)", "INSERT INTO a VALUES (CAST(x'C328' AS TEXT))", name="t.sqlite")
        self.refused("t.sqlite", "UTF-8", "row 1")
        self.base("CREATE TABLE a (x, y AS (zeroblob(x)))", "INSERT INTO a VALUES (900000000)", name="f.sqlite")
        self.refused("f.sqlite", "too big")

    def test_utf16(self):
        self.base("PRAGMA encoding='UTF-16le'", "CREATE TABLE a (\u00e9)", "INSERT INTO a VALUES ('\u20ac\U0001f600')")
        self.assertEqual(self.read("x.sqlite"), [["\u00e9"], ["\u20ac\U0001f600"]])


class Surveys(Formats):
    """Files of SPSS as PSPP, which shares no code with ReadStat, reads and writes them."""
    TEXT = ("whole,real,day,moment,gr\u00f6\u00dfe,long\n"
            "9007199254740992,0.30000000000000004,1899-12-31,1899-12-31T23:59:59,Zo\u00eb \u20ac,%s\n"
            "-2147483649,-1e+300,1600-01-01,2020-02-29T12:00:00,\u65e5\u672c\u8a9e \U0001f600,x\n" ",,,,,\n" % ("y" * 700))
    SHOWN = [["9007199254740992", "0.30000000000000004", "12/31/1899", "12/31/1899 23:59:59", "Zo\u00eb \u20ac", "y" * 700],
             ["-2147483649", "-1e+300", "01/01/1600", "02/29/2020 12:00:00", "\u65e5\u672c\u8a9e \U0001f600", "x"], [""] * 6]

    def pspp(self, source, target):
        run = subprocess.run(["pspp-convert", self.path(source), self.path(target)], capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr.decode()), (0, ""))

    def test_written(self):
        for name in ("x.sav", "x.zsav"):
            self.write(self.TEXT, name)
            self.pspp(name, "pspp.csv")
            with open(self.path("pspp.csv"), encoding="utf-8", newline="") as file:
                rows = [[cell.strip() for cell in row] for row in csv.reader(file)]
            self.assertEqual(rows, [["whole", "real", "day", "moment", "gr\u00f6\u00dfe", "long"]] + self.SHOWN)

    def test_read(self):
        """What PSPP made of it is what it was, but for what a portable file has no characters or digits for."""
        self.write(self.TEXT, "x.sav")
        wanted = list(csv.reader(self.TEXT.splitlines()))
        self.pspp("x.sav", "y.sav")
        self.assertEqual(self.read("y.sav"), wanted)
        self.write("id,name,born\n1.5,Ann,1899-12-31\n,,\n-3,Bob,2024-02-29\n", "x.sav")
        self.pspp("x.sav", "y.por")
        self.assertEqual(self.read("y.por"), [["ID", "NAME", "BORN"], ["1.5", "Ann", "1899-12-31"], ["", "", ""], ["-3", "Bob", "2024-02-29"]])


class Described(Formats):
    """Data at fixed places and between separators, as an .rda says; awk and cut are the judge."""
    RDA = ("YEAR 1 2 99\n  <RECODEABLE>\n// a comment\n\"The name\" 3 6 XXXXXX\n  <RECODEABLE>\n  <HIERARCHICAL>\n  <HIERLEVELS> 1 1 0 0 0\n"
           "Weight 12 5\n  <NUMERIC>\n  <DECIMALS> 1\nCode 10 2\n")
    PLACES = [(1, 2), (3, 6), (12, 5), (10, 2)]
    LINES = ["85Zo\u00eb x 0 01  1.5", "86abcdef 1a2.25 ", "99   b   9b 1000junk", "87", "88\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac123.5"]

    def put(self, name, text, encoding="utf-8"):
        pathlib.Path(self.path(name)).write_bytes(text.encode(encoding))

    def cut(self, name, places):
        """The columns by cut, in characters, without blanks around them."""
        columns = []
        for start, width in places:
            run = subprocess.run(["awk", "-v", f"s={start}", "-v", f"w={width}", "{ print substr($0, s, w) }", self.path(name)],
                                 capture_output=True, check=True, env={"LC_ALL": "C"})
            columns.append([cell.strip(" ") for cell in run.stdout.decode("windows-1252").split("\n")[:-1]])
        return [list(row) for row in zip(*columns)]

    def test_places(self):
        for ending, mark in (("\n", "utf-8"), ("\r\n", "utf-8-sig")):
            self.put("x.asc", ending.join(self.LINES) + ending, mark)
            self.put("x.rda", self.RDA.replace("\n", ending))
            wanted = [[line[start - 1:start - 1 + width].strip(" ") for start, width in self.PLACES] for line in self.LINES]
            self.assertEqual(self.read("x.asc"), [["YEAR", "The name", "Weight", "Code"]] + wanted)

    def test_cut(self):
        """The judge is awk; a byte is a character, as it is in Windows-1252."""
        self.put("x.dat", "\n".join(self.LINES) + "\n", "windows-1252")
        self.put("x.RDA", self.RDA)
        self.put("plain.dat", "\n".join(self.LINES) + "\n", "windows-1252")
        self.assertEqual(self.read("x.dat")[1:], self.cut("plain.dat", self.PLACES))

    def test_named(self):
        os.mkdir(self.path("meta"))
        self.put("y.txt", "\n".join(self.LINES))
        self.put("meta/x.rda", self.RDA)
        self.assertEqual(self.read("y.txt#meta/x.rda")[1][1], "Zo\u00eb x")
        self.assertEqual(self.read("y.txt#" + self.path("meta/x.rda"))[1][1], "Zo\u00eb x")
        self.refused("y.txt#x.rda", "x.rda", "cannot open")
        self.put("z.asc", "a,b\n1,2\n")
        self.assertEqual(self.read("z.asc"), [["a", "b"], ["1", "2"]])

    def test_separated(self):
        self.put("x.asc", "01; Ann ;\"a;b\"\n02;;3\n")
        self.put("x.rda", '<SEPARATOR> ";"\nid 2\n  <RECODEABLE>\nname 10 X\nrest 5\n')
        self.assertEqual(self.read("x.asc"), [["id", "name", "rest"], ["01", "Ann", "a;b"], ["02", "", "3"]])
        self.put("x.rda", '<SEPARATOR> ";"\n<NAMESINFRONT>\nid 2\nname 10 X\nrest 5\n')
        self.assertEqual(self.read("x.asc"), [["id", "name", "rest"], ["02", "", "3"]])
        self.put("x.rda", '<SEPARATOR> ";"\nid 2\nname 10 X\n')
        self.refused("x.asc", "3 columns", "2 variables")

    def test_refused(self):
        self.put("x.asc", "12\n\n34\n")
        for rda, words in (("a 1\n", ["x.rda:1", "its width"]), ("\na 0 2\n", ["x.rda:2"]), ("a 1 9999999999\n", ["its width"]),
                           ("<RECODEABLE>\n", ["no variables"]), ("<SEPARATOR> \"ab\"\na 1\n", ["one character"]), ("a 1 2\n", ["x.asc:2", "empty"])):
            self.put("x.rda", rda)
            self.refused("x.asc", *words)
        self.put("x.csv", "a\n" + "1\n" * 6)
        run = subprocess.run([TACIT, "anonymize", self.path("x.csv"), "--k", "2", "--quasi", "a", "-o", self.path("y.asc")], capture_output=True,
                             check=False)
        self.assertIn("is read, not written", run.stderr.decode())


if __name__ == "__main__":
    unittest.main()

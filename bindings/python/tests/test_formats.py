"""What a release of a frame, or of a file, says to readers that are not ours: pandas's own for Stata and SAS, openpyxl,
sqlite3 and gzip."""

import csv
import datetime
import decimal
import gzip
import sqlite3

import numpy as np
import pandas as pd
import pytest

import tacit

DAYS = [datetime.date(1899, 12, 31), datetime.date(1600, 1, 1), None, datetime.date(2024, 2, 29)]
TIMES = [datetime.datetime(1899, 12, 31, 23, 59, 59), datetime.datetime(2020, 2, 29, 12), None, datetime.datetime(1970, 1, 1)]
TEXTS = ["Zoë €", "a, \"b\"\nc", None, "日本語 😀"]


@pytest.fixture
def frame():
    """Every type, with something missing and something that files find hard to hold."""
    return pd.DataFrame({
        "group": ["a"] * 4,
        "whole": pd.array([1, -2147483647, None, 2147483620], dtype="Int64"),
        "huge": pd.array([2**53 + 1, -(2**63), None, 2**63 - 1], dtype="Int64"),
        "real": [0.30000000000000004, -1e70, np.nan, 123456.78901234567],
        "money": pd.Series([decimal.Decimal("12345678901234.50"), decimal.Decimal("-0.05"), None, decimal.Decimal("7.00")], dtype=object),
        "day": pd.Series(DAYS, dtype=object),
        "moment": TIMES,
        "größe": TEXTS,
    })  # fmt: skip


@pytest.fixture
def saved(frame, tmp_path):
    """A release that leaves all cells and their order, as a file of that ending."""

    def save(ending, data=frame):
        names = [name for name in data.columns if name != "group"]
        policy = tacit.Policy(k=2, quasi=["group"], insensitive=names, person="none", keep_order=True)
        path = tmp_path / f"released{ending}"
        tacit.anonymize(data, policy).save(path)
        return path

    return save


def same(found, wanted):
    """Values one by one; what is missing is None, NaN, NaT or an empty text."""
    missing = [value is None or value is pd.NaT or value != value or value == "" for value in found]
    assert missing == [value is None or value is pd.NA or value != value for value in wanted]
    assert [f for f, m in zip(found, missing) if not m] == [w for w, m in zip(wanted, missing) if not m]


def test_stata(frame, saved):
    back = pd.read_stata(saved(".dta"))
    same(back["whole"], frame["whole"])
    same(back["huge"], ["9007199254740993", "-9223372036854775808", None, "9223372036854775807"])
    same(back["real"], frame["real"])
    same(back["day"].map(lambda day: None if pd.isna(day) else day.date()), DAYS)
    same(back["moment"], TIMES)
    same(back["größe"], TEXTS)
    same(back["money"], ["12345678901234.50", "-0.05", None, "7.00"])


def test_sas(frame, saved):
    """A transport file of version 5, which says nothing of its encoding or of dates; days count from 1960."""
    names = frame.rename(columns={"größe": "size"})
    back = pd.read_sas(saved(".xpt", names))
    same(back["whole"], frame["whole"])
    same(back["real"], frame["real"])
    same(back["size"].map(lambda text: text.decode()), TEXTS)
    first = datetime.date(1960, 1, 1)
    same(back["day"], [None if day is None else (day - first).days for day in DAYS])
    seconds = [None if at is None else (at - datetime.datetime(1960, 1, 1)).total_seconds() for at in TIMES]
    same(back["moment"], seconds)
    longer = names.rename(columns={"size": "longer_than_eight"})
    with saved(".xpt", longer).open("rb") as file:
        assert file.read(80).startswith(b"HEADER RECORD*******LIBV8")


def test_workbook(frame, saved):
    openpyxl = pytest.importorskip("openpyxl")
    rows = list(openpyxl.load_workbook(saved(".xlsx")).active.iter_rows(values_only=True))
    assert rows[0] == tuple(frame.columns)
    back = dict(zip(frame.columns, zip(*rows[1:])))
    same(back["whole"], frame["whole"])
    same(back["huge"], ["9007199254740993", "-9223372036854775808", None, "9223372036854775807"])
    same(back["real"], frame["real"])
    same(back["day"], ["1899-12-31", "1600-01-01", None, "2024-02-29"])  # its calendar begins in 1900
    same(back["moment"], [None if at is None else at.isoformat() for at in TIMES])
    same(back["größe"], TEXTS)


def test_database(frame, saved):
    base = sqlite3.connect(saved(".sqlite"))
    back = dict(zip(frame.columns, zip(*base.execute("SELECT * FROM data"))))
    types = dict(base.execute("SELECT name, type FROM pragma_table_info('data')"))
    base.close()
    assert types["whole"] == types["huge"] == "INTEGER" and types["real"] == "REAL" and types["money"] == types["größe"] == "TEXT"
    same(back["huge"], [2**53 + 1, -(2**63), None, 2**63 - 1])
    same(back["real"], frame["real"])
    same(back["money"], ["12345678901234.50", "-0.05", None, "7.00"])
    same(back["day"], [None if day is None else day.isoformat() for day in DAYS])
    same(back["größe"], TEXTS)


def test_gzip(frame, saved):
    with gzip.open(saved(".csv.gz"), "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == list(frame.columns)
    assert [row[2] for row in rows[1:]] == ["9007199254740993", "-9223372036854775808", "", "9223372036854775807"]
    same([row[7] for row in rows[1:]], TEXTS)


@pytest.mark.parametrize("version", [114, 117, 118, 119])
def test_stata_of_pandas(version, tmp_path):
    """What pandas has written comes back from our file as it was, labels too."""
    text = ["Zoe", "", "x", "y"] if version < 118 else ["Zoë €", "", "日本語", "y"]
    frame = pd.DataFrame({
        "group": ["a"] * 4, "tiny": np.array([1, -127, 100, 0], dtype="int8"), "single": np.array([0.1, 1e30, 0, -2], dtype="float32"),
        "text": text, "sex": pd.Categorical(["m", "w", "m", None]), "day": pd.to_datetime(["1899-12-31", "1700-01-01", None, "2024-02-29"]),
    })  # fmt: skip
    frame.to_stata(tmp_path / "x.dta", version=version, write_index=False, convert_dates={"day": "td"},
                   variable_labels={"tiny": "A number", "sex": "Sex"})  # fmt: skip
    policy = tacit.Policy(k=2, quasi=["group"], insensitive=list(frame.columns[1:]), person="none", keep_order=True)
    tacit.anonymize(tmp_path / "x.dta", policy).save(tmp_path / "y.dta")
    before, after = (pd.read_stata(tmp_path / name) for name in ("x.dta", "y.dta"))
    pd.testing.assert_frame_equal(after, before)
    with pd.read_stata(tmp_path / "y.dta", iterator=True) as reader:
        assert reader.variable_labels()["tiny"] == "A number"


def test_labels_tell_what_columns_are(tmp_path):
    """Codes for words are no numbers to make intervals of, and a label says what a name such as q17 does not."""
    words = {1: "head", 2: "spouse", 3: "child", 4: "grandchild", 5: "parent", 6: "other relative"}
    codes = np.arange(300) * np.arange(300) % 6 + 1
    frame = pd.DataFrame({
        "q1": pd.Series(codes).map(words).astype(pd.CategoricalDtype(list(words.values()))),
        "q2": np.arange(300) % 6 + 1,
        "q17": [f"{2100 + i % 40:05d}" for i in range(300)],
    })  # fmt: skip
    frame.to_stata(tmp_path / "survey.dta", write_index=False, version=118,
                   variable_labels={"q1": "Relation to the head", "q17": "Postcode of the household"})  # fmt: skip
    report = tacit.profile(tmp_path / "survey.dta")
    relation, number, place = report.columns
    assert (relation.type, relation.role) == ("category", "quasi") and "codes for words" in relation.reason
    assert relation.about == "Relation to the head; 6 labelled codes"
    assert (number.type, number.about) == ("integer", "")
    assert place.reason.startswith("column label says postcode") and place.type == "postcode"
    assert "# Relation to the head; 6 labelled codes\n" in report.policy.yaml and "spouse" not in str(report)

"""Every type of column goes in, and comes back as it was where its cells did not change."""

import ctypes
import datetime
import decimal
import gc
import sys
import types

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit import _arrow, _frames, _pandas

UTC = datetime.timezone.utc
COLUMNS = {
    "int8": pd.Series([1, -2, 3, 127], dtype="int8"),
    "uint64": pd.Series([0, 2**63, 2**64 - 1, 5], dtype="uint64"),
    "int64": pd.Series([-(2**63), 2**63 - 1, 2**53 + 1, 0]),
    "float32": pd.Series([0.1, -1.5, np.nan, 3e10], dtype="float32"),
    "float64": pd.Series([0.1, 1e300, np.nan, -0.25]),
    "bool": pd.Series([True, False, True, True]),
    "Int64": pd.Series([1, None, 2**53 + 1, -5], dtype="Int64"),
    "UInt8": pd.Series([1, None, 255, 0], dtype="UInt8"),
    "Float64": pd.Series([1.5, None, 2.25, 0], dtype="Float64"),
    "boolean": pd.Series([True, None, False, True], dtype="boolean"),
    "text": pd.Series(["a", "b,c", 'q"q', "ü–Ω🎈"]),
    "spaces": pd.Series([" a", "b ", "line\nend", "tab\t"]),
    "string": pd.Series(["a", None, "b", "c"], dtype="string"),
    "looks like a number": pd.Series(["007", "1e5", "1.50", "-0"]),
    "missing": pd.Series(["a", np.nan, "b", "c"]),
    "category": pd.Series(["x", "y", "x", None], dtype="category"),
    "ordered": pd.Series(pd.Categorical(["low", "high", "low", "mid"], ["low", "mid", "high"], ordered=True)),
    "category of numbers": pd.Series([10, 20, 10, 10], dtype="category"),
    "days": pd.Series(pd.to_datetime(["1945-05-08", "2020-02-29", None, "1800-01-01"])),
    "moments": pd.Series(pd.to_datetime(["1945-05-08 10:00", "2020-02-29 23:59:59.123456789", None, "1800-01-01"])),
    "zone": pd.Series(pd.to_datetime(["2020-01-01 10:00", "2020-07-01", None, "1999-12-31 23:59:59"])).dt.tz_localize("Europe/Berlin"),
    "old days": pd.Series([datetime.date(1066, 10, 14), datetime.date(1, 1, 1), None, datetime.date(9999, 12, 31)]),
    "old moments": pd.Series([datetime.datetime(1066, 10, 14, 9, 30), None, datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)], dtype=object),
    "moments of objects": pd.Series([datetime.datetime(2020, 1, 2, 3), None, datetime.datetime(1999, 1, 1), None], dtype=object),
    "days of objects": pd.Series([datetime.date(2020, 1, 2), None, datetime.date(1999, 1, 1), None], dtype=object),
    "utc moments": pd.Series([datetime.datetime(1066, 10, 14, 9, 30, tzinfo=UTC), None] * 2, dtype=object),
    "times": pd.Series([datetime.time(9, 30), None, datetime.time(23, 59, 59, 999999), datetime.time(0)], dtype=object),
    "decimals": pd.Series([decimal.Decimal("1.50"), None, decimal.Decimal("-1234567890123456.25"), decimal.Decimal("0.00")], dtype=object),
    "Größe in cm": pd.Series([1, 2, 3, 4]),
    "naïve, \"quoted\"\tname": pd.Series([1, 2, 3, 4]),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_come_back(name, small, passed):
    frame = small(**{name: COLUMNS[name]})
    pd.testing.assert_frame_equal(passed(frame), frame)


def test_columns_come_back_together(small, passed):
    frame = small(**COLUMNS)
    pd.testing.assert_frame_equal(passed(frame), frame)


@pytest.mark.parametrize("name", COLUMNS)
def test_slices_and_strides(name, small, passed):
    frame = small(**{name: COLUMNS[name]}).iloc[::-2]
    expected = frame.reset_index(drop=True)
    if isinstance(frame[name].dtype, pd.CategoricalDtype):
        expected[name] = expected[name].cat.remove_unused_categories()
    pd.testing.assert_frame_equal(passed(frame), expected)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_without_the_library(name):
    """What is given away by the Arrow interface and taken again is the same."""
    frame = pd.DataFrame({name: COLUMNS[name]})
    taken = _arrow.take(_frames.stream(frame))
    pd.testing.assert_frame_equal(_frames.kind_of(frame).make(taken), frame)


def test_missing_and_empty_text_stay_apart(small, passed):
    out = passed(small(text=["a", "", None, np.nan], kind=pd.Categorical(["", None, "b", ""])))
    assert out["text"].isna().tolist() == [False, False, True, True]
    assert out["kind"].isna().tolist() == [False, True, False, False]
    assert out["text"][1] == out["kind"][0] == ""


def test_what_the_library_does_not_keep_comes_back_as_text(small, passed):
    """Decimals have 18 digits at most."""
    long = pd.Series([decimal.Decimal("-12345678901234567890.25"), decimal.Decimal("1.50")])
    assert passed(small(long=long))["long"].tolist() == ["-12345678901234567890.25", "1.50"]


def test_equal_texts_are_one_wherever_they_lie(passed):
    """Objects are told apart by where they lie first: neither equal nor missing ones get lost."""
    words = ["".join(["a", "b"]), "ab", "".join(["c"] * 2), None, np.nan, "", "".join(["a", "b"])]
    frame = pd.DataFrame({"group": ["a"] * 7000, "text": words * 1000})
    column = _pandas.columns_of(frame)[1]
    assert column.dictionary.length == 3 and column.null_count == 2000
    expected = frame["text"].where(frame["text"].notna(), np.nan)
    assert passed(frame)["text"].fillna("missing").tolist() == expected.fillna("missing").tolist()


def test_generalized_columns_are_text(small):
    frame = pd.DataFrame({
        "age": np.arange(20, 40, dtype="int64"),
        "born": pd.date_range("1950-01-01", periods=20),
        "kind": pd.Categorical(["x", "y"] * 10),
    })  # fmt: skip
    policy = tacit.Policy(
        k=10,
        quasi={"age": tacit.intervals([10, 20]), "born": tacit.dates(), "kind": None},
        person="none",
    )
    out = tacit.anonymize(frame, policy).data
    assert set(out["age"]) == {"[20; 40)"} or all(isinstance(v, str) for v in out["age"])
    assert all(isinstance(value, str) for value in out["born"])
    assert isinstance(out["kind"].dtype, pd.CategoricalDtype)


def test_numbers_are_not_copied(small):
    values = np.arange(1000, dtype="int64")
    frame = pd.DataFrame({"n": values}, copy=False)
    stream = _frames.stream(frame)
    array = _arrow.Array()
    stream.get_next(ctypes.byref(stream), ctypes.byref(array))
    assert array.children[0].contents.buffers[1] == frame["n"].to_numpy().ctypes.data
    array.release(ctypes.byref(array))
    stream.release(ctypes.byref(stream))


def test_everything_is_released(patients, policy):
    gc.collect()
    before = len(_arrow._held)
    for _ in range(2):
        release = tacit.anonymize(patients, policy)
        release.__arrow_c_stream__()
        with pytest.raises(tacit.TacitError):
            tacit.anonymize(patients, policy, k=601)
    del release
    gc.collect()
    assert len(_arrow._held) == before


def test_moved_children_outlive_their_parent():
    """Consumers may move columns out of a batch and release the rest first."""
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]})
    stream = _frames.stream(frame)
    array = _arrow.Array()
    stream.get_next(ctypes.byref(stream), ctypes.byref(array))
    moved = _arrow.Array()
    ctypes.memmove(ctypes.byref(moved), array.children[0], ctypes.sizeof(moved))
    array.children[0].contents.release = type(moved.release)()
    array.release(ctypes.byref(array))
    stream.release(ctypes.byref(stream))
    del frame
    gc.collect()
    assert list((ctypes.c_int64 * 3).from_address(moved.buffers[1])) == [1, 2, 3]
    moved.release(ctypes.byref(moved))


class ByStream:
    """A frame of a library that tacit does not know, by the Arrow PyCapsule interface."""

    def __init__(self, frame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return _arrow.to_capsule(_frames.stream(self.frame))


class ByInterchange:
    """The same by the dataframe interchange protocol."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.frame.__dataframe__(nan_as_null, allow_copy)


@pytest.mark.parametrize("wrapper", [ByStream, ByInterchange])
def test_other_frames(wrapper, patients, policy):
    patients["ward"] = pd.Categorical(["a", "b", None] * 200)
    patients["paid"] = [True, False] * 300
    policy = policy.replace(insensitive=["charges", "ward", "paid"])
    expected = tacit.anonymize(patients, policy, seed=5).data
    release = tacit.anonymize(wrapper(patients), policy, seed=5)
    assert isinstance(release.data, tacit.Frame)
    assert release.data.columns == list(expected)
    out = release.data.to_pandas()
    assert out["birth"].tolist() == expected["birth"].tolist()
    assert out["paid"].tolist() == expected["paid"].tolist()
    assert out["ward"].fillna("").tolist() == expected["ward"].astype(object).fillna("").tolist()
    assert tacit.audit(release, policy, original=wrapper(patients)).holds


@pytest.mark.parametrize("name", ["int8", "uint64", "int64", "float32", "float64", "bool", "missing", "category", "ordered", "moments", "text"])
def test_interchange_of_types(name):
    frame = pd.DataFrame({name: COLUMNS[name]})
    taken = _arrow.take(_frames.stream(ByInterchange(frame)))
    pd.testing.assert_frame_equal(_frames.kind_of(frame).make(taken), frame)


def test_categories_that_no_row_has_stay_behind():
    sex = pd.Categorical(["f", "m"] * 5, ["f", "Ann Poe", "m"], ordered=True)
    frame = pd.DataFrame({"sex": sex, "ill": list("abcdefghij")})
    out = tacit.anonymize(frame, k=5, quasi="sex", sensitive="ill", person="none").data["sex"]
    assert list(out.cat.categories) == ["f", "m"] and out.cat.ordered


@pytest.mark.parametrize("library, maker", [("polars", "DataFrame"), ("pyarrow", "table")])
def test_frames_of_libraries_that_are_not_here(library, maker, patients, policy, monkeypatch):
    """polars and pyarrow get the release as they take it: by its capsule."""
    made = []
    module = types.ModuleType(library)
    setattr(module, maker, lambda table: made.append(table.__arrow_c_stream__()) or "made")
    monkeypatch.setitem(sys.modules, library, module)
    frame = type("DataFrame", (ByStream,), {"__module__": f"{library}.frame"})(patients)
    assert tacit.anonymize(frame, policy).data == "made"
    assert "arrow_array_stream" in repr(made[0])


def test_mapping_of_lists():
    data = {"sex": ["f", "m"] * 5, "ill": list("abcdefghij")}
    assert len(tacit.anonymize(data, k=5, quasi="sex", sensitive="ill", person="none").data) == 10


def test_used_up_stream_is_an_error():
    frame = ByStream(pd.DataFrame({"a": [1, 2]}))
    capsule = frame.__arrow_c_stream__()
    frame.__arrow_c_stream__ = lambda: capsule
    assert tacit.risk(frame, quasi=["a"]).report.records == 2
    with pytest.raises(tacit.InvalidError, match="used up"):
        tacit.risk(frame, quasi=["a"])


@pytest.mark.parametrize("frame, message", [
    (pd.DataFrame([[1, 2]], columns=["a", "a"]), "columns 1 and 2 are both called 'a'"),
    (pd.DataFrame([[1, 2]]), "column 1 is no text but an int"),
    (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), "several levels"),
    (pd.DataFrame({"a": [[1], [2]]}), "column 'a' has lists"),
    (pd.DataFrame({"a": ["x", 1]}), "column 'a' has values of several types"),
    (pd.DataFrame({"a": [1, True, "x"]}, dtype=object), "column 'a' has values of several types"),
    (pd.DataFrame({"a": [b"x", b"y"]}), "of one that tacit does not take .bytes"),
    (pd.DataFrame({"a": [1j, 2j]}), "column 'a' has the type complex128"),
    (pd.DataFrame({"a": pd.to_timedelta([1, 2])}), "column 'a' has the type timedelta64"),
    (pd.DataFrame({"a": ["\ud800", "b"]}), "no Unicode"),
])  # fmt: skip
def test_what_cannot_be_taken_is_said(frame, message):
    with pytest.raises(tacit.InvalidError, match=message):
        tacit.risk(frame)


def test_errors_never_show_values():
    with pytest.raises(tacit.InvalidError) as caught:
        tacit.risk(pd.DataFrame({"a": ["Mary", 1]}))
    assert "Mary" not in str(caught.value)


def test_no_frame():
    with pytest.raises(TypeError, match="the data is no frame"):
        tacit.risk(42)
    with pytest.raises(tacit.FileError, match="no-such-file"):
        tacit.risk("no-such-file.csv")


@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [], "b": []}), pd.DataFrame({"a": pd.Series([], dtype="int64")}), pd.DataFrame()])
def test_empty_frames_do_not_crash(frame):
    try:
        assert tacit.risk(frame).report.records == 0
    except tacit.TacitError as reason:
        assert str(reason)

"""Text and statistical tables."""

import pandas as pd
import pytest

import tacit

LETTER = "Dear Dr. Miller,\nMrs. Anna Smith was here on 3/4/2019. Call her at (617) 555-0199.\n"


def test_scrub_keeps_the_kind():
    one = tacit.scrub(LETTER, seed=1)
    assert isinstance(one.texts, str) and "Smith" not in one.texts and "555-0199" not in one.texts
    many = tacit.scrub([LETTER, None, LETTER], seed=1)
    assert many.texts[1] is None and "Smith" not in many.texts[0] + many.texts[2]
    series = pd.Series([LETTER, float("nan")], index=["x", "y"], name="notes")
    out = tacit.scrub(series, seed=1).texts
    assert list(out.index) == ["x", "y"] and out.name == "notes" and pd.isna(out["y"])
    assert one.report.totals.kinds and not one.report.anonymous


def test_scrub_settings():
    tagged = tacit.scrub(LETTER, replace={"all": "tag"})
    assert "Smith" not in tagged.texts and "[" in tagged.texts
    known = pd.DataFrame({"first": ["Zorblax"], "last": ["Quibbleton"]})
    out = tacit.scrub("Zorblax slept well. Mr. Quibbleton ate.\n", known=known, replace={"all": "tag"})
    assert "Zorblax" not in out.texts and "Quibbleton" not in out.texts


def test_scrub_about_people():
    texts = ["Seen on 3/4/2019.\n", "Seen again on 3/14/2019.\n"]
    out = tacit.scrub(texts, about=["p1", "p1"], replace={"date": "shift"}, seed=3).texts
    days = pd.to_datetime([text.split()[-1].rstrip(".") for text in out])
    assert (days[1] - days[0]).days == 10 and days[0] != pd.Timestamp("2019-03-04")
    with pytest.raises(ValueError, match="3 entries for 2 texts"):
        tacit.scrub(texts, about=[1, 2, 3])


def test_scrub_takes_text_alone():
    with pytest.raises(TypeError, match="text 2 is no text but of type int"):
        tacit.scrub(["a", 1])


@pytest.fixture
def firms():
    return pd.read_csv(tacit.example("firms.csv"))


BRANCHES = {
    "all": {
        "land": ["farming", "mining"],
        "industry": ["food", "textiles", "machines"],
        "services": ["retail", "transport", "tourism"],
    }
}


def test_protect_is_the_commands(firms, command, tmp_path):
    settings = {"holding": "owner", "seed": 1}
    dims = {"district": tacit.example("hierarchies/districts.hrc"),
            "branch": tacit.example("hierarchies/branches.csv")}  # fmt: skip
    table = tacit.protect(firms, dims, value="turnover", rules=["p:10", "freq:2"], **settings)
    command("protect", tacit.example("firms.csv"), "--dim", f"district={dims['district']}",
            "--dim", f"branch={dims['branch']}", "--value", "turnover", "--holding", "owner",
            "--rule", "p:10", "--rule", "freq:2", "--seed", 1, "-o", tmp_path / "table.csv")  # fmt: skip
    expected = pd.read_csv(tmp_path / "table.csv", dtype={"turnover": "Int64"})
    pd.testing.assert_frame_equal(table.data, expected)
    assert table.report.primary == 29 and table.data["turnover"].isna().sum() == 57
    table.save(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "table.csv").read_bytes()


def test_tree_is_a_dimension(firms):
    rows = pd.read_csv(tacit.example("hierarchies/branches.csv"), sep=";", header=None)
    by_file = tacit.protect(firms, {"branch": tacit.example("hierarchies/branches.csv")}, rules="freq:2", method="optimal")
    by_rows = tacit.protect(firms, {"branch": rows}, rules="freq:2", method="optimal")
    assert by_file.data["branch"].tolist() == by_rows.data["branch"].tolist()


def test_mistakes_are_said(firms):
    with pytest.raises(tacit.TacitError, match="size"):
        tacit.protect(firms, ["branch"], value="size", rules="freq:2")
    with pytest.raises(tacit.InvalidError, match="a dimension's hierarchy is a file"):
        tacit.protect(firms, {"branch": tacit.mask()}, rules="freq:2")


def test_audit_of_a_table(firms):
    table = tacit.protect(firms, ["district", "branch"], value="turnover", rules=["freq:2"])
    report = tacit.audit(table.data, dim=["district", "branch"], value="turnover")
    assert report.holds
    assert report.command == "audit"

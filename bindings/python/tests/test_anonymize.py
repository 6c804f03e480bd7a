"""Releases of records: the same as the command's, judged, refused, saved."""

import gzip
import os

import numpy as np
import pandas as pd
import pytest

import tacit


def test_release_is_the_commands_byte_for_byte(patients, policy, command, tmp_path):
    patients.to_csv(tmp_path / "data.csv", index=False)
    policy.save(tmp_path / "policy.yaml")
    command("anonymize", tmp_path / "data.csv", "--policy", tmp_path / "policy.yaml",
            "--seed", 7, "-o", tmp_path / "command.csv")  # fmt: skip
    expected = (tmp_path / "command.csv").read_bytes()
    from_frame = tacit.anonymize(patients, policy, seed=7)
    from_frame.save(tmp_path / "frame.csv")
    assert (tmp_path / "frame.csv").read_bytes() == expected
    tacit.anonymize(tmp_path / "data.csv", policy, seed=7).save(tmp_path / "path.csv")
    assert (tmp_path / "path.csv").read_bytes() == expected
    assert from_frame.data.to_csv(index=False).encode() == expected
    from_frame.save(tmp_path / "frame.csv.gz")
    assert gzip.decompress((tmp_path / "frame.csv.gz").read_bytes()) == expected


def test_release_has_k_alike(patients, policy):
    release = tacit.anonymize(patients, policy)
    quasi = list(policy._given["quasi"])
    assert release.data.groupby(quasi).size().min() >= 5
    assert release.judge.holds and not release.judge.findings
    assert release.report.smallest_class == release.data.groupby(quasi).size().min()
    assert list(release.data) == [c for c in patients if c not in ("patient", "name")]
    assert len(release) == len(release.data) == 600
    assert isinstance(release.data.index, pd.RangeIndex)


def test_index_is_ignored(patients, policy):
    plain = tacit.anonymize(patients, policy, seed=3).data
    indexed = tacit.anonymize(patients.set_axis(np.arange(600) * 7 + 3), policy, seed=3).data
    pd.testing.assert_frame_equal(plain, indexed)


def test_same_for_any_number_of_threads(patients, policy):
    one, four = (tacit.anonymize(patients, policy, seed=3, threads=n).data for n in (1, 4))
    pd.testing.assert_frame_equal(one, four)


def test_frame_is_left_alone(patients, policy):
    before = patients.copy(deep=True)
    tacit.anonymize(patients, policy)
    pd.testing.assert_frame_equal(patients, before)


def test_refused_says_why(patients):
    policy = tacit.Policy(
        k=5, quasi=["sex"], identifiers="name", sensitive=list(patients.columns[2:3]),
        insensitive=[c for c in patients if c not in ("sex", "name", "birth", "patient")],
        **{"person": None},
    )  # fmt: skip
    policy = policy.replace(insensitive=[*policy._given["insensitive"], "patient"])
    refusing = policy.replace(k=300, quasi=["sex", "ethnicity"], loss=0, suppression="none",
                              insensitive=[c for c in policy._given["insensitive"] if c != "ethnicity"])  # fmt: skip
    with pytest.raises(tacit.TacitError):
        tacit.anonymize(patients, refusing)


def test_refused_has_findings():
    frame = pd.DataFrame({"sex": ["f", "m"] * 6, "name": ["Ann", "Bob"] * 6, "ill": list("abcdef") * 2})
    policy = tacit.Policy(k=3, quasi="sex", identifiers="name", sensitive="ill")
    with pytest.raises(tacit.Refused) as caught:
        tacit.anonymize(frame, policy)
    assert caught.value.findings and "person" in caught.value.findings[0]
    assert not caught.value.judge.holds
    assert caught.value.judge.findings[0].message == caught.value.findings[0]


def test_keywords_in_place_of_a_policy(patients):
    frame = patients[["sex", "ethnicity", "diagnosis"]]
    release = tacit.anonymize(frame, k=5, quasi=["sex", "ethnicity"], sensitive="diagnosis", person="none", method="local")
    assert release.report.method == "local" and release.report.k == 5


def test_settings_override_the_policy(patients, policy):
    assert tacit.anonymize(patients, policy, k=20, loss=0.2).report.k == 20


def test_unknown_setting_is_a_type_error(patients, policy):
    with pytest.raises(TypeError, match="did you mean 'evaluate'"):
        tacit.anonymize(patients, policy, evaluat=True)
    with pytest.raises(TypeError, match="strict takes True or False"):
        tacit.anonymize(patients, policy, strict="yes")


def test_messages_name_what_is_in_memory(patients):
    with pytest.raises(tacit.InvalidError) as caught:
        tacit.anonymize(patients, tacit.Policy(k=5, quasi={"brith": tacit.dates()}))
    assert "/dev/" not in str(caught.value) and "brith" in str(caught.value)


def test_warnings_are_python_warnings(patients):
    frame = patients[["sex", "ethnicity"]]
    with pytest.warns(tacit.TacitWarning, match="ethnicity"):
        tacit.anonymize(frame, k=2, quasi="sex", person="none")


def test_previous_release_as_a_frame(patients, policy):
    first = tacit.anonymize(patients, policy, seed=1)
    second = tacit.anonymize(patients, policy, previous=[first.data], seed=2)
    report = tacit.audit(second.data, policy, previous=first.data)
    assert "previous" in report.attacks and not report.attacks["previous"].discloses


def test_population_as_a_frame(patients, policy):
    register = patients[["name", "birth", "sex", "postcode"]]
    report = tacit.audit(
        patients[["birth", "sex", "postcode", "diagnosis"]],
        tacit.Policy(k=2, quasi={"birth": tacit.dates(), "sex": None, "postcode": tacit.mask()},
                     sensitive="diagnosis", person="none"),
        population=register,
    )  # fmt: skip
    assert report.discloses and any("link" in name and attack.discloses for name, attack in report.attacks.items()), report.attacks


def test_audit(patients, policy):
    release = tacit.anonymize(patients, policy)
    assert tacit.audit(release.data, policy, original=patients).holds
    careless = tacit.audit(patients.drop(columns=["patient", "name"]), policy)
    assert not careless.holds and careless.judge.findings[0].kind == "k"
    tampered = release.data.copy()
    tampered.loc[0, "diagnosis"] = "measles"
    assert not tacit.audit(tampered, policy, original=patients).holds


def test_profile_drafts_a_policy(patients, tmp_path):
    report = tacit.profile(patients)
    roles = {column.name: column.role for column in report.columns}
    assert roles["name"] == "identifier" and roles["birth"] == "quasi"
    release = tacit.anonymize(patients, report.policy)
    assert release.judge.holds and release.report.method == "local"
    report.policy.save(tmp_path / "draft.yaml")
    assert tacit.Policy.read(tmp_path / "draft.yaml").yaml == report.policy.yaml
    assert tacit.anonymize(patients, tmp_path / "draft.yaml").judge.holds


def test_explore(patients, policy):
    report = tacit.explore(patients, policy, k=[2, 5], loss=[0, 0.05])
    assert {point.k for point in report.curve} == {2, 5}
    assert any(point.state == "known" and point.precision > 0.5 for point in report.curve)


def test_compare(patients, policy):
    report = tacit.compare(patients, {"five": policy, "fifty": policy.replace(k=50)})
    assert [each.policy for each in report.policies] == ["five", "fifty"]
    assert report.policies[0].lost < report.policies[1].lost


def test_compare_draws(patients, policy):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = tacit.compare(patients, [policy, policy.replace(k=50)]).plot()
    assert axes.get_xlabel() == "information lost"
    assert {text.get_text() for text in axes.texts} == {"policy 1", "policy 2"}


def test_risk(patients):
    found = tacit.risk(patients, quasi=["birth", "sex", "postcode"])
    unique = ~patients.duplicated("birth", keep=False)
    assert found.report.by_size["1"] == unique.sum()
    singles = found.sets[found.sets["columns"] == "birth"]["record"]
    assert sorted(singles) == list(np.flatnonzero(unique) + 1)
    assert len(found.records) == found.report.records == 600
    assert tacit.risk(patients, quasi=["sex"], tables=()).sets is None


def test_hierarchy(patients):
    made = tacit.hierarchy(patients, "marital", group="frequency:70,90")
    assert ("single", "other", "other", "*") in made.rows
    areas = tacit.hierarchy(patients, "postcode", like=tacit.mask("right"))
    assert ("02138", "0213*", "021**", "02***", "0****", "*") in areas.rows


def test_saves_whole_or_not_at_all(patients, policy, tmp_path):
    release = tacit.anonymize(patients, policy)
    with pytest.raises(tacit.FileError):
        release.save(tmp_path / "no" / "release.csv")
    with pytest.raises(tacit.InvalidError, match="SAS is read, not written|read, not written"):
        release.save(tmp_path / "release.sas7bdat")
    assert os.listdir(tmp_path) == []
    release.save(tmp_path / "release.dta")
    stata = pd.read_stata(tmp_path / "release.dta")
    assert stata["birth"].tolist() == release.data["birth"].tolist()


def test_release_to_a_file(patients, policy, command, tmp_path):
    patients.to_csv(tmp_path / "patients.csv", index=False)
    policy.save(tmp_path / "policy.yaml")
    release = tacit.anonymize(tmp_path / "patients.csv", policy, output=tmp_path / "here.csv", seed=7)
    arguments = [tmp_path / "patients.csv", "--policy", tmp_path / "policy.yaml", "--seed", 7]
    command("anonymize", *arguments, "-o", tmp_path / "there.csv")
    assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()
    assert release.data is None and release.judge.holds and "elsewhere" in repr(release)
    for use in (len, lambda release: release.save(tmp_path / "x.csv"), lambda release: release.__arrow_c_stream__()):
        with pytest.raises(tacit.InvalidError, match="not here"):
            use(release)


def test_a_survey_keeps_its_labels(tmp_path):
    """A Stata file of labelled codes, anonymized in five lines."""
    survey = pd.DataFrame({
        "sex": pd.Categorical(["male", "female"] * 20, categories=["male", "female"]),
        "age": np.arange(40, dtype="int16") + 20,
        "income": np.arange(40) * 1000.5,
        "since": pd.date_range("2000-01-01", periods=40),
    })  # fmt: skip
    survey.to_stata(tmp_path / "survey.dta", write_index=False, version=118, convert_dates={"since": "td"},
                    variable_labels={"sex": "Sex of respondent", "income": "Income in euros"})  # fmt: skip
    policy = tacit.Policy(
        k=5, quasi={"sex": None, "age": tacit.intervals([10, 20, 40])}, insensitive=["income", "since"], person="none"
    )
    release = tacit.anonymize(tmp_path / "survey.dta", policy)
    release.save(tmp_path / "released.dta")
    with pd.read_stata(tmp_path / "released.dta", iterator=True) as reader:
        assert reader.variable_labels()["income"] == "Income in euros"
        assert reader.value_labels()["sex"] == {0: "male", 1: "female"}
        released = reader.read()
    assert set(released["sex"]) == {"male", "female"}
    assert sorted(released["income"]) == sorted(survey["income"])
    assert released["since"].dtype == "datetime64[ns]"
    assert set(release.data["sex"]) == {0, 1} and release.data["income"].dtype == float
    with pytest.raises(tacit.FileError):
        release.save(tmp_path / "no" / "released.dta")
    release.save(tmp_path / "released.csv")


def test_nothing_is_left_behind(patients, policy):
    def left():
        return {name for name in os.listdir("/dev/shm") if name.startswith("tacit-")}, len(os.listdir("/proc/self/fd"))

    tacit.anonymize(patients, policy)
    before = left()
    for _ in range(3):
        tacit.anonymize(patients, policy)
        with pytest.raises(tacit.TacitError):
            tacit.anonymize(patients, policy, k=400, loss=0, suppression="none")
        tacit.risk(patients, quasi=["sex"])
    assert left() == before

"""Policies become the YAML of policy files."""

import pandas as pd
import pytest

import tacit


def test_yaml():
    policy = tacit.Policy(
        k=5,
        loss=0.02,
        quasi={
            "birth": tacit.dates(order="day-first", windows=[1, 12]),
            "zip": tacit.column(hierarchy=tacit.mask("left"), weight=2, missing_codes=["NA", "999"]),
            "age": tacit.intervals([5, 10.5], origin=0, decimal="comma"),
            "Größe: \"1\"": tacit.standard("age"),
            "yes": None,
        },
        identifiers={"id": "pseudonym", "name": None},
        sensitive={"ill": tacit.column(diversity=[3, "entropy:2.5"], closeness=0.3)},
        person="id",
        key_file="keys",
        quasi_identifiers=[["birth", "zip"], ["age"]],
        techniques=[{"noise": {"columns": ["age"], "size": 0.1}}],
    )  # fmt: skip
    assert policy.yaml == (
        "k: 5\n"
        "loss: 0.02\n"
        "person: id\n"
        "key-file: keys\n"
        "quasi-identifiers: [[birth, zip], [age]]\n"
        "techniques: [{noise: {columns: [age], size: 0.1}}]\n"
        "columns:\n"
        "  birth: {role: quasi, hierarchy: {date: {order: day-first, windows: [1, 12]}}}\n"
        '  zip: {role: quasi, hierarchy: {mask: left}, missing-codes: [NA, "999"], weight: 2}\n'
        "  age: {role: quasi, hierarchy: {interval: {widths: [5, 10.5], origin: 0, decimal: comma}}}\n"
        '  "Größe: \\"1\\"": {role: quasi, hierarchy: {standard: age}}\n'
        '  "yes": {role: quasi}\n'
        "  ill: {role: sensitive, diversity: [3, \"entropy:2.5\"], closeness: 0.3}\n"
        "  id: {role: identifier, replace: pseudonym}\n"
        "  name: {role: identifier}\n"
    )


def test_names_need_no_care(small):
    """Names that mean something in YAML are names all the same."""
    names = ["yes", "null", "1", "a: b", "- x", "#", "'", '"', "\\", "{", "tab\t", "*", "&a", "!b", "%", "é", "~", "a,b", ""]
    frame = pd.DataFrame({name: ["x", "y"] * 3 for name in names if name})
    policy = tacit.Policy(k=3, quasi=["yes"], insensitive=[n for n in frame if n != "yes"], person="none")
    assert list(tacit.anonymize(frame, policy).data) == list(frame)


def test_rows_of_hierarchies():
    tree = tacit.tree({"all": {"with": ["married"], "without": {"once": ["divorced", "widowed"]}, "never": "single"}})
    assert tree.rows == (
        ("married", "married", "with", "all"),
        ("divorced", "once", "without", "all"),
        ("widowed", "once", "without", "all"),
        ("single", "single", "never", "all"),
    )
    rows = (("a", "x"), ("b", "x"))
    assert tacit.levels({"a": "x", "b": ["x"]}).rows == rows
    assert tacit.levels({"a": "x", "b": "y"}).rows == (("a", "x", "*"), ("b", "y", "*"))
    assert tacit.levels([("a", "x"), ["b", "x"]]).rows == rows
    assert tacit.levels(pd.DataFrame([["a", "x"], ["b", "x"]])).rows == rows


def test_hierarchies_in_memory_work(patients):
    marital = tacit.tree({
        "with": ["married"], "without": ["single", "divorced", "widowed", "separated"],
    })  # fmt: skip
    sex = tacit.levels({"male": "any", "female": "any"})
    out = tacit.anonymize(
        patients[["marital", "sex"]], k=200, loss=0, quasi={"marital": marital, "sex": sex}, person="none"
    )
    assert set(out.data["marital"]) <= {"with", "without", "married"} and out.report.smallest_class >= 200


def test_error_in_a_hierarchy_names_its_file(patients):
    with pytest.raises(tacit.TacitError) as caught:
        tacit.anonymize(patients[["marital"]], k=2, quasi={"marital": tacit.levels({"single": "x"})}, person="none")
    assert "marital.csv" in str(caught.value) and "/shm/" not in str(caught.value)


def test_saved_policies_are_read_again(tmp_path, patients, policy):
    policy = policy.replace(quasi={**policy._given["quasi"], "sex": tacit.levels({"male": "any", "female": "any"})})
    policy.save(tmp_path / "p.yaml")
    assert (tmp_path / "sex.csv").read_text() == '"male";"any"\n"female";"any"\n'
    read = tacit.Policy.read(tmp_path / "p.yaml")
    one, two = (tacit.anonymize(patients, each, seed=2).data for each in (policy, read))
    pd.testing.assert_frame_equal(one, two)
    with pytest.raises(TypeError, match="settings where it is used"):
        read.replace(k=3)


def test_replace(policy):
    assert policy.replace(k=7) == policy.replace(k=7) != policy
    assert "loss" not in policy.replace(loss=None).yaml
    assert "k=7" in repr(policy.replace(k=7))


@pytest.mark.parametrize("given, error, message", [
    ({"anonimity": 1}, TypeError, "did you mean 'anonymity'"),
    ({"quasi": ["a"], "sensitive": ["a"]}, ValueError, "'a' has two roles"),
    ({"quasi": {"a": 5}}, TypeError, "a hierarchy or tacit.column"),
])  # fmt: skip
def test_mistakes_are_said(given, error, message):
    with pytest.raises(error, match=message):
        tacit.Policy(k=2, **given)


def test_mask_takes_sides():
    with pytest.raises(ValueError, match="'left' or 'right'"):
        tacit.mask("middle")

"""The transformer, with scikit-learn and without it."""

import subprocess
import sys

import pandas as pd
import pytest

import tacit
from tacit.sklearn import Anonymizer


@pytest.fixture
def features(patients):
    return patients[["birth", "sex", "postcode", "ethnicity"]]


@pytest.fixture
def rules():
    return tacit.Policy(
        k=5,
        loss=0.1,
        quasi={"birth": tacit.dates(), "sex": None, "postcode": tacit.mask("right"),
               "ethnicity": tacit.example("hierarchies/ethnicity.csv")},
        person="none",
    )  # fmt: skip


def test_rows_keep_their_places(features, rules):
    out = Anonymizer(rules).fit_transform(features)
    assert len(out) == len(features)
    kept = out["sex"] != "*"
    assert kept.mean() > 0.85 and (out["sex"][kept] == features["sex"][kept]).all()


def test_other_frames_are_generalized_as_far(features, rules):
    model = Anonymizer(rules, seed=1).fit(features)
    part = model.transform(features.iloc[:300])
    whole = model.transform(features)
    for name in features:
        assert set(part[name]) <= set(whole[name]) | {"*"}
    assert list(model.get_feature_names_out()) == list(features)


def test_mistakes(features, rules):
    with pytest.raises(ValueError, match="not fitted yet"):
        Anonymizer(rules).transform(features)
    with pytest.raises(tacit.InvalidError, match="not those that were fitted"):
        Anonymizer(rules).fit(features).transform(features[["sex"]])
    with pytest.raises(tacit.InvalidError, match="named columns"):
        Anonymizer(rules).fit([[1, 2]])


def test_in_a_pipeline(features, rules, patients):
    sklearn = pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    y = patients["diagnosis"] == "hypertension"
    model = make_pipeline(
        Anonymizer(rules, seed=1), OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=1000)
    )
    assert model.fit(features, y).predict(features).shape == (600,)
    assert cross_val_score(clone(model), features, y, cv=3).mean() > 0.5
    assert clone(Anonymizer(rules, seed=3)).get_params()["seed"] == 3
    assert sklearn


def test_without_scikit_learn(tmp_path):
    code = """
import sys
sys.modules["sklearn"] = None
import pandas as pd, warnings, tacit
from tacit.sklearn import Anonymizer
warnings.simplefilter("ignore")
model = Anonymizer(tacit.Policy(k=2, quasi=["a"], person="none")).set_params(seed=1)
assert model.get_params()["seed"] == 1
out = model.fit_transform(pd.DataFrame({"a": ["x", "x", "y", "y"]}))
assert out["a"].tolist() == ["x", "x", "y", "y"]
try:
    Anonymizer().transform(out)
except ValueError as reason:
    assert "not fitted" in str(reason)
"""
    subprocess.run([sys.executable, "-c", code], check=True)

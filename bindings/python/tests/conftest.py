"""What the tests share: example data as a DataFrame, its policy, and the command to compare with."""

import os
import subprocess
import warnings

import pandas as pd
import pytest

import tacit


@pytest.fixture
def patients():
    return pd.read_csv(
        tacit.example("patients.csv"),
        dtype={"postcode": str, "charges": str},
        parse_dates=["birth"],
    )


@pytest.fixture
def policy():
    return tacit.Policy(
        k=5,
        loss=0.03,
        metric="granularity",
        person="none",
        quasi={
            "birth": tacit.dates(),
            "sex": None,
            "postcode": tacit.mask("right"),
            "ethnicity": tacit.example("hierarchies/ethnicity.csv"),
            "marital": tacit.levels(tacit.example("hierarchies/marital.csv")),
            "education": tacit.column(hierarchy=tacit.example("hierarchies/education.csv")),
        },
        identifiers=["patient", "name"],
        sensitive="diagnosis",
        insensitive=["charges"],
    )


@pytest.fixture
def small():
    """A frame whose rows are all released as they are: four times the same quasi-identifier."""

    def make(**columns):
        frame = pd.DataFrame(columns)
        frame.insert(0, "group", ["a"] * len(frame))
        return frame

    return make


@pytest.fixture
def passed():
    """A frame after a release that leaves every column but its order as it was."""

    def run(frame, **settings):
        names = [name for name in frame.columns if name != "group"]
        policy = tacit.Policy(
            k=2, quasi=["group"], insensitive=names, person="none", keep_order=True
        )
        return tacit.anonymize(frame, policy, **settings).data

    return run


@pytest.fixture
def command():
    path = os.environ.get("TACIT_COMMAND")
    if not path:
        pytest.skip("TACIT_COMMAND does not name the command")

    def run(*arguments):
        subprocess.run([path, *map(str, arguments)], check=True, capture_output=True)

    return run


@pytest.fixture(autouse=True)
def known_warnings():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "anyone who knows ")
        warnings.filterwarnings("ignore", "rows keep their order")
        yield

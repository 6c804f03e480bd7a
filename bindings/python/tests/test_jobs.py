"""Runs: watched, stopped, beside other threads; settings and reports."""

import dataclasses
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit import reports

# Long enough to be seen at work: columns that single nobody out, in sets of any size.
LONG = """
import numpy as np, pandas as pd, tacit
rng = np.random.default_rng(1)
frame = pd.DataFrame({f"c{i}": rng.integers(0, 3, 60000) for i in range(26)})
"""


def test_ctrl_c(tmp_path):
    script = tmp_path / "long.py"
    script.write_text(LONG + "print('go', flush=True)\ntry:\n    tacit.risk(frame)\n"
                      "except KeyboardInterrupt:\n    print('stopped', flush=True)\n")  # fmt: skip
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "go\n"
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        assert process.stdout.readline() == "stopped\n"
        assert time.monotonic() - begun < 3
        assert process.wait(10) == 0


def test_a_limit_of_time():
    scope = {}
    exec(LONG, scope)
    begun = time.monotonic()
    with pytest.raises(tacit.LimitReached) as caught:
        tacit.risk(scope["frame"], time=3)
    assert caught.value.report.stopped and caught.value.report.records == 60000
    assert time.monotonic() - begun < 10
    with pytest.raises(tacit.LimitReached, match="before there was a result"):
        tacit.risk(scope["frame"], time=1e-6)


def test_other_threads_go_on():
    """The interpreter is free while the library works."""
    scope = {}
    exec(LONG, scope)
    counted, end = [0], threading.Event()

    def count():
        while not end.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(tacit.LimitReached):
        tacit.risk(scope["frame"], time=1, threads=1)
    end.set()
    thread.join()
    assert counted[0] > 200


def test_jobs_in_several_threads(patients, policy):
    expected = tacit.anonymize(patients, policy, seed=4).data
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(tacit.anonymize(patients, policy, seed=4).data))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for each in found:
        pd.testing.assert_frame_equal(each, expected)


def test_progress(monkeypatch, patients):
    shown = []

    class Bar:
        def __init__(self, total, desc, leave):
            shown.append(desc)
            self.n = 0

        def update(self, more):
            self.n += more

        def close(self):
            pass

    module = types.ModuleType("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    scope = {}
    exec(LONG, scope)
    with pytest.raises(tacit.LimitReached):
        tacit.risk(scope["frame"], time=1.2, progress=True)
    assert shown


def test_settings_have_help():
    assert {"anonymize", "protect", "scrub"} <= set(tacit.kinds())
    known = {each.name: each for each in tacit.settings("anonymize")}
    assert known["evaluate"].type == "switch" and known["k"].is_policy and known["seed"].help
    assert "mingen" in {each.name for each in tacit.choices("anonymize")}


def every_report(patients, policy):
    release = tacit.anonymize(patients, policy, seed=1, target="diagnosis")
    yield release.report
    yield tacit.anonymize(patients, policy.replace(method="local", metric=None), seed=1).report
    yield tacit.audit(release.data, policy, original=patients)
    yield tacit.profile(patients)
    yield tacit.explore(patients, policy, k=[5])
    yield tacit.compare(patients, [policy])
    yield tacit.risk(patients, quasi=["sex", "postcode"]).report
    yield tacit.scrub("Dear Mr. Smith,\n").report
    yield tacit.protect(tacit.example("firms.csv"), ["branch"], rules="freq:2").report


def test_reports(patients, policy, tmp_path):
    kinds = set()
    for report in every_report(patients, policy):
        kinds.add(type(report))
        assert dataclasses.is_dataclass(report) and report.tacit == tacit.__version__
        assert report.seconds["total"] >= 0
        assert no_dictionaries_of_records(report)
        assert report.html.startswith("<!doctype html>") and "<iframe srcdoc=" in report._repr_html_()
        assert str(report) and "/dev/fd" not in str(report) + report.html
        assert type(report).__name__ in repr(report)
        report.save(tmp_path / "report.json")
        assert json.loads((tmp_path / "report.json").read_text()) == report.to_dict()
        report.save(tmp_path / "report.html")
        assert (tmp_path / "report.html").read_text() == report.html
    assert len(kinds) == 8


def no_dictionaries_of_records(value):
    """What is a record has attributes: dictionaries hold numbers, texts and records by name."""
    if dataclasses.is_dataclass(value):
        return all(no_dictionaries_of_records(getattr(value, f.name)) for f in dataclasses.fields(value))
    if isinstance(value, list):
        return all(map(no_dictionaries_of_records, value))
    if isinstance(value, dict):
        return all(not isinstance(each, (dict, list)) for each in value.values())
    return True


def test_numbers_of_a_report(patients, policy):
    report = tacit.anonymize(patients, policy, target="diagnosis").report
    raw = report.to_dict()
    assert report.levels == raw["levels"] and report.precision == raw["precision"]
    assert report.attacks["sensitive"].more.columns[0].prior == raw["attacks"]["sensitive"]["columns"][0]["prior"]
    assert report.information_loss.prediction.after == raw["information_loss"]["prediction"]["after"]
    assert report.relinked.attacks[0].share == raw["relinked"]["attacks"][0]["share"]


def test_everything_is_documented():
    for name in tacit.__all__:
        thing = getattr(tacit, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name
            if inspect.isfunction(thing):
                assert "return" in thing.__annotations__, name
    for name in reports.__all__:
        assert inspect.getdoc(getattr(reports, name)), name


def test_the_library_is_inside():
    folder = os.path.dirname(tacit.__file__)
    assert os.path.exists(os.path.join(folder, "libtacit.so"))
    assert os.path.exists(os.path.join(folder, "py.typed"))
    with pytest.raises(FileNotFoundError, match="patients.csv"):
        tacit.example("no such file")

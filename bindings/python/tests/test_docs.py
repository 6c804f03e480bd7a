"""The examples of README.md and docs/python.md print what they say, and the notebooks run."""

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tacit

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in tacit.example("patients.csv").parent.iterdir():
        (tmp_path / file.name).symlink_to(file)
    text = (ROOT / page).read_text()
    blocks = list(re.finditer(r"^```pycon\n(.*?)^```", text, re.M | re.S))
    assert blocks
    parser, scope = doctest.DocTestParser(), {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said = []
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        test = parser.get_doctest(block[1], scope, page, page, line)
        runner.run(test, out=said.append, clear_globs=False)
        scope = test.globs
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


NOTEBOOKS = sorted((ROOT / "bindings/python/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebooks(notebook, tmp_path):
    environment = dict(os.environ, IPYTHONDIR=str(tmp_path), JUPYTER_DATA_DIR=str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", notebook],
        capture_output=True, text=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    cells = json.loads(ran.stdout)["cells"]
    shown = [out for cell in cells for out in cell.get("outputs", ()) if "text/html" in out.get("data", ())]
    assert any("<iframe srcdoc=" in "".join(out["data"]["text/html"]) for out in shown)

#!/bin/bash
# run.sh BUILD [ARGUMENT...] - tests the package for Python: builds its wheel around the library of
# BUILD, installs that into a temporary folder without a network, checks the types and runs the
# tests, which compare with the command of BUILD. Further arguments are pytest's.
set -euo pipefail

build=$(realpath "$1")
shift
python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip() {
    PIP_ROOT_USER_ACTION=ignore "$python" -m pip --disable-pip-version-check --quiet "$@" \
        --no-deps --no-index
}

# From a copy, which leaves nothing in the sources; it finds them by TACIT_SOURCE.
cp -r "$here" "$work/python"
export TACIT_SOURCE=$here/../.. TACIT_LIBRARY=$build/libtacit.so
pip wheel --no-build-isolation --wheel-dir "$work/wheel" "$work/python"
unset TACIT_LIBRARY
pip install --target "$work/site" "$work"/wheel/tacit-*-py3-none-*.whl

cd "$here"
"$python" -m mypy --python-executable "$python" --cache-dir "$work/mypy"
PYTHONPATH=$work/site PYTHONDONTWRITEBYTECODE=1 TACIT_COMMAND=$build/tacit MPLCONFIGDIR=$work \
    "$python" -m pytest -q -p no:cacheprovider --basetemp="$work/pytest" "$@"

#!/bin/bash
# test-r.sh BUILD - the package for R as its users get it: built, checked by `R CMD check` (which runs
# its tests and examples) against the library in the folder BUILD, and the R in README and docs.
# Fails on errors and warnings of the check. TACIT_DATA is where data is that is not part of tacit.
set -euo pipefail

build=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export TACIT_HOME=$build TACIT_COMMAND=$build/tacit TACIT_SOURCE=$root
export TACIT_DATA=${TACIT_DATA:-$root/../shared/data}
# Nothing is asked of the network.
export _R_CHECK_SYSTEM_CLOCK_=0 _R_CHECK_XREFS_REPOSITORIES_=file:/// _R_CHECK_FORCE_SUGGESTS_=0 R_KEEP_PKG_SOURCE=no LC_ALL=C.UTF-8

cd "$work"
R CMD build --no-build-vignettes "$root/bindings/r" >build.log 2>&1 || { cat build.log; exit 1; }
status=0
R CMD check --no-manual --no-build-vignettes tacit_*.tar.gz >check.log 2>&1 || status=$?
if [ $status -ne 0 ] || grep -q -e 'WARNING$' -e 'ERROR$' check.log; then
    cat check.log
    cat tacit.Rcheck/00install.out tacit.Rcheck/tests/*.fail 2>/dev/null || true
    exit 1
fi
grep '^Status' check.log
grep -h -A 200 '^══ Skipped' tacit.Rcheck/tests/*.Rout | grep '^•' || true
R_LIBS=$work/tacit.Rcheck Rscript --vanilla "$root/tests/docs/run.R" "$root"

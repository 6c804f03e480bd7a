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
export LC_ALL=C.UTF-8 R_KEEP_PKG_SOURCE=no
# Nothing is asked of the network: the repository of packages is an empty folder.
mkdir -p "$work/none/src/contrib"
touch "$work/none/src/contrib/PACKAGES"
echo "options(repos = c(CRAN = \"file://$work/none\"))" >"$work/profile"
export R_PROFILE_USER=$work/profile _R_CHECK_SYSTEM_CLOCK_=0 _R_CHECK_FORCE_SUGGESTS_=0

cd "$work"
R CMD build --no-build-vignettes "$root/bindings/r" >build.log 2>&1 || { cat build.log; exit 1; }
status=0
R CMD check --no-manual --no-build-vignettes tacit_*.tar.gz >check.log 2>&1 || status=$?
if [ $status -ne 0 ] || grep -q -e 'WARNING$' -e 'ERROR$' check.log; then
    cat check.log
    cat tacit.Rcheck/00install.out tacit.Rcheck/tests/*.fail 2>/dev/null || true
    exit 1
fi
grep "^Status" check.log
grep -h -A 200 '^══ Skipped' tacit.Rcheck/tests/*.Rout | grep '^•' || true
export R_LIBS=$work/tacit.Rcheck
# The tester of the examples finds what is wrong.
printf '```r\n1 + 1\n#> [1] 3\n```\n' >wrong.md
if Rscript --vanilla "$root/tests/docs/run.R" "$work" wrong.md >/dev/null; then
    echo "test-r: a wrong example passes" >&2
    exit 1
fi
Rscript --vanilla "$root/tests/docs/run.R" "$root"

#!/bin/bash
# run.sh BUILD - the scripts that guard the project, and the programs that make
# up its data, do what they say.
set -euo pipefail

build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "scripts: $*" >&2
    exit 1
}

# The sources keep the include rules ...
"$root/scripts/check-includes.sh" || fail "the include rules are broken"

# ... and each way to break them is noticed. broken FILE LINE: LINE in FILE is refused.
broken() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/include/tacit/experimental" "$work/tree/src/audit" "$work/tree/src/base" \
        "$work/tree/src/cli" "$work/tree/src/unheard"
    echo "$2" >"$work/tree/$1"
    if "$root/scripts/check-includes.sh" "$work/tree" >"$work/said"; then
        fail "in $1, not refused: $2"
    fi
    grep -q "^$1:1: " "$work/said" || fail "in $1, the place is missing: $(cat "$work/said")"
}
broken src/audit/judge.c '#include "records/classes/classes.h"'
broken src/audit/judge.c '#include "graph/graph.h"'
broken src/audit/judge.c '#include <tacit/experimental/policy.h>'
broken src/audit/judge.c '# include <tacit.h>'
broken src/audit/judge.c '#include <tacit/experimental.h>'
broken src/audit/judge.c '#include "judge.h"'
broken src/base/alloc.c '#include "table/table.h"'
broken src/cli/main.c '#include "base/alloc.h"'
broken src/cli/main.c '#include <tacit/experimental/records.h>'
broken src/unheard/of.c 'int x;'
broken include/tacit/experimental/audit.h '#include <tacit/experimental/records.h>'

# What is allowed is not refused.
rm -rf "$work/tree"
mkdir -p "$work/tree/include/tacit/experimental" "$work/tree/src/audit" "$work/tree/src/cli"
printf '%s\n' '#include "audit/judge/judge.h"' '#include "base/alloc.h"' '#include <tacit/experimental/hierarchy.h>' \
    '#include <stdio.h>' >"$work/tree/src/audit/judge.c"
printf '%s\n' '#include "options.h"' '#include <tacit.h>' >"$work/tree/src/cli/main.c"
"$root/scripts/check-includes.sh" "$work/tree" || fail "what is allowed is refused"

# Setting up: a stand-in system where one package is missing and cannot be installed.
mkdir -p "$work/setup" "$work/bin"
cp "$root/scripts/setup.sh" "$work/setup"
printf 'there build\nvirtual build\nabsent build\nother check\n' >"$work/setup/packages.txt"
cat >"$work/bin/dpkg-query" <<'END'
#!/bin/sh
printf 'ii |there, \nii |real, virtual (= 1.0)\nrc |absent, \n'
END
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/sudo"
printf '#!/bin/sh\necho "apt-get $*" >>"%s"\n' "$work/apt" >"$work/bin/apt-get"
chmod +x "$work/bin/"*
setup() {
    status=0
    PATH=$work/bin:$PATH TACIT_NO_SETUP=0 "$work/setup/setup.sh" "$@" \
        >"$work/said" 2>&1 </dev/null || status=$?
}
setup build
[ $status = 1 ] || fail "setup without the right to install ends with $status"
grep -q 'apt-get update && apt-get install .* absent$' "$work/said" ||
    fail "setup does not say what to run: $(cat "$work/said")"
[ ! -e "$work/apt" ] || fail "setup called apt-get without the right to"

# The same as root: only what is missing is asked for.
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
setup build
[ $status = 0 ] || fail "setup as root ends with $status: $(cat "$work/said")"
grep -q 'install .* absent$' "$work/apt" || fail "setup asked for: $(cat "$work/apt")"

# Through sudo where it asks no password.
rm "$work/apt"
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
printf '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n' >"$work/bin/sudo"
setup build
[ $status = 0 ] && grep -q 'install .* absent$' "$work/apt" || fail "setup through sudo failed"

# Nothing missing: apt-get is left alone.
rm "$work/apt"
printf 'there build\n' >"$work/setup/packages.txt"
setup build
[ $status = 0 ] && [ ! -e "$work/apt" ] || fail "setup is not idle when nothing is missing"

# The tester of the documentation: what it passes, and what it does not.
documented() {
    { echo '```console'; cat; echo '```'; } >"$work/page.md"
    "$root/tests/docs/run.sh" "$(type -P true)" "$work/page.md" >"$work/said" 2>&1
}
documented <<'END' || fail "a right example fails: $(cat "$work/said")"
$ tacit
$ printf 'one\ntwo 2.5 s\nthree\n'
one
two ... s
...
$ false
$ echo $?
1
$ echo a \
  b
a b
END
printf '%s\n' '$ seq 3' '1' '...' '2' | documented && fail "a wrong example passes"
printf '%s\n' '$ echo one; false' 'one' | documented && fail "a failing example passes"
printf '%s\n' '$ true' 'something' | documented && fail "a silent example passes"

# The patients of the examples can be made again.
awk -f "$root/examples/patients.awk" | cmp - "$root/examples/patients.csv" ||
    fail "patients.awk does not make patients.csv"
awk -f "$root/examples/firms.awk" | cmp - "$root/examples/firms.csv" ||
    fail "firms.awk does not make firms.csv"

# The benchmark's data: as many rows as asked for, of nine fields and the size
# that the measurements are stated for, decided by the seed.
generate() {
    "$build/bench/bench_generate" "$@"
}
generate 5000 1 >"$work/data"
awk -F, 'NF != 9 { bad = 1 }
    END { exit bad || NR != 5001 }' "$work/data" || fail "wrong rows are generated"
size=$(stat -c %s "$work/data")
[ "$size" -gt $((5000 * 64)) ] && [ "$size" -lt $((5000 * 70)) ] || fail "5000 rows take $size bytes"
generate 5000 1 | cmp -s - "$work/data" || fail "a seed does not decide the data"
if generate 5000 2 | cmp -s - "$work/data"; then
    fail "the seed does not matter"
fi

# The benchmark of the methods comes to its end, here without the data that others
# measured; whether its numbers hold depends on the machine and the rows.
REPEAT=1 RESULTS=$work/methods.json "$root/bench/methods.sh" "$build" "$work" 500 >"$work/said" ||
    fail "the benchmark of the methods failed: $(cat "$work/said")"
[ "$(grep -c '"holds": ' "$work/methods.json")" = 8 ] || fail "wrong results: $(cat "$work/methods.json")"

#!/bin/bash
# run.sh BUILD CC - installs BUILD into a temporary prefix and uses what is there:
# a program linked to the shared library, one linked to the static one, and, where
# the command is built, the command with its man page, completions and examples.
set -euo pipefail

build=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() {
    echo "install: $*" >&2
    exit 1
}

cmake --install "$build" --prefix "$prefix" >"$prefix/log" || fail "$(cat "$prefix/log")"

config() {
    pkg-config --define-variable=prefix="$prefix" "$@" tacit
}
found=$(find "$prefix" -name tacit.pc)
[ -n "$found" ] || fail "no tacit.pc"
PKG_CONFIG_PATH=$(dirname "$found")
export PKG_CONFIG_PATH
libdir=$(config --variable=libdir)
[ -f "$libdir/libtacit.a" ] || fail "no static library in $libdir"

# CFLAGS and pkg-config's answers are lists of words.
# shellcheck disable=SC2086,SC2046
{
    "$cc" -std=c17 -Wall -Wextra -Werror ${CFLAGS:-} "$here/program.c" -o "$prefix/shared" \
        $(config --cflags --libs)
    static=$(config --static --cflags --libs)
    "$cc" -std=c17 -Wall -Wextra -Werror ${CFLAGS:-} "$here/program.c" -o "$prefix/static" \
        ${static/-ltacit/-l:libtacit.a}
}

expected="$(config --modversion): 2 rows, 2 columns"
said=$(LD_LIBRARY_PATH=$libdir "$prefix/shared")
[ "$said" = "$expected" ] || fail "with the shared library: $said"
said=$("$prefix/static")
[ "$said" = "$expected" ] || fail "with the static library: $said"
if ldd "$prefix/static" | grep -q libtacit; then
    fail "the static program needs the shared library"
fi
if nm -D --defined-only "$libdir/libtacit.so" | grep -q ' tacit__'; then
    fail "the shared library shows internal names"
fi

# Jobs from C, and from Python with nothing but ctypes, make what the command makes.
# enter NAME: a folder with the examples, and a folder out for what is made of them.
enter() {
    cp -r "$here/../../examples" "$prefix/$1"
    mkdir "$prefix/$1/out"
    cd "$prefix/$1"
}
# same NAME: as by the command; of a ledger, whose keys and dates differ, that there is an entry.
same() {
    for file in release.csv table.csv letter.txt; do
        cmp "$prefix/by-command/out/$file" "$prefix/$1/out/$file" || fail "$1: $file is not what the command makes"
    done
    "$build/tacit" ledger "$prefix/$1/out/ledger" | grep -q '^1 of 1 entries' || fail "$1: no entry in the ledger"
}
if [ -x "$build/tacit" ]; then
    enter by-command
    "$build/tacit" anonymize patients.csv --policy patients.yaml --ledger out/ledger --seed 1 -q -o out/release.csv
    "$build/tacit" protect firms.csv --dim district=hierarchies/districts.hrc --dim branch=hierarchies/branches.csv \
        --value turnover --rule p:10 --rule freq:2 -q -o out/table.csv
    "$build/tacit" scrub letter.txt --seed 1 -q -o out/letter.txt
    enter by-c
    # shellcheck disable=SC2086,SC2046
    "$cc" -std=c17 -Wall -Wextra -Werror ${CFLAGS:-} jobs.c -o jobs $(config --cflags --libs)
    LD_LIBRARY_PATH=$libdir ./jobs || fail "jobs from C"
    same by-c
    if [ -z "${CFLAGS:-}" ]; then # Python cannot load a library that sanitizers instrument
        enter by-python
        python3 -B jobs.py "$libdir/libtacit.so" || fail "jobs from Python"
        same by-python
    fi
fi

# Paths are those of GNUInstallDirs under a plain prefix.
if [ -x "$build/tacit" ]; then
    "$prefix/bin/tacit" --version >/dev/null || fail "the installed command does not run"
    for file in share/man/man1/tacit.1 share/man/man1/tacit-anonymize.1 \
        share/bash-completion/completions/tacit share/zsh/site-functions/_tacit \
        share/fish/vendor_completions.d/tacit.fish share/tacit/examples/patients.csv \
        share/tacit/examples/patients.yaml; do
        [ -s "$prefix/$file" ] || fail "$file is missing or empty"
    done
    bash -n "$prefix/share/bash-completion/completions/tacit" || fail "bash completion is broken"
fi

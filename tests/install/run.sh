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

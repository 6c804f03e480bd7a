#!/bin/bash
# adding.sh [CC] - the patches of docs/adding.md apply to a copy of the sources, each adds one file and
# one line of a list, and what they change compiles without a warning.
set -euo pipefail

cc=${1:-cc}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

fail() {
    echo "adding: $*" >&2
    exit 1
}

cp -r "$root/src" "$root/include" "$work/"
awk -v folder="$work" '
    /^```/ { inside = !inside && /^```diff/; n += inside; next }
    inside { print >(folder "/" n ".diff") }' "$root/docs/adding.md"
cd "$work"
[ "$(ls ./*.diff | wc -l)" -eq 4 ] || fail "docs/adding.md does not have four patches"

read -ra flags < <(pkg-config --cflags libsodium yaml-0.1 jansson clp)
for patch in *.diff; do
    mapfile -t files < <(sed -n 's|^+++ b/||p' "$patch")
    new=$(grep -c '^--- /dev/null$' "$patch")
    [ "${#files[@]}" -eq 2 ] && [ "$new" -eq 1 ] ||
        fail "$patch of docs/adding.md is not one new file and one list"
    changed=$(awk '/^--- / { list = !/null$/; next } /^\+\+\+ / { next } list && /^\+/' "$patch" | wc -l)
    [ "$changed" -eq 1 ] || fail "$patch of docs/adding.md changes $changed lines of a list, not one"
    patch -p1 -s --no-backup-if-mismatch <"$patch" ||
        fail "$patch of docs/adding.md no longer applies: bring the page up to date with ${files[*]}"
    for file in "${files[@]}"; do
        "$cc" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Iinclude -Isrc \
            ${flags[@]+"${flags[@]}"} "$file" || fail "$file does not compile"
    done
done

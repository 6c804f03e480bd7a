#!/bin/bash
# check-unity.sh - checks that every folder of the library compiles as one file, as
# -DTACIT_UNITY=ON builds it: its static names are unique. Only looks; builds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

# What the build packs is not there yet.
packed=()
for name in CHAIN POOL TABLES TEMPLATES STANDARDS; do
    packed+=("-DTACIT_${name}_FILE=\"/dev/null\"")
done

packed+=("-DWORKBENCH_WEB=\"/dev/null\"")

# folder DIR: its files as one.
folder() {
    find "$1" -maxdepth 1 -name '*.c' | sort | sed "s|.*|#include \"$PWD/&\"|" |
        gcc -std=c17 -D_GNU_SOURCE '-DTACIT_VERSION="0"' "${packed[@]}" -Iinclude -Isrc $(pkg-config --cflags libpq libcurl) -w -fsyntax-only -x c -
}

status=0
while read -r dir; do
    folder "$dir" || status=1
done < <(find src -name '*.c' ! -path 'src/cli/*' -printf '%h\n' | sort -u)
exit $status

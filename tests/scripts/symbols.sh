#!/bin/bash
# symbols.sh BUILD - the shared library shows the interface that stays under the version TACIT_1, just
# the functions that its headers declare, and nothing internal.
set -euo pipefail

library=$1/libtacit.so
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

cat "$root"/include/tacit/*.h | tr '\n' ' ' | sed 's/TACIT_API/\n&/g' |
    sed -n 's/^TACIT_API [^(]*\b\(tacit_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$work/declared"
nm -D --defined-only "$library" | sed -n 's/.* \(tacit_[a-z0-9_]*\)@@TACIT_1$/\1/p' | sort >"$work/shown"
diff "$work/declared" "$work/shown" ||
    { echo "symbols: < is declared in the headers that stay, > is shown as TACIT_1 (cmake/exports.map)" >&2; exit 1; }
if nm -D --defined-only "$library" | grep -E ' [TDRB] ' | grep -vE ' (tacit_[a-z]|TACIT_)'; then
    echo "symbols: the names above are internal, and shown" >&2
    exit 1
fi

#!/bin/bash
# arrow.sh BUILD [ROWS] - made-up records from an Arrow stream beside the same records from CSV.
set -euo pipefail
build=$1
data=$(mktemp)
trap 'rm -f "$data"' EXIT
"$build/bench/bench_generate" "${2:-10000000}" >"$data"
"$build/bench/bench_arrow" "$data"

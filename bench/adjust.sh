#!/bin/bash
# adjust.sh COMMAND [FOLDER] - controlled adjustment on the tables of FOLDER (../shared/data/cells): seconds
# of the method and of the judge, distance, bound and what was changed. Prints a table.
set -euo pipefail
command=$(realpath "$1")
folder=$(realpath "${2:-$(dirname "$0")/../../shared/data/cells}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
field() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$work/report.json" | head -1; }
printf '%-14s %8s %8s %14s %14s %7s %9s %9s\n' table cells changed distance bound proven alter audit
for name in TARGUS HIE1372D TABLE1 flat40x30 flat10x10x10 HIER13 HIER133A hier100x100 DALE meindl_a meindl_b NINENEW TWO5IN6; do
    "$command" protect "$folder/$name.jj" --method adjust --threads 1 --time 120 -q --report "$work/report.json" -o "$work/out.jj" || continue
    printf '%-14s %8s %8s %14s %14s %7s %9.2f %9.2f\n' "$name" "$(field cells)" "$(field changed)" "$(field distance)" \
        "$(field lower_bound)" "$(field proven)" "$(field alter)" "$(sed -n '/seconds/,$s/^ *"audit": \([^,]*\),*$/\1/p' "$work/report.json")"
done

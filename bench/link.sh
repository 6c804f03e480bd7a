#!/bin/bash
# link.sh BUILD [PEOPLE [RECORDS]] - measures linking (`tacit audit --population`) beside `LC_ALL=C
# sort` of the register.
#
# PEOPLE (10 million) made-up people, and RECORDS (a million) of them released on four columns (birth
# date, sex, ZIP, country): as they are, and generalized cell by cell, so that every column has
# values of several levels. Limits: 6 times the time of sort, and memory for twice both files. Then
# the same with the table of uniqueness. Best of REPEAT (3) runs. Prints a table and writes
# bench/link.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: link.sh BUILD [PEOPLE [RECORDS]]}" && pwd)
people=${2:-10000000}
records=${3:-1000000}
repeat=${REPEAT:-3}
kept=$build/bench/data
mkdir -p "$kept"
work=$(mktemp -d "$kept/link.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$here/measure.sh"
json=""

"$build/bench/bench_link" "$work/register.csv" "$people" "$work/plain.csv" "$records" 0
"$build/bench/bench_link" /dev/null "$people" "$work/mixed.csv" "$records" 1
cat >"$work/policy.yaml" <<'EOF'
k: 1
columns:
  birth: {role: quasi, hierarchy: {date: true}}
  sex: quasi
  zip: {role: quasi, hierarchy: {mask: right}}
  country: quasi
EOF
cat "$work"/*.csv >/dev/null

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

# row WHAT BYTES: what was measured last, beside sort and beside so many bytes of files.
row() {
    local time processor size
    time=$(ratio "$best" "$sorting") processor=$(ratio "$busy" "$sorting_busy") size=$(ratio "$memory" "$2")
    printf '%-44s %8.2f s %8.2f s %6d M %8s %8s %8s\n' "$1" "$best" "$busy" $((memory / 1000000)) \
        "$time" "$processor" "$size"
    json+="${json:+,}
  {\"what\": \"$1\", \"seconds\": $best, \"processor\": $busy, \"memory\": $memory, \"to_sort\": $time, \"to_sort_processor\": $processor, \"to_files\": $size}"
}

# link RELEASE OPTION...: status 5 says that somebody is identified, which is so here.
link() {
    local release=$1
    shift
    run bash -c '"$@"; [ $? -eq 5 ]' link "$build/tacit" audit "$release" --population "$work/register.csv" -q "$@"
}

printf '%d people, %d records, %d processors, best of %d\n\n' "$people" "$records" "$(nproc)" "$repeat"
printf '%-44s %10s %10s %8s %8s %8s %8s\n' "" wall processor memory "of sort" "(busy)" "of files"

run env LC_ALL=C sort -o "$work/sorted" "$work/register.csv"
sorting=$best sorting_busy=$busy
rm -f "$work/sorted"
register=$(stat -c %s "$work/register.csv")
row 'sort of the register' "$register"
for release in plain mixed; do
    both=$((register + $(stat -c %s "$work/$release.csv")))
    link "$work/$release.csv" --policy "$work/policy.yaml" --uniqueness 0
    row "linking, $release values" "$both"
    link "$work/$release.csv" --policy "$work/policy.yaml"
    row "linking, $release values, uniqueness by 2" "$both"
done

printf '[%s\n]\n' "$json" >"$work/link.json"
mv "$work/link.json" "${RESULTS:-$here/link.json}"

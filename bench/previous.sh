#!/bin/bash
# previous.sh BUILD [ROWS] - measures joining two releases of ROWS (a million) made-up records each.
#
# The releases are made from the same records, one by datafly and one by mingen, each in a random order of its
# own, so that they are on different levels. Measured is `tacit audit NEW --previous OLD` as a whole, reading,
# judging and both attacks, beside `LC_ALL=C sort` of the new release; time in processor seconds, memory
# beside the size of both files. Twice: with a column of a few hundred values carried along (diagnosis), and with
# one more that is nearly different in each row (charges), whose values take more memory to be read
# than the files have; that part has no bound on memory. Best of REPEAT (3) runs. Prints a table and writes
# bench/previous.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: previous.sh BUILD [ROWS]}" && pwd)
rows=${2:-1000000}
repeat=${REPEAT:-3}
kept=$build/bench/data
mkdir -p "$kept"
work=$(mktemp -d "$kept/previous.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$here/measure.sh"
json=""

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

# audit NAME: measures NAME.new beside NAME.old with NAME.yaml. An exposure is no failure.
audit() {
    local size said
    cat "$work/$1.new" "$work/$1.old" >/dev/null
    run env LC_ALL=C sort "$work/$1.new"
    sorting=$busy
    run sh -c '"$@"; status=$?; [ $status -eq 0 ] || [ $status -eq 5 ]' - "$build/tacit" audit "$work/$1.new" \
        --policy "$work/$1.yaml" --previous "$work/$1.old" --report "$work/r.json"
    size=$(cat "$work/$1.new" "$work/$1.old" | wc -c)
    said=$(sed -n 's/^      "exposed_rows": \([0-9]*\),$/\1/p' "$work/r.json")
    printf '%-24s %8d rows %8d exposed %7.2f s %6d M %6.2f times sort (6) %6.2f times both files (%s)\n' "$1" "$rows" \
        "$said" "$busy" $((memory / 1000000)) "$(ratio "$busy" "$sorting")" "$(ratio "$memory" "$size")" "$2"
    json+="${json:+,}
  {\"what\": \"$1\", \"rows\": $rows, \"exposed\": $said, \"processor\": $busy, \"sort\": $sorting, \"memory\": $memory, \"files\": $size}"
}

patients "$rows"
for method in datafly mingen; do
    "$build/tacit" anonymize "$file" --policy "$here/policy.yaml" --method $method -q -o "$work/$method.csv"
done
mv "$work/mingen.csv" "$work/charges.new"
mv "$work/datafly.csv" "$work/charges.old"
sed -e "s#: race.csv#: $here/race.csv#" -e "s#\.\./examples#$here/../examples#" "$here/policy.yaml" >"$work/charges.yaml"
sed '/charges/d' "$work/charges.yaml" >"$work/diagnosis.yaml"
for side in new old; do
    cut -d, -f1-7 "$work/charges.$side" >"$work/diagnosis.$side"
done
printf '%d processors, best of %d\n\n' "$(nproc)" "$repeat"
audit diagnosis 2
audit charges 'no bound'
printf '[%s\n]\n' "$json" >"$work/previous.json"
mv "$work/previous.json" "${RESULTS:-$here/previous.json}"

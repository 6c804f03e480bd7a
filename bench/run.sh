#!/bin/bash
# run.sh BUILD [ROWS...] - measures tacit against `cut` on the same file.
#
# For each number of rows (one million and ten million): the best of REPEAT (3)
# runs, taken in turn, of
#   cut        cut -d, -f2-7, which has to look at every byte and write most of them
#   read       reading the file and coding the six quasi-identifiers
#   anonymize  from CSV to CSV by datafly, the judge and its reading back included
#   1 thread   the same on one thread
# and the largest resident set of anonymize. Then whether 1, 2 and 7 threads
# write the same bytes. Prints a table, and writes bench/results.json. Data is
# made once and kept in BUILD/bench/data.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: run.sh BUILD [ROWS...]}" && pwd)
shift
[ $# -gt 0 ] || set -- 1000000 10000000
repeat=${REPEAT:-3}
data=$build/bench/data
results=${RESULTS:-$here/results.json}
mkdir -p "$data"
work=$(mktemp -d "$data/run.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Best time and largest memory so far, by measurement.
declare -A time=() memory=()

# measure NAME OUT PROGRAM...: keeps the better of this run and those before it.
measure() {
    local name=$1 line wall peak
    shift
    if ! line=$("$build/bench/bench_measure" "$@" 2>"$work/stderr"); then
        echo "bench: failed: ${*:2}" >&2
        cat "$work/stderr" >&2
        exit 1
    fi
    read -r wall _ peak <<<"$line"
    time[$name]=$(awk -v a="$wall" -v b="${time[$name]:-$wall}" 'BEGIN { print (a < b ? a : b) }')
    [ "$peak" -le "${memory[$name]:-0}" ] || memory[$name]=$peak
}

# anonymize NAME FILE THREADS [OPTION...]
anonymize() {
    rm -f "$work/release.csv"
    measure "$1" /dev/null "$build/tacit" anonymize "$2" --policy "$here/policy.yaml" \
        --method datafly --threads "$3" --seed 1 "${@:4}" -o "$work/release.csv"
}

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

threads=$(nproc)
columns=(birth sex postcode race marital education)
printf '%d processors, best of %d\n\n' "$threads" "$repeat"
printf '%10s %8s %8s | %8s %6s | %9s %6s | %8s %7s | %8s %6s\n' rows file cut read /cut \
    anonymize /cut '1 thread' speedup memory /file

json=""
small="" large=""
for rows in "$@"; do
    file=$data/$rows.csv
    if [ ! -s "$file" ]; then
        "$build/bench/bench_generate" "$rows" >"$work/data"
        mv "$work/data" "$file"
    fi
    bytes=$(stat -c %s "$file")
    cat "$file" >/dev/null
    for ((i = 0; i < repeat; i++)); do
        measure "cut$rows" /dev/null cut -d, -f2-7 "$file"
        measure "read$rows" "$work/counts" "$build/bench/bench_read" "$file" 0 "${columns[@]}"
        anonymize "all$rows" "$file" 0
        anonymize "one$rows" "$file" 1
    done
    # The account also counts the classes of the original, which is not timed.
    anonymize "report$rows" "$file" 0 --report "$work/report.json"
    cut=${time[cut$rows]} read=${time[read$rows]} all=${time[all$rows]} one=${time[one$rows]}
    peak=${memory[all$rows]}
    printf '%10d %6d M %6.2f s | %6.2f s %6s | %7.2f s %6s | %6.2f s %7s | %6d M %6s\n' \
        "$rows" $((bytes / 1000000)) "$cut" "$read" "$(ratio "$read" "$cut")" \
        "$all" "$(ratio "$all" "$cut")" "$one" "$(ratio "$one" "$all")" \
        $((peak / 1000000)) "$(ratio "$peak" "$bytes")"
    json+="${json:+,}
  {\"rows\": $rows, \"bytes\": $bytes, \"cut\": $cut, \"read\": $read, \"anonymize\": $all,
   \"one_thread\": $one, \"peak_bytes\": $peak, \"read_to_cut\": $(ratio "$read" "$cut"),
   \"anonymize_to_cut\": $(ratio "$all" "$cut"), \"speedup\": $(ratio "$one" "$all"),
   \"peak_to_file\": $(ratio "$peak" "$bytes"),
   \"report\": $(cat "$work/report.json")}"
    small=${small:-$rows}
    large=$rows
done

# Same seed, same bytes.
same=true
sums=()
for count in 1 2 7; do
    anonymize "same" "$data/$small.csv" "$count"
    sums+=("$(sha256sum <"$work/release.csv")")
    [ "${sums[-1]}" = "${sums[0]}" ] || same=false
done
growth=$(ratio "${time[all$large]}" "${time[all$small]}")

echo
printf 'from %d to %d rows anonymize takes %s times as long\n' "$small" "$large" "$growth"
printf 'same bytes with 1, 2 and 7 threads: %s\n' "$same"
cat >"$work/results" <<END
{"processors": $threads, "repeat": $repeat, "growth": $growth, "same_bytes": $same, "runs": [$json
]}
END
mv "$work/results" "$results"
[ "$same" = true ]

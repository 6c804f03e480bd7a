#!/bin/bash
# risk.sh BUILD [DATA [ROWS]] - measures `tacit risk` against sdcMicro's suda2 and against reading.
#
# DATA (../shared/data beside the sources) is a folder with adult/adult.csv and suda2/{fars_int_100937x8,mushroom_int_8124x23}.csv;
# without it that part is skipped. sdcMicro's figures are processor seconds of suda2 on the same data,
# without reading them; tacit's are of the whole command, from the file to the account. What is found
# must be what is known, or the measurement ends. Then ROWS (a million) made-up records on eight
# columns against reading them, and 30 000 records on 12 columns against the same with 12 more that are
# nearly constant. Best of REPEAT (5) runs. Prints a table and writes bench/risk.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: risk.sh BUILD [DATA [ROWS]]}" && pwd)
data=${2:-$here/../../shared/data}
rows=${3:-1000000}
repeat=${REPEAT:-5}
kept=$build/bench/data
mkdir -p "$kept"
work=$(mktemp -d "$kept/risk.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$here/measure.sh"
json=""

# risk FILE OPTION...: the same of the command; $sets is how many prime implicants it finds.
risk() {
    run "$build/tacit" risk "$@"
    "$build/tacit" risk "$@" -q --report "$work/report.json" 2>"$work/stderr"
    sets=$(sed -n 's/^  "prime_implicants": \([0-9]*\),$/\1/p' "$work/report.json")
}

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'
}

# row WHAT RATIO WANTED OTHER: what was measured last, beside OTHER.
row() {
    printf '%-42s %10d %8.3f s %8.3f s %6d M %10s %8s  %s\n' "$1" "$sets" "$best" "$busy" \
        $((memory / 1000000)) "$2" "$3" "$4"
    json+="${json:+,}
  {\"what\": \"$1\", \"prime_implicants\": $sets, \"seconds\": $best, \"processor\": $busy, \"memory\": $memory, \"ratio\": $2, \"at_most\": $3, \"to\": \"$4\"}"
}

# known NUMBER: the prime implicants that there are.
known() {
    [ "$sets" = "$1" ] || { echo "bench: $sets prime implicants, not $1" >&2; exit 1; }
}

printf '%d processors, best of %d\n\n' "$(nproc)" "$repeat"
printf '%-42s %10s %10s %10s %8s %10s %8s  %s\n' "" sets wall processor memory ratio "at most" to

if [ -e "$data/adult/adult.csv" ]; then
    nine=sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class
    risk "$data/adult/adult.csv" --quasi "$nine"
    known 62809
    row 'adult, 9 columns' "$(ratio "$busy" 0.35)" 0.2 'sdcMicro, 0.35 s of processor time'
    risk "$data/adult/adult.csv" --quasi "${nine%,native-country*}"
    known 4277
    row 'adult, 5 columns' "$(ratio "$busy" 0.10)" 0.2 'sdcMicro, 0.10 s of processor time'
    risk "$data/suda2/fars_int_100937x8.csv" --no-header --quasi "$(seq -s, -f V%g 8)"
    known 175271
    row 'fars_int, 8 columns' "$(ratio "$busy" 1.16)" 0.2 'sdcMicro, 1.16 s of processor time'
    mushroom=("$data/suda2/mushroom_int_8124x23.csv" --no-header --quasi "$(seq -s, -f V%g 23)")
    risk "${mushroom[@]}" --max-size 5
    row 'mushroom_int, 23 columns, sets of up to 5' "$(ratio "$best" 60)" 1 'a minute'
    risk "${mushroom[@]}"
    row 'mushroom_int, 23 columns, all sets' "$(ratio "$best" 60)" 1 'a minute'
else
    echo "bench: no adult/adult.csv in the folder given; that part is skipped"
fi

patients "$rows"
columns=(birth sex postcode race marital education diagnosis charges)
run "$build/bench/bench_read" "$file" 0 "${columns[@]}"
reading=$best
risk "$file" --quasi "$(IFS=,; echo "${columns[*]}")"
row "$rows made-up records, 8 columns" "$(ratio "$best" "$reading")" 40 "reading them, $reading s"

awk 'BEGIN {
    for (r = 0; r < 30000; r++)
        for (i = 0; i < 24; i++) {
            h = (h * 69069 + 12345) % 4294967296
            u = h / 4294967296
            v = i < 12 ? int(u * u * (5 + 2 * i)) : u < 0.001
            printf "%d%s", v, i < 23 ? "," : "\n"
        }
}' >"$work/columns.csv"
risk "$work/columns.csv" --no-header --quasi "$(seq -s, -f V%g 12)"
twelve=$busy
row '30 000 made-up records, 12 columns' 1.000 1 'itself'
risk "$work/columns.csv" --no-header --quasi "$(seq -s, -f V%g 24)"
row 'the same and 12 that are 99.9 % one value' "$(ratio "$busy" "$twelve")" 2 "12 columns, $twelve s of processor time"

for threads in 1 2 7; do
    "$build/tacit" risk "$work/columns.csv" --no-header --quasi "$(seq -s, -f V%g 16)" --k 2 --threads $threads \
        --sets "$work/sets.csv" >"$work/said"
    cat "$work/said" "$work/sets.csv" | sha256sum
done | sort -u | wc -l | sed 's/^1$/1, 2 and 7 threads: the same bytes/'

printf '[%s\n]\n' "$json" >"$work/risk.json"
mv "$work/risk.json" "${RESULTS:-$here/risk.json}"

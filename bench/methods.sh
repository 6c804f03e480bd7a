#!/bin/bash
# methods.sh BUILD DATA [ROWS] - measures the methods for records against what other
# programs are known to reach.
#
# DATA is a folder with adult/adult.csv and its nine hierarchies (UCI Adult as the ARX
# project ships it); without it that part is skipped. The figures of the other programs
# are those of ARX 3.9 and of a strict Mondrian on the same file: processor seconds, warm.
# Then ROWS (ten million) made-up records: mingen and local against datafly on the same
# file, in time and memory. Best of REPEAT (3) runs. Prints a table and writes
# bench/methods.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: methods.sh BUILD DATA [ROWS]}" && pwd)
adult=${2:-}/adult
rows=${3:-10000000}
repeat=${REPEAT:-3}
kept=$build/bench/data
mkdir -p "$kept"
work=$(mktemp -d "$kept/methods.XXXXXX")
trap 'rm -rf "$work"' EXIT
json=""

# fact KEY: a number or word of the last report.
fact() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$work/report.json" | head -1
}

# levels: those of the last report, in order.
levels() {
    sed -n '/^  "levels": {/,/}/s/^.*: \([0-9]*\),\{0,1\}$/\1/p' "$work/report.json" | paste -sd,
}

# run PROGRAM...: best wall and processor seconds and the largest memory of REPEAT runs.
run() {
    local line wall processor peak
    best="" busy="" memory=0
    for ((i = 0; i < repeat; i++)); do
        if ! line=$("$build/bench/bench_measure" /dev/null "$@" 2>"$work/stderr"); then
            echo "bench: failed: $*" >&2
            cat "$work/stderr" >&2
            exit 1
        fi
        read -r wall processor peak <<<"$line"
        best=$(awk -v a="$wall" -v b="${best:-$wall}" 'BEGIN { print (a < b ? a : b) }')
        busy=$(awk -v a="$processor" -v b="${busy:-$processor}" 'BEGIN { print (a < b ? a : b) }')
        [ "$peak" -le "$memory" ] || memory=$peak
    done
}

# on_adult FILE COLUMNS OPTION...
on_adult() {
    local file=$1 columns=$2 options=()
    shift 2
    for column in ${columns//,/ }; do
        options+=(--hierarchy "$column=$adult/adult_hierarchy_$column.csv")
    done
    run "$build/tacit" anonymize "$file" --k 5 --quasi "$columns" "${options[@]}" --seed 1 \
        --quiet --report "$work/report.json" -o "$work/release.csv" "$@"
}

# row WHAT REACHED WANTED SECONDS OTHERS
row() {
    printf '%-34s %-44s %-24s %8s %10s\n' "$1" "$2" "$3" "$4" "$5"
    json+="${json:+,}
  {\"what\": \"$1\", \"reached\": \"$2\", \"others\": \"$3\", \"processor\": $4, \"others_processor\": \"$5\"}"
}

# sample SEED COUNT: the header and that many lines of adult, drawn by the seed.
sample() {
    awk -v seed="$1" -v count="$2" 'BEGIN { srand(seed) }
        NR == 1 { print; next }
        { line[NR - 1] = $0 }
        END { for (n = NR - 1; count > 0; count--) {
                  i = 1 + int(rand() * n); print line[i]; line[i] = line[n--] } }' \
        "$adult/adult.csv"
}

nine=sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class
eight=${nine%,salary-class}
if [ -e "$adult/adult.csv" ]; then
    printf '%-34s %-44s %-24s %8s %10s\n' 'adult, k = 5' reached others "proc. s" others
    for loss in 0 0.05; do
        on_adult "$adult/adult.csv" "$nine" --method mingen --metric loss --loss "$loss"
        row "mingen, loss $loss" \
            "$(printf '%.6f, %s rows, %s' "$(fact metric_value)" "$(fact suppressed_rows)" "$(levels)")" \
            "$([ $loss = 0 ] && echo 0.573151 || echo '0.241932, 1346 rows')" "$busy" \
            "$([ $loss = 0 ] && echo - || echo 1.1)"
        printf '%-34s %s of %s nodes, search %.3f s\n' '' "$(fact nodes_checked)" "$(fact nodes)" \
            "$(fact search)"
    done
    on_adult "$adult/adult.csv" "$nine" --method local --metric granularity
    row "local, granularity" \
        "$(printf '%.4f, at best %.4f' "$(fact granularity)" "$(awk -v b="$(fact lower_bound)" 'BEGIN { print 1 - b }')")" \
        0.9323 "$busy" 4.3
    on_adult "$adult/adult.csv" "$eight" --method local --metric granularity
    row "local, loss of eight columns" \
        "$(awk -v g="$(fact granularity)" 'BEGIN { printf "%.2f %%", 100 * (1 - g) }')" '8.30 %' "$busy" -
    repeat=1
    for seed in 1 2 3 4 5; do
        sample "$seed" 100 >"$work/sample.csv"
        on_adult "$work/sample.csv" "$nine" --method optimal --metric prec --time 60
        row "optimal, 100 records, sample $seed" \
            "$(printf 'Prec %.4f, gap %.2f %%, proven %s' "$(fact precision)" \
                "$(awk -v g="$(fact gap)" 'BEGIN { print 100 * g }')" "$(fact proven)")" 'gap 2 % in 60 s' "$busy" -
    done
    repeat=${REPEAT:-3}
else
    echo "bench: no adult/adult.csv in the folder given; that part is skipped"
fi

file=$kept/$rows.csv
if [ ! -s "$file" ]; then
    "$build/bench/bench_generate" "$rows" >"$work/data"
    mv "$work/data" "$file"
fi
cat "$file" >/dev/null
printf '\n%-34s %10s %8s %10s %8s %10s\n' "$rows records, k = 5" seconds /datafly memory /datafly Prec
for method in datafly mingen local; do
    run "$build/tacit" anonymize "$file" --policy "$here/policy.yaml" --method "$method" --seed 1 \
        --quiet -o "$work/release.csv"
    "$build/tacit" anonymize "$file" --policy "$here/policy.yaml" --method "$method" --seed 1 \
        --quiet --report "$work/report.json" -o "$work/release.csv"
    [ "$method" != datafly ] || { base=$best base_memory=$memory; }
    in_time=$(awk -v a="$best" -v b="$base" 'BEGIN { printf "%.2f", a / b }')
    in_memory=$(awk -v a="$memory" -v b="$base_memory" 'BEGIN { printf "%.2f", a / b }')
    printf '%-34s %8.2f s %8s %8d M %8s %10.4f\n' "$method" "$best" "$in_time" \
        $((memory / 1000000)) "$in_memory" "$(fact precision)"
    json+="${json:+,}
  {\"what\": \"$method\", \"rows\": $rows, \"seconds\": $best, \"to_datafly\": $in_time, \"memory_to_datafly\": $in_memory, \"precision\": $(fact precision)}"
done
printf '[%s\n]\n' "$json" >"$work/methods.json"
mv "$work/methods.json" "${RESULTS:-$here/methods.json}"

#!/bin/bash
# protect.sh BUILD [DATA [CELLS...]] - measures `tacit protect` against sdcTable, and its cost against the size
# of a table; and `--method optimal` against a quarter of what τ-Argus's exact code takes on
# GLPK.
#
# DATA (../shared/data beside the sources) is a folder with cells/NAME.cells.csv, NAME.dimN.hrc and .jj; without it that part
# is skipped. sdcTable's figures (0.34, HYPERCUBE and HITAS) are processor seconds and secondary cells on the same tables; tacit's
# are of the whole command on one thread, from the file to the release, audits included. "audit" is the last audit's share of
# the time that the method took. Then made-up tables of CELLS (1000 10000 100000 1000000) cells in three
# hierarchical dimensions, by hypercube, and by hitas up to HITAS (10000) cells; about as many in four dimensions, by auto; and a
# million cells of which 20 000 are suppressed, audited. Best of REPEAT (3) runs. Prints a table and writes bench/protect.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: protect.sh BUILD [DATA [CELLS...]]}" && pwd)
data=${2:-$here/../../shared/data}
sizes=("${@:3}")
[ ${#sizes[@]} -gt 0 ] || sizes=(1000 10000 100000 1000000)
repeat=${REPEAT:-3}
most=${HITAS:-10000}
kept=$build/bench/data
mkdir -p "$kept"
work=$(mktemp -d "$kept/protect.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$here/measure.sh"
json=""

fact() {
    sed -n "s/^ *\"$1\": \([0-9.e+-]*\),\{0,1\}\$/\1/p" "$work/report.json" | head -1
}

# protect FILE OPTION...: measures the command; what it suppressed is in the report.
protect() {
    run "$build/tacit" protect "$@" --threads 1 -q -o "$work/release" --report "$work/report.json"
    secondary=$(fact secondary)
    audit=$(awk -v a="$(fact audit)" -v b="$(fact suppress)" 'BEGIN { printf "%.3f", a / b }')
}

# row WHAT METHOD SECONDS CELLS OTHER: what was measured last; SECONDS and CELLS are the most there may be, - for any.
row() {
    printf '%-14s %-10s %8.2f s %6s %9d %6s %7s %6d M  %s\n' "$1" "$2" "$busy" "$3" "$secondary" \
        "$4" "$audit" $((memory / 1000000)) "$5"
    json+="${json:+,}
  {\"table\": \"$1\", \"method\": \"$2\", \"processor\": $busy, \"at_most\": ${3/#-/null}, \"secondary\": $secondary, \"secondary_at_most\": ${4/#-/null}, \"audit_share\": $audit, \"memory\": $memory, \"sdctable\": \"$5\"}"
}

# table NAME METHOD SECONDS CELLS OTHER: the same of a table in DATA.
table() {
    local name=$data/cells/$1 dims=() number
    for file in "$name".dim*.hrc; do
        number=${file##*.dim}
        dims+=(--dim "d${number%.hrc}=$file")
    done
    protect "$name.cells.csv" "${dims[@]}" --method "$2"
    row "$@"
}

# least NAME MOST OTHER OPTION...: optimal on the .jj of NAME, which may take MOST seconds.
least() {
    protect "$data/cells/$1.jj" --method optimal "${@:4}"
    row "$1" optimal "$2" - "τ-Argus: $3; here cost $(fact cost), bound $(fact lower_bound)"
}

# four CELLS FOLDER: a table of about CELLS cells in four hierarchical dimensions: ground counts from 1 to 20, one in four larger, a
# tenth of them left out. A dimension of fewer than 8 codes has no groups, others have groups of some five.
four() {
    awk -v cells="$1" -v folder="$2" '
    function draw(below) { state = (state * 16807) % 2147483647; return int(state / 8) % below }
    function hierarchy(letter,   file, groups, ground, g, i) {
        file = folder "/" letter ".hrc"
        groups = codes < 8 ? 0 : codes < 16 ? 2 : int((codes - 1) / 5)
        ground = codes - 1 - groups
        print "T" letter >file
        for (g = 0; g < groups; g++) {
            print "@" letter "g" g >file
            for (i = g; i < ground; i += groups)
                print "@@" letter i >file
        }
        for (i = 0; i < ground && !groups; i++)
            print "@" letter i >file
        close(file)
        return ground
    }
    BEGIN {
        state = 12345
        codes = int(cells ^ 0.25 + 0.9)
        for (d = 0; d < 4; d++)
            n = hierarchy(substr("abcd", d + 1, 1))
        print "a,b,c,d,freq"
        for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (k = 0; k < n; k++) for (l = 0; l < n; l++)
            if (draw(10))
                print "a" i ",b" j ",c" k ",d" l "," 1 + draw(draw(4) ? 20 : 9999)
    }' >"$2/counts.csv"
}

printf '%d processors, best of %d\n\n' "$(nproc)" "$repeat"
printf '%-14s %-10s %10s %6s %9s %6s %7s %8s  %s\n' "" method processor "most" secondary most audit \
    memory sdcTable
if [ -e "$data/cells/meindl_a.cells.csv" ]; then
    table flat40x30 hypercube - 42 '42 cells, 24 s'
    table flat40x30 hitas - 9 '9 cells, 3.1 s'
    table flat10x10x10 hypercube - 146 '146 cells'
    table flat10x10x10 hitas - - 'not finished in 200 s'
    table hier100x100 hypercube - 811 '811 cells, 26 s'
    table hier100x100 hitas 3 656 '656 cells, 18 s'
    table meindl_b hypercube 2 1361 '1361 cells, 48 s'
    table meindl_b hitas 15 1031 '1031 cells, 122 s'
    table meindl_a hypercube 4 2962 '2962 cells, 106 s'
    table meindl_a hitas 90 - 'not finished in 800 s'
    table meindl_b auto 30 1031 '1031 cells, 122 s (HITAS)'
    table meindl_a auto 60 2600 '2962 cells, 106 s (HYPERCUBE)'
    least TARGUS 0.025 '1781797, 0.1 s'
    least flat40x30 0.025 '40, less than 0.1 s'
    least TABLE1 1.75 '116974451, 7 s'
    least hier100x100 10.75 '4009, 43 s'
    repeat=1
    least flat10x10x10 120 '465, bound 295, 120 s' --time 120
else
    echo "bench: no cells/meindl_a.cells.csv in the folder given; that part is skipped"
fi

repeat=1
for cells in "${sizes[@]}"; do
    mkdir -p "$work/$cells"
    "$build/bench/bench_tables" "$cells" "$work/$cells" >/dev/null
    sed '1s/v$/freq/' "$work/$cells/ground.csv" >"$work/$cells/counts.csv"
    for method in hypercube hitas; do
        [ $method = hypercube ] || [ "$cells" -le "$most" ] || continue
        protect "$work/$cells/counts.csv" --rows cells --dim a="$work/$cells/a.hrc" \
            --dim b="$work/$cells/b.hrc" --dim c="$work/$cells/c.hrc" --rule freq:1 --method $method
        row "made up, $cells" $method - - ""
    done
    rm -r "${work:?}/$cells"
done

# Four dimensions by auto; a million may take ten minutes on two cores.
for cells in "${sizes[@]}"; do
    mkdir -p "$work/$cells"
    four "$cells" "$work/$cells"
    protect "$work/$cells/counts.csv" --rows cells --dim a="$work/$cells/a.hrc" \
        --dim b="$work/$cells/b.hrc" --dim c="$work/$cells/c.hrc" --dim d="$work/$cells/d.hrc" \
        --rule freq:1 --method auto
    row "four, $cells" auto 600 - "cost $(fact cost), bound $(fact lower_bound)"
    rm -r "${work:?}/$cells"
done

printf '\nthe audit of a million cells, 20 000 suppressed:\n'
"$build/bench/bench_audit_tables" 1000000 20000
printf '[%s\n]\n' "$json" >"$work/protect.json"
mv "$work/protect.json" "${RESULTS:-$here/protect.json}"

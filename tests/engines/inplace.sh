#!/bin/bash
# inplace.sh BUILD [SHARED-DATA] - classes in place: combinations stay in PostgreSQL, and the release
# is the one that is made of fetched combinations: levels, suppression, Prec, rows.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/server.sh"
cleanup() {
    stop_postgres "$work/server"
    rm -rf "$work"
}
trap cleanup EXIT
start_postgres "$work/server"

differing() {
    sql -c "SELECT COUNT(*) FROM ((SELECT * FROM $1 EXCEPT ALL SELECT * FROM $2) UNION ALL
        (SELECT * FROM $2 EXCEPT ALL SELECT * FROM $1)) x"
}
# The report but for what tells the two apart.
worth() { sed -n '/"levels"/,/}/p; /"precision"\|"suppressed_rows"\|"smallest_class"\|"holds"/p' "$1"; }
# Both ways; the same worth, and as many rows of each size of class.
both() { # TABLE POLICY OPTIONS...
    local table=$1 policy=$2 way
    shift 2
    for way in fetched place; do
        status=0
        "$tacit" anonymize "$(place "$table")" --policy "$policy" --classes $way -q -o "$(place "by_$way")" \
            --report "$work/$way.json" "$@" 2>"$work/$way.err" || status=$?
        echo $status >"$work/$way.status"
    done
    cmp -s "$work/fetched.status" "$work/place.status" || fail "$table $*: $(cat "$work/fetched.err" "$work/place.err")"
    [ "$(cat "$work/place.status")" = 0 ] || return 0
    cmp <(worth "$work/fetched.json") <(worth "$work/place.json") || fail "$table $*: not the release of fetched combinations"
    grep -q '"counted": "place"' "$work/place.json" || fail "$table: classes were not in place"
}

load patients "$root/examples/patients.csv"
for method in mingen datafly; do
    for metric in prec granularity loss height discernibility average entropy; do
        both patients "$root/examples/patients.yaml" --method $method --metric $metric
        [ "$(differing by_fetched by_place)" = 0 ] || fail "patients $method $metric: other rows"
    done
done
statements=$(sed -n 's/.*"statements": \([0-9]*\).*/\1/p' "$work/place.json")
[ "$statements" -lt 100 ] || fail "datafly asked $statements statements"
pass "patients by mingen and datafly, seven metrics: levels, suppression, Prec and rows; datafly asked $statements statements"

if prepare_adult; then
    load adult "$work/adult.csv"
    for method in mingen datafly; do
        both adult "$work/adult.yaml" --method $method --metric prec
        [ "$(differing by_fetched by_place)" = 0 ] || fail "adult $method: other rows"
        pass "adult by $method: $(sed -n 's/.*"statements": \([0-9]*\).*/\1/p' "$work/place.json") statements"
    done
fi

released=0
for seed in $(seq 1 "${TABLES:-30}"); do
    make_random "$seed"
    sed -i 's/^person: p/person: none/' "$work/random.yaml"
    load random "$work/random.csv"
    sql -c "UPDATE random SET b = '' WHERE b IS NULL AND x::int % 2 = 0"
    both random "$work/random.yaml" --method "$([ $((seed % 3)) = 0 ] && echo datafly || echo mingen)" \
        --metric "$([ $((seed % 2)) = 0 ] && echo prec || echo granularity)"
    [ "$(cat "$work/place.status")" != 0 ] || released=$((released + 1))
done
[ "$released" -ge $((${TABLES:-30} / 2)) ] || fail "only $released random tables were released"
pass "${TABLES:-30} random tables with nulls and empty texts, $released of them released"

# The mapping: each value and its label, and classes that are released otherwise.
map() { "$tacit" anonymize "$(place patients)" --policy "$root/examples/patients.yaml" --mapping "$work/map.csv" -q -o "$(place r)" "$@"; }
map --method mingen --metric granularity
[ "$(stat -c %a "$work/map.csv")" = 600 ] || fail "others may read the mapping"
head -1 "$work/map.csv" | grep -q "for the data holder alone" || fail "the mapping is not marked"
[ "$(grep -c '^,,birth,' "$work/map.csv")" = "$(sql -c 'SELECT COUNT(DISTINCT birth) FROM patients')" ] || fail "the mapping has not every value"
grep -q '^,,birth,1945-05-08,1940-1949$' "$work/map.csv" || fail "the mapping: $(grep 1945-05-08 "$work/map.csv")"
suppressed=$(awk -F, '$1 ~ /^[0-9]/ && $3 == "birth" { n += $2 } END { print n }' "$work/map.csv")
[ "$suppressed" = "$(sql -c "SELECT COUNT(*) FROM r WHERE birth = '*'")" ] || fail "the mapping has $suppressed suppressed rows"
map --method local
[ "$(awk -F, '$1 ~ /^[0-9]/ && $3 == "birth" { n += $2 } END { print n }' "$work/map.csv")" = 600 ] || fail "the mapping has not every row"
map --classes place
[ "$(grep -c '^[0-9]' "$work/map.csv")" = 0 ] || fail "classes in place are in the mapping"
refused "releases that are made inside a database" "$tacit" anonymize "$root/examples/patients.csv" \
    --policy "$root/examples/patients.yaml" --mapping "$work/other.csv" -o "$work/release.csv"
pass "mapping"

# What cannot be counted in place; and what is chosen by itself.
refused "takes the method mingen or datafly" "$tacit" anonymize "$(place patients)" --policy "$root/examples/patients.yaml" \
    --classes place --method local -o "$(place r)"
sed 's/^person: none/person: patient/' "$root/examples/patients.yaml" >"$work/people.yaml"
refused "takes rows that are people" "$tacit" anonymize "$(place patients)" --policy "$work/people.yaml" --classes place -o "$(place r)"
"$tacit" anonymize "$(place patients)" --policy "$root/examples/patients.yaml" -q -o "$(place r)" --report "$work/auto.json"
grep -q '"counted": "fetched"' "$work/auto.json" || fail "few combinations were not fetched"
no_leftovers
pass "refusals, and the choice by itself"
echo "$passed passed, 0 failed"

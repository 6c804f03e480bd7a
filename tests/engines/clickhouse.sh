#!/bin/bash
# clickhouse.sh BUILD [SHARED-DATA] - releases made inside a real ClickHouse server, which it starts
# and stops: the same rows as from a file, values of odd types and names that survive, and nothing
# half published whatever goes wrong, though there are no transactions.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/clickhouse_server.sh"
cleanup() {
    stop_clickhouse "$work/server"
    rm -rf "$work"
}
trap cleanup EXIT
start_clickhouse "$work/server"
port=$(cat "$work/server/http")

# ---- the same release as from a file ----

for method in mingen datafly; do
    compare patients "$root/examples/patients.csv" "$root/examples/patients.yaml" $method
done
both_judges
if prepare_adult; then
    for method in mingen datafly; do
        compare adult "$work/adult.csv" "$work/adult.yaml" $method
    done
fi
random_tables
no_leftovers

# ---- risk and audit by combinations, rows where they may leave ----

policy=$root/examples/patients.yaml
"$tacit" anonymize "$(place patients)" --policy "$policy" -q -o "$(place released)"
facts() { grep "at risk\|verdict" "$1"; }
for what in "risk patients" "audit released"; do
    "$tacit" ${what% *} "$(place "${what#* }")" --policy "$policy" >"$work/engine.txt" || [ $? -eq 5 ] || fail "$what"
    unload "${what#* }" "$work/file.csv"
    "$tacit" ${what% *} "$work/file.csv" --policy "$policy" >"$work/file.txt" || [ $? -eq 5 ] || fail "$what of the file"
    cmp <(facts "$work/file.txt") <(facts "$work/engine.txt") || fail "$what: not what the file has"
done
"$tacit" anonymize "$(place patients)" --fetch-rows --policy "$policy" --method mingen -q -o "$(place fetched)"
"$tacit" anonymize "$root/examples/patients.csv" --policy "$policy" --method mingen -q -o "$work/file.csv"
unload fetched "$work/engine.csv"
same_rows "$work/file.csv" "$work/engine.csv" || fail "rows fetched and loaded are not the release of the file"
no_leftovers
pass "risk, audit, rows fetched and loaded"

# ---- types and names that must survive ----

sql "CREATE TABLE odd (\"Größe \"\"x\"\"\" Int32, \"da,y\" Date, kind FixedString(5), \"wo\\\\rd\" LowCardinality(String),
    moment DateTime, amount Decimal(18, 4), share Nullable(Float64), feeling Enum8('low' = 1, 'high''; DROP TABLE odd' = 2),
    note Nullable(String), token UUID) ENGINE = MergeTree ORDER BY tuple()"
sql "INSERT INTO odd SELECT 10 + number % 3, toDate('1990-01-01') + number % 2, number % 2 ? '' : 'ab',
    number % 2 ? 'Anna' : 'ANNA', toDateTime('2020-01-01 00:00:00') + number * 60,
    CAST(number AS Decimal(18, 4)), number % 5 = 0 ? NULL : number / 7,
    CAST(number % 2 + 1 AS Enum8('low' = 1, 'high''; DROP TABLE odd' = 2)),
    multiIf(number % 4 = 0, NULL, number % 4 = 1, '', number % 4 = 2, 'tab\\tline\\nback\\\\slash \"q\" ''s''', arrayStringConcat(arrayMap(x -> 'long ', range(20000)))),
    generateUUIDv4() FROM system.numbers LIMIT 60"
cat >"$work/odd.yaml" <<'EOF'
k: 5
person: none
columns:
  'Größe "x"': {role: quasi, hierarchy: {interval: {origin: 0, widths: [5]}}}
  "da,y": {role: quasi, hierarchy: {date: true}}
  kind: insensitive
  'wo\rd': quasi
  moment: insensitive
  amount: insensitive
  share: insensitive
  feeling: insensitive
  note: insensitive
  token: insensitive
EOF
"$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -q -o "$(place %22odd%20release%22)"
for column in kind moment amount share feeling note token; do
    sum="SELECT SUM(sipHash64(ifNull(concat('v', toString($column)), 'n'))), COUNT(*) FROM"
    [ "$(sql "$sum odd")" = "$(sql "$sum \"odd release\"")" ] || fail "$column changed"
    [ "$(sql "SELECT COUNT(DISTINCT type) FROM system.columns WHERE table IN ('odd', 'odd release') AND name = '$column'")" = 1 ] ||
        fail "$column has another type"
done
[ "$(sql 'SELECT COUNT(*) FROM "odd release" WHERE note IS NULL')" = 15 ] || fail "nulls were lost"
[ "$(sql "SELECT COUNT(*) FROM \"odd release\" WHERE note = ''")" = 15 ] || fail "empty texts were lost"
[ "$(sql 'SELECT COUNT(DISTINCT "wo\\rd") FROM "odd release"')" = 2 ] || fail "cases of letters were lost"
pass "types, nulls, empty texts, names with quotes, backslashes and Unicode"

# Pseudonyms, of values that would be SQL.
printf 'id,a\n' >"$work/names.csv"
awk 'BEGIN { for (i = 0; i < 40; i++) printf "\"p%d'"'"'); DROP TABLE names; --\\\",%d\n", i % 20, 1 + i % 2 }' >>"$work/names.csv"
load names "$work/names.csv"
cat >"$work/names.yaml" <<EOF
k: 5
person: id
key-file: $work/key
columns:
  id: {role: identifier, replace: pseudonym}
  a: quasi
EOF
"$tacit" anonymize "$(place names)" --policy "$work/names.yaml" -q -o "$(place released)" 2>/dev/null
[ "$(sql "SELECT COUNT(DISTINCT id), COUNT(*) FROM released WHERE id NOT LIKE '%DROP%'" | tr '\t' ' ')" = "20 40" ] || fail "pseudonyms"
[ "$(rows_of names)" = 40 ] || fail "the data changed"
pass "pseudonyms, and values that would be SQL"

# ---- what is refused ----

refuse() { # WORDS DATA RELEASE
    refused "$1" "$tacit" anonymize "$2" --policy "$work/odd.yaml" -o "$3"
    ! grep -q secret "$work/out" || fail "a message holds the password"
}
refuse "holds a password" "clickhouse://u:secret@127.0.0.1:$port/default?table=odd" "$(place r)"
refuse "take the place of the data" "$(place odd)" "$(place default.odd)"
refuse "another database" "$(place odd)" "clickhouse://127.0.0.1:$port/other?table=r"
refuse "there is no such table" "$(place nothere)" "$(place r)"
refuse "no table is named" "clickhouse://127.0.0.1:$port/default" "$(place r)"
refuse "name a table of it with -o" "$(place odd)" "$work/release.txt"
refuse "there is no such database" "clickhouse://127.0.0.1:$port/nowhere?table=odd" "clickhouse://127.0.0.1:$port/nowhere?table=r"
refuse "no connection" "clickhouse://127.0.0.1:1/default?table=odd" "clickhouse://127.0.0.1:1/default?table=r"
refuse "is named clickhouse://" "clickhouse://127.0.0.1:$port/default?max_threads=1&table=odd" "clickhouse://127.0.0.1:$port/default?max_threads=1&table=r"
refuse "has not the right" "clickhouse://reader@127.0.0.1:$port/default?table=odd" "clickhouse://reader@127.0.0.1:$port/default?table=r"
refuse "has not the right" "clickhouse://elsewhere@127.0.0.1:$port/default?table=odd" "clickhouse://elsewhere@127.0.0.1:$port/default?table=r"
refuse "does not let this user in" "clickhouse://guarded@127.0.0.1:$port/default?table=odd" "clickhouse://guarded@127.0.0.1:$port/default?table=r"
CLICKHOUSE_PASSWORD=secret "$tacit" anonymize "clickhouse://guarded@127.0.0.1:$port/default?table=odd" --policy "$work/odd.yaml" \
    -q -o "clickhouse://guarded@127.0.0.1:$port/default?table=r"
CLICKHOUSE_USER=guarded CLICKHOUSE_PASSWORD=wrong refuse "does not let this user in" "$(place odd)" "$(place r)"
[ "$(sql "EXISTS TABLE default.r")" = 1 ] || fail "the password of the environment is not taken"
no_leftovers
pass "refusals, users, passwords"

# ---- nothing half published ----

publish_old() {
    sql "DROP TABLE IF EXISTS published"
    sql "CREATE TABLE published ENGINE = MergeTree ORDER BY tuple() AS SELECT 'the old one' AS what"
}
lose_connection() { # as of a server that stops
    stop_clickhouse "$work/server"
    start_clickhouse "$work/server"
}
is_settled() { [ "$(sql "SELECT COUNT(*) FROM system.processes")" = 1 ]; }
# Tables of a run that was killed stay, under names of their own, until the next run with that target.
after_kill() { [ "$(sql "SELECT COUNT(*) FROM system.tables WHERE name LIKE 'tacit %'")" -lt 20 ] || fail "tables pile up"; }
prepare_many
kills
start_many
wait "$child"
[ "$(rows_of published)" = 60000 ] || fail "the run after the kills failed: $(cat "$work/out")"
no_leftovers
interrupt

# Data that change while the release is made are found by the judge.
publish_old
for try in 1 2 3 4 5 6 7 8; do
    start_many
    while kill -0 "$child" 2>/dev/null; do
        sql "INSERT INTO many SELECT * FROM many LIMIT 1" 2>/dev/null || true
    done
    if wait "$child"; then continue; fi
    grep -q "the data changed" "$work/out" || fail "$(cat "$work/out")"
    break
done
[ "$try" -lt 8 ] || fail "data that change are not found"
[ "$(rows_of published)" = 1 ] || fail "published though the data changed"
no_leftovers
pass "data that change"

"$build/tests/engine_judge" "$(place judged)" "$(place judged_release)" || fail "the judge"
passed=$((passed + 1))
echo "$passed passed, 0 failed"

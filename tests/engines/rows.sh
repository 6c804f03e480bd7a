#!/bin/bash
# rows.sh BUILD - rows of a PostgreSQL table worked on in memory: what queries answer, promises that
# need rows, types and names on the way there and back, and what is refused.
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

# ---- the release of the rows is that of the file ----

patients=$root/examples/patients.csv policy=$root/examples/patients.yaml
load patients "$patients"
for method in local k-similar; do
    "$tacit" anonymize "$patients" --policy "$policy" --method $method --seed 7 -q -o "$work/file.csv"
    "$tacit" anonymize "$(place patients)" --fetch-rows --policy "$policy" --method $method --seed 7 -q \
        -o "$(place released)" --report "$work/report.json"
    unload released "$work/engine.csv"
    cmp -s "$work/file.csv" "$work/engine.csv" || fail "$method: not the release of the file"
    grep -q '"rows_fetched": 600' "$work/report.json" || fail "the report does not say what left"
done
pass "rows fetched and loaded: the release of the file, in its order"

# What needs rows: a promise about a sensitive column, a technique, a ledger.
cat >"$work/more.yaml" <<END
k: 3
person: none
ledger: $work/ledger
columns:
  patient: {role: identifier, replace: drop}
  name: {role: identifier, replace: drop}
  birth: {role: quasi, hierarchy: {date: true}}
  sex: quasi
  diagnosis: {role: sensitive, diversity: 2}
  charges: insensitive
END
refused "cannot be done inside a database" "$tacit" anonymize "$(place patients)" --policy "$work/more.yaml" -o "$(place released)"
"$tacit" anonymize "$(place patients)" --fetch-rows --policy "$work/more.yaml" -q -o "$(place released)" 2>"$work/err" ||
    fail "a policy that needs rows: $(cat "$work/err")"
pass "promises that need rows"

# ---- risk and audit: combinations are enough ----

facts() { grep -v "left it\|PostgreSQL; no other\|^  *[0-9]* combinations\|^.*: 600 r" "$1" | grep -v ", \.\.\.$"; }
"$tacit" risk "$(place patients)" --policy "$policy" --report "$work/report.json" >"$work/engine.txt"
"$tacit" risk "$patients" --policy "$policy" >"$work/file.txt"
cmp <(facts "$work/file.txt") <(facts "$work/engine.txt") || fail "risk: not what the file has"
grep -q '"combinations": 600' "$work/report.json" || fail "the report does not say what left"
load released "$work/file.csv"
"$tacit" audit "$(place released)" --policy "$policy" >"$work/engine.txt" || fail "audit: $(cat "$work/engine.txt")"
"$tacit" audit "$work/file.csv" --policy "$policy" >"$work/file.txt"
sed -i 's/.*: 600/600/' "$work/engine.txt" "$work/file.txt"
cmp <(facts "$work/file.txt") <(facts "$work/engine.txt") || fail "audit: not what the file has"
status=0
"$tacit" audit "$(place patients)" --policy "$policy" >"$work/out" 2>&1 || status=$?
[ $status = 5 ] || fail "audit of the data ends with $status"
refused "takes all columns together" "$tacit" risk "$(place patients)"
refused "name rows" "$tacit" risk "$(place patients)" --policy "$policy" --records "$work/records.csv"
refused "row by row" "$tacit" audit "$(place released)" --policy "$policy" --original "$patients"
pass "risk and audit by combinations"

# ---- queries ----

sql -c "CREATE TABLE visits AS SELECT patient AS who, CAST(left(birth, 4) AS integer) AS year FROM patients"
cat >"$work/query.sql" <<'END'
SELECT p.sex, p.birth, v.year, p.diagnosis -- of those who are eligible
FROM patients p JOIN visits v ON v.who = p.patient WHERE v.year < 1970;
END
sql -c "\copy (SELECT p.sex, p.birth, v.year, p.diagnosis FROM patients p JOIN visits v ON v.who = p.patient WHERE v.year < 1970) TO '$work/joined.csv' CSV HEADER"
cat >"$work/joined.yaml" <<'END'
k: 5
person: none
columns:
  sex: quasi
  birth: {role: quasi, hierarchy: {date: true}}
  year: {role: quasi, hierarchy: {interval: {origin: 1900, widths: [5, 10, 20]}}}
  diagnosis: insensitive
END
server="postgresql://$PGUSER@$PGHOST:$PGPORT/postgres"
"$tacit" anonymize "$work/joined.csv" --policy "$work/joined.yaml" -q -o "$work/file.csv"
for how in "" --fetch-rows; do
    "$tacit" anonymize "$server" --query "$work/query.sql" $how --policy "$work/joined.yaml" -q -o "$(place released)"
    unload released "$work/engine.csv"
    same_rows "$work/file.csv" "$work/engine.csv" || fail "not the release of what the query answers $how"
done
refused "the query names the table" "$tacit" anonymize "$server" --query "$work/query.sql" --policy "$work/joined.yaml" -o "$(place visits)"
[ "$(sql -c 'SELECT COUNT(*) FROM visits')" = 600 ] || fail "the query's table was replaced"
echo "SELECT 1); DROP TABLE visits; --" >"$work/bad.sql"
refused "statement failed" "$tacit" anonymize "$server" --query "$work/bad.sql" --fetch-rows --policy "$work/joined.yaml" -o "$(place r)"
[ "$(sql -c 'SELECT COUNT(*) FROM visits')" = 600 ] || fail "a query did more than read"
pass "queries, inside the database and fetched"

# ---- tables of cells, text ----

"$tacit" protect "$(place patients)" --fetch-rows --dim sex --dim marital --rule freq:3 -q -o "$(place cells)"
"$tacit" protect "$patients" --dim sex --dim marital --rule freq:3 -q -o "$work/cells.csv"
unload cells "$work/engine.csv"
same_rows "$work/cells.csv" "$work/engine.csv" || fail "the table is not that of the file"
printf 'id,note\n1,"Anna Smith came on 3 May 2020, tel 0171 5551234"\n2,\n' >"$work/notes.csv"
load notes "$work/notes.csv"
"$tacit" scrub "$(place notes)" --fetch-rows --column note -q -o "$(place scrubbed)"
[ "$(sql -c "SELECT COUNT(*) FROM scrubbed WHERE note LIKE '%Smith%'")" = 0 ] || fail "text was not scrubbed"
"$tacit" audit "$(place released)" --fetch-rows --policy "$work/joined.yaml" --original "$(place patients)" >"$work/out" 2>&1 &&
    fail "another original passed"
"$tacit" anonymize "$patients" --policy "$policy" -q -o "$(place loaded)"
[ "$(sql -c 'SELECT COUNT(*) FROM loaded')" = 600 ] || fail "the release of a file was not loaded"
pass "tables, text, audits, and releases of files into a table"

# ---- types, nulls, names ----

sql <<'END'
CREATE TABLE odd ("Größe ""x""" integer, "da,y" date, kind char(5), moment timestamptz, amount numeric(20, 4),
    real double precision, flag boolean, note text, raw bytea, "  blanks " text);
INSERT INTO odd SELECT 10 + i % 3, DATE '1850-01-01' + i % 2, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'ab' END,
    TIMESTAMPTZ '2020-01-01 00:00:00+05' + i * INTERVAL '1 minute', i * 1.0001, i / 7.0, i % 2 = 0,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN E'tab\tline\nback\\slash "q" ''s'', ;' ELSE repeat('long ', 20000) END,
    decode('00ff', 'hex'), CASE i % 2 WHEN 0 THEN ' a' ELSE '=b ' END FROM generate_series(1, 60) i;
END
cat >"$work/odd.yaml" <<'END'
k: 5
person: none
columns:
  'Größe "x"': {role: quasi, hierarchy: {interval: {origin: 0, widths: [5]}}}
  "da,y": {role: quasi, hierarchy: {date: true}}
  kind: quasi
  moment: insensitive
  amount: insensitive
  real: insensitive
  flag: insensitive
  note: insensitive
  raw: insensitive
  "  blanks ": insensitive
END
"$tacit" anonymize "$(place odd)" --fetch-rows --policy "$work/odd.yaml" -q -o "$(place back)" --report "$work/report.json"
for column in moment amount real flag "NULLIF(note, '')" raw '"  blanks "'; do
    [ "$(sql -c "SELECT COUNT(*) FROM ((SELECT $column FROM odd EXCEPT ALL SELECT $column FROM back)
        UNION ALL (SELECT $column FROM back EXCEPT ALL SELECT $column FROM odd)) x")" = 0 ] || fail "$column changed"
done
[ "$(sql -c "SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = 'back'::regclass AND attnum > 3")" = "timestamp with time zone numeric(20,4) double precision boolean text bytea text" ] ||
    fail "types: $(sql -c '\d back')"
grep -q '"empty_texts": 35' "$work/report.json" || fail "empty texts are not told of: $(grep empty "$work/report.json")"
[ "$(sql -c "SELECT COUNT(*) FROM back WHERE note IS NULL")" = 30 ] || fail "empty texts"
pass "types, names, nulls"

# ---- what is refused ----

refused "say --fetch-rows" "$tacit" protect "$(place patients)" --dim sex --rule freq:3
refused "are about tables in engines" "$tacit" anonymize "$patients" --fetch-rows --policy "$policy" -o "$work/release.csv"
refused "take the place of the data" "$tacit" anonymize "$(place odd)" --fetch-rows --policy "$work/odd.yaml" -o "$(place public.odd)"
refused "called as the data are" "$tacit" anonymize "$(place odd)" --fetch-rows --policy "$work/odd.yaml" \
    -o "$(place odd | sed s/127.0.0.1/localhost/)"
refused "names a file" "$tacit" anonymize "$(place odd)" --fetch-rows --policy "$work/odd.yaml" --report "$(place r)"
no_leftovers
pass "refusals"
echo "$passed passed, 0 failed"

#!/bin/bash
# duckdb.sh BUILD [SHARED-DATA] - releases made inside DuckDB, of tables and of Parquet files: the same
# rows as from a file, values of odd types and names that survive, nothing half published, and no way
# to a file that was not named.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/library.sh"
trap 'rm -rf "$work"' EXIT
find_duckdb

database=$work/ward.duckdb
place() { echo "duckdb:$database?table=$1"; }
in_file() { /usr/bin/python3 "$here/duckdb.py" "$TACIT_DUCKDB" "$@"; }
sql() { in_file "$database" "$@"; }
load() {
    sql "CREATE OR REPLACE TABLE $1 AS SELECT * FROM read_csv('$2', all_varchar = true, header = true, nullstr = '', allow_quoted_nulls = false)" >/dev/null
}
unload() { sql "COPY $1 TO '$2' (FORMAT csv, HEADER)" >/dev/null; }
# Nothing of the run is left: no table, no folder for what memory does not hold, no unnamed release.
no_leftovers() {
    [ "$(sql "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name LIKE 'tacit %'")" = 0 ] || fail "tables of the run are left"
    [ ! -e "$database.tacit" ] || fail "a folder of the run is left"
}

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

# ---- Parquet files in, and out ----

patients=$root/examples/patients.csv policy=$root/examples/patients.yaml
"$tacit" anonymize "$patients" --policy "$policy" -q -o "$work/file.csv"
sql "COPY (SELECT * FROM patients LIMIT 200) TO '$work/part 1''s.parquet'" \
    "COPY (SELECT * FROM patients OFFSET 200) TO '$work/part 2.parquet'" "CREATE VIEW seen AS SELECT * FROM patients" >/dev/null
same_release() { # the release is in released.parquet, or the table released
    sql "COPY (FROM $1) TO '$work/engine.csv' (FORMAT csv, HEADER)" >/dev/null
    same_rows "$work/file.csv" "$work/engine.csv" || fail "$2"
    pass "$2"
}
release() { "$tacit" anonymize "$1" --policy "$policy" -q -o "$2"; }
release "duckdb:$work/part *.parquet" "$work/released.parquet"
same_release "'$work/released.parquet'" "Parquet files to a Parquet file"
release "$(place patients)" "duckdb:$work/released.parquet"
same_release "'$work/released.parquet'" "a table to a Parquet file, which takes the place of another"
release "$(place seen)" "$(place released)"
same_release released "a view"
first=$(sql "SELECT string_agg(birth, ' ') FROM (FROM '$work/released.parquet' LIMIT 50)")
release "$(place patients)" "$work/released.parquet"
[ "$first" != "$(sql "SELECT string_agg(birth, ' ') FROM (FROM '$work/released.parquet' LIMIT 50)")" ] || fail "the order is the same twice"
pass "another order each time"

# ---- rows in memory, queries, releases of files into tables ----

"$tacit" anonymize "$patients" --policy "$policy" --method k-similar --seed 7 -q -o "$work/file.csv"
"$tacit" anonymize "duckdb:$work/part *.parquet" --fetch-rows --policy "$policy" --method k-similar --seed 7 -q -o "$work/engine.csv"
same_rows "$work/file.csv" "$work/engine.csv" || fail "rows fetched from Parquet files"
"$tacit" anonymize "$patients" --policy "$policy" --method k-similar --seed 7 -q -o "$(place main.loaded)"
same_release loaded "a file's release into a table"
echo "SELECT * FROM patients WHERE sex = 'male' -- ;" >"$work/query.sql"
"$tacit" anonymize "duckdb:$database" --query "$work/query.sql" --policy "$policy" -q -o "$(place males)"
[ "$(sql "SELECT COUNT(*) FROM males" "SELECT COUNT(*) FROM patients WHERE sex = 'male'" | sort -u | wc -l)" = 1 ] || fail "a query"
pass "rows in memory, and a query"

# ---- types and names that must survive ----

sql "CREATE TYPE mood AS ENUM ('low', 'high; DROP TABLE odd')" \
    "CREATE TABLE odd (\"Größe \"\"x\"\"\" integer, \"da,y\" date, kind varchar, word varchar COLLATE nocase,
        moment timestamptz, amount decimal(20, 4), flag boolean, feeling mood, note varchar, raw blob, list integer[],
        span interval, huge hugeint, id uuid, part float)" \
    "INSERT INTO odd SELECT 10 + i % 3, DATE '1850-01-01' + (i % 2)::integer, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'ab' END,
        CASE i % 2 WHEN 0 THEN 'Anna' ELSE 'ANNA' END, TIMESTAMPTZ '2020-01-01 00:00:00+05' + to_minutes(i),
        i * 1.0001, i % 2 = 0, 'high; DROP TABLE odd',
        CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN e'tab\tline\nback\\\\slash \"q\" ''s''' ELSE repeat('long ', 20000) END,
        '\\x00\\xFF'::blob, [i, NULL], to_days(i::integer), 170141183460469231731687303715884105727 - i, uuid(), 1 / i FROM range(1, 61) t(i)" >/dev/null
{
    echo "k: 5"
    echo "person: none"
    echo "columns:"
    echo "  'Größe \"x\"': {role: quasi, hierarchy: {interval: {origin: 0, widths: [5]}}}"
    echo "  \"da,y\": {role: quasi, hierarchy: {date: true}}"
    echo "  kind: quasi"
    echo "  word: quasi"
    for column in moment amount flag feeling note raw list span huge id part; do echo "  $column: insensitive"; done
} >"$work/odd.yaml"
"$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -q -o "$(place %22odd%20release%22)"
for column in moment amount flag feeling note raw list span huge id part; do
    [ "$(sql "SELECT COUNT(*) FROM ((SELECT $column FROM odd EXCEPT ALL SELECT $column FROM \"odd release\")
        UNION ALL (SELECT $column FROM \"odd release\" EXCEPT ALL SELECT $column FROM odd)) x")" = 0 ] || fail "$column changed"
    [ "$(sql "SELECT COUNT(DISTINCT data_type) FROM duckdb_columns() WHERE table_name IN ('odd', 'odd release') AND column_name = '$column'")" = 1 ] ||
        fail "$column has another type"
done
[ "$(sql 'SELECT COUNT(*) FROM "odd release" WHERE note IS NULL' "SELECT COUNT(*) FROM \"odd release\" WHERE note = ''" | paste -sd,)" = 15,15 ] ||
    fail "nulls or empty texts were lost"
[ "$(sql 'SELECT COUNT(DISTINCT word COLLATE "C") FROM "odd release"')" = 2 ] || fail "Anna and ANNA were taken for one"
pass "types, nulls, empty texts, collations, names with quotes and Unicode"

# ---- what is refused ----

refuse() { refused "$1" "$tacit" anonymize "$2" --policy "${4:-$policy}" -o "$3"; }
refuse "take the place of the data" "$(place odd)" "$(place ODD)" "$work/odd.yaml"
refuse "take the place of the data" "$(place odd)" "$(place ward.odd)" "$work/odd.yaml"
refuse "take the place of the data" "duckdb:$work/part *.parquet" "$work/part 2.parquet"
refuse "is that of a view" "$(place patients)" "$(place seen)"
refuse "gone when the run is over" "$(place patients)" "$(place temp.x)"
refuse "leave out ?table=" "duckdb:$work/part 2.parquet" "duckdb:$work/part 2.parquet?table=x"
refuse "leave out ?table=" "duckdb:$work/part 2.parquet?table=x" "$work/x.parquet"
refuse "another database" "$(place patients)" "duckdb:$work/other.duckdb?table=x"
refuse "no such table" "$(place nothere)" "$(place x)"
refuse "no such database" "duckdb:$work/nothere.duckdb?table=x" "duckdb:$work/nothere.duckdb?table=y"
[ ! -e "$work/nothere.duckdb" ] || fail "made a database"
refuse "no database of DuckDB" "duckdb:$patients?table=x" "duckdb:$patients?table=y"
refuse "no such file" "duckdb:$work/nothere*.parquet" "$work/x.parquet"
refuse "no table is named" "duckdb:$database" "$(place x)"
refuse "name a table of it with -o" "$(place patients)" "$work/x.csv"
cp "$patients" "$work/no.parquet"
refuse "DuckDB: " "duckdb:$work/no.parquet" "$work/x.parquet"
cp "$work/part 2.parquet" "$work/part [2].parquet"
refuse "rename the file" "duckdb:$work/part [[]*.parquet" "$work/x.parquet"
sql "CREATE TABLE numbered AS SELECT *, 1 AS rowid FROM patients" >/dev/null
refuse "is called rowid" "$(place numbered)" "$(place x)"
TACIT_DUCKDB=$work/none refuse "libduckdb.so, which is not here" "$(place patients)" "$(place x)"
# Another program has the database.
/usr/bin/python3 - "$TACIT_DUCKDB" "$database" "$work/holds" <<'PY' &
import ctypes, sys, time
library, database = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p()
library.duckdb_open(sys.argv[2].encode(), ctypes.byref(database))
open(sys.argv[3], "w").close()
time.sleep(60)
PY
holder=$!
while [ ! -e "$work/holds" ]; do sleep 0.05; done
mkdir -m 700 "$database.tacit" && touch "$database.tacit/duckdb_temp_theirs"
refuse "another program has the database open" "$(place patients)" "$(place x)"
[ -e "$database.tacit/duckdb_temp_theirs" ] || fail "took the folder of the run that has the database"
kill $holder
wait $holder 2>/dev/null || true
release "$(place patients)" "$(place released)" # and clears what a run has left that was killed
no_leftovers
pass "refusals"

# ---- what a view in the database would do ----

echo "SELECT * FROM read_text('$patients')" >"$work/query.sql"
refused "a file that was not named" "$tacit" anonymize "duckdb:$database" --query "$work/query.sql" --policy "$policy" -o "$(place x)"
# A view may say anything; it reads no file that was not named, and fetches nothing.
sql "CREATE VIEW spy AS SELECT p.*, t.content FROM patients p, read_text('$patients') t" \
    "CREATE VIEW caller AS SELECT p.* FROM patients p, read_csv('$work/odd.yaml', all_varchar = true, header = false)" >/dev/null
for view in spy caller; do
    refuse "a file that was not named" "$(place $view)" "$(place x)"
done
in_file :memory: "COPY (SELECT 'x'' || (SELECT 1) || ''' AS \"a'; DROP TABLE patients; --\", 1 AS n FROM range(20)) TO '$work/names.parquet'" >/dev/null
printf 'k: 5\nperson: none\ncolumns:\n  "a'"'"'; DROP TABLE patients; --": quasi\n  n: quasi\n' >"$work/names.yaml"
"$tacit" anonymize "duckdb:$work/names.parquet" --policy "$work/names.yaml" -q -o "$work/named.parquet"
[ "$(sql "SELECT COUNT(*) FROM '$work/named.parquet' WHERE n = 1" "SELECT COUNT(*) FROM patients" | paste -sd,)" = 20,600 ] || fail "hostile names"
pass "hostile views and names"

# ---- data that changes, kills, Ctrl-C ----

prepare_many
sql "CREATE TABLE published AS SELECT 'the old one' AS what" "COPY many TO '$work/many.parquet'" "COPY (SELECT 1 AS old) TO '$work/published.parquet'" >/dev/null
many() { exec "$tacit" anonymize "$(place many)" --policy "$work/many.yaml" --method datafly -q -o "$1"; }
complete=0
for try in $(seq 1 "${KILLS:-20}"); do
    target=$(place published) question="SELECT COUNT(*) FROM published"
    [ $((try % 2)) = 0 ] || target=$work/published.parquet question="SELECT COUNT(*) FROM '$work/published.parquet'"
    (many "$target") >"$work/out" 2>&1 &
    child=$!
    sleep "$(awk -v t="$try" 'BEGIN { printf "%.3f", 0.04 * t }')"
    kill -9 $child 2>/dev/null || true
    wait $child 2>/dev/null || true
    rows=$(sql "$question")
    case $rows in
    1) ;;
    60000)
        complete=$((complete + 1))
        sql "CREATE OR REPLACE TABLE published AS SELECT 'the old one' AS what" "COPY (SELECT 1 AS old) TO '$work/published.parquet'" >/dev/null
        ;;
    *) fail "half published: $rows rows" ;;
    esac
    [ "$(sql "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name LIKE 'tacit %'")" = 0 ] || fail "tables of the run are left"
    [ "$(stat -c %a "$database.tacit" 2>/dev/null || echo 700)" = 700 ] || fail "others can read what is left"
done
pass "${KILLS:-20} kills: nothing half published ($complete had been done by then)"

(trap - INT; exec env --default-signal=INT "$tacit" anonymize "$(place many)" --policy "$work/many.yaml" --method datafly -q -o "$(place published)") >"$work/out" 2>&1 &
child=$!
sleep 0.2
kill -INT $child
wait $child && fail "Ctrl-C did not stop it" || true
[ "$(sql "SELECT COUNT(*) FROM published")" = 1 ] || fail "published after Ctrl-C"
no_leftovers
pass "Ctrl-C"

# A file that another program writes to while it is read ends the run, if the run is not done by then.
(exec "$tacit" anonymize "duckdb:$work/many.parquet" --policy "$work/many.yaml" --method datafly -q -o "$work/changed.parquet") >"$work/out" 2>&1 &
child=$!
while kill -0 $child 2>/dev/null; do touch "$work/many.parquet"; done
status=0
wait $child || status=$?
[ "$status" -ne 0 ] || fail "data that changed was released"
grep -q "was changed while it was read" "$work/out" || fail "$(cat "$work/out")"
[ ! -e "$work/changed.parquet" ] || fail "published after a change"
pass "a file that changes"

load judged "$work/random.csv"
"$build/tests/engine_judge" "$(place judged)" "$(place judged_release)" || fail "the judge"
passed=$((passed + 1))
echo "$passed passed, 0 failed"

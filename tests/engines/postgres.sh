#!/bin/bash
# postgres.sh BUILD [SHARED-DATA] - releases made inside a real PostgreSQL server, which it starts
# and stops: the same rows as from a file, values of odd types and names that survive, and nothing
# half published whatever goes wrong.
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

# ---- types and names that must survive ----

sql <<'EOF'
CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TYPE mood AS ENUM ('low', 'high; DROP TABLE odd');
CREATE TABLE odd ("Größe ""x""" integer, "da,y" date, kind char(5), word text COLLATE nocase,
    moment timestamptz, amount numeric(20, 4), flag boolean, feeling mood, note text, raw bytea);
INSERT INTO odd SELECT 10 + i % 3, DATE '1850-01-01' + i % 2, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'ab' END,
    CASE i % 2 WHEN 0 THEN 'Anna' ELSE 'ANNA' END, TIMESTAMPTZ '2020-01-01 00:00:00+05' + i * INTERVAL '1 minute',
    i * 1.0001, i % 2 = 0, 'high; DROP TABLE odd',
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN E'tab\tline\nback\\slash "q" ''s''' ELSE repeat('long ', 20000) END,
    decode('00ff', 'hex') FROM generate_series(1, 60) i;
EOF
cat >"$work/odd.yaml" <<'EOF'
k: 5
person: none
columns:
  'Größe "x"': {role: quasi, hierarchy: {interval: {origin: 0, widths: [5]}}}
  "da,y": {role: quasi, hierarchy: {date: true}}
  kind: quasi
  word: quasi
  moment: insensitive
  amount: insensitive
  flag: insensitive
  feeling: insensitive
  note: insensitive
  raw: insensitive
EOF
"$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -q -o "$(place %22odd%20release%22)"
for column in moment amount flag feeling note raw; do
    [ "$(sql -c "SELECT COUNT(*) FROM ((SELECT $column FROM odd EXCEPT ALL SELECT $column FROM \"odd release\")
        UNION ALL (SELECT $column FROM \"odd release\" EXCEPT ALL SELECT $column FROM odd)) x")" = 0 ] || fail "$column changed"
    [ "$(sql -c "SELECT COUNT(DISTINCT format_type(atttypid, atttypmod)) FROM pg_attribute
        WHERE attrelid IN ('odd'::regclass, '\"odd release\"'::regclass) AND attname = '$column'")" = 1 ] || fail "$column has another type"
done
[ "$(sql -c 'SELECT COUNT(*) FROM "odd release" WHERE note IS NULL')" = 15 ] || fail "nulls were lost"
[ "$(sql -c "SELECT COUNT(*) FROM \"odd release\" WHERE note = ''")" = 15 ] || fail "empty texts were lost"
pass "types, nulls, empty texts, names with quotes and Unicode"

# Pseudonyms: one for each value.
printf 'id,a\n' >"$work/names.csv"
awk 'BEGIN { for (i = 0; i < 40; i++) printf "p%d,%d\n", i % 20, 1 + i % 2 }' >>"$work/names.csv"
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
[ "$(sql -c "SELECT COUNT(DISTINCT id) || ' ' || COUNT(*) FROM released WHERE id !~ '^p[0-9]+$'")" = "20 40" ] || fail "pseudonyms"
pass "pseudonyms"

# ---- what is refused ----

refused "holds a password" "$tacit" anonymize "postgresql://u:secret@$PGHOST/x?table=t" --policy "$work/odd.yaml" -o "$(place r)"
refused "take the place of the data" "$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -o "$(place public.odd)"
refused "another database" "$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -o "postgresql://$PGHOST/other?table=r"
refused "there is no table" "$tacit" anonymize "$(place nothere)" --policy "$work/odd.yaml" -o "$(place r)"
refused "no table is named" "$tacit" anonymize "postgresql://$PGHOST:$PGPORT/postgres" --policy "$work/odd.yaml" -o "$(place r)"
refused "name a table of it with -o" "$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -o "$work/release.csv"
refused "cannot be done inside a database" "$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" --method k-similar -o "$(place r)"
refused "no connection" "$tacit" anonymize "postgresql://127.0.0.1:1/postgres?table=odd" --policy "$work/odd.yaml" -o "postgresql://127.0.0.1:1/postgres?table=r"
sql -c "CREATE ROLE reader LOGIN" -c "GRANT SELECT ON odd TO reader" -c "REVOKE CREATE ON SCHEMA public FROM PUBLIC"
refused "has not the right" "$tacit" anonymize "postgresql://reader@$PGHOST:$PGPORT/postgres?table=odd" --policy "$work/odd.yaml" \
    -o "postgresql://reader@$PGHOST:$PGPORT/postgres?table=r"
sql -c "CREATE VIEW on_released AS SELECT * FROM released"
refused "depend on the table" "$tacit" anonymize "$(place names)" --policy "$work/names.yaml" -o "$(place released)"
sql -c "DROP VIEW on_released"
no_leftovers
pass "refusals"

# ---- nothing half published ----

rows_of() { sql -c "SELECT COUNT(*) FROM $1"; }
publish_old() { sql -c "DROP TABLE IF EXISTS published" -c "CREATE TABLE published AS SELECT 'the old one' AS what" 2>/dev/null; }
lose_connection() {
    sql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%tacit%'" >/dev/null
}
is_settled() {
    [ "$(sql -c "SELECT COUNT(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")" = 0 ]
}
after_kill() { no_leftovers; }
prepare_many
kills
start_many
wait "$child" || fail "the run after the kills failed: $(cat "$work/out")"
[ "$(rows_of published)" = 60000 ] || fail "the run after the kills did not publish"
no_leftovers
interrupt

"$build/tests/engine_judge" "$(place judged)" "$(place judged_release)" || fail "the judge"
passed=$((passed + 1))
echo "$passed passed, 0 failed"

#!/bin/bash
# odbc.sh BUILD [SHARED-DATA] - releases made over ODBC inside real servers, which it starts and stops:
# MariaDB, whose transactions do not hold what makes tables, and PostgreSQL.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/server.sh"
. "$here/mariadb_server.sh"
cleanup() {
    stop_mariadb "$work/maria"
    stop_postgres "$work/server"
    rm -rf "$work"
}
trap cleanup EXIT
start_mariadb "$work/maria"
mariadb -S "$work/maria/socket" -u root -e "CREATE DATABASE ward CHARACTER SET utf8mb4; CREATE USER tester@'127.0.0.1'; GRANT ALL ON *.* TO tester@'127.0.0.1';
    CREATE USER reader@'127.0.0.1'; GRANT SELECT ON ward.* TO reader@'127.0.0.1'; CREATE USER guarded@'127.0.0.1' IDENTIFIED BY 'secret'"
start_postgres "$work/server"
source_of() { # NAME DRIVER PORT DATABASE USER
    printf '[%s]\nDriver=%s\nSERVER=127.0.0.1\nServername=127.0.0.1\nPORT=%s\nDATABASE=%s\nUID=%s\nUsername=%s\nCHARSET=utf8mb4\n' \
        "$1" "$2" "$3" "$4" "$5" "$5"
}
export ODBCINI="$work/odbc.ini"
{
    source_of maria "MariaDB Unicode" "$(cat "$work/maria.port")" ward tester
    source_of reader "MariaDB Unicode" "$(cat "$work/maria.port")" ward reader
    source_of guarded "MariaDB Unicode" "$(cat "$work/maria.port")" ward guarded
    source_of nowhere "MariaDB Unicode" 1 ward tester
    source_of postgres "PostgreSQL Unicode" "$PGPORT" postgres "$PGUSER"
} >"$ODBCINI"

# ---- MariaDB: the same release as from a file ----

policy=$root/examples/patients.yaml
for method in mingen datafly; do
    compare patients "$root/examples/patients.csv" "$policy" $method
done
"$tacit" anonymize "$(place patients)" --policy "$policy" --method mingen --classes place -q -o "$(place released)"
unload released "$work/engine.csv"
"$tacit" anonymize "$root/examples/patients.csv" --policy "$policy" --method mingen -q -o "$work/file.csv"
same_rows "$work/file.csv" "$work/engine.csv" || fail "classes in place: not the release of the file"
if prepare_adult; then
    compare adult "$work/adult.csv" "$work/adult.yaml" datafly
fi
random_tables
no_leftovers

maria "CREATE TABLE odd (\`Größe \"x\"\` int, \`da,\`\`y\` date, kind char(5), word varchar(20) COLLATE utf8mb4_general_ci, moment datetime(3),
    amount decimal(20, 4), feeling enum('low', 'high''; DROP TABLE odd'), note longtext)"
maria "INSERT INTO odd SELECT 10 + seq % 3, DATE '1850-01-01' + INTERVAL seq % 2 DAY, IF(seq % 2, '', 'ab'), IF(seq % 2, 'Anna', 'ANNA'),
    TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq MINUTE, seq * 1.0001, 1 + seq % 2,
    CASE seq % 4 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'tab\\tline\\nback\\\\slash \"q\" ''s'' 😀 ' ELSE REPEAT('long ', 20000) END
    FROM seq_1_to_60"
cat >"$work/odd.yaml" <<'EOF'
k: 5
person: none
columns:
  'Größe "x"': {role: quasi, hierarchy: {interval: {origin: 0, widths: [5]}}}
  "da,`y": {role: quasi, hierarchy: {date: true}}
  kind: insensitive
  word: quasi
  moment: insensitive
  amount: insensitive
  feeling: insensitive
  note: insensitive
EOF
"$tacit" anonymize "$(place odd)" --policy "$work/odd.yaml" -q -o "$(place %22odd%20release%22)"
for column in kind moment amount feeling note; do
    sum="SELECT COUNT(*), SUM(CRC32(COALESCE(CONCAT('v', HEX($column)), 'n'))) FROM"
    [ "$(maria "$sum odd")" = "$(maria "$sum \`odd release\`")" ] || fail "$column changed"
done
[ "$(maria 'SELECT COUNT(*) FROM `odd release` WHERE note IS NULL')" = 15 ] || fail "nulls were lost"
[ "$(maria "SELECT COUNT(*) FROM \`odd release\` WHERE note = ''")" = 15 ] || fail "empty texts were lost"
[ "$(maria "SELECT COUNT(DISTINCT HEX(word)) FROM \`odd release\`")" = 2 ] || fail "cases of letters were lost"
pass "types, nulls, empty texts, names with quotes and Unicode"

# ---- what is refused ----

refuse() { # WORDS DATA RELEASE
    refused "$1" "$tacit" anonymize "$2" --policy "$work/odd.yaml" -o "$3"
    ! grep -q secret "$work/out" || fail "a message holds the password"
}
refuse "holds a password" "odbc:DSN=maria;PWD=secret;table=odd" "$(place r)"
refuse "take the place of the data" "$(place odd)" "$(place ward.odd)"
refuse "another database" "$(place odd)" "odbc:DSN=postgres;table=r"
refuse "there is no such table" "$(place nothere)" "$(place r)"
refuse "no table is named" "odbc:DSN=maria" "$(place r)"
refuse "there is no such data source" "odbc:DSN=unheard;table=odd" "odbc:DSN=unheard;table=r"
refuse "ODBC: " "odbc:DSN=nowhere;table=odd" "odbc:DSN=nowhere;table=r"
refuse "ODBC: " "odbc:DSN=reader;table=odd" "odbc:DSN=reader;table=r"
refuse "ODBC: " "odbc:DSN=guarded;table=odd" "odbc:DSN=guarded;table=r"
no_leftovers
pass "refusals"

# ---- nothing half published ----

publish_old() { maria "DROP TABLE IF EXISTS published; CREATE TABLE published AS SELECT 'the old one' AS what"; }
lose_connection() {
    maria "SELECT CONCAT('KILL ', id) FROM information_schema.processlist WHERE user = 'tester'" |
        while read -r kill; do maria "$kill" 2>/dev/null || true; done
}
is_settled() { [ "$(maria "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'tester'")" = 0 ]; }
after_kill() { [ "$(maria "SELECT COUNT(*) FROM information_schema.tables WHERE table_name LIKE 'tacit %'")" -lt 20 ] || fail "tables pile up"; }
prepare_many
kills
start_many
wait "$child"
[ "$(rows_of published)" = 60000 ] || fail "the run after the kills failed: $(cat "$work/out")"
no_leftovers
"$build/tests/engine_judge" "$(place judged)" "$(place judged_release)" || fail "the judge in MariaDB"
pass "the judge in MariaDB"

# ---- PostgreSQL ----

. "$here/server.sh"
place() { echo "odbc:DSN=postgres;table=$1"; }
for method in mingen datafly; do
    compare patients "$root/examples/patients.csv" "$policy" $method
done
TABLES=5 random_tables
"$build/tests/engine_judge" "$(place judged)" "$(place judged_release)" || fail "the judge in PostgreSQL"
pass "the judge in PostgreSQL"
echo "$passed passed, 0 failed"

#!/bin/bash
# shards.sh BUILD [SHARED-DATA] - releases of a table in shards: a real coordinator and three real
# workers, whose rows stay with them. The same rows as from a file; what a shard says of a row; the
# plans; and nothing half published whatever goes wrong.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/server.sh"
cleanup() {
    stop_shards "$work/cluster"
    rm -rf "$work"
}
trap cleanup EXIT
start_shards "$work/cluster"

# The release of the shards is that of the file.
compare_shards() { # NAME FILE POLICY METHOD COLUMN
    load_shards "$1" "$2" "$5"
    "$tacit" anonymize "$2" --policy "$3" --method "$4" -q -o "$work/file.csv"
    "$tacit" anonymize "$(place "$1")" --policy "$3" --shards hidden --method "$4" -q -o "$(place released)"
    sql -c "\\copy (SELECT * FROM released) TO '$work/engine.csv' CSV HEADER"
    same_rows "$work/file.csv" "$work/engine.csv" || fail "$1 in shards by $4 is not the release of the file"
    no_shards_left 1
    pass "$1 in ${SHARDS:-3} shards by $4: the release of the file"
}

# ---- the same release as from a file ----

for method in mingen datafly; do
    compare_shards patients "$root/examples/patients.csv" "$root/examples/patients.yaml" $method patient
done
if prepare_adult; then
    for method in mingen datafly; do
        compare_shards adult "$work/adult.csv" "$work/adult.yaml" $method age
    done
fi
# A part of the rows beside the shards, and one shard alone.
OWN=1 SHARDS=2 compare_shards patients "$root/examples/patients.csv" "$root/examples/patients.yaml" datafly patient
[ "$(sql -c "SELECT COUNT(*) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE inhparent = 'released'::regclass AND relkind = 'r'")" = 1 ] ||
    fail "the part beside the shards is not beside them"
SHARDS=1 compare_shards patients "$root/examples/patients.csv" "$root/examples/patients.yaml" datafly patient

# ---- random tables: nulls, classes suppressed in part, people with rows in several shards ----

compared=0
for seed in $(seq 1 "${TABLES:-100}"); do
    make_random "$seed"
    load_shards random "$work/random.csv" x
    file=0 engine=0
    "$tacit" anonymize "$work/random.csv" --policy "$work/random.yaml" --method mingen -q -o "$work/file.csv" 2>"$work/err" || file=$?
    "$tacit" anonymize "$(place random)" --policy "$work/random.yaml" --method mingen -q -o "$(place released)" 2>"$work/err2" || engine=$?
    [ "$file" = "$engine" ] || fail "table $seed: the file ends with $file, the shards with $engine: $(cat "$work/err" "$work/err2")"
    [ "$file" = 0 ] || continue
    sql -c "\\copy (SELECT * FROM released) TO '$work/engine.csv' CSV HEADER"
    grep -q "^person: p" "$work/random.yaml" || compared=$((compared + 1))
    same_rows <(class_sizes "$work/file.csv") <(class_sizes "$work/engine.csv") || grep -q "^person: p" "$work/random.yaml" ||
        fail "table $seed is not the release of the file"
    # The file's judge says the same of it, where no row was left out.
    grep -q "^suppressed: drop" "$work/random.yaml" || grep -q "^person: p" "$work/random.yaml" || {
        "$tacit" audit "$work/engine.csv" --policy "$work/random.yaml" --original "$work/random.csv" >"$work/out" 2>&1 || [ $? -eq 5 ] || fail "$(cat "$work/out")"
        grep -q "the promise holds" "$work/out" || fail "table $seed: the file's judge refuses: $(cat "$work/out")"
    }
done
[ "$compared" -gt 0 ] || fail "no random table was compared"
pass "${TABLES:-100} random tables in shards"

# ---- each shard groups its own rows ----

load_shards planned_data "$work/random.csv" x
options="-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 -c auto_explain.log_verbose=on"
PGOPTIONS=$options "$tacit" anonymize "$(place planned_data)" --policy "$work/random.yaml" --loss 1 -q -o "$(place planned)"
plans=$work/cluster/coordinator/data/log
[ "$(grep -c 'Remote SQL: SELECT .*count(\*).* GROUP BY' "$plans")" -ge 3 ] || fail "the shards do not group: $(grep 'Remote SQL' "$plans" | head -3)"
grep -q 'Async Foreign Scan' "$plans" || fail "the shards are asked one after the other"
! grep 'Remote SQL: SELECT' "$plans" | grep -qv "GROUP BY" || fail "rows went to the coordinator"
pass "plans: every shard groups its own rows, all at once"

# ---- what the shard of a row says ----

cp "$root/examples/patients.csv" "$work/patients.csv"
load_shards seen "$work/patients.csv" diagnosis
"$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" --method datafly -q -o "$(place released)"
pass "shards by a column that is released as it is"
load_shards seen "$work/patients.csv" birth
refused "the shard of a row says something of birth" "$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" -o "$(place r)"
load_shards seen "$work/patients.csv" patient
refused "the shard of a row says something of patient" "$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" -o "$(place r)"
sql -c "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC"
refused "lets others read" "$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" --shards hidden -o "$(place r)"
sql -c "ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM PUBLIC"
on_worker 2 -c "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC"
refused "lets others read" "$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" --shards hidden -o "$(place r)"
on_worker 2 -c "ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM PUBLIC"
refused "a part of the data" "$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" --shards hidden -o "$(place seen_1)"
pass "what the shard of a row says"

# ---- what cannot be reached ----

sql -c "CREATE TABLE parent (a text, b text, c text, p text, x text)" -c "CREATE TABLE child () INHERITS (parent)"
refused "other tables inherit" "$tacit" anonymize "$(place parent)" --policy "$work/random.yaml" -o "$(place r)"
sql -c "CREATE SERVER gone FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$PGHOST', port '1', dbname 'postgres')" \
    -c "CREATE USER MAPPING FOR CURRENT_USER SERVER gone" \
    -c "CREATE FOREIGN TABLE away (a text, b text, c text, p text, x text) SERVER gone"
refused "no connection" "$tacit" anonymize "$(place away)" --policy "$work/random.yaml" -o "$(place r)"
on_worker 3 -c "CREATE ROLE reader LOGIN" -c "GRANT SELECT ON seen_part TO reader" -c "REVOKE CREATE ON SCHEMA public FROM PUBLIC"
sql -c "ALTER USER MAPPING FOR CURRENT_USER SERVER shard3 OPTIONS (SET user 'reader')"
refused "has not the right" "$tacit" anonymize "$(place seen)" --policy "$root/examples/patients.yaml" --shards hidden -o "$(place r)"
sql -c "ALTER USER MAPPING FOR CURRENT_USER SERVER shard3 OPTIONS (SET user '$PGUSER')"
pass "shards that cannot be reached, or written to"

# ---- nothing half published ----

prepare_many
load_shards many "$work/many.csv" charges
sql -c "CREATE TABLE published AS SELECT 'the old one' AS what"
complete=0
for try in $(seq 1 "${KILLS:-50}"); do
    "$tacit" anonymize "$(place many)" --policy "$work/many.yaml" --method datafly -q -o "$(place published)" >"$work/out" 2>&1 &
    child=$!
    sleep "$(awk -v t="$try" -v n="${KILLS:-50}" 'BEGIN { printf "%.3f", 2.2 * t / n }')"
    if [ $((try % 2)) = 0 ]; then
        kill -9 $child 2>/dev/null || true
    else # the connection to one of the servers is lost
        lost="SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%tacit%'"
        if [ $((try % 4)) = 1 ]; then sql -c "$lost" >/dev/null; else on_worker $((1 + try % 3)) -c "$lost" >/dev/null; fi
    fi
    status=0
    wait $child 2>/dev/null || status=$?
    for wait in $(seq 1 100); do # until the servers have noticed
        busy=0
        for i in 1 2 3; do
            busy=$((busy + $(on_worker $i -c "SELECT COUNT(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")))
        done
        [ $busy = 0 ] && break
        sleep 0.1
    done
    rows=$(sql -c "SELECT COUNT(*) FROM published")
    case $rows in
    1) [ "$status" -ne 0 ] || fail "ended well, and published nothing" ;;
    60000) complete=$((complete + 1)) && [ "$status" -eq 0 -o $((try % 2)) = 0 ] || fail "failed after publishing" ;;
    *) fail "half published: $rows rows" ;;
    esac
    # the next one starts where there is an old release, once in shards and once not
    [ "$rows" = 1 ] || [ $((try % 3)) = 0 ] || {
        sql -c "DROP TABLE published CASCADE" -c "CREATE TABLE published AS SELECT 'the old one' AS what" 2>/dev/null
    }
    [ "$rows" = 60000 ] && [ $((try % 3)) = 0 ] && sql -c "DROP TABLE published CASCADE" -c "CREATE TABLE published AS SELECT 'the old one' AS what" 2>/dev/null || true
done
for target in released planned r; do sql -c "DROP TABLE IF EXISTS $target CASCADE" 2>/dev/null; done
"$tacit" anonymize "$(place many)" --policy "$work/many.yaml" --method datafly -q -o "$(place published)"
no_shards_left 1
pass "${KILLS:-50} kills and lost connections: nothing half published ($complete had been done by then), and the next run cleans up"

echo "$passed passed, 0 failed"

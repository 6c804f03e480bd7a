#!/bin/bash
# engines.sh BUILD [ROWS...] - releases of made-up records inside PostgreSQL, of one table and of shards,
# beside CREATE TABLE AS of the same rows, and beside exporting them, releasing the file and loading it.
#
# A line a way: seconds by the clock, processor seconds of clients and of servers, megabytes over
# loopback, where all of it runs, and the clock as a ratio to CREATE TABLE AS.
set -euo pipefail
build=$(cd "${1:?usage: engines.sh BUILD [ROWS...]}" && pwd)
shift
[ $# -gt 0 ] || set -- 1000000 3000000
bench=$(cd "$(dirname "$0")" && pwd)
here=$bench/../tests/engines
set -- "$build" "$@"
. "$here/common.sh"
. "$here/server.sh"
shift
cleanup() {
    stop_shards "$work/cluster"
    rm -rf "$work"
}
trap cleanup EXIT
start_shards "$work/cluster"

# Processor ticks of what the servers have run and ended.
server_ticks() {
    local pid total=0
    for pid in $(head -qn 1 "$work"/cluster/*/data/postmaster.pid); do
        read -r user system < <(awk '{ print $16, $17 }' "/proc/$pid/stat")
        total=$((total + user + system))
    done
    echo "$total"
}
loopback_bytes() { awk '$1 == "lo:" { print $2 }' /proc/net/dev; }

measure() { # NAME COMMAND...
    local name=$1 ticks bytes
    shift
    ticks=$(server_ticks) bytes=$(loopback_bytes)
    TIMEFORMAT='%R %U %S'
    { time "$@" >/dev/null 2>"$work/err"; } 2>"$work/time" || fail "$name: $(cat "$work/err")"
    sleep 0.2 # until the servers have ended what they ran
    read -r wall user system < <(tail -1 "$work/time")
    base=${base:-$wall}
    awk -v name="$name" -v wall="$wall" -v client="$user" -v kernel="$system" -v base="$base" \
        -v ticks=$(($(server_ticks) - ticks)) -v hz="$(getconf CLK_TCK)" -v bytes=$(($(loopback_bytes) - bytes)) \
        'BEGIN { printf "%-34s %7.2f s  clients %6.2f  servers %6.2f  %8.1f MB  %5.1f\n", name, wall, client + kernel, ticks / hz, bytes / 1e6, wall / base }'
}


release() { "$tacit" anonymize "$@" --policy "$bench/policy.yaml" --method datafly -q; }
copy() { sql -c "DROP TABLE IF EXISTS copied" -c "CREATE TABLE copied AS SELECT birth, sex, postcode, race, marital, education, diagnosis, charges FROM people"; }
by_file() {
    sql -c "\\copy people TO '$work/exported.csv' CSV HEADER"
    release "$work/exported.csv" -o "$work/released.csv"
    load loaded "$work/released.csv"
}

for rows in "$@"; do
    "$build/bench/bench_generate" "$rows" >"$work/people.csv"
    load people "$work/people.csv"
    base=
    echo "$rows rows, $(du -m "$work/people.csv" | cut -f1) MB"
    measure "CREATE TABLE AS" copy
    measure "release inside, one table" release "$(place people)" -o "$(place released)"
    measure "export, release of the file, load" by_file
    for shards in 1 2 3; do
        SHARDS=$shards load_shards parted "$work/people.csv" patient
        measure "release inside, shards: $shards" release "$(place parted)" --shards hidden -o "$(place parted_released)"
        sql -c "DROP TABLE IF EXISTS parted_released CASCADE" 2>/dev/null
    done
done

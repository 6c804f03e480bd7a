# server.sh - a PostgreSQL server of the test's own, in a folder of its own, on loopback; sourced.
#
#   start_postgres FOLDER     starts it; PGHOST, PGPORT and PGUSER say where it is
#   stop_postgres FOLDER
#   place, load, unload       as common.sh says; sql, no_leftovers

# The server refuses to run as root, so it is then run as the user that its package has made.
as_server() {
    if [ "$(id -u)" -eq 0 ]; then
        runuser -u postgres -- "$@"
    else
        "$@"
    fi
}

postgres_programs() {
    local found
    found=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
    [ -n "$found" ] || { echo "server: no PostgreSQL here; scripts/setup.sh engines installs it" >&2; return 1; }
    echo "$found"
}

start_postgres() {
    local folder=$1 programs
    programs=$(postgres_programs)
    mkdir -p "$folder"
    [ "$(id -u)" -ne 0 ] || chown postgres "$folder"
    as_server "$programs/initdb" -D "$folder/data" -A trust -U tester --locale=C.UTF-8 -E UTF8 >"$folder.log" 2>&1 ||
        { cat "$folder.log" >&2; return 1; }
    export PGHOST=127.0.0.1 PGUSER=tester PGDATABASE=postgres
    local try
    for try in 1 2 3 4 5; do
        PGPORT=$((20000 + RANDOM % 30000))
        export PGPORT
        if as_server "$programs/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" \
            -o "-p $PGPORT -k $folder -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=64MB" \
            start >"$folder.log" 2>&1; then
            return 0
        fi
    done
    cat "$folder.log" "$folder/data/log" >&2
    return 1
}

stop_postgres() {
    as_server "$(postgres_programs)/pg_ctl" -D "$1/data" -m immediate -w stop >/dev/null 2>&1 || true
}

# A coordinator and three workers that it knows as the servers shard1 to shard3.
start_shards() { # FOLDER
    local i
    mkdir -p "$1"
    chmod 755 "$1"
    WORKER_PORTS=()
    for i in 1 2 3; do
        start_postgres "$1/worker$i"
        WORKER_PORTS+=("$PGPORT")
    done
    start_postgres "$1/coordinator"
    sql -c "CREATE EXTENSION postgres_fdw"
    for i in 1 2 3; do
        sql -c "CREATE SERVER shard$i FOREIGN DATA WRAPPER postgres_fdw
                OPTIONS (host '$PGHOST', port '${WORKER_PORTS[i - 1]}', dbname 'postgres', async_capable 'true')" \
            -c "CREATE USER MAPPING FOR CURRENT_USER SERVER shard$i OPTIONS (user '$PGUSER')"
    done
}
stop_shards() { # FOLDER
    local i
    for i in worker1 worker2 worker3 coordinator; do stop_postgres "$1/$i"; done
}
on_worker() { # NUMBER ARGUMENTS...
    local port=${WORKER_PORTS[$1 - 1]}
    shift
    PGPORT=$port sql "$@"
}
# A table of text as load makes it, its rows dealt to three workers (or to as many as SHARDS says, and
# one part beside them if OWN is set) by its column.
load_shards() { # TABLE FILE COLUMN
    local table=$1 file=$2 column=$3 shards=${SHARDS:-3} parts i columns
    parts=$((shards + ${OWN:-0}))
    columns=$(head -1 "$file" | tr -d '\r"' | tr ',' '\n' | sed 's/.*/"&" text/' | paste -sd,)
    sql -c "DROP TABLE IF EXISTS $table" -c "CREATE TABLE $table ($columns) PARTITION BY HASH (\"$column\")" 2>/dev/null
    for i in $(seq "$shards"); do
        on_worker "$i" -c "DROP TABLE IF EXISTS ${table}_part" -c "CREATE TABLE ${table}_part ($columns)" 2>/dev/null
        sql -c "CREATE FOREIGN TABLE ${table}_$i PARTITION OF $table FOR VALUES WITH (MODULUS $parts, REMAINDER $((i - 1)))
                SERVER shard$i OPTIONS (table_name '${table}_part', batch_size '1000')"
    done
    [ -z "${OWN:-}" ] || sql -c "CREATE TABLE ${table}_own PARTITION OF $table FOR VALUES WITH (MODULUS $parts, REMAINDER $shards)"
    sql -c "\\copy $table FROM '$file' CSV HEADER"
}
no_shards_left() { # but for those of so many RELEASES with SHARDS shards
    local i left
    for i in 1 2 3; do
        left=$(on_worker $i -c "SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'tacit %' AND relpersistence <> 't' AND relkind = 'r'")
        [ "$left" = $((i <= ${SHARDS:-3} ? ${1:-0} : 0)) ] || fail "$left tables of the run are on worker $i"
    done
}

place() { echo "postgresql://$PGUSER@$PGHOST:$PGPORT/postgres?table=$1"; }
sql() { psql -X -q -t -A -v ON_ERROR_STOP=1 "$@"; }
load() {
    local table=$1 file=$2
    sql -c "DROP TABLE IF EXISTS $table" -c "CREATE TABLE $table ($(head -1 "$file" | tr -d '\r"' |
        tr ',' '\n' | sed 's/.*/"&" text/' | paste -sd,))" \
        -c "\\copy $table FROM '$file' CSV HEADER" 2>/dev/null
}
unload() { sql -c "\\copy $1 TO '$2' CSV HEADER"; }
no_leftovers() {
    [ "$(sql -c "SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'tacit %' AND relpersistence <> 't'")" = 0 ] ||
        fail "tables of the run are left"
}

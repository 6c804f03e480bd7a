# clickhouse_server.sh - ClickHouse servers of the test's own, each in a folder of its own, on
# loopback; sourced.
#
#   start_clickhouse FOLDER [CLUSTER]  starts it; its ports are in FOLDER/http and FOLDER/tcp. CLUSTER
#                                      is a file with its remote_servers
#   stop_clickhouse FOLDER
#   place, load, unload, rows_of       as common.sh says, with the server at $port; sql, no_leftovers

# A port that nobody listens on now.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 30000))
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

# Users: default, who may do all; reader, who may only read; elsewhere, who may not see `default`; and
# guarded, whose password is `secret`.
clickhouse_users() {
    cat <<'EOF'
<?xml version="1.0"?>
<yandex>
 <profiles><default></default><readonly><readonly>2</readonly></readonly></profiles>
 <users>
  <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
  <reader><password></password><networks><ip>127.0.0.1</ip></networks><profile>readonly</profile><quota>default</quota></reader>
  <guarded><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></guarded>
  <elsewhere><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
   <allow_databases><database>other</database></allow_databases></elsewhere>
 </users>
 <quotas><default></default></quotas>
</yandex>
EOF
}

clickhouse_config() { # FOLDER CLUSTER
    cat <<EOF
<?xml version="1.0"?>
<yandex>
 <logger><level>warning</level><log>$1/log</log><errorlog>$1/errors</errorlog></logger>
 <http_port>$(cat "$1/http")</http_port><tcp_port>$(cat "$1/tcp")</tcp_port>
 <interserver_http_port>$(free_port)</interserver_http_port>
 <listen_host>127.0.0.1</listen_host>
 <path>$1/data/</path><tmp_path>$1/tmp/</tmp_path>
 <users_config>$1/users.xml</users_config>
 <default_profile>default</default_profile><default_database>default</default_database>
 <mark_cache_size>67108864</mark_cache_size><timezone>UTC</timezone>
 $(cat "${2:-/dev/null}")
</yandex>
EOF
}

start_clickhouse() {
    local folder=$1 try
    mkdir -p "$folder/data" "$folder/tmp"
    [ -s "$folder/http" ] || free_port >"$folder/http"
    [ -s "$folder/tcp" ] || free_port >"$folder/tcp"
    clickhouse_users >"$folder/users.xml"
    clickhouse_config "$folder" "${2:-}" >"$folder/config.xml"
    command -v clickhouse-server >/dev/null ||
        { echo "server: no ClickHouse here; scripts/setup.sh engines installs it" >&2; return 1; }
    clickhouse-server --config-file="$folder/config.xml" >"$folder/out" 2>&1 &
    echo $! >"$folder/pid"
    for try in $(seq 1 100); do
        [ "$(curl -s "http://127.0.0.1:$(cat "$folder/http")/" -d 'SELECT 1' 2>/dev/null)" = 1 ] && return 0
        sleep 0.1
    done
    cat "$folder/out" "$folder/errors" >&2
    return 1
}

stop_clickhouse() {
    [ -s "$1/pid" ] || return 0
    kill -9 "$(cat "$1/pid")" 2>/dev/null || true
    wait "$(cat "$1/pid")" 2>/dev/null || true
}

place() { echo "clickhouse://127.0.0.1:$port/default?table=$1"; }
sql() { curl -sS --fail-with-body "http://127.0.0.1:$port/?allow_experimental_low_cardinality_type=1" --data-binary "$1"; }
# CSV has no null that is no text; lines with tabs have.
load() {
    sql "DROP TABLE IF EXISTS $1"
    sql "CREATE TABLE $1 ($(head -1 "$2" | tr -d '\r"' | tr ',' '\n' | sed 's/.*/"&" Nullable(String)/' | paste -sd,))
        ENGINE = MergeTree ORDER BY tuple()"
    python3 -c '
import csv, sys
print("INSERT INTO " + sys.argv[1] + " FORMAT TabSeparated")
rows = csv.reader(open(sys.argv[2], newline=""))
next(rows)
for row in rows:
    print("\t".join(cell.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n") if cell else "\\N" for cell in row))
' "$1" "$2" | curl -sS --fail-with-body "http://127.0.0.1:$port/" --data-binary @-
}
unload() {
    sql "SELECT * FROM $1 FORMAT TabSeparatedWithNames" | python3 -c '
import csv, sys
out = csv.writer(open(sys.argv[1], "w", newline=""), lineterminator="\n")
for line in sys.stdin:
    out.writerow("" if cell == "\\N" else cell for cell in line.rstrip("\n").split("\t"))
' "$2"
}
rows_of() { sql "SELECT COUNT(*) FROM $1"; }
no_leftovers() {
    [ -z "$(sql "SELECT name FROM system.tables WHERE name LIKE 'tacit %'")" ] ||
        fail "tables of the run are left: $(sql "SELECT name FROM system.tables WHERE name LIKE 'tacit %'")"
}

# mariadb_server.sh - a MariaDB server of the test's own, in a folder of its own, on loopback, and the
# data sources of ODBC; sourced.
#
#   start_mariadb FOLDER      starts it; its port is in FOLDER/port
#   stop_mariadb FOLDER
#   maria SQL                 asks it
#   place, load, unload, rows_of, no_leftovers   as common.sh says, of the data source `maria`

as_mariadb() {
    if [ "$(id -u)" -eq 0 ]; then
        runuser -u mysql -- "$@"
    else
        "$@"
    fi
}

start_mariadb() {
    local folder=$1 port try
    command -v mariadbd >/dev/null || { echo "server: no MariaDB here; scripts/setup.sh engines installs it" >&2; return 1; }
    if [ ! -d "$folder/data" ]; then
        mkdir -p "$folder"
        [ "$(id -u)" -ne 0 ] || chown mysql "$folder"
        as_mariadb mariadb-install-db --no-defaults --datadir="$folder/data" --auth-root-authentication-method=normal >"$folder.log" 2>&1 ||
            { cat "$folder.log" >&2; return 1; }
    fi
    for try in 1 2 3 4 5; do
        port=$((20000 + RANDOM % 30000))
        [ ! -s "$folder.port" ] || port=$(cat "$folder.port")
        as_mariadb mariadbd --no-defaults --datadir="$folder/data" --port="$port" --bind-address=127.0.0.1 \
            --socket="$folder/socket" --pid-file="$folder/data/pid" --innodb-flush-log-at-trx-commit=0 >"$folder.log" 2>&1 &
        maria_child=$!
        for _ in $(seq 1 200); do
            mariadb -S "$folder/socket" -u root -e "SELECT 1" >/dev/null 2>&1 && echo "$port" >"$folder.port" && return 0
            kill -0 "$maria_child" 2>/dev/null || break
            sleep 0.1
        done
    done
    cat "$folder.log" >&2
    return 1
}

stop_mariadb() {
    [ ! -s "$1/data/pid" ] || kill -9 "$(cat "$1/data/pid")" 2>/dev/null || true
    wait "${maria_child:-}" 2>/dev/null || true
}

maria() { mariadb -S "$work/maria/socket" -u root --default-character-set=utf8mb4 -N -B -e "$1" ward; }
place() { echo "odbc:DSN=maria;table=$1"; }
load() {
    {
        echo "DROP TABLE IF EXISTS $1; CREATE TABLE $1 ($(head -1 "$2" | tr -d '\r"' | tr ',' '\n' | sed 's/.*/`&` longtext/' | paste -sd,)) CHARACTER SET utf8mb4;"
        python3 -c '
import csv, sys
rows = csv.reader(open(sys.argv[2], newline=""))
next(rows)
rows = ["(" + ",".join("\x27" + c.replace("\\", "\\\\").replace("\x27", "\x27\x27") + "\x27" if c else "NULL" for c in row) + ")" for row in rows]
for at in range(0, len(rows), 500):
    print("INSERT INTO " + sys.argv[1] + " VALUES " + ",".join(rows[at:at + 500]) + ";")
' "$1" "$2"
    } | mariadb -S "$work/maria/socket" -u root --default-character-set=utf8mb4 ward
}
unload() {
    {
        maria "SELECT column_name FROM information_schema.columns WHERE table_schema = 'ward' AND table_name = '$1' ORDER BY ordinal_position" | paste -sd'\t'
        maria "SELECT * FROM $1"
    } | python3 -c '
import csv, sys
out = csv.writer(open(sys.argv[1], "w", newline=""), lineterminator="\n")
for line in sys.stdin:
    out.writerow("" if cell == "NULL" else cell for cell in line.rstrip("\n").split("\t"))
' "$2"
}
rows_of() { maria "SELECT COUNT(*) FROM $1"; }
no_leftovers() {
    [ -z "$(maria "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'tacit %'")" ] || fail "tables of the run are left"
}

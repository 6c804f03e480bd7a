#!/bin/bash
# parquet.sh BUILD [SHARED-DATA] - Parquet files as a format: what DuckDB has written is read as it
# reads it, what is written says the same to it, with the same types; the command takes them as it
# takes CSV; damaged ones are errors.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/library.sh"
trap 'rm -rf "$work"' EXIT
find_duckdb

convert=$build/tests/convert
sql() { /usr/bin/python3 "$here/duckdb.py" "$TACIT_DUCKDB" :memory: "$@"; }
same_file() { cmp -s "$1" "$2" || fail "$3"; }
cd "$work"

# ---- the command ----

patients=$root/examples/patients.csv policy=$root/examples/patients.yaml
for packing in uncompressed snappy gzip zstd lz4_raw brotli; do
    sql "COPY (FROM read_csv('$patients', all_varchar = true)) TO 'patients.parquet' (COMPRESSION $packing)" >/dev/null
    "$convert" patients.parquet read.csv
    same_file read.csv "$patients" "packed by $packing it says something else"
done
pass "compressions"

anonymize() { "$tacit" anonymize "$1" --policy "$policy" --seed 3 -q "${@:3}" -o "$2"; }
anonymize "$patients" csv.csv
anonymize patients.parquet parquet.csv
same_file csv.csv parquet.csv "the release of a Parquet file is another"
anonymize patients.parquet one.parquet
anonymize patients.parquet two.parquet --threads 1
same_file one.parquet two.parquet "the same run writes other bytes"
sql "COPY (FROM 'one.parquet') TO 'one.csv' (HEADER)" >/dev/null
same_file csv.csv one.csv "DuckDB reads another release"
"$tacit" audit one.parquet --policy "$policy" --original patients.parquet >out || [ $? -eq 5 ] || fail "audit"
grep -q "the promise holds" out || fail "audit: $(cat out)"
"$tacit" audit one.parquet --policy "$policy" --original "$patients" >out2 || [ $? -eq 5 ] || fail "audit"
"$tacit" risk patients.parquet --quasi sex,birth >out || fail "risk"
anonymize "$patients" from.parquet && "$convert" from.parquet from.csv
same_file csv.csv from.csv "CSV to Parquet says something else"
cat patients.parquet | "$tacit" anonymize - --policy "$policy" --seed 3 -q >piped.csv
same_file csv.csv piped.csv "standard input"
pass "the same release from CSV and Parquet, to both"

# ---- types ----

sql "CREATE TYPE mood AS ENUM ('low', 'high')" \
    "COPY (SELECT (i % 100)::tinyint tiny, (i * 7)::usmallint small, (i * 100000)::integer whole, (i - 500) * 9007199254740993 big,
        (i / 7)::float single, i / 7 \"double\", ((i - 500) / 100)::decimal(18, 2) money, DATE '1850-01-01' + (i * 37)::integer AS day,
        TIME '00:00:00' + to_microseconds(i * 86000001) clock, TIMESTAMP '1899-12-31 23:59:59.999999' + to_hours(i) moment,
        TIMESTAMPTZ '2020-01-01 00:00:00+05' + to_minutes(i) zoned, make_timestamp_ns(i * 1000000007) nanos, i % 2 = 0 AS yes,
        (CASE i % 2 WHEN 0 THEN 'low' ELSE 'high' END)::mood AS feeling,
        CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN e'tab\tline\nback\\\\slash \"q\" ''s''' ELSE 'Größe' END note,
        CASE WHEN i % 3 > 0 THEN i END AS \"Größe \"\"x\"\", y\", NULL::integer AS none
        FROM range(1000) t(i)) TO 'types.parquet'" >/dev/null
"$convert" types.parquet again.parquet
[ "$(sql "SELECT COUNT(*) FROM ((FROM 'types.parquet' EXCEPT ALL FROM 'again.parquet') UNION ALL (FROM 'again.parquet' EXCEPT ALL FROM 'types.parquet')) x")" = 0 ] ||
    fail "values changed on the way"
[ "$(sql "SELECT column_name, column_type FROM (DESCRIBE FROM 'types.parquet')")" = "$(sql "SELECT column_name, column_type FROM (DESCRIBE FROM 'again.parquet')")" ] ||
    fail "types changed on the way"
"$convert" types.parquet types.csv
grep -q '^1,7,100000,-4494592428115755507,0.14285715,0.14285714285714285,-4.99,1850-02-07,00:01:26.000001,1900-01-01T00:59:59.999999,2019-12-31T19:01:00Z,1970-01-01T00:00:01.000000007,false,high,"",1,$' types.csv ||
    fail "$(sed -n 3p types.csv)"
pass "types, nulls, empty texts, zones, names, dates before 1900, whole numbers of 64 bits, decimals"

# What a table has no cells for is its text, and what a release makes of a column is text in it.
sql "COPY (SELECT '06f9c1af-737e-4a2d-9362-0d6380101a7c'::uuid id, '\\x00\\xFF'::blob raw, INTERVAL 1 day span,
    12345678901234567890123.45::decimal(38, 2) huge, 18446744073709551615::ubigint most) TO 'odd.parquet'" >/dev/null
"$convert" odd.parquet odd.csv
[ "$(tail -1 odd.csv)" = "06f9c1af-737e-4a2d-9362-0d6380101a7c,00FF,1 day,12345678901234567890123.45,18446744073709551615" ] || fail "$(cat odd.csv)"
"$convert" odd.parquet odd2.parquet
[ "$(sql "FROM 'odd2.parquet'")" = "$(tail -1 odd.csv | tr , '|')" ] || fail "odd types"
sql "COPY (SELECT birth::date AS birth, sex FROM read_csv('$patients', all_varchar = true)) TO 'births.parquet'" >/dev/null
printf 'k: 5\nperson: none\ncolumns:\n  birth: {role: quasi, hierarchy: {date: true}}\n  sex: quasi\n' >births.yaml
"$tacit" anonymize births.parquet --policy births.yaml --method mingen -q -o coarse.parquet
[ "$(sql "SELECT column_type FROM (DESCRIBE FROM 'coarse.parquet')" | paste -sd,)" = VARCHAR,VARCHAR ] || fail "generalized dates"
pass "other types as text, generalized columns"

# ---- what is refused ----

bad() { # WORDS FILE
    local status=0
    "$convert" "$2" bad.csv 2>out || status=$?
    [ "$status" = 1 ] || fail "$2: status $status"
    grep -q -- "$1" out || fail "$2: $(cat out)"
}
sql "COPY (SELECT 1 AS n, [1, 2] AS list) TO 'list.parquet'" "COPY (SELECT {'a': 1} AS parts) TO 'struct.parquet'" "COPY (SELECT MAP {'a': 1} AS m) TO 'map.parquet'" >/dev/null
bad 'column "list" holds lists or structs' list.parquet
bad 'column "parts" holds lists or structs' struct.parquet
bad 'column "m" holds lists or structs' map.parquet
head -c 3000 patients.parquet >short.parquet
bad "damaged" short.parquet
printf 'PAR1' >magic.parquet
bad "DuckDB: " magic.parquet
sql "COPY (SELECT repeat('x', 1000) AS a FROM range(3000000)) TO 'bomb.parquet' (ROW_GROUP_SIZE 3000000)" >/dev/null
bad "250 times as long" bomb.parquet
(TACIT_DUCKDB=$work/none bad "libduckdb.so, which is not here: install" patients.parquet)
(TACIT_DUCKDB=$work/none refused "libduckdb.so, which is not here: install" anonymize "$patients" none.parquet)
[ ! -e none.parquet ] || fail "wrote without DuckDB"
pass "refusals"

# ---- hostile files ----

sql "COPY (FROM 'types.parquet' LIMIT 40) TO 'small.parquet'" "COPY (SELECT i % 3 a, repeat('ab', i::integer) b, [i] c FROM range(30) t(i)) TO 'lists.parquet' (COMPRESSION uncompressed)" \
    "COPY (FROM 'types.parquet' LIMIT 40) TO 'plain.parquet' (COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1, PARQUET_VERSION v2)" \
    "COPY (SELECT i::varchar a FROM range(40) t(i)) TO 'packed.parquet' (COMPRESSION gzip)" >/dev/null
/usr/bin/python3 - "$convert" "${MUTATIONS:-200}" <<'PY' || fail "a hostile file"
"""Bytes of good files changed at random, most of them where the file says what it holds."""
import random
import subprocess
import sys

convert, count = sys.argv[1], int(sys.argv[2])
draw = random.Random(7)
for number in range(count):
    name = ["small.parquet", "plain.parquet", "packed.parquet", "lists.parquet"][number % 4]
    data = bytearray(open(name, "rb").read())
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for _ in range(draw.choice([1, 1, 2, 5, 20])):
        at = draw.randrange(footer, len(data)) if draw.random() < 0.7 else draw.randrange(4, footer)
        data[at] = draw.choice([0, 1, 127, 128, 255, data[at] ^ 1 << draw.randrange(8), draw.randrange(256)])
    if draw.random() < 0.1:
        cut = draw.randrange(4, footer)
        del data[cut:cut + draw.randrange(1, 40)]
    with open("hostile.parquet", "wb") as file:
        file.write(data)
    run = subprocess.run([convert, "hostile.parquet", "hostile.csv"], capture_output=True, timeout=60, check=False)
    if run.returncode not in (0, 1) or (run.returncode == 1) != bool(run.stderr):
        sys.exit(f"file {number}, of {name}: status {run.returncode}: {run.stderr.decode()}")
PY
[ -z "$(find . -name 'core*')" ] || fail "a core was left"
pass "${MUTATIONS:-200} damaged files"
echo "$passed passed, 0 failed"

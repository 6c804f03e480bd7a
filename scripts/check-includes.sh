#!/bin/bash
# check-includes.sh [ROOT] - checks that rooms include only what they may.
#
# The table below is the one in docs/ARCHITECTURE.md with what follows from it
# written out: a room may include itself, and the rooms on its line. An include
# names a room either as "room/file.h" or as <tacit/room.h>. Public headers keep
# the rules of their room; the second table has those not named after it. The third
# has rooms that see another's public header and nothing of its inside: the judge knows
# what cells are, and no method's code (tests/scripts/judge.sh: what it links to). The engine sees all
# public headers; the command those that stay, its own files and the workbench, and the workbench
# those that stay and formats.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

table='
base
table      base
formats    base table duckdb
duckdb     base
engines    base duckdb
hierarchy  base table
policy     base table hierarchy text
solver     base
records    base table hierarchy solver
audit      base table hierarchy solver
report     base
uniques    base table
cells      base table hierarchy solver graph
graph      base
text       base
ledger     base table hierarchy
techniques base table
loss       base table
engine     base
workbench  base table report engine
'
headers='
profile    policy
model      base
argus      records
ambiguate  records
dependencies records
itemsets   records
previous   records
trails     records
suppress   cells
audit_cells audit
audit_summary audit
audit_altered audit
audit_noise audit
audit_engine audit
alter cells
intervals  cells
audit_previous audit
audit_total audit
audit_link audit
audit_copies audit
audit_sensitive audit
audit_finer audit
audit_masked audit
audit_method audit
audit_probable audit
audit_relink audit
total      cells
lineage    hierarchy
text_learn text
text_rare  text
job        engine
arrow      formats
facts      report
page       report
'
sees='
audit      engines
workbench  formats
audit      cells
audit      graph
audit      techniques
policy     techniques
records    uniques
'

files=()
for pattern in include/tacit/*.h include/tacit/experimental/*.h src/*/*.[ch] src/*/*/*.[ch]; do
    [ -e "$pattern" ] && files+=("$pattern")
done

awk -v table="$table" -v headers="$headers" -v sees="$sees" '
function complain(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    broken = 1
}
# An internal header of a room, or a file of the own folder without one.
function check_quoted(name,    parts, room) {
    if (split(name, parts, "/") < 2) {
        if (own != "cli")
            complain("\"" name "\": write it with its room, as \"" own "/" name "\"")
        return
    }
    room = parts[1]
    if (own == "cli" && name == "workbench/workbench.h")
        return
    if (own == "cli" && room != "cli")
        complain("\"" name "\": the command may include public headers only")
    else if (!((own, room) in may))
        complain("\"" name "\": " own " may not include " room)
}
# A path without folders and ending.
function base_name(path) {
    sub(/.*\//, "", path)
    sub(/\.h$/, "", path)
    return path
}
# The room of a public header, by its name without folder and ending.
function room_of(header) {
    return header in belongs ? belongs[header] : header
}
function check_public(name,    room) {
    if ((own == "cli" || own == "workbench" && name !~ /formats/) && name ~ /experimental/)
        complain("<" name ">: the command uses the interface that stays")
    if (name == "tacit.h" || name == "tacit/experimental.h") {
        if (own != "cli" && own != "engine" && own != "experimental")
            complain("<" name ">: a room names the rooms it needs")
        return
    }
    room = room_of(base_name(name))
    if (own != "cli" && own != "engine" && own != "experimental" && !((own, room) in may) && !((own, room) in sight))
        complain("<" name ">: " own " may not include " room)
}
BEGIN {
    count = split(table, lines, "\n")
    for (i = 1; i <= count; i++) {
        words = split(lines[i], word, " ")
        for (j = 1; j <= words; j++)
            may[word[1], word[j]] = 1
    }
    may["cli", "cli"] = may["experimental", "experimental"] = 1
    count = split(headers, lines, "\n")
    for (i = 1; i <= count; i++)
        if (split(lines[i], word, " "))
            belongs[word[1]] = word[2]
    count = split(sees, lines, "\n")
    for (i = 1; i <= count; i++)
        if (split(lines[i], word, " "))
            sight[word[1], word[2]] = 1
}
FNR == 1 {
    split(FILENAME, path, "/")
    own = path[1] == "src" ? path[2] : room_of(base_name(FILENAME))
    if (!((own, own) in may))
        complain("a room without a line in scripts/check-includes.sh")
}
match($0, /^[ \t]*#[ \t]*include[ \t]*"[^"]+"/) {
    name = substr($0, RSTART, RLENGTH - 1)
    sub(/^[^"]*"/, "", name)
    check_quoted(name)
}
match($0, /^[ \t]*#[ \t]*include[ \t]*<tacit(\/[a-z_]+)*\.h>/) {
    name = substr($0, RSTART, RLENGTH - 1)
    sub(/^[^<]*</, "", name)
    check_public(name)
}
END { exit broken }
' "${files[@]}"

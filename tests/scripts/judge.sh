#!/bin/bash
# judge.sh BUILD - what the judge (src/audit) calls of other rooms, by the symbols of its objects. Includes are
# checked by scripts/check-includes.sh; a public header that the judge may see for its types has functions, too.
# The rooms and functions below are those of docs/ARCHITECTURE.md. Says so and ends with 77 where objects have no symbols.
set -u
source=$(cd "$(dirname "$0")/../../src" && pwd)
objects=$1/CMakeFiles/tacit_objects.dir/src
rooms='audit base table hierarchy solver engines'
functions='tacit_cells_describe tacit_cell_uses_new tacit_cell_uses_free tacit_intervals_init tacit_intervals_clear'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# symbols OPTION OBJECT...: a line each: the symbol, and the object without the folder of all.
symbols() {
    local option=$1
    shift
    nm "$option" -o "$@" 2>/dev/null |
        sed -nE "s|^$objects/([^:]*): *[0-9a-f]* [TDRBUC] (tacit_[a-z0-9_]+)\$|\2 \1|p" | sort -u
}
# Objects below a folder whose source is still there.
current() {
    find "$objects${1:+/$1}" -name '*.o' | while read -r object; do
        name=${object#"$objects/"}
        [ -e "$source/${name%.o}" ] && echo "$object"
    done
}
mapfile -t all < <(current "")
mapfile -t judge < <(current audit)
symbols --defined-only "${all[@]}" >"$work/defined"
symbols --undefined-only "${judge[@]}" >"$work/called"
if [ ! -s "$work/called" ]; then
    echo "skipped: the objects of this build have no symbols"
    exit 77
fi
join "$work/called" "$work/defined" | awk -v rooms="$rooms" -v functions="$functions" '
BEGIN {
    for (i = split(rooms, word, " "); i > 0; i--) room[word[i]] = 1
    for (i = split(functions, word, " "); i > 0; i--) may[word[i]] = 1
}
{
    split($3, path, "/")
    if (path[1] in room) next
    if ($1 in may) { used[$1] = 1; next }
    printf "%s: calls %s of %s, which docs/ARCHITECTURE.md does not list\n", $2, $1, $3
    broken = 1
}
END {
    for (name in may)
        if (!(name in used)) { printf "%s: listed, and not called any more\n", name; broken = 1 }
    exit broken
}'

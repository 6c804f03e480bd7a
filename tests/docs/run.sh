#!/bin/bash
# run.sh COMMAND [FILE...] - runs the examples of the documentation.
#
# In README.md and docs/, a fenced block marked `console` is an example: a line
# starting in `$ ` is a command (a trailing backslash continues it), the lines up
# to the next one are what it prints, errors included. A line of `...` stands for
# any lines, `...` within a line for anything. A command must succeed unless the
# next one is `echo $?`. The examples of one file run one after the other in a
# folder of their own that holds the files of examples/, with `tacit` at hand.
set -euo pipefail

command=$(realpath "$1")
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -eq 0 ]; then
    mapfile -t files < <(cd "$root" && find README.md docs -name '*.md' | sort)
    set -- "${files[@]/#/$root/}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$command" "$work/bin/tacit"
export PATH="$work/bin:$PATH" NO_COLOR=1

# split FILE FOLDER: numbered files in FOLDER: N.sh a command, N.want its output,
# N.line its line in FILE, N.any exists where it may fail.
split() {
    awk -v folder="$2" '
    function start(text) {
        n++
        name = sprintf("%s/%04d", folder, n)
        printf "" >(name ".want")
        print FNR >(name ".line")
        if (text == "echo $?" && n > 1)
            print "" >(sprintf("%s/%04d.any", folder, n - 1))
    }
    /^```/ { inside = !inside && /^```console/; next }
    !inside { next }
    continued || /^\$ / {
        text = $0
        if (!continued) {
            sub(/^\$ /, "", text)
            start(text)
        }
        continued = text ~ /\\$/
        print text >(name ".sh")
        next
    }
    n { print >(name ".want") }
    ' "$1"
}

# Whether the lines of WANT describe those of GOT.
matches() {
    awk '
    # Pieces between "..." appear in order: the first at the start, the last at the end.
    function line_matches(pattern, text,    pieces, count, i, at) {
        count = split(pattern, pieces, /\.\.\./)
        if (count < 2)
            return pattern == text
        if (substr(text, 1, length(pieces[1])) != pieces[1])
            return 0
        text = substr(text, length(pieces[1]) + 1)
        for (i = 2; i < count; i++) {
            at = index(text, pieces[i])
            if (pieces[i] != "" && !at)
                return 0
            if (at)
                text = substr(text, at + length(pieces[i]))
        }
        at = length(text) - length(pieces[count])
        return at >= 0 && substr(text, at + 1) == pieces[count]
    }
    FILENAME == ARGV[1] { want[++wants] = $0; next }
    { got[++gots] = $0 }
    # The last `...` line takes one line more each time what follows it fails.
    END {
        w = g = 1
        while (g <= gots) {
            if (w <= wants && want[w] == "...") { star = w++; from = g; continue }
            if (w <= wants && line_matches(want[w], got[g])) { w++; g++; continue }
            if (!star) exit 1
            w = star + 1
            g = ++from
        }
        while (w <= wants && want[w] == "...") w++
        exit w <= wants
    }' "$1" "$2"
}

# One shell runs the commands of a file, so that variables, folders and `$?` stay.
run_all() {
    local step text status=0
    cd "$1/place" || return
    for step in "$1"/steps/*.sh; do
        text=$(cat "$step")
        { (exit $status); eval "$text"; } >"${step%.sh}.got" 2>&1 </dev/null
        status=$?
        echo $status >"${step%.sh}.status"
    done
}

failures=0
examples=0
for file in "$@"; do
    folder=$(mktemp -d "$work/XXXXXX")
    mkdir "$folder/steps" "$folder/place"
    cp -r "$root/examples/." "$folder/place"
    split "$file" "$folder/steps"
    compgen -G "$folder/steps/*.sh" >/dev/null || continue
    (set +eu; run_all "$folder")
    for step in "$folder"/steps/*.sh; do
        step=${step%.sh}
        examples=$((examples + 1))
        place="${file#"$root"/}:$(cat "$step.line")"
        if [ "$(cat "$step.status")" -ne 0 ] && [ ! -e "$step.any" ]; then
            echo "$place: the command ends with status $(cat "$step.status"):"
            cat "$step.sh" "$step.got"
            failures=$((failures + 1))
        elif ! matches "$step.want" "$step.got"; then
            echo "$place: the command prints something else:"
            cat "$step.sh"
            diff "$step.want" "$step.got" || true
            failures=$((failures + 1))
        fi
    done
done
echo "docs: $examples examples, $failures failed"
[ "$failures" -eq 0 ] && [ "$examples" -gt 0 ]

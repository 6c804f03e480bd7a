#!/bin/bash
# scrub.sh BUILD [DATA] - measures `tacit scrub` beside `wc` on the same file.
#
# The text is JSON lines: letters.jsonl of the folder DATA (../shared/data/text beside the sources) where it is there, else
# documents that scripts/text/generate.py makes up, else one made-up letter with other names in it. It is repeated to 10 and
# 100 MB, as JSON lines and as one plain file; and to 10 MB with other names, numbers and dates each time, as what was there a moment
# ago costs less. Processor seconds are of all threads, starting up included; MB/s and core is the file by them. Best of REPEAT (3)
# runs. Prints a table and writes bench/scrub.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: scrub.sh BUILD [DATA]}" && pwd)
data=${2:-$here/../../shared/data/text}
repeat=${REPEAT:-3}
kept=$build/bench/data
mkdir -p "$kept"
work=$(mktemp -d "$kept/scrub.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$here/measure.sh"
json=""

# Some thousand documents as JSON lines, into $work/some.jsonl.
find_text() {
    local generate=$here/../scripts/text/generate.py
    if [ -e "$data/letters.jsonl" ]; then
        cp "$data/letters.jsonl" "$work/some.jsonl"
        from="letters.jsonl"
    elif [ -e "$generate" ] && python3 "$generate" --seed 1 --count 2000 >"$work/some.jsonl" 2>"$work/stderr"; then
        from="documents of generate.py"
    else
        awk 'BEGIN {
            split("Marjorie Philippa Patrick Virginia Eleanor Graham Desmond Harriet", first)
            split("Long Weston Hayes Townsend Graves Miller Ostrander Whitfield", last)
            for (i = 0; i < 2000; i++) {
                h = (h * 69069 + 12345) % 4294967296
                a = first[1 + int(h / 65536) % 8] " " last[1 + int(h / 4096) % 8]
                b = last[1 + int(h / 512) % 8]
                printf "{\"id\":%d,\"text\":\"Dear Dr. %s:\\n\\nThank you for sending me %s, a %d-year-old teacher with Hodgkin lymphoma that was found in June of 1993. Mrs. %s feels well on 20 mg of prednisone; her blood pressure is 120/80. She can be reached at (617) 555-%04d or by mail at %s@example.com.\\n\\nSincerely,\\nPatrick %s, M.D.\\n\"}\n", i, b, a, 20 + h % 60, b, int(h / 1024) % 10000, tolower(b), b
            }
        }' >"$work/some.jsonl"
        from="one made-up letter with other names"
    fi
    # the text alone, so that a file's bytes are those of its text
    sed -n -E 's/^.*("text": *"([^"\\]|\\.)*").*$/{\1}/p' "$work/some.jsonl" >"$work/text.jsonl"
    sed -E -e 's/^\{"text": *"//' -e 's/"\}$//' -e 's/\\n/\n/g' -e 's/\\"/"/g' "$work/text.jsonl" >"$work/text.txt"
}

# repeat_to MB: the same documents over and over, to about so many megabytes: $work/MB.jsonl and MB.txt.
repeat_to() {
    local form size
    for form in jsonl txt; do
        size=$(stat -c %s "$work/text.$form")
        for ((i = 0; i < ($1 * 1000000 + size - 1) / size; i++)); do
            cat "$work/text.$form"
        done >"$work/$1.$form"
    done
}

# vary_to MB: the same, with whatever is personal replaced by something else each time: $work/other.jsonl and other.txt.
vary_to() {
    local form size options
    for form in jsonl txt; do
        options=()
        [ $form = txt ] || options=(--jsonl text)
        size=$(stat -c %s "$work/text.$form")
        for ((i = 0; i < ($1 * 1000000 + size - 1) / size; i++)); do
            "$build/tacit" scrub "$work/text.$form" "${options[@]}" -q --seed $((i + 1)) -o - 2>>"$work/stderr"
        done >"$work/other.$form"
    done
}

# row WHAT FILE: what was measured last, beside wc on the same file.
row() {
    local bytes speed ratio
    bytes=$(stat -c %s "$2")
    speed=$(awk -v b="$bytes" -v s="$busy" 'BEGIN { printf "%.1f", b / 1e6 / s }')
    ratio=$(awk -v a="$busy" -v b="$counting" 'BEGIN { printf "%.2f", a / b }')
    printf '%-36s %8.1f MB %8.3f s %8.3f s %10s %8s %6d M\n' "$1" "$(awk -v b="$bytes" 'BEGIN { print b / 1e6 }')" \
        "$best" "$busy" "$speed" "$ratio" $((memory / 1000000))
    json+="${json:+,}
  {\"what\": \"$1\", \"bytes\": $bytes, \"seconds\": $best, \"processor\": $busy, \"mb_per_second_and_core\": $speed, \"times_wc\": $ratio, \"memory\": $memory}"
}

# beside_wc FILE OPTION...: wc, one thread, all threads.
beside_wc() {
    local file=$1
    shift
    run wc "$file"
    counting=$busy
    row "wc ${file##*/}" "$file"
    run "$build/tacit" scrub "$file" "$@" -q --threads 1 -o /dev/null
    row "scrub ${file##*/}, one thread" "$file"
    run "$build/tacit" scrub "$file" "$@" -q -o /dev/null
    row "scrub ${file##*/}, all threads" "$file"
}

find_text
repeat_to 10
repeat_to 100
vary_to 10
printf '%d processors, best of %d; %s\n\n' "$(nproc)" "$repeat" "$from"
printf '%-36s %11s %10s %10s %10s %8s %8s\n' "" size wall processor "MB/s/core" "x wc" memory
for size in other 10 100; do
    beside_wc "$work/$size.txt"
    beside_wc "$work/$size.jsonl" --jsonl text
done
run "$build/tacit" scrub "$work/100.jsonl" --jsonl text -q --threads 1 -o /dev/null --spans "$work/spans.jsonl"
row "scrub 100.jsonl with --spans" "$work/100.jsonl"
for threads in 1 2 7; do
    "$build/tacit" scrub "$work/10.jsonl" --jsonl text -q --seed 1 --threads $threads --spans - -o "$work/out" | cat - "$work/out" | sha256sum
done | sort -u | wc -l | sed 's/^1$/1, 2 and 7 threads: the same bytes/'

printf '[%s\n]\n' "$json" >"$work/scrub.json"
mv "$work/scrub.json" "${RESULTS:-$here/scrub.json}"

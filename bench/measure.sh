# measure.sh - what the measurements have in common; sourced by them. Needs $build, $kept, $work and
# $repeat.

# run PROGRAM...: best wall and processor seconds and the largest memory of $repeat runs, into best,
# busy and memory.
run() {
    local line wall processor peak i
    best="" busy="" memory=0
    for ((i = 0; i < repeat; i++)); do
        if ! line=$("$build/bench/bench_measure" /dev/null "$@" 2>"$work/stderr"); then
            echo "bench: failed: $*" >&2
            cat "$work/stderr" >&2
            exit 1
        fi
        read -r wall processor peak <<<"$line"
        best=$(awk -v a="$wall" -v b="${best:-$wall}" 'BEGIN { print (a < b ? a : b) }')
        busy=$(awk -v a="$processor" -v b="${busy:-$processor}" 'BEGIN { print (a < b ? a : b) }')
        [ "$peak" -le "$memory" ] || memory=$peak
    done
}

# patients ROWS: makes so many up, unless they are there, and reads them once; file is their name.
patients() {
    file=$kept/$1.csv
    if [ ! -s "$file" ]; then
        "$build/bench/bench_generate" "$1" >"$work/data"
        mv "$work/data" "$file"
    fi
    cat "$file" >/dev/null
}

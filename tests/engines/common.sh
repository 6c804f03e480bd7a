# common.sh - what every test of an engine has: where things are, and what a failure is; sourced with
# BUILD [SHARED-DATA]. An engine's own file (server.sh for PostgreSQL) defines
#
#   place TABLE       the table as the command takes it
#   load TABLE FILE   a CSV as a table of text; an empty cell without quotes is null
#   unload TABLE FILE the table as CSV with a header
#   no_leftovers      fails if tables of a run are left
#
# and, for kills,
#
#   lose_connection   has the server drop it
#   is_settled        whether the server does nothing for a run any more
#   publish_old       makes the table `published` one of one row
#   rows_of TABLE     their number
#   after_kill        fails if something is left that should not be
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:?usage: $0 BUILD [SHARED-DATA]}" && pwd)
shared=${2:-$root/../shared/data}
work=$(mktemp -d)
chmod 755 "$work"
tacit=$build/tacit
passed=0

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
pass() {
    passed=$((passed + 1))
    echo "ok: $*"
}
same_rows() { cmp -s <(sort "$1") <(sort "$2"); }
# Fails, and says so.
refused() { # WORDS COMMAND...
    local words=$1 status=0
    shift
    "$@" >"$work/out" 2>&1 || status=$?
    [ "$status" -ne 0 ] && [ "$status" -lt 6 ] || fail "was not refused, with $status: $*"
    grep -q -- "$words" "$work/out" || fail "does not say \"$words\": $(cat "$work/out")"
}
# The release in the engine is that of the file.
compare() { # NAME FILE POLICY METHOD
    load "$1" "$2"
    "$tacit" anonymize "$2" --policy "$3" --method "$4" -q -o "$work/file.csv"
    "$tacit" anonymize "$(place "$1")" --policy "$3" --method "$4" -q -o "$(place released)"
    unload released "$work/engine.csv"
    same_rows "$work/file.csv" "$work/engine.csv" || fail "$1 by $4 is not the release of the file"
    pass "$1 by $4: the release of the file"
}
# Some methods may take another of equally good classes: judged by both judges.
both_judges() {
    local method
    for method in local optimal; do
        "$tacit" anonymize "$(place patients)" --policy "$root/examples/patients.yaml" --method $method -q -o "$(place released)"
        unload released "$work/engine.csv"
        "$tacit" audit "$work/engine.csv" --policy "$root/examples/patients.yaml" \
            --original "$root/examples/patients.csv" >"$work/out" 2>&1 || [ $? -eq 5 ] || fail "$(cat "$work/out")"
        grep -q "the promise holds" "$work/out" || fail "$method: the file's judge refuses: $(cat "$work/out")"
        pass "patients by $method: both judges"
    done
}
# adult with its hierarchies and k = 5, where the data are here: $work/adult.csv and adult.yaml.
prepare_adult() {
    [ -e "$shared/adult/adult.csv" ] || { echo "skipped: adult is not here"; return 1; }
    tr ';' ',' <"$shared/adult/adult.csv" | tr -d '\r' >"$work/adult.csv"
    {
        echo "k: 5"
        echo "loss: 0.02"
        echo "person: none"
        echo "columns:"
        for column in sex age race marital-status education native-country workclass occupation salary-class; do
            echo "  $column: {role: quasi, hierarchy: $shared/adult/adult_hierarchy_$column.csv}"
        done
    } >"$work/adult.yaml"
}
# A table with missing values, and a policy that goes with it: $work/random.csv and random.yaml.
make_random() { # SEED
    awk -v seed="$1" 'BEGIN {
        srand(seed); n = 20 + int(rand() * 200); print "a,b,c,p,x"
        for (i = 0; i < n; i++) {
            a = rand() < 0.1 ? "" : 10 + int(rand() * 30); b = rand() < 0.1 ? "" : substr("uvwxyz", 1 + int(rand() * 6), 1)
            c = rand() < 0.2 ? "" : "0" int(rand() * 3) int(rand() * 3)
            printf "%s,%s,%s,%d,%d\n", a, b, c, int(rand() * n / 2), i }
    }' >"$work/random.csv"
    {
        echo "k: $((2 + $1 % 4))"
        echo "loss: 0.$(($1 % 3))"
        if [ $(($1 % 2)) = 0 ]; then echo "person: p"; else echo "person: none"; fi
        if [ $(($1 % 5)) = 0 ]; then echo "suppressed: drop"; fi
        echo "columns:"
        echo "  a: {role: quasi, hierarchy: {interval: {origin: 0, widths: [5, 10, 20]}}}"
        echo "  b: quasi"
        echo "  c: {role: quasi, hierarchy: {mask: right}}"
        echo "  p: {role: identifier, replace: drop}"
        echo "  x: insensitive"
    } >"$work/random.yaml"
}
# Random tables: nulls, partial suppression, people with several rows.
random_tables() {
    local seed file engine compared=0
    for seed in $(seq 1 "${TABLES:-30}"); do
        make_random "$seed"
        load random "$work/random.csv"
        file=0 engine=0
        "$tacit" anonymize "$work/random.csv" --policy "$work/random.yaml" --method mingen -q -o "$work/file.csv" 2>"$work/err" || file=$?
        "$tacit" anonymize "$(place random)" --policy "$work/random.yaml" --method mingen -q -o "$(place released)" 2>"$work/err2" || engine=$?
        [ "$file" = "$engine" ] || fail "table $seed: the file ends with $file, the engine with $engine: $(cat "$work/err" "$work/err2")"
        [ "$file" = 0 ] || continue
        unload released "$work/engine.csv"
        grep -q "^person: p" "$work/random.yaml" || compared=$((compared + 1))
        # Of classes of one size, any may be the one that is suppressed along; of people with several rows,
        # the engine suppresses all of a class where the file's method draws some.
        same_rows <(class_sizes "$work/file.csv") <(class_sizes "$work/engine.csv") || grep -q "^person: p" "$work/random.yaml" ||
            fail "table $seed is not the release of the file"
    done
    [ "$compared" -gt 0 ] || fail "no random table was compared"
    pass "${TABLES:-30} random tables, $compared of them compared"
}
class_sizes() { tail -n +2 "$1" | cut -d, -f1-3 | sort | uniq -c | awk '{ print $1 }' | sort -n; }
# Sixty thousand patients in the table `many`, and a policy that goes with them.
prepare_many() {
    "$build/bench/bench_generate" 60000 >"$work/many.csv"
    load many "$work/many.csv"
    cat >"$work/many.yaml" <<'EOP'
k: 5
loss: 0.05
person: none
columns:
  patient: {role: identifier, replace: drop}
  birth: {role: quasi, hierarchy: {date: true}}
  sex: quasi
  postcode: {role: quasi, hierarchy: {mask: right}}
  race: insensitive
  marital: insensitive
  education: insensitive
  diagnosis: insensitive
  charges: insensitive
EOP
}
# Starts its release; the process is $child.
start_many() {
    env --default-signal=INT "$tacit" anonymize "$(place many)" --policy "$work/many.yaml" --method datafly -q \
        -o "$(place published)" >"$work/out" 2>&1 &
    child=$!
}
# Killed, or cut off, at any moment: the old table or the new one, and nothing else.
kills() {
    local try child status rows complete=0
    publish_old
    for try in $(seq 1 "${KILLS:-20}"); do
        start_many
        sleep "$(awk -v t="$try" 'BEGIN { printf "%.3f", 0.05 * t }')"
        if [ $((try % 2)) = 0 ]; then
            kill -9 "$child" 2>/dev/null || true
        else
            lose_connection
        fi
        status=0
        wait "$child" 2>/dev/null || status=$?
        for _ in $(seq 1 600); do
            is_settled && break
            sleep 0.1
        done
        rows=$(rows_of published)
        case $rows in
        1) [ "$status" -ne 0 ] || fail "ended well, and published nothing" ;;
        60000) complete=$((complete + 1)) && publish_old ;;
        *) fail "half published: $rows rows" ;;
        esac
        [ "$status" -eq 0 ] || [ "$rows" = 1 ] || [ $((try % 2)) = 0 ] || fail "failed after publishing"
        after_kill
    done
    pass "${KILLS:-20} kills and lost connections: nothing half published ($complete had been done by then)"
}
# Ctrl-C stops a statement on the server, too.
interrupt() {
    local child
    publish_old
    start_many
    sleep 0.3
    kill -INT "$child"
    ! wait "$child" || fail "Ctrl-C did not stop it"
    [ "$(rows_of published)" = 1 ] || fail "published after Ctrl-C"
    no_leftovers
    pass "Ctrl-C"
}

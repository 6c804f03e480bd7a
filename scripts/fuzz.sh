#!/bin/bash
# fuzz.sh NAME|all [SECONDS] - builds tests/fuzz/fuzz_NAME.c with clang's fuzzer,
# AddressSanitizer and UndefinedBehaviorSanitizer and runs it for a while (60 s); `all`
# runs one after the other, as many at once as there are processors. What a fuzzer learns goes
# to build-fuzz/corpus/NAME, what it breaks to build-fuzz; a case worth keeping is copied to
# tests/fuzz/corpus/NAME by hand, where the ordinary tests replay it. SEED=N starts all of them alike.
set -euo pipefail
cd "$(dirname "$0")/.."

names=$(cd tests/fuzz && ls fuzz_*.c | sed 's/fuzz_\(.*\)\.c/\1/')
if [ $# -lt 1 ] || { [ "$1" != all ] && [ ! -f "tests/fuzz/fuzz_$1.c" ]; }; then
    echo "usage: scripts/fuzz.sh NAME|all [SECONDS], NAME one of: ${names//$'\n'/ }" >&2
    exit 2
fi
[ "$1" = all ] || names=$1
seconds=${2:-60}
jobs=$(nproc)
scripts/setup.sh build fuzz

mkdir -p build-fuzz/corpus
cmake -S . -B build-fuzz/build -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14 -DTACIT_FUZZ=ON -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG='-O1 -g1' -DCMAKE_CXX_FLAGS_DEBUG='-O1 -g1' >build-fuzz/cmake.log
# The names are a list of words.
# shellcheck disable=SC2086
cmake --build build-fuzz/build -j "$jobs" --target $(printf 'fuzz_%s ' $names) >build-fuzz/build.log 2>&1 ||
    { tail -50 build-fuzz/build.log >&2; exit 1; }

# fuzz NAME: one fuzzer; all it says is in build-fuzz/NAME.log. No input may take more than ten seconds.
fuzz() {
    mkdir -p "build-fuzz/corpus/$1"
    if build-fuzz/build/tests/fuzz_"$1" -seed="${SEED:-0}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2560 \
        -artifact_prefix="build-fuzz/$1-" "build-fuzz/corpus/$1" "tests/fuzz/corpus/$1" \
        >"build-fuzz/$1.log" 2>&1; then
        echo "$1: $(sed -n 's/^Done \([0-9]* runs\).*/\1/p' "build-fuzz/$1.log"), nothing broke"
    else
        tail -40 "build-fuzz/$1.log"
        echo "$1: broken; see build-fuzz/$1.log"
        return 1
    fi
}
export -f fuzz
export seconds
# shellcheck disable=SC2016
printf '%s\n' $names | xargs -P "$jobs" -I NAME bash -c 'fuzz NAME'

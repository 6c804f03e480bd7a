#!/bin/bash
# fuzz.sh NAME [SECONDS] - builds tests/fuzz/fuzz_NAME.c with clang's fuzzer and
# AddressSanitizer and runs it for a while (60 s). What it learns goes to
# build-fuzz/corpus/NAME, what it breaks to build-fuzz; a case worth keeping is
# copied to tests/fuzz/corpus/NAME by hand, where the ordinary tests replay it.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ] || [ ! -f "tests/fuzz/fuzz_$1.c" ]; then
    echo "usage: scripts/fuzz.sh NAME [SECONDS], NAME one of:" \
        "$(cd tests/fuzz && ls fuzz_*.c 2>/dev/null | sed 's/fuzz_\(.*\)\.c/\1/' | tr '\n' ' ')" >&2
    exit 2
fi
name=$1
seconds=${2:-60}
scripts/setup.sh build fuzz

mkdir -p "build-fuzz/corpus/$name"
# Lists and templates become data of the library, as in an ordinary build.
cmake -S . -B build-fuzz/build >build-fuzz/cmake.log
cmake --build build-fuzz/build --target tacit_tables >>build-fuzz/cmake.log
sources=$(find src -name '*.c' -not -path 'src/cli/*')
# The lists of sources and flags are lists of words.
# shellcheck disable=SC2046,SC2086
clang-14 -std=c17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -DTACIT_VERSION='"fuzz"' -DTACIT_TABLES_FILE='"build-fuzz/build/lexicon/tables.bin"' \
    -DTACIT_CHAIN_FILE='"src/text/chain.lst"' \
    -DTACIT_TEMPLATES_FILE='"src/text/templates.lst"' -Iinclude -Isrc "tests/fuzz/fuzz_$name.c" $sources \
    $(pkg-config --cflags --libs libsodium yaml-0.1 jansson clp) -pthread -lm -o "build-fuzz/fuzz_$name"

mkdir -p "tests/fuzz/corpus/$name"
exec "build-fuzz/fuzz_$name" -max_total_time="$seconds" -artifact_prefix="build-fuzz/$name-" \
    "build-fuzz/corpus/$name" "tests/fuzz/corpus/$name"

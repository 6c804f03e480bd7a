#!/bin/bash
# hardening.sh BUILD - whether the command and the shared library were built with what
# cmake/hardening.cmake asks for. Says so and ends with 77 where the build is instrumented.
set -u
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
if grep -q '^TACIT_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
    echo "skipped: an instrumented build has checks of its own"
    exit 77
fi
failed=0
miss() {
    echo "$1: $2"
    failed=1
}
# want FILE WHAT PATTERN READELF-OPTION...: what readelf says of the file holds the pattern.
want() {
    local file=$1 what=$2 pattern=$3
    shift 3
    readelf -W "$@" "$file" 2>/dev/null | grep -qE "$pattern" || miss "$file" "$what"
}
for file in "$build/tacit" "$build"/libtacit.so; do
    want "$file" "addresses are not relocatable" 'Type: +DYN' -h
    want "$file" "no RELRO" GNU_RELRO -l
    want "$file" "symbols are not bound at once" 'BIND_NOW|Flags:.* NOW' -d
    want "$file" "no stack protector" __stack_chk_fail -s
    want "$file" "no checked library calls" '_chk@' -s
    if readelf -W -l "$file" | grep -qE 'GNU_STACK.*RWE'; then miss "$file" "the stack is executable"; fi
    if grep -qaF "$source" "$file"; then miss "$file" "names the folder it was built from"; fi
done
# Functions begin with a mark that indirect branches must arrive at. Whether the whole program is marked is up to
# the system's own start files, so the code is looked at.
marked() {
    objdump -d --disassemble="$2" "$1" | grep -q endbr64 || miss "$1" "no control-flow protection"
}
if [ "$(uname -m)" = x86_64 ]; then
    marked "$build/tacit" main
    marked "$build/libtacit.so" tacit_version
fi
exit $failed

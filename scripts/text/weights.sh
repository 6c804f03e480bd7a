#!/bin/sh
# weights.sh BUILD [OUT] - learns the weights of the chain of words anew, into data/text/chain.lst unless OUT is given: from
# 80 000 documents that generate.py makes up, and eight times over from those that were written (written.py), which differ more
# than templates do and are fewer; sixteen times where nothing in them is personal, as they are one in five. Only whoever changes lists, roles or documents runs this; its result is committed. The same
# sources give the same bytes. Needs python3 and BUILD/bench/tacit_train (make everything).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: weights.sh BUILD [OUT]}
out=${2:-$here/../../data/text/chain.lst}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/generate.py" --part all --seed 1 --count 80000 >"$work/text.jsonl"
python3 "$here/written.py" >"$work/written.jsonl"
for i in 1 2 3 4 5 6 7 8; do
    cat "$work/written.jsonl"
done >>"$work/text.jsonl"
for i in 1 2 3 4 5 6 7 8; do
    grep -F '"spans": []' "$work/written.jsonl"
done >>"$work/text.jsonl"
"$build/bench/tacit_train" --set words=40 --set toll=2 --write "$out" "$work/text.jsonl"

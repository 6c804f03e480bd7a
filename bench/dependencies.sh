#!/bin/bash
# dependencies.sh BUILD [DATA] - measures finding functional dependencies against one count of classes.
#
# DATA (../shared/data beside the sources) is a folder with adult/adult.csv,
# suda2/{fars_int_100937x8,mushroom_int_8124x23}.csv and sdcmicro/testdata.csv; without it there is nothing
# to measure. For each: all minimal dependencies among all columns, and which of them a release with one
# cell in 1000 blank still proves. Processor seconds, best of five. What is found must be what is known,
# or the measurement ends. Prints a table and writes bench/dependencies.json.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: dependencies.sh BUILD [DATA]}" && pwd)
data=${2:-$here/../../shared/data}
[ -e "$data/adult/adult.csv" ] || { echo "bench: no adult/adult.csv in the folder given"; exit 0; }
json=""

# measure WHAT KNOWN FILE [OPTION]
measure() {
    local said
    said=$("$build/bench/bench_dependencies" "${@:3}")
    echo "$1: $said" | grep -v '^{'
    [[ $said == *"\"dependencies\": $2,"* ]] || { echo "bench: not $2 dependencies" >&2; exit 1; }
    json+="${json:+,}
  {\"what\": \"$1\", ${said##*$'\n'\{}"
}

measure 'adult' 0 "$data/adult/adult.csv"
measure 'fars_int' 0 "$data/suda2/fars_int_100937x8.csv" --no-header
measure 'testdata' 78 "$data/sdcmicro/testdata.csv"
measure 'mushroom_int' 3584 "$data/suda2/mushroom_int_8124x23.csv" --no-header

printf '[%s\n]\n' "$json" >"${RESULTS:-$here/dependencies.json}"

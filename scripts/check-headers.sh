#!/bin/bash
# check-headers.sh - every public header compiles alone, as C17 and, where a C++
# compiler is at hand, as C++.
set -euo pipefail
cd "$(dirname "$0")/.."

for header in tacit.h $(cd include && echo tacit/*.h tacit/experimental/*.h); do
    echo "#include <$header>" |
        "${CC:-gcc}" -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -xc -
    if command -v g++ >/dev/null; then
        echo "#include <$header>" |
            g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -xc++ -
    fi
done

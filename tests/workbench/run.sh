#!/bin/bash
# run.sh BUILD - the workbench in a real browser, and what it answers to those who are no browser.
# Installs the driver of the browser below BUILD; the tests start and stop servers of their own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: run.sh BUILD}" && pwd)
packages=$build/workbench
command -v npm >/dev/null || "$here/../../scripts/setup.sh" npm
mkdir -p "$packages"
cp "$here/package.json" "$packages/"
[ -d "$packages/node_modules/playwright-core" ] && [ -d "$packages/node_modules/axe-core" ] ||
    npm install --prefix "$packages" --ignore-scripts --no-audit --no-fund --no-package-lock >"$packages/npm.log" 2>&1 ||
    { cat "$packages/npm.log" >&2; exit 1; }
cp "$here"/*.mjs "$packages/"
export TACIT=$build/tacit EXAMPLES=$here/../../examples SHOTS=${SHOTS:-}
cd "$packages"
exec node --test --test-concurrency=1 --test-timeout=900000 ${TESTS:-http.test.mjs browser.test.mjs}

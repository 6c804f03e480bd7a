# library.sh - DuckDB's library for the tests that need it; sourced with $root and $build.
#
#   find_duckdb    sets and exports TACIT_DUCKDB, unless it is set: the library of the package for
#                  node, which is fetched into the build folder once
DUCKDB_VERSION=1.5.6-r.1

find_duckdb() {
    local machine=x64 folder=$build/duckdb
    [ -z "${TACIT_DUCKDB:-}" ] || return 0
    [ "$(uname -m)" = x86_64 ] || machine=arm64
    if [ ! -e "$folder/libduckdb.so" ]; then
        command -v npm >/dev/null || "$root/scripts/setup.sh" npm
        rm -rf "$folder.new"
        mkdir -p "$folder.new"
        (cd "$folder.new" && npm pack --silent "@duckdb/node-bindings-linux-$machine@$DUCKDB_VERSION" >/dev/null)
        tar -xzf "$folder.new"/*.tgz -C "$folder.new" --strip-components=1 package/libduckdb.so
        rm -rf "$folder"
        mv "$folder.new" "$folder"
    fi
    export TACIT_DUCKDB=$folder/libduckdb.so
}

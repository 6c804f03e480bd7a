#!/bin/bash
# setup.sh [GROUP...] - installs the Debian packages of packages.txt that are missing.
#
# Groups are the second words of packages.txt; without one, `build`. Nothing is
# asked of the network when nothing is missing. Where the packages cannot be
# installed from here, the one command that installs them is printed and the
# script ends with status 1. TACIT_NO_SETUP=1 skips it all.
set -euo pipefail

if [ "${TACIT_NO_SETUP:-0}" = 1 ]; then
    exit 0
fi

list=$(dirname "$0")/packages.txt
[ $# -gt 0 ] || set -- build

wanted=()
for group in "$@"; do
    mapfile -t -O "${#wanted[@]}" wanted < <(awk -v group="$group" \
        '!/^#/ && $2 == group { print $1 }' "$list")
done

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not a Debian system; tacit needs what Debian calls: ${wanted[*]}" >&2
    exit 0
fi

# A package that another one provides (pkg-config by pkgconf) counts as installed.
installed=" $(dpkg-query -W -f '${db:Status-Abbrev}|${Package}, ${Provides}\n' |
    sed -n 's/^.i *|//p' | sed 's/([^)]*)//g' | tr -s ', \n' ' ') "
missing=()
for package in "${wanted[@]}"; do
    case $installed in
    *" $package "*) ;;
    *) missing+=("$package") ;;
    esac
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

root=()
if [ "$(id -u)" -ne 0 ]; then
    # Asking for a password makes sense only where somebody can type it.
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
        echo "setup: packages are missing and this user may not install them; run as root:" >&2
        echo "  apt-get update && apt-get install --no-install-recommends -y ${missing[*]}" >&2
        exit 1
    fi
    root=(sudo)
fi

echo "setup: installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" \
        >"$log" 2>&1 </dev/null && return 0
    cat "$log" >&2
    echo "setup: apt-get $1 failed; the packages needed are: ${missing[*]}" >&2
    return 1
}
apt update
apt install --no-install-recommends -y "${missing[@]}"

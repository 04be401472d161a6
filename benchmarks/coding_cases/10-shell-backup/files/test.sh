#!/bin/sh
# tests of backup.sh (no compiler needed)
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

mkdir "$tmp/my files"
echo 1 >"$tmp/my files/plain.txt"
echo 2 >"$tmp/my files/two words.txt"

got=$(STAMP=1 sh "$here/backup.sh" "$tmp/my files" "$tmp/old backups")
[ "$got" = "2 files in backup-1" ] || fail "said '$got'"
[ -f "$tmp/old backups/backup-1/two words.txt" ] || fail "two words.txt is not there"

for n in 2 3 4; do STAMP=$n sh "$here/backup.sh" "$tmp/my files" "$tmp/old backups" 3 >/dev/null; done
got=$(ls "$tmp/old backups" | tr '\n' ' ')
[ "$got" = "backup-2 backup-3 backup-4 " ] || fail "kept '$got'"

[ $failed = 0 ] && echo ok
exit $failed

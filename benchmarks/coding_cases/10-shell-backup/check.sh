#!/bin/sh
# run in the repository's root
timeout 20 sh test.sh || exit 1
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
r=$(pwd); bad=0
mkdir -p "$t/s p a c e/sub" "$t/t * gt"
: >"$t/s p a c e/-n"; : >"$t/s p a c e/a * b"; : >"$t/s p a c e/c  d"; : >"$t/s p a c e/q\"'q"
: >"$t/s p a c e/sub/inner"
cd "$t" || exit 1
g=$(STAMP=a timeout 5 sh "$r/backup.sh" "$t/s p a c e" "t * gt" 2) || bad=1
[ "$g" = "4 files in backup-a" ] || { echo "own: said $g"; bad=1; }
for f in "-n" "a * b" "c  d" "q\"'q"; do [ -f "$t/t * gt/backup-a/$f" ] || { echo "own: no $f"; bad=1; }; done
[ -e "$t/t * gt/backup-a/sub" ] && { echo "own: a folder was copied"; bad=1; }
for s in b c; do STAMP=$s timeout 5 sh "$r/backup.sh" "$t/s p a c e" "t * gt" 2 >/dev/null || bad=1; done
[ "$(ls "$t/t * gt" | tr '\n' ' ')" = "backup-b backup-c " ] || { echo "own: kept $(ls "$t/t * gt")"; bad=1; }
STAMP=d timeout 5 sh "$r/backup.sh" "$t/s p a c e" "t * gt" >/dev/null
[ "$(ls "$t/t * gt" | wc -l)" -eq 3 ] || { echo "own: the default is 3"; bad=1; }
mkdir "$t/empty"
g=$(STAMP=e timeout 5 sh "$r/backup.sh" "$t/empty" "$t/o" 1)
[ "$g" = "0 files in backup-e" ] && [ -d "$t/o/backup-e" ] || { echo "own: empty: $g"; bad=1; }
sh "$r/backup.sh" "$t/no such" "$t/o" 2>/dev/null && { echo "own: no such folder"; bad=1; }
exit $bad

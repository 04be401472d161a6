#!/bin/sh
# backup.sh SOURCE TARGET [KEEP]
# Copies the plain files of SOURCE into TARGET/backup-STAMP, and keeps the KEEP newest backups.
# STAMP is taken from the environment, or is the time now.

. "$(dirname "$0")/lib.sh"

[ $# -ge 2 ] || die "usage: backup.sh SOURCE TARGET [KEEP]"
src=$1
dst=$2
keep=${3:-3}
stamp=${STAMP:-$(date +%Y%m%d-%H%M%S)}

[ -d $src ] || die "no folder $src"
new=$dst/backup-$stamp
mkdir -p "$new" || die "cannot make $new"

copied=0
for file in $(ls "$src"); do
    [ -f "$src/$file" ] || continue
    cp "$src/$file" $new/ || die "cannot copy $file"
    copied=$((copied + 1))
done
prune "$dst" "$keep"
say "$copied files in backup-$stamp"

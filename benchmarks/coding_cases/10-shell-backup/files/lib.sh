# helpers for backup.sh; to be read with "."

say() {
    printf '%s\n' "$*"
}

die() {
    say "backup: $*" >&2
    exit 1
}

# the number of backups in a folder
count_backups() {
    ls -d "$1"/backup-* 2>/dev/null | wc -l | tr -d ' '
}

# remove the oldest until KEEP are left
prune() {
    folder=$1
    keep=$2
    while [ $(count_backups "$folder") -ge $keep ]; do
        oldest=$(ls -d "$folder"/backup-* | head -n 1)
        rm -rf $oldest
    done
}

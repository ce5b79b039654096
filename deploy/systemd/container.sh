# shellcheck shell=bash
# Functions of the trials that run the service under a real systemd, in a container made of the folder $root.

: "${root:?}"
log=$(mktemp)

clean_up() {
    [ -z "${container:-}" ] || kill "$container" 2>/dev/null || true
    wait
    rm -f -- "$log"
}
trap clean_up EXIT

die() {
    echo "$*" >&2
    tail -n 20 "$log" >&2
    exit 1
}

# begun SECONDS COMMAND...: waits until the command succeeds.
begun() {
    local left=$(($1 * 5))
    shift
    until "$@" >>"$log" 2>&1; do
        [ $((left -= 1)) -gt 0 ] || die "never: $*"
        sleep 0.2
    done
}

in_root() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" >>"$log" 2>&1 ||
        die "failed: $*"
}

# inside COMMAND...: runs a command in the container.
inside() {
    nsenter --target "$(pgrep --parent "$container")" --mount --uts --ipc --net --pid --root --wd \
        /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# does NAME COMMAND...
does() {
    local name=$1
    shift
    inside "$@" >>"$log" 2>&1 || {
        inside journalctl --unit taluvad --no-pager >>"$log" 2>&1 || true
        die "$name: failed"
    }
    echo "  $name"
}

rooms() {
    inside curl --silent http://127.0.0.1:7400/metrics | sed -n 's/^taluva_rooms{phase="playing"} //p'
}

# boots: starts the container, and waits for its systemd.
boots() {
    systemd-nspawn --directory "$root" --boot --private-network --register=no --keep-unit --console=pipe </dev/null >>"$log" 2>&1 &
    container=$!
    begun 30 inside systemctl list-units
}

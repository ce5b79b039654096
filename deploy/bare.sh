# shellcheck shell=bash
# Functions of what needs a bare Debian 12: the trials, and continuous integration. Needs common.sh.

: "${log:?}" "${top:?}"

# A bare system that was kept is made anew after so long: by then Debian has newer packages.
BARE_DAYS=30
# Nor does it take longer than this to make one; a network that is not there may say nothing.
BARE_SECONDS=1200
# What a command in the bare system is told of this machine: how to reach the network, and whose certificates to trust.
BARE_VARIABLES="http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NODE_EXTRA_CA_CERTS"

# bare_sources: prints this machine's apt sources of bookworm as lines for sources.list.
bare_sources() {
    apt-get indextargets --format "deb \$(SITE) \$(RELEASE) \$(COMPONENT)" "Created-By: Packages" |
        grep -E ' bookworm(-updates|-security)? main$' | sort -u
}

# bare_missing: prints why this machine cannot have a bare system; nothing if it can.
bare_missing() {
    local command
    [ "$(id -u)" -eq 0 ] || { echo "not root" && return; }
    for command in apt-get unshare pivot_root mount setpriv flock; do
        command -v "$command" >/dev/null || { echo "there is no $command" && return; }
    done
    unshare --mount --pid --fork --kill-child mount -t tmpfs none /tmp 2>/dev/null || { echo "unshare and mount are not allowed" && return; }
    command -v debootstrap >/dev/null || apt_install debootstrap || { echo "debootstrap is not installed and cannot be" && return; }
    [ -n "$(bare_sources)" ] || echo "apt has no source of Debian 12"
}

# apt_install PACKAGE...: without a word.
apt_install() {
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update >"$log" 2>&1 </dev/null && "${apt[@]}" --no-install-recommends install "$@" >"$log" 2>&1 </dev/null
}

# bare_clean FOLDER: the smallest Debian 12, made with debootstrap if there is none yet, or an old one. It has its name once it is whole.
bare_clean() {
    [ -e "$1/etc/debian_version" ] && [ -z "$(find "$1" -maxdepth 0 -mtime "+$BARE_DAYS")" ] && return 0
    command -v debootstrap >/dev/null || die "needs the package debootstrap"
    say "debootstrap: $1"
    rm -rf --one-file-system -- "$1" "$1.new" "${1%.clean}.fetched"
    timeout "$BARE_SECONDS" debootstrap --variant=minbase bookworm "$1.new" \
        "$(bare_sources | awk '$3 == "bookworm" { print $2; exit }')" >"$log" </dev/null ||
        { tail -n 20 "$log" && die "debootstrap failed"; }
    touch -- "$1.new" && mv -- "$1.new" "$1"
}

# bare_make FOLDER: a copy of FOLDER.clean with only the name resolution, the certificates, and the settings of apt and npm of this
# machine.
bare_make() {
    bare_kept "$1" && bare_clean "$1.clean" &&
        rm -rf --one-file-system -- "$1" "$1.new" &&
        cp -a --reflink=auto -- "$1.clean" "$1.new" &&
        cp -- /etc/resolv.conf /etc/hosts "$1.new/etc/" &&
        bare_sources >"$1.new/etc/apt/sources.list" &&
        cp -- /etc/apt/apt.conf.d/* "$1.new/etc/apt/apt.conf.d/" &&
        bare_dpkg >"$1.new/etc/dpkg/dpkg.cfg.d/bare" &&
        mkdir -p -- "$1.new/usr/local/share/ca-certificates" &&
        { cp -- /usr/local/share/ca-certificates/*.crt "$1.new/usr/local/share/ca-certificates/" 2>/dev/null || true; } &&
        bare_npm "$1.new" &&
        mv -- "$1.new" "$1" && bare_packages "$1"
}

# bare_dpkg: prints settings of dpkg for a system that need not outlive a power failure, and in which nobody reads.
bare_dpkg() {
    echo force-unsafe-io
    printf 'path-exclude=%s/*\n' /usr/share/doc /usr/share/info /usr/share/locale /usr/share/man
    echo 'path-include=/usr/share/*/taluva*' # our own packages are tried in one as well
}

# bare_npm FOLDER: npm's settings of this machine and this user, and the certificates that they and node's name.
bare_npm() {
    local file scope
    for scope in user:root/.npmrc global:etc/npmrc; do
        file=$(cd / && npm config get "${scope%%:*}config" 2>/dev/null) || continue
        [ ! -f "$file" ] || cp -p -- "$file" "$1/${scope#*:}" || return
    done
    for file in "${NODE_EXTRA_CA_CERTS:-}" $(cat "$1/root/.npmrc" "$1/etc/npmrc" 2>/dev/null | sed -n 's/^ *cafile *= *"\{0,1\}\([^" ]*\).*/\1/p'); do
        [ ! -f "$file" ] || [ -e "$1$file" ] || { mkdir -p -- "$1${file%/*}" && cp -- "$file" "$1$file"; } || return
    done
}

# bare_packages FOLDER: what apt has fetched for this machine, or for an earlier bare system here, is not fetched again.
bare_packages() {
    local from archives=$1/var/cache/apt/archives
    mkdir -p -- "$archives" "$1.fetched"
    for from in "$1.fetched" /var/cache/apt/archives; do
        # Another file system cannot have a second name of a file.
        find "$from" -maxdepth 1 -name '*.deb' -size +0 -exec cp -l -n -t "$archives" -- {} + 2>/dev/null ||
            find "$from" -maxdepth 1 -name '*.deb' -size +0 -exec cp -n -t "$archives" -- {} + || return
    done
}

# bare_kept FOLDER: keeps for the next time what was fetched in the system that is there, if there is one.
bare_kept() {
    local archives=$1/var/cache/apt/archives
    [ ! -d "$archives" ] || { mkdir -p -- "$1.fetched" &&
        find "$archives" -maxdepth 1 -name '*.deb' -links 1 -exec cp -l -n -t "$1.fetched" -- {} +; }
}

# checkout_copied FOLDER: the files of the checkout that are ours, as an archive of a release has them: without .git. Those of the last commits
# are the newest, as they are for whoever wrote them (tests/lint/tidy.py).
checkout_copied() {
    mkdir -p -- "$1"
    if git -c safe.directory="$top" -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
        (cd "$top" && git -c safe.directory="$top" ls-files -z --cached --others --exclude-standard | tar -c --null -T - -f -)
    else
        (cd "$top" && tar -c --exclude=./build-* --exclude=node_modules --exclude=__pycache__ --exclude=./.git -f - .)
    fi | tar -x --no-same-owner -C "$1" -f -
    { git -c safe.directory="$top" -C "$top" log -n 40 --name-only --format= -z 2>/dev/null || true; } |
        (cd "$1" && xargs -0 -r touch -c --)
}

# bare_inside FOLDER DIRECTORY COMMAND...: runs a command there, in an empty environment but for CI and what the network needs. It has
# processes, mounts and shared memory of its own, which end with it, and it ends with this shell. The system is no chroot: in one nobody may
# make namespaces of users. What dpkg knows is in memory meanwhile: it waits for the disk thirty times for each package.
bare_inside() {
    local variable settings=()
    for variable in $BARE_VARIABLES $(compgen -e | grep -i '^npm_config_' || true); do
        [ -z "${!variable:-}" ] || settings+=("$variable=${!variable}")
    done
    [ ! -e "$1/etc/npmrc" ] || settings+=(npm_config_globalconfig=/etc/npmrc)
    # shellcheck disable=SC2016 # expanded inside
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child bash -euc '
        root=$1 directory=$2
        shift 2
        mount --bind "$root" "$root"
        cd "$root"
        mount -t proc proc proc
        mount --rbind /dev dev
        mount -t tmpfs -o mode=1777 tmpfs dev/shm
        pivot_root . .
        umount -l .
        mount -t tmpfs -o mode=755 tmpfs /mnt
        cp -a /var/lib/dpkg/. /mnt
        mount --move /mnt /var/lib/dpkg
        status=0
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true "$@" || status=$?
        rm -rf /var/lib/dpkg.kept
        cp -a /var/lib/dpkg /var/lib/dpkg.kept
        umount -l /var/lib/dpkg
        cmp -s /var/lib/dpkg.kept/status /var/lib/dpkg/status || {
            mv /var/lib/dpkg /var/lib/dpkg.before
            mv /var/lib/dpkg.kept /var/lib/dpkg
        }
        rm -rf /var/lib/dpkg.kept /var/lib/dpkg.before
        exit "$status"
    ' bash "$1" "$2" "${settings[@]}" sh -c 'cd "$0" && exec "$@"' "$2" "${@:3}" </dev/null
}

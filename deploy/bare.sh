# shellcheck shell=bash
# Functions of the trials that need a bare Debian 12. Needs common.sh.

: "${log:?}"

# bare_sources: prints this machine's apt sources of bookworm as lines for sources.list.
bare_sources() {
    apt-get indextargets --format "deb \$(SITE) \$(RELEASE) \$(COMPONENT)" "Created-By: Packages" |
        grep -E ' bookworm(-updates|-security)? main$' | sort -u
}

# bare_clean FOLDER: the smallest Debian 12, made with debootstrap if there is none yet.
bare_clean() {
    [ -e "$1/etc/debian_version" ] && return 0
    command -v debootstrap >/dev/null || die "needs the package debootstrap"
    say "debootstrap: $1"
    rm -rf -- "$1"
    debootstrap --variant=minbase bookworm "$1" "$(bare_sources | awk '$3 == "bookworm" { print $2; exit }')" >"$log" ||
        { tail -n 20 "$log" && die "debootstrap failed"; }
}

# bare_make FOLDER: a copy of FOLDER.clean with only the name resolution, the certificates and the apt settings of this machine.
bare_make() {
    bare_clean "$1.clean"
    rm -rf -- "$1"
    cp -a --reflink=auto -- "$1.clean" "$1"
    cp -- /etc/resolv.conf /etc/hosts "$1/etc/"
    bare_sources >"$1/etc/apt/sources.list"
    cp -- /etc/apt/apt.conf.d/* "$1/etc/apt/apt.conf.d/"
    mkdir -p -- "$1/usr/local/share/ca-certificates"
    cp -- /usr/local/share/ca-certificates/*.crt "$1/usr/local/share/ca-certificates/" 2>/dev/null || true
}

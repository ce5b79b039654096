# shellcheck shell=bash
# Functions of deploy/run and deploy/test: they find and install missing packages, configure and build. They use Debian's
# package tools and meson, run apt only if packages are missing, never ask questions, and write only to the checkout or, if
# that is read-only, to the user's cache.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly top

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# packages_listed LIST...: prints the lists without comments.
packages_listed() {
    cat -- "${@/#/$top/deploy/packages.}" | sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d'
}

# packages_missing LIST...: prints the packages that are not installed and whose command does not exist either.
packages_missing() {
    local installed name command
    # shellcheck disable=SC2016 # dpkg-query's own variables
    installed=$(packages_listed "$@" | cut -d ' ' -f 1 |
        xargs dpkg-query -W -f='${Package} ${db:Status-Status}\n' 2>/dev/null || true)
    packages_listed "$@" | while read -r name command; do
        grep -qxF "$name installed" <<<"$installed" && continue
        [ -n "$command" ] && command -v "$command" >/dev/null && continue
        printf '%s\n' "$name"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        die "not root and no sudo; as root: $*"
    elif [ -t 0 ]; then
        sudo -- "$@"
    else
        sudo -n -- "$@"
    fi
}

# Whether this command has asked already which packages there are.
packages_known=

# packages_install LIST...: installs the missing packages of the lists; does nothing if there are none.
packages_install() {
    local missing
    command -v dpkg-query >/dev/null || {
        say "not Debian: assuming that the packages of deploy/packages.* are installed"
        return 0
    }
    mapfile -t missing < <(packages_missing "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    say "installing: ${missing[*]}"
    # Another apt may be running on a machine that has just booted: wait for its lock.
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300)
    [ -n "$packages_known" ] || as_root "${apt[@]}" update >"$log" 2>&1 </dev/null || { cat "$log" >&2 && die "apt-get update failed"; }
    packages_known=yes
    as_root "${apt[@]}" --no-install-recommends install "${missing[@]}" >"$log" 2>&1 </dev/null ||
        { cat "$log" >&2 && die "apt-get install failed"; }
}

# home_folder VARIABLE BELOW_HOME: prints an XDG base folder, even if neither the variable nor HOME is set.
home_folder() {
    local home=${HOME:-}
    [ -n "$home" ] || home=$(getent passwd "$(id -u)" | cut -d : -f 6)
    printf '%s/taluva\n' "${!1:-${home:-/var/tmp}/$2}"
}

# build_folder NAME: prints a build folder in the checkout or, if that is not writable, in the user's cache.
build_folder() {
    local in_tree=$top/build-$1
    if [ -e "$in_tree" ] && [ -O "$in_tree" ] && [ -w "$in_tree" ]; then
        printf '%s\n' "$in_tree"
    elif [ ! -e "$in_tree" ] && [ -w "$top" ]; then
        printf '%s\n' "$in_tree"
    else
        printf '%s/build-%s\n' "$(home_folder XDG_CACHE_HOME .cache)" "$1"
    fi
}

# The options of meson for what people run. A change is tried with them too.
# shellcheck disable=SC2034 # for who reads this file
readonly RELEASE=(--buildtype=release -Db_ndebug=false)

# build_configure FOLDER OPTION...: configures once, and again if the options, the compiler or the path of the checkout have changed.
build_configure() {
    local folder=$1
    shift
    local wanted="$top ${CC:-} $*"
    [ "$(cat "$folder/configured" 2>/dev/null)" = "$wanted" ] && [ -e "$folder/build.ninja" ] && return 0
    rm -rf -- "$folder"
    mkdir -p -- "$(dirname "$folder")"
    meson setup "$folder" "$top" "$@" >"$log" 2>&1 </dev/null || { tail -n 20 "$log" && return 1; }
    printf '%s\n' "$wanted" >"$folder/configured"
}

# build_compile FOLDER [TARGET...]: builds, after whatever else wants the processor; prints something only on failure.
build_compile() {
    nice -n 10 ninja -C "$@" >"$log" 2>&1 </dev/null || { grep -v '^\[[0-9]*/[0-9]*\]' "$log" && return 1; }
}

log=$(mktemp)
trap 'rm -f -- "$log"' EXIT

"""Who may know whom, held against the headers that the compiler really read for every object.

usage: arrows.py TOP BUILD

Each folder names the folders it may include from (ARROWS). What those headers include in turn it sees as well, except
SEALED folders, which only their own neighbours may ever see. Libraries are kept where LIBRARIES says. Tests, and the tools
that make the computer player, may look at everything.
"""

import os
import re
import subprocess
import sys

import tree

ARROWS = {
    "main": {"protocol", "keeper", "site", "net", "oidc", "push", "store", "postgres", "hub", "registry", "ratings", "rating", "taluva", "totem", "base"},
    "net": {"hub", "site", "oidc", "push", "protocol", "base"},
    "sql": {"hub", "protocol"},
    "store": {"sql", "hub", "room", "protocol", "base"},
    "keeper": {"postgres", "hub", "base"},
    "postgres": {"sql", "hub", "room", "protocol", "base"},
    "push": {"protocol", "base"},
    "webauthn": {"public_key", "protocol"},
    "oidc": {"public_key", "protocol"},
    "public_key": set(),
    "site": {"features", "hub", "protocol", "base"},
    "hub": {"features", "room", "protocol", "base"},
    "features": {"protocol"},
    "card": {"features", "hub", "room", "games", "protocol"},
    "events": {"event", "features", "hub", "room", "protocol"},
    "friends": {"features", "hub", "room", "protocol", "base"},
    "history": {"features", "hub", "room", "protocol"},
    "identity": {"features", "hub", "webauthn", "protocol", "base"},
    "moderation": {"features", "hub", "room", "protocol"},
    "notify": {"features", "hub", "room", "protocol"},
    "others": {"features", "hub", "room", "protocol", "base"},
    "people": {"features", "hub", "room", "games", "protocol", "base"},
    "privacy": {"features", "hub", "protocol"},
    "ratings": {"base", "features", "hub", "room", "rating", "protocol"},
    "registry": {"features", "card", "events", "friends", "history", "identity", "moderation", "notify", "others", "people", "privacy", "ratings"},
    "room": {"games", "protocol"},
    "taluva": {"games", "taluva_report", "computer", "rules", "protocol", "base"},
    "totem": {"games", "totem_computer", "totem_rules", "protocol", "base"},
    "totem_computer": {"totem_rules", "base"},
    "games": {"protocol"},
    "computer": {"rules", "base"},
    "taluva_report": {"computer", "rules", "protocol"},
    "event": {"pairing", "protocol"},
    "pairing": set(),
    "rating": {"protocol"},
    "rules": set(),
    "totem_rules": set(),
    "base": set(),
    "protocol": set(),
    "wire": {"protocol"},
    "local": {"wire", "hub", "identity"},
    "cli_main": {"cli", "cli_taluva", "cli_totem", "taluva", "totem", "base"},
    "cli_taluva": {"cli", "taluva_report", "computer", "rules", "protocol", "base"},
    "cli_totem": {"cli", "totem_computer", "totem_rules", "protocol", "base"},
    "cli": {"local", "wire", "event", "pairing", "rating", "protocol", "base"},
    "load_main": {"load", "load_taluva", "load_totem", "base"},
    "load_taluva": {"load", "rules", "protocol", "base"},
    "load_totem": {"load", "totem_rules", "protocol", "base"},
    "load": {"wire", "protocol", "base"},
    "admin": {"protocol", "base"},
}
FOLDERS = {
    "server/programs/": "main",
    "server/net/": "net",
    "server/sql/": "sql",
    "server/store/": "store",
    "server/postgres/": "postgres",
    "server/keeper/": "keeper",
    "server/push/": "push",
    "server/webauthn/": "webauthn",
    "server/oidc/": "oidc",
    "server/public_key/": "public_key",
    "server/site/": "site",
    "server/hub/": "hub",
    "server/features/card/": "card",
    "server/features/events/": "events",
    "server/features/friends/": "friends",
    "server/features/history/": "history",
    "server/features/identity/": "identity",
    "server/features/moderation/": "moderation",
    "server/features/notify/": "notify",
    "server/features/others/": "others",
    "server/features/people/": "people",
    "server/features/privacy/": "privacy",
    "server/features/ratings/": "ratings",
    "server/features/registry/": "registry",
    "server/features/": "features",
    "server/room/": "room",
    "server/games/taluva/rules/": "rules",
    "server/games/taluva/computer/tools/": "tests",
    "server/games/taluva/computer/": "computer",
    "server/games/taluva/report/": "taluva_report",
    "server/games/taluva/": "taluva",
    "server/games/totem/rules/": "totem_rules",
    "server/games/totem/computer/": "totem_computer",
    "server/games/totem/": "totem",
    "server/games/": "games",
    "server/event/": "event",
    "server/pairing/": "pairing",
    "server/rating/": "rating",
    "server/base/": "base",
    "protocol/": "protocol",
    "clients/wire/": "wire",
    "clients/local/": "local",
    "clients/cli/main.c": "cli_main",
    "clients/cli/games/taluva/": "cli_taluva",
    "clients/cli/games/totem/": "cli_totem",
    "clients/cli/": "cli",
    "clients/load/main.c": "load_main",
    "clients/load/games/taluva/": "load_taluva",
    "clients/load/games/totem/": "load_totem",
    "clients/load/": "load",
    "clients/admin/": "admin",
    "tests/": "tests",
}
# What knows features by features/feature.h alone: adding one changes nothing here (CONTRIBUTING.md).
KERNEL = tuple(f"server/{name}/" for name in ("hub", "site", "net", "sql", "store", "postgres", "keeper"))
# What CONTRIBUTING.md has whoever adds a feature change of it: its limits are put there. No more than so many, ever.
LISTED = {"server/hub/include/hub/config.h"}
LISTED_MAX = 6
# Words that mean something else in the kernel too: what happens in a room, pushes that are kept, others in a room, people, a file's identity.
ORDINARY = {"events", "history", "identity", "others", "people"}
SEALED = {"rules", "totem_rules"}
LIBRARIES = {
    r"(^|/)uv\.h$|/uv/": {"net", "wire", "local", "cli", "load"},
    r"/libwebsockets(\.h$|/)": {"net", "wire"},
    r"/sqlite3\.h$": {"store"},
    r"/(libpq-fe|postgres_ext)\.h$": {"postgres"},
    r"/openssl/": {"push", "public_key", "net", "wire"},
    r"/curl/": {"push"},
    r"/jansson\.h$": {"main", "protocol", "event", "webauthn", "oidc", "games", "taluva", "totem", "room", "hub", "card", "events", "friends", "history", "identity", "moderation", "notify", "others", "people", "privacy", "ratings", "registry", "site", "net", "wire", "cli", "cli_main", "cli_taluva", "cli_totem", "load", "load_main", "load_taluva", "load_totem", "admin"},
}


def folder_of(path):
    return next((name for start, name in FOLDERS.items() if path.startswith(start)), None)


def reachable(folder):
    """The folders whose headers may come along when folder includes from its neighbours."""
    seen, left = set(), list(ARROWS[folder])
    while left:
        neighbour = left.pop()
        if neighbour not in seen:
            seen.add(neighbour)
            left += ARROWS[neighbour] - SEALED
    return seen


def included(listing):
    """Source and headers of every object, from what `ninja -t deps` prints."""
    for block in listing.split("\n\n"):
        read = [line.strip() for line in block.splitlines()[1:]]
        source = next((path for path in read if path.endswith(".c")), None)
        if source:
            yield source, [path for path in read if path.endswith(".h")]


def library_findings(source, folder, header):
    for pattern, users in LIBRARIES.items():
        if re.search(pattern, header) and folder not in users:
            yield f"{source}: {folder} must not see {header}"


def object_findings(source, headers):
    folder = folder_of(source)
    if folder is None:
        yield f"{source}: its folder has no arrows in tests/lint/arrows.py"
        return
    if folder == "tests":
        return
    allowed = reachable(folder) | {folder}
    for header in headers:
        other = None if header.startswith("/") else folder_of(header)
        if other is None:
            yield from library_findings(source, folder, header)
        elif other not in allowed:
            yield f"{source}: {folder} must not see {other} ({header})"
        elif other != folder and "/include/" not in header:
            yield f"{source}: {header} is private to {other}"


def include_findings(top, path):
    """What a file names itself: only neighbours, though it sees what they include."""
    folder = folder_of(path)
    for name in re.findall(r"^\s*#\s*include\s*<([^/>]+)/", tree.read(top, path), re.MULTILINE):
        if name in ARROWS and name != folder and name not in ARROWS[folder]:
            yield f"{path}: {folder} has no arrow to {name}"


def feature_names(top):
    """The folders of features."""
    paths = (path.split("/") for path in tree.files(top, ".c") if path.startswith("server/features/"))
    return {parts[2] for parts in paths if len(parts) > 3} - {"registry"}


def named_findings(top, path, features):
    """The kernel and what is below it name no feature: neither its table nor a letter of its, nor itself in a comment."""
    if not path.startswith(KERNEL):
        return
    text = tree.read(top, path)
    for name in sorted(features):
        word = rf"|\b{name}\b" if name not in ORDINARY and path not in LISTED else ""
        if re.search(rf'\bfeature_{name}\b|"{name}\.(?!h")[a-z]+"' + word, text, re.IGNORECASE):
            yield f"{path}: names the feature {name}, of which only server/features/registry may know"


def listed_findings(text):
    """The list of CONTRIBUTING.md for a feature has of the kernel what may name one, and nothing else."""
    steps = text.partition("\n**a feature**")[2].partition("\n\n")[0]
    named = {path for path in re.findall(r"`(server/[\w./]+)`", steps) if path.startswith(KERNEL)}
    if named != LISTED or len(named) > LISTED_MAX:
        yield f"CONTRIBUTING.md: a feature changes {', '.join(sorted(named)) or 'nothing'} of the kernel, and may {', '.join(sorted(LISTED))}"


def told_arrows(text):
    """Who may know whom by ARCHITECTURE.md, which leaves base out: lines as `    a, b -> c, d`."""
    told = {}
    for left, right in re.findall(r"^    ([\w, ]+) -> ([\w, ]+)$", text, re.MULTILINE):
        for name in left.split(", "):
            told.setdefault(name, set()).update(right.split(", "))
    return told


def told_findings(text):
    told = told_arrows(text)
    for name in sorted(ARROWS.keys() | told.keys()):
        wanted = ARROWS.get(name, set()) - {"base"}
        if told.get(name, set()) != wanted:
            yield f"ARCHITECTURE.md: the arrows of {name} are {', '.join(sorted(wanted)) or 'none'}"


def findings(top, objects):
    """Objects: pairs of a source and its headers, below top as relative paths, others absolute."""
    for source, headers in objects:
        yield from object_findings(source, headers)
    own = [path for path in tree.files(top, ".c", ".h") if folder_of(path) in ARROWS]
    features = feature_names(top)
    for path in own:
        yield from include_findings(top, path)
        yield from named_findings(top, path, features)
    built = {source for source, _ in objects}
    for path in own:
        if path.endswith(".c") and path not in built:
            yield f"{path}: not built, so nothing is known of it"


def main(top, build):
    top = os.path.realpath(top)
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout

    def below(path):
        whole = os.path.realpath(os.path.join(build, path))
        return os.path.relpath(whole, top) if whole.startswith(top + os.sep) else whole

    objects = [(below(source), [below(header) for header in headers]) for source, headers in included(listing)]
    told = told_findings(tree.read(top, "ARCHITECTURE.md"))
    return tree.report(sorted({*findings(top, objects), *told, *listed_findings(tree.read(top, "CONTRIBUTING.md"))}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

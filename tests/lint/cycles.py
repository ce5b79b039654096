"""The files of a folder depend on each other one way, so that each can be read, tested and changed with only what is below it.

usage: cycles.py TOP NM [FOLDER=ARCHIVE ...] [FOLDER~ARCHIVE ...]

A module is a pair X.c and X.h of one folder. X depends on Y where X.c includes Y.h, and, in a folder whose archive is given,
where the object of X.c calls a function that Y.c defines; then X.c must include Y.h itself, and a function that Y.h declares must be
defined in Y.c. A header without a file of code (hub_private.h) holds what all of the folder share and is no module. Headers must
not include each other in a circle either. Where LAYERS names a header, that draws the layers, and they are as drawn.

A folder below that has no meson.build of its own is a room of FOLDER: its modules are FOLDER's, so no two have one name, and rooms do not
depend on each other in a circle either. What is in FOLDER itself, above and below its rooms, is in none.

With FOLDER~ARCHIVE calls are dependencies as well, wherever the function is declared: a folder whose files share one header.
"""

import os
import re
import subprocess
import sys

import tree

TOPS = ("server/", "protocol/", "clients/")
# Headers that draw the layers of their folder: lines that begin with modules, each of which may depend on what comes after it.
LAYERS = {"server/hub": "hub_private", "server/site": "site_private"}
DECLARATION = re.compile(r"^(?!static)[a-z][^;{}()=]*?\b(\w+)\(", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?:[^"/]+/)*([^"/]+)\.h"|<[^/>]+/([^/>]+)\.h>)', re.MULTILINE)


def included(top, path):
    return {quoted or own for quoted, own in INCLUDE.findall(tree.read(top, path))}


def home(top, folder, archives):
    """The folder that a folder is a room of, or itself."""
    above = folder
    while above and above not in archives and not os.path.exists(os.path.join(top, above, "meson.build")):
        above = os.path.dirname(above)
    return above if above in archives else folder


def modules(top, archives=()):
    """Every folder's modules, and its headers: folder -> {name: path} twice."""
    sources, headers = {}, {}
    for path in tree.files(top, ".c", ".h"):
        if not path.startswith(TOPS):
            continue
        folder, name = os.path.split(path)
        folder = home(top, folder.split("/include")[0], archives)
        name, ending = os.path.splitext(name)
        (sources if ending == ".c" else headers).setdefault(folder, {})[name] = path
    return sources, headers


def include_edges(top, sources, headers):
    names = set(sources) & set(headers)
    return {name: (included(top, path) & names) - {name} for name, path in sources.items()}


def header_edges(top, headers):
    return {name: (included(top, path) & set(headers)) - {name} for name, path in headers.items()}


def objects(folder, own):
    """What the objects of a folder's modules are called where that is not the module's name: room_name.c.o -> name."""
    return {path[len(folder) + 1 : -2].replace("/", "_"): name for name, path in own.items()}


def symbols(listing, objects):
    """What `nm --format=posix` prints of an archive: function -> its module, and module -> functions it calls."""
    defined, wanted, module = {}, {}, None
    for line in listing.splitlines():
        member = re.search(r"(?:src_)?([^/\[]+)\.c\.o\]:$", line)
        if member:
            module = objects.get(member.group(1), member.group(1))
            continue
        cells = line.split()
        if len(cells) < 2 or module is None:
            continue
        if cells[1] == "U":
            wanted.setdefault(module, set()).add(cells[0])
        elif cells[1].isupper():
            defined[cells[0]] = module
    return defined, wanted


def call_edges(defined, wanted):
    return {
        module: {defined[name] for name in names if name in defined} - {module} for module, names in wanted.items()
    }


def owner_findings(top, sources, headers, defined):
    for name, path in sorted(headers.items()):
        if "/include/" in path or name not in sources:
            continue
        for function in DECLARATION.findall(tree.read(top, path)):
            if defined.get(function, name) != name:
                yield f"{path}: {function} is defined in {defined[function]}.c"


def circles(edges):
    """The sets of modules that reach each other."""
    reach = {}
    for start in edges:
        seen, left = set(), [start]
        while left:
            for target in edges.get(left.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    left.append(target)
        reach[start] = seen
    found = {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in edges if a in reach[a]}
    return sorted(sorted(circle) for circle in found)


def drawn(text, modules):
    """The modules of the drawing in their order: those at the beginning of its lines."""
    for line in re.findall(r"^ \*     (?! )(.*)$", text, re.MULTILINE):
        for word in line.split():
            if word not in modules:
                break
            yield word


def layer_findings(path, text, edges):
    order = list(drawn(text, set(edges)))
    for module in sorted(edges):
        if order.count(module) != 1:
            yield f"{path}: {module} is drawn {order.count(module)} times"
            continue
        for target in sorted(edges[module] & set(order)):
            if order.index(target) < order.index(module):
                yield f"{path}: {target} is drawn above {module}, which depends on it"


def room_edges(folder, own, edges):
    """Which room depends on which."""
    rooms = {name: os.path.dirname(path)[len(folder) + 1 :] for name, path in own.items()}
    between = {}
    for module, targets in edges.items():
        if rooms.get(module):
            between.setdefault(rooms[module], set()).update({rooms.get(target) for target in targets} - {rooms[module], "", None})
    return between


def twice_findings(top, archives):
    """Modules of one name in two rooms of a folder: the one would be taken for the other."""
    seen = {}
    for path in tree.files(top, ".c"):
        folder, name = os.path.split(path)
        first = seen.setdefault((home(top, folder, archives), name), path)
        if first != path:
            yield f"{path}: there is {first} already"


def circle_findings(folder, kind, edges):
    for circle in circles(edges):
        yield f"{folder}: {kind} depend on each other in a circle: {' '.join(circle)}"


def findings(top, listings, shared=None):
    """Listings and shared: folder -> what nm prints of its archive; shared: of folders whose files share one header."""
    shared = shared or {}
    archives = {*listings, *shared}
    sources, headers = modules(top, archives)
    yield from twice_findings(top, archives)
    for folder in sorted(sources):
        own, names = sources[folder], headers.get(folder, {})
        edges = include_edges(top, own, names)
        if folder in listings:
            defined, wanted = symbols(listings[folder], objects(folder, own))
            if set(own) - set(defined.values()):
                yield f"{folder}: the archive lacks {' '.join(sorted(set(own) - set(defined.values())))}"
            for module, targets in sorted(call_edges(defined, wanted).items()):
                for target in sorted(targets - included(top, own[module])):
                    yield f"{own[module]}: calls functions of {target}.c without including {target}.h"
                edges[module] |= targets
            yield from owner_findings(top, own, names, defined)
        elif folder in shared:
            for module, targets in call_edges(*symbols(shared[folder], objects(folder, own))).items():
                edges.setdefault(module, set()).update(targets)
        if LAYERS.get(folder) in names:
            path = names[LAYERS[folder]]
            yield from layer_findings(path, tree.read(top, path), edges)
        yield from circle_findings(folder, "modules", edges)
        yield from circle_findings(folder, "rooms", room_edges(folder, own, edges))
        yield from circle_findings(folder, "headers", header_edges(top, names))


def main(top, nm, *archives):
    listings, shared = {}, {}
    for pair in archives:
        folder, sign, archive = re.match(r"([^=~]+)([=~])(.+)", pair).groups()
        command = [nm, "--format=posix", archive]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        (listings if sign == "=" else shared)[folder] = listing
    return tree.report(list(findings(top, listings, shared)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

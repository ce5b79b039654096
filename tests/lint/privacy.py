"""What the page about privacy must know (server/features/privacy): each table of the store, by `data-tables` of the paragraph that tells of it, and
each limit that says how long or how many of something is kept. In all languages the same.

usage: privacy.py TOP
"""

import re
import sys

import tree

FOLDER = "server/features/privacy/"
DESCRIBED = re.compile(r"\bstruct store_table \w+ = \{\s*\.name = \"(\w+)\"")
MADE = re.compile(r"^CREATE TABLE (?:taluva\.)?(\w+)", re.MULTILINE)
LIMIT = re.compile(r"^    ROW\((\w+),", re.MULTILINE)
KEPT = re.compile(r"keep_|_keep_|_idle_days$|^(?:closing|lobby_idle|abandoned|paused)_ms$|^games_per_")
FACT = re.compile(r"\{\"(\w+)\", env->")
PLACE = re.compile(r"\{([?]?)(\w*)")
TOLD = re.compile(r'data-tables="([^"]*)"')


def tables_of(sources):
    """Of texts by path: the names of all tables that there are."""
    found = set()
    for path, text in sources.items():
        found.update((MADE if path.endswith(".sql") else DESCRIBED).findall(text))
    return found


def template_findings(path, text, tables, limits, facts):
    told = [name for names in TOLD.findall(text) for name in names.split()]
    for name in sorted(tables - set(told)):
        yield f"{path}: says nothing of the table {name}"
    for name in sorted(set(told) - tables):
        yield f"{path}: there is no table {name}"
    for name in sorted({name for name in told if told.count(name) > 1}):
        yield f"{path}: tells of the table {name} twice"
    places = {name for _, name in PLACE.findall(text) if name}
    for name in sorted(places - limits - facts):
        yield f"{path}: there is no fact {name}"
    for name in sorted(limit for limit in limits - places if KEPT.search(limit)):
        yield f"{path}: does not say {name}"


def places_of(text):
    return sorted(mark + name for mark, name in PLACE.findall(text) if name)


def findings_in(templates, tables, limits, facts):
    first = None
    for path, text in sorted(templates.items()):
        yield from template_findings(path, text, tables, limits, facts)
        first = first or (path, text)
        if places_of(text) != places_of(first[1]):
            yield f"{path}: other facts than in {first[0]}"


def findings(top):
    sources = {path: tree.read(top, path) for path in tree.files(top, ".c", ".sql") if path.startswith("server/")}
    templates = {path: tree.read(top, path) for path in tree.files(top, ".html") if path.startswith(FOLDER)}
    limits = set(LIMIT.findall(tree.read(top, "server/hub/include/hub/config.h")))
    facts = set(FACT.findall(tree.read(top, FOLDER + "facts.c")))
    return list(findings_in(templates, tables_of(sources), limits, facts))


if __name__ == "__main__":
    sys.exit(tree.report(findings(sys.argv[1])))

"""Text that must not be in the tree: work left open, stray white space, endless files, addresses of package registries, comments
about files that are not there; and what must be in it: integrity of packages, what deploys the key and the fonts says.

usage: text.py TOP
"""

import json
import os
import re
import sys

import tree

LONGEST = 600
SOURCES = (".c", ".h", ".js", ".mjs", ".css", ".py", ".sh", ".sql")
# Longer files, and why each is one file.
LONG_FOR_A_REASON = {
    "server/games/taluva/computer/weights.c": "one table of numbers, written by a program",
    "protocol/src/unicode_table.h": "tables, written by a program",
    "tests/unit/postgres/version6-every.sql": "a database, written by a program",
}

# Data that was not written by hand here, or that must be byte for byte what somebody else may send.
DATA = (".jsonl", ".bin", ".raw", ".rec", ".seed")
OPEN_ENDS = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")) + r")\b")
REGISTRIES = re.compile(r"deb\.debian" + r"\.org|registry\.npm" + r"js\.org")


COMMENTED = (".c", ".h", ".js", ".mjs", ".css", ".py", ".sh", ".build")
COMMENT = re.compile(
    r"/\*.*?\*/|(?<![:\"'\w])//[^\n]*|^\s*#(?!include|define|if|endif|el|undef|error|pragma)[^\n]*", re.DOTALL | re.MULTILINE
)
FILE = re.compile(r"(?<![\w./*-])(?:\w+/)*(\w+\.(?:c|h|py|mjs|js|md|json|toml|txt|jsonl|yaml))\b(?!\()")


def unknown_files(path, text, names):
    """Comments that send their reader to a file that is gone."""
    for comment in COMMENT.finditer(text):
        for name in FILE.findall(comment.group()):
            if name not in names:
                yield f"{path}:{text.count(chr(10), 0, comment.start()) + 1}: there is no {name}"


def findings_in(path, text):
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if OPEN_ENDS.search(line):
            yield f"{path}:{number}: work left open: {line.strip()}"
        if REGISTRIES.search(line):
            yield f"{path}:{number}: names a package registry"
        if line != line.rstrip():
            yield f"{path}:{number}: white space at the end of the line"
    if text and not text.endswith("\n"):
        yield f"{path}: the last line does not end"
    if path.endswith(SOURCES) and path not in LONG_FOR_A_REASON and len(lines) - 1 > LONGEST:
        yield f"{path}: {len(lines) - 1} lines, more than {LONGEST}: divide it or say why not in tests/lint/text.py"


def unproven_packages(path, text):
    """What is installed has to be what was looked at."""
    for name, package in json.loads(text).get("packages", {}).items():
        if name and "integrity" not in package and not package.get("link"):
            yield f"{path}: {name} has no integrity"


# Words of our own that the glossary of ARCHITECTURE.md has another one for, also within a name.
GLOSSARY = {
    "mute": "a lease is lost",
    "displaced": "misplaced",
    "duties": "callbacks",
    "patience": "timeouts",
    "store_pass": "credential",
}
OTHER_WORDS = re.compile(r"(?<![a-z])(" + "|".join(GLOSSARY) + r")(?![a-z])", re.IGNORECASE)


def other_words(path, text):
    for word in OTHER_WORDS.finditer(text):
        number = text.count("\n", 0, word.start()) + 1
        yield f"{path}:{number}: {word[1]}: the glossary has another word: {GLOSSARY[word[1].lower()]}"


# What must be said somewhere, and why.
SAID = {
    "deploy/systemd/taluvad.service": [("LimitCORE=0", "a core holds the key that records are signed with")],
    "deploy/debian/copyright": [("Files: clients/web/fonts/*", "the fonts have a licence of their own"), ("License: OFL-1.1\n ", "whose text goes with them")],
}


def missing(path, text):
    for part, why in SAID.get(path, []):
        if part not in text:
            yield f"{path}: {part.strip()} is missing: {why}"


def findings(top):
    names = {os.path.basename(path) for path in tree.files(top)}
    for path in tree.files(top):
        if path.endswith(COMMENTED):
            yield from unknown_files(path, tree.read(top, path), names)
        if path.endswith("package-lock.json"):
            yield from unproven_packages(path, tree.read(top, path))
        if path.startswith("server/") and path.endswith(SOURCES):
            yield from other_words(path, tree.read(top, path))
        yield from missing(path, tree.read(top, path) if path in SAID else "")
        if not path.endswith(DATA) and "tests/fuzz/found/" not in path:
            yield from findings_in(path, tree.read(top, path))
    for path in LONG_FOR_A_REASON:
        if len(tree.read(top, path).split("\n")) - 1 <= LONGEST:
            yield f"{path}: no longer long, take it out of tests/lint/text.py"


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

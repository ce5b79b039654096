"""Makes a header of C of a file of SQL.

usage: sql_header.py FILE.sql FILE.sql.h

A line `-- name: THIS` begins a text that C knows as SQL_THIS; it ends before the next one. Other comments, which begin a
line, and empty lines are left out, as is the semicolon at the end of each text.
"""

import re
import sys

NAME = re.compile(r"-- name: ([A-Z][A-Z0-9_]*)$")


class Wrong(Exception):
    pass


def texts_of(lines):
    """Of each name its lines."""
    texts = {}
    here = None
    for number, line in enumerate(lines, 1):
        line = line.rstrip()
        name = NAME.match(line)
        if name:
            here = texts.setdefault(name[1], [])
            if here:
                raise Wrong(f"{number}: {name[1]} is there twice")
        elif line.startswith("-- name"):
            raise Wrong(f"{number}: a name is in capitals")
        elif line and not line.startswith("--"):
            if here is None:
                raise Wrong(f"{number}: SQL without a name")
            here.append(line)
    for name, text in texts.items():
        if not text:
            raise Wrong(f"{name} is empty")
        text[-1] = text[-1].removesuffix(";")
    return texts


def literal(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"')


def header_of(texts):
    parts = []
    for name, text in texts.items():
        parts.append(f"#define SQL_{name} \\\n    " + '\\n" \\\n    '.join(map(literal, text)) + '"\n')
    return "\n".join(parts)


def main(source, target):
    with open(source, encoding="utf-8") as file:
        lines = file.read().split("\n")
    try:
        header = header_of(texts_of(lines))
    except Wrong as wrong:
        sys.exit(f"{source}: {wrong}")
    with open(target, "w", encoding="utf-8") as file:
        file.write(header)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A function's name says what it does to what: where a file of server/, clients/ or protocol/ has several functions of its own, a word alone
("find", "run") does not tell them apart, in a backtrace least of all. One such name in a file is let be.

usage: names.py TOP
"""

import os
import re
import sys

import dialect
import tree

FOLDERS = ("server", "clients", "protocol")
# Up to the bracket of its parameters: `static`, what it returns, and the name.
STATIC = re.compile(r"\bstatic\s+((?:\w+[\s*]+)+)(\w+)\s*\(")


def static_functions(text):
    """Each name of a static function that is declared or defined in the file, and where first."""
    code = dialect.blank(dialect.code_of(text), [dialect.DIRECTIVE])
    found = {}
    for function in STATIC.finditer(code):
        end = dialect.skip(code, dialect.closed(code, function.end() - 1))
        if code[end : end + 1] in ("{", ";"):
            found.setdefault(function[2], function.start(2))
    return found


def findings_in(path, text):
    alone = {name: at for name, at in static_functions(text).items() if "_" not in name}
    if len(alone) > 1:
        for name, at in alone.items():
            yield f"{path}:{text.count(chr(10), 0, at) + 1}: {name}: say on what, as {len(alone)} names in this file are one word"


def findings(top):
    for path in tree.files(top, ".c", ".h"):
        if path.split(os.sep)[0] in FOLDERS:
            yield from findings_in(path, tree.read(top, path))


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

"""Each test that tests/promises.md names exists: `PATH` `NAME` is a test in C of that name, or one of a page's or a script's whose title begins so,
a function of one in Python, or what the simulator says.

usage: promises.py TOP
"""

import os
import re
import sys

import tree

FILE = "tests/promises.md"
ROW = re.compile(r"^\| (?!promise \||---)(.*?) \| ?(.*?) ?\|$", re.MULTILINE)
NAMED = re.compile(r"`([^`]+)` `([^`]+)`")
IN_C = re.compile(r"START_TEST\((\w+)\)")
IN_PYTHON = re.compile(r"^ *def (\w+)\(", re.MULTILINE)
TITLE = re.compile(r"^(?:test|atNight)\((['\"])(.*?)\1", re.MULTILINE)


def has_test(path, text, name):
    if path.startswith("sim/"):
        return f'"{name}"' in text
    if path.endswith(".c"):
        return name in IN_C.findall(text)
    if path.endswith(".py"):
        return name in IN_PYTHON.findall(text)
    return any(title.startswith(name) for _, title in TITLE.findall(text))


def findings_in(text, read):
    """`read` gives the text of a path below tests/; None: there is no such file."""
    rows = ROW.findall(text)
    if not rows:
        yield f"{FILE}: no promises"
    for promise, tests in rows:
        named = NAMED.findall(tests)
        if ", ".join(f"`{path}` `{name}`" for path, name in named) != tests or not named:
            yield f"{FILE}: {promise}: not written as `PATH` `NAME`, ..."
        for path, name in named:
            source = read(path)
            if source is None:
                yield f"{FILE}: {promise}: there is no {path}"
            elif not has_test(path, source, name):
                yield f"{FILE}: {promise}: {path} has no test {name}"


def findings(top):
    def read(path):
        return tree.read(top, f"tests/{path}") if os.path.isfile(os.path.join(top, "tests", path)) else None

    return list(findings_in(tree.read(top, FILE), read))


if __name__ == "__main__":
    sys.exit(tree.report(findings(sys.argv[1])))

"""shellcheck finds nothing in the shell scripts, known by their name or their first line; and a script or program that is not understood ends with
64, in whatever language it is written: after the words that say how it is used no other status stands.

usage: shell.py TOP
"""

import os
import re
import shutil
import subprocess
import sys

import tree


def is_script(top, path):
    first = tree.read(top, path)[:80].split("\n", 1)[0]
    return path.endswith(".sh") or re.match(r"#!.*\b(ba|da)?sh\b", first)


# What says by itself that something was not understood, with another status: bash has 1 where a parameter is missing, argparse 2.
OTHER_STATUS = {
    "shell": re.compile(r"exit 2\b|:\?\$usage"),
    ".py": re.compile(r"argparse\.ArgumentParser\(|sys\.exit\((2\b|__doc__|f?[\"']usage\b)"),
    ".mjs": re.compile(r"process\.exit(Code = |\()2\b"),
    ".c": re.compile(r"\bexit\(2\)|fail\(\"usage\b"),
}
SAYS_USAGE = re.compile(r"[\"'`]usage: .*[\"'`]")
ENDS = re.compile(r"\b(?:return|exit\(|process\.exit\()\s*\(?([A-Z_a-z0-9]+)")
UNDERSTOOD = {"EX_USAGE", "EXIT_USAGE", "64"}
LINES_AFTER = 3
TO_STDOUT = re.compile(r"\b(printf|puts)\(")  # it was asked for
NOT_THESE = {"tests/support/usage.py", "tests/lint/shell.py", "tests/lint/selftest.py"}


def first_end(lines):
    return next((match for match in map(ENDS.search, lines) if match), None)


def other_usage(kind, path, text):
    lines = text.split("\n")
    for at, line in enumerate(lines):
        says = kind != "shell" and SAYS_USAGE.search(line) and not TO_STDOUT.search(line)
        end = first_end(lines[at : at + 1 + LINES_AFTER]) if says else None
        if OTHER_STATUS[kind].search(line) or (end and end.group(1) not in UNDERSTOOD):
            yield f"{path}:{at + 1}: how it is used is said with exit 64: {line.strip()}"


def kinds(top, scripts):
    """(kind, path) of all that may say how it is used."""
    yield from (("shell", path) for path in scripts if path.startswith("deploy/"))
    for path in tree.files(top, ".py", ".mjs", ".c"):
        if path not in NOT_THESE:
            yield os.path.splitext(path)[1], path


def findings(top):
    paths = [path for path in tree.files(top, "", ".sh", ".bash") if is_script(top, path)]
    found = [line for kind, path in kinds(top, paths) for line in other_usage(kind, path, tree.read(top, path))]
    return found + (checked(top, paths) if paths else [])


def checked(top, paths):
    run = subprocess.run(
        ["shellcheck", "--external-sources", "--format=gcc", *paths], cwd=top, capture_output=True, text=True, check=False
    )
    return (run.stdout + run.stderr).splitlines() or ([f"status {run.returncode}"] if run.returncode else [])


if __name__ == "__main__":
    if not shutil.which("shellcheck"):
        tree.skip("shellcheck is not installed")
    sys.exit(tree.report(findings(sys.argv[1])))

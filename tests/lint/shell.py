"""shellcheck finds nothing in the shell scripts, known by their name or their first line; and a script of deploy/ that is not understood ends as
every program does, with 64.

usage: shell.py TOP
"""

import re
import shutil
import subprocess
import sys

import tree


def is_script(top, path):
    first = tree.read(top, path)[:80].split("\n", 1)[0]
    return path.endswith(".sh") or re.match(r"#!.*\b(ba|da)?sh\b", first)


OTHER_STATUS = re.compile(r"exit 2\b|:\?\$usage")  # that of bash where a parameter is missing is 1


def other_usage(path, text):
    for number, line in enumerate(text.split("\n"), 1):
        if OTHER_STATUS.search(line):
            yield f"{path}:{number}: how it is used is said with exit 64: {line.strip()}"


def findings(top):
    paths = [path for path in tree.files(top, "", ".sh", ".bash") if is_script(top, path)]
    if not paths:
        return []
    found = [line for path in paths if path.startswith("deploy/") for line in other_usage(path, tree.read(top, path))]
    return found + checked(top, paths)


def checked(top, paths):
    run = subprocess.run(
        ["shellcheck", "--external-sources", "--format=gcc", *paths], cwd=top, capture_output=True, text=True, check=False
    )
    return (run.stdout + run.stderr).splitlines() or ([f"status {run.returncode}"] if run.returncode else [])


if __name__ == "__main__":
    if not shutil.which("shellcheck"):
        tree.skip("shellcheck is not installed")
    sys.exit(tree.report(findings(sys.argv[1])))

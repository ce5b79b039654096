"""shellcheck finds nothing in the shell scripts, known by their name or their first line.

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


def findings(top):
    paths = [path for path in tree.files(top, "", ".sh", ".bash") if is_script(top, path)]
    if not paths:
        return []
    run = subprocess.run(
        ["shellcheck", "--external-sources", "--format=gcc", *paths], cwd=top, capture_output=True, text=True, check=False
    )
    return (run.stdout + run.stderr).splitlines() or ([f"status {run.returncode}"] if run.returncode else [])


if __name__ == "__main__":
    if not shutil.which("shellcheck"):
        tree.skip("shellcheck is not installed")
    sys.exit(tree.report(findings(sys.argv[1])))

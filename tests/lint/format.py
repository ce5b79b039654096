"""Every C file is as clang-format leaves it. Another release than Debian 12's decides some things otherwise: skipped.

usage: format.py TOP
"""

import os
import re
import shutil
import subprocess
import sys

import tree

RELEASE = "14"


def findings(top):
    paths = tree.files(top, ".c", ".h")
    if not paths:
        return []
    run = subprocess.run(
        ["clang-format", "--dry-run", "--Werror", *paths], cwd=top, capture_output=True, text=True, check=False
    )
    wrong = sorted(set(re.findall(r"^(\S.*?):\d+:\d+: error:", run.stderr, re.MULTILINE)))
    return [f"{path}: run clang-format -i on it" for path in wrong] or ([run.stderr] if run.returncode else [])


def main(top):
    if not shutil.which("clang-format"):
        tree.skip("clang-format is not installed")
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    if f"version {RELEASE}." not in version:
        tree.skip(f"{version.strip()}, but the tree is formatted by release {RELEASE}")
    return tree.report(findings(os.path.abspath(top)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

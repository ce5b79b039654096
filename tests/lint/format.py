"""Every C file is as clang-format leaves it. Another release than Debian 12's decides some things otherwise: skipped.

usage: format.py TOP [BUILD]

A file that was so is looked at again when its text, .clang-format or clang-format itself has changed; BUILD keeps which were.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import tree

RELEASE = "14"


def fingerprints(top, paths, version):
    """{path: what says that it is the same, and held against the same}."""
    def content(path):
        with open(os.path.join(top, path), "rb") as file:
            return file.read()

    around = version.encode() + content(".clang-format")
    return {path: hashlib.sha256(around + content(path)).hexdigest() for path in paths}


def findings(top, paths):
    if not paths:
        return []
    run = subprocess.run(
        ["clang-format", "--dry-run", "--Werror", *paths], cwd=top, capture_output=True, text=True, check=False
    )
    wrong = sorted(set(re.findall(r"^(\S.*?):\d+:\d+: error:", run.stderr, re.MULTILINE)))
    return [f"{path}: run clang-format -i on it" for path in wrong] or ([run.stderr] if run.returncode else [])


def changed(top, paths, version, kept):
    """Findings in what is not as it was when it was last well, which the file `kept` knows and learns."""
    prints = fingerprints(top, paths, version)
    try:
        with open(kept, encoding="utf-8") as file:
            well = set(json.load(file))
    except (FileNotFoundError, json.JSONDecodeError):
        well = set()
    wrong = findings(top, [path for path in paths if prints[path] not in well])
    if not wrong:
        with open(kept + ".new", "w", encoding="utf-8") as file:
            json.dump(sorted(prints.values()), file)
        os.replace(kept + ".new", kept)
    return wrong


def main(top, build=None):
    if not shutil.which("clang-format"):
        tree.skip("clang-format is not installed")
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    if f"version {RELEASE}." not in version:
        tree.skip(f"{version.strip()}, but the tree is formatted by release {RELEASE}")
    top = os.path.abspath(top)
    paths = tree.files(top, ".c", ".h")
    return tree.report(changed(top, paths, version, os.path.join(build, "format.json")) if build else findings(top, paths))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

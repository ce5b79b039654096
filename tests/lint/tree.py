"""The files of the checkout that are ours, for the lints beside this file. Needs no git: a release is no repository."""

import os
import sys

NOT_OURS = {".git", "node_modules", "__pycache__"}
NOT_TEXT = {".png", ".jpg", ".webp", ".ico", ".woff2", ".gz", ".xz", ".db"}


def files(top, *endings):
    """Every text file below top as a path relative to it, only those with one of the endings if any is given."""
    found = []
    for folder, folders, names in os.walk(top):
        at_top = os.path.samefile(folder, top)
        folders[:] = sorted(
            name for name in folders if name not in NOT_OURS and not (at_top and name.startswith("build"))
        )
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), top)
            ending = os.path.splitext(name)[1]
            if os.path.islink(os.path.join(top, path)) or ending in NOT_TEXT:
                continue
            if not endings or ending in endings:
                found.append(path)
    return found


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def report(findings):
    """Prints the findings, one a line; the status to exit with."""
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


def skip(why):
    """Ends the test as skipped, in the way that meson knows."""
    print(why)
    sys.exit(77)

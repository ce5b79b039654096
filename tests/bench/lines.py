#!/usr/bin/env python3
"""Lines of C by folder at two commits, and what came and went between them. A file that was moved counts where it is now, and only
what was changed in it.

usage: lines.py BEFORE [AFTER]
"""

import collections
import re
import subprocess
import sys

SOURCES = ("server/*.[ch]", "protocol/*.[ch]", "server/*.sql")
ALONE = ("features", "games")  # of these each folder below is one of its own


def git(*words):
    return subprocess.run(("git",) + words, capture_output=True, text=True, check=True).stdout


def folder_of(path):
    parts = path.split("/")[:-1]
    return "/".join(parts[: 3 if len(parts) > 2 and parts[1] in ALONE else 2])


def path_now(path):
    """Of a move as git writes it, a/{b => c}/d or b => c, where the file is now."""
    path = re.sub(r"\{[^{}]* => ([^{}]*)\}", r"\1", path)
    return path.rpartition(" => ")[2].replace("//", "/")


def lines_at(commit):
    """Lines by folder."""
    lines = collections.Counter()
    for line in git("grep", "-c", "", commit, "--", *SOURCES).splitlines():
        _, path, count = line.rsplit(":", 2)
        lines[folder_of(path)] += int(count)
    return lines


def changes_between(before, after):
    """Lines added and deleted by folder."""
    added, deleted = collections.Counter(), collections.Counter()
    for line in git("diff", "--numstat", "-M", before, after, "--", *SOURCES).splitlines():
        plus, minus, path = line.split("\t")
        folder = folder_of(path_now(path))
        added[folder] += int(plus)
        deleted[folder] += int(minus)
    return added, deleted


def main(before, after="HEAD"):
    was, now = lines_at(before), lines_at(after)
    added, deleted = changes_between(before, after)
    print("| folder | before | after | added | deleted |\n|---|---|---|---|---|")
    for folder in sorted(was | now):
        print(f"| `{folder}` | {was[folder]} | {now[folder]} | {added[folder]} | {deleted[folder]} |")
    print(f"| all | {was.total()} | {now.total()} | {added.total()} | {deleted.total()} |")


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""Counts what a move of a match asks of the processor, in instructions and calls, by callgrind: figures that do not depend on how busy the
machine is, but for how many moves share a commit. Each is of GAMES games in each room less one, so without what starts and ends.

usage: walk.py BUILD [--before BUILD] [--driver BUILD] [--rooms N] [--games N] [--calls NAME[,NAME]] [--json FILE]

--before has another program counted as well, in a column before it. Two programs are held against each other only if they were built with
the same options; one driver drives both. KINDS and --calls have functions counted by name: a release that is optimised across files has
few of them left, so these are of a build without (-Db_lto=false, not a release).
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from programs import Server, end_all_at_exit, load

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)


# What a walk is told in: of which functions the calls are counted together. Those of libc have names by the processor.
KINDS = {
    "requests decoded": r"request_decode(_kept)?",
    "texts of JSON read otherwise": r"json_read|json_loadb|json_loads",
    "copies": r"_*(memcpy|memmove)(_.*)?|copy_text",
    "scans of text": r"_*(strlen|strcmp|strchr|memchr|strncmp)(_.*)?|all_plain",
    "comparisons of memory": r"_*memcmp(_.*)?",
    "pieces of memory taken": r"malloc|calloc|realloc",
    "looks for a peer or a client": r"conn_of|client_of",
    "steps of SQLite": r"sqlite3_step",
}


def read_counts(lines):
    """Of a file of callgrind's: instructions in all, and how often each function was called."""
    names, calls, instructions, called = {}, collections.Counter(), 0, ""
    for line in lines:
        key, _, value = line.rstrip("\n").partition("=")
        if key in ("fn", "cfn"):
            number, _, name = value.partition(" ")
            if name:
                names[number] = name
            called = names[number].partition("'")[0].partition(".")[0]
        elif key == "calls":
            calls[called] += int(value.split()[0])
        elif line.startswith(("totals:", "summary:")):
            instructions = max(instructions, int(line.split()[1]))
    return instructions, calls


def run(options, build, games):
    """One server from its start to its end."""
    with tempfile.TemporaryDirectory(prefix="taluva-walk-") as folder:
        out = os.path.join(folder, "counts")
        below = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet"]
        with Server(build, below=below) as server:
            load(options.driver, server, f"--rooms={options.rooms}", f"--games={games}", "--seed=5", "--check=sample")
            moves, commits = server.moves(), server.figure("taluva_commit_seconds_count")
        with open(out, encoding="utf-8") as counts:
            instructions, calls = read_counts(counts)
    return {"moves": moves, "commits": commits, "instructions": instructions, "calls": calls}


def kinds_of(calls):
    """Calls of a move by kind."""
    return {kind: sum(count for name, count in calls.items() if re.fullmatch(names, name)) for kind, names in KINDS.items()}


def less(all_games, first):
    """A move of the others."""
    moves = all_games["moves"] - first["moves"]
    figures = {
        "moves": moves,
        "moves in a commit": moves / (all_games["commits"] - first["commits"]),
        "instructions": (all_games["instructions"] - first["instructions"]) / moves,
        "calls": (sum(all_games["calls"].values()) - sum(first["calls"].values())) / moves,
    }
    return figures, {name: (all_games["calls"][name] - first["calls"][name]) / moves for name in all_games["calls"]}


def walk(options, build):
    figures, calls = less(run(options, build, options.games), run(options, build, 1))
    figures.update(kinds_of(calls))
    for name in filter(None, options.calls.split(",")):
        figures[name] = calls.get(name, 0)
    return figures


def main():
    parser = Parser(usage=__doc__.partition("usage: ")[2].partition("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--before", help="another program, counted as well")
    parser.add_argument("--driver", help="whose taluva-load; BUILD's own")
    parser.add_argument("--rooms", type=int, default=32)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--calls", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    options.driver = options.driver or options.build
    if subprocess.run(["valgrind", "--version"], capture_output=True, check=False).returncode != 0:
        sys.exit("walk.py: valgrind is not installed")
    walks = [walk(options, build) for build in (options.before, options.build) if build]
    for name in walks[-1]:
        print(f"{name:32}" + "".join(f" {figures[name]:12.2f}" for figures in walks))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(walks[-1], file, indent=1)


if __name__ == "__main__":
    end_all_at_exit()
    main()

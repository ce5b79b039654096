#!/usr/bin/env python3
"""Counts what a move of a match asks of the processor, in instructions and calls, by callgrind: figures that do not depend on how busy the
machine is, but for how many moves share a commit. Each is of GAMES games in each room less one, so without what starts and ends.

usage: walk.py BUILD [--driver BUILD] [--rooms N] [--games N] [--calls NAME[,NAME]] [--json FILE]

Two programs are held against each other only if they were built with the same options; then the driver of one drives both. --calls has
functions counted by name: a release that is optimised across files has few of them left.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

from programs import Server, end_all_at_exit, load


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


def run(options, games):
    """One server from its start to its end."""
    with tempfile.TemporaryDirectory(prefix="taluva-walk-") as folder:
        out = os.path.join(folder, "counts")
        below = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet"]
        with Server(options.build, below=below) as server:
            load(options.driver, server, f"--rooms={options.rooms}", f"--games={games}", "--seed=5", "--check=sample")
            moves, commits = server.moves(), server.figure("taluva_commit_seconds_count")
        with open(out, encoding="utf-8") as counts:
            instructions, calls = read_counts(counts)
    return {"moves": moves, "commits": commits, "instructions": instructions, "calls": calls}


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


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--driver", help="whose taluva-load; BUILD's own")
    parser.add_argument("--rooms", type=int, default=32)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--calls", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    options.driver = options.driver or options.build
    if subprocess.run(["valgrind", "--version"], capture_output=True, check=False).returncode != 0:
        sys.exit("walk.py: valgrind is not installed")
    figures, calls = less(run(options, options.games), run(options, 1))
    for name in filter(None, options.calls.split(",")):
        figures[name] = calls.get(name, 0)
    for name, value in figures.items():
        print(f"{name:32} {value:12.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    end_all_at_exit()
    main()

#!/usr/bin/env python3
"""Measures the server beside the floor, in one run, and prints each figure with its ratio.

The floor is a bare libuv + libwebsockets program that moves the same bytes and knows nothing (floor/). What
waits for the disk is also held beside a durable floor, which syncs one small write for each group of moves before it
relays them. Server and floors are pinned to one core, the driver to another; runs take turns, so that a machine whose
speed drifts drifts for all. Quoted are the median, the smallest and the largest of the runs. Nothing is asserted here: machines
are noisy, and a figure that misses its mark is for a person to look at.

With --peers it runs socket.io, Colyseus and boardgame.io in turns with ours and the floors instead, under the same loads; npm
installs them into peers/ the first time. With --compare it measures nothing, and prints what two files of figures say, side by side.

usage: bench.py BUILD_DIR [--runs N] [--seconds S] [--only NAME[,NAME]] [--json FILE]
       bench.py BUILD_DIR --peers [--runs N] [--seconds S] [--only LOAD[,LOAD]] [--json FILE]
       bench.py --compare BEFORE.json AFTER.json
"""

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import beside
import counts
from programs import (
    RESTART_RATE,
    SERVER_CORE,
    Floor,
    Server,
    end_all_at_exit,
    load,
    load_floor,
    pace,
    resident_kib,
    rows_read,
)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)


class Bench:
    def __init__(self, build, runs, seconds):
        self.build, self.runs, self.seconds = build, runs, seconds
        self.rows = []
        self.reply_bytes, self.push_bytes = 33, 270

    def learn_sizes(self):
        """The floor moves what the server moves: measured, not guessed."""
        self.push_bytes = self.mean_push()

    def mean_push(self, *flags):
        with Server(self.build) as server:
            seen = load(self.build, server, "--rooms=20", "--rate=500", "--duration=3", "--warmup=1", *flags)
        return round(seen["push_bytes"]["mean"])

    def row(self, name, unit, ours, floor=None, mark=None, durable=None):
        """All are lists of runs; pairs are compared run by run."""
        entry = {"name": name, "unit": unit, "median": statistics.median(ours), "min": min(ours), "max": max(ours)}
        entry["mark"] = mark
        beside = []
        for kind, values in (("floor", floor), ("durable floor", durable)):
            if values:
                ratio = statistics.median(a / b for a, b in zip(ours, values) if b)
                entry[kind.replace(" ", "_")] = {"median": statistics.median(values), "ratio": ratio}
                beside.append(f"{kind} {statistics.median(values):.4g}, ratio {ratio:.2f}")
        self.rows.append(entry)
        spread = f"{entry['min']:.4g} .. {entry['max']:.4g}"
        print(f"{name:46} {entry['median']:10.4g} {unit:12} {spread:22} {mark or '':10} {'; '.join(beside)}", flush=True)

    def paired(self, rooms, rate):
        """Runs of server, floor and durable floor in turn; returns a list of results of each."""
        ours, floors, durables = [], [], []
        for _ in range(self.runs):
            flags = [f"--rooms={rooms}", f"--duration={self.seconds}"] + pace(rate)
            with Server(self.build) as server:
                ours.append(load(self.build, server, *flags))
            with Floor(self.build, self.reply_bytes, self.push_bytes) as floor:
                floors.append(load_floor(self.build, floor, rooms, rate, self.seconds, self.reply_bytes))
            with Floor(self.build, self.reply_bytes, self.push_bytes, durable=True) as floor:
                durables.append(load_floor(self.build, floor, rooms, rate, self.seconds, self.reply_bytes))
        return ours, floors, durables

    def compare(self, name, unit, results, figure, mark=None):
        """A row, beside both floors."""
        ours, floors, durables = ([figure(result) for result in each] for each in results)
        self.row(name, unit, ours, floors, mark, durables)

    def steady(self):
        results = self.paired(500, 2000)
        name = "2,000 moves/s, 500 rooms:"
        self.compare(f"{name} p50 delivered", "ms", results, lambda r: r["delivered_us"]["p50"] / 1000)
        self.compare(f"{name} p99 delivered", "ms", results, lambda r: r["delivered_us"]["p99"] / 1000, "< 2")
        self.compare(f"{name} processor", "% of core", results, lambda r: r["server"]["core_percent"], "<= 12")
        ours, floors, _ = results
        memory = lambda results: [r["server"]["resident_kib"] / 1024 for r in results]
        self.row(f"{name} memory", "MiB", memory(ours), memory(floors), "<= 24")
        self.row("push of a move, median", "bytes", [r["push_bytes"]["p50"] for r in ours], None, "<= 300")
        self.row("push of a move, mean", "bytes", [r["push_bytes"]["mean"] for r in ours])

    def saturated(self):
        results = self.paired(100, 0)
        self.compare("saturated: moves", "per s", results, lambda r: r["moves_per_s"], ">= 25000")
        self.compare("saturated: processor per move", "us", results, lambda r: r["server"]["cpu_us_per_move"])
        self.compare("saturated: the driver's own core", "%", results, lambda r: r["driver"]["core_percent"])

    def games(self):
        """The games side by side: runs of both and of their floors take turns. Rooms of two clients, as the floor has them."""
        names = ("taluva", "totem")
        pushes = {name: self.mean_push(f"--game={name}") for name in names}
        ours, floors, durables = ({name: [] for name in names} for _ in range(3))
        for _ in range(self.runs):
            for name in names:
                flags = [f"--game={name}", "--rooms=100", f"--duration={self.seconds}"] + pace(0)
                with Server(self.build) as server:
                    ours[name].append(load(self.build, server, *flags))
                for durable, results in ((False, floors), (True, durables)):
                    with Floor(self.build, self.reply_bytes, pushes[name], durable) as floor:
                        results[name].append(load_floor(self.build, floor, 100, 0, self.seconds, self.reply_bytes))
        for name in names:
            results = (ours[name], floors[name], durables[name])
            self.compare(f"{name}, saturated: moves", "per s", results, lambda r: r["moves_per_s"])
            self.compare(f"{name}, saturated: processor per move", "us", results, lambda r: r["server"]["cpu_us_per_move"])
            self.compare(f"{name}, saturated: the driver's own core", "%", results, lambda r: r["driver"]["core_percent"])
            self.row(f"{name}: push of a move, median", "bytes", [r["push_bytes"]["p50"] for r in ours[name]])
            self.row(f"{name}: push of a move, mean", "bytes", [r["push_bytes"]["mean"] for r in ours[name]])
            self.row(f"{name}: all that a room is sent, a move", "bytes", [r["received_bytes"] / r["moves"] for r in ours[name]])

    def cost(self):
        """What one move asks of the system, counted in the middle of a run."""
        counts.show(self)

    def idle(self):
        count, per = 10000, {"ours": [], "floor": []}
        for _ in range(self.runs):
            with Server(self.build) as server:
                before = resident_kib(server.pid)
                after = load(self.build, server, "--rooms=0", f"--idle={count}", "--duration=1", "--warmup=1")
                per["ours"].append((after["server"]["resident_kib"] - before) * 1024 / count)
            with Floor(self.build, self.reply_bytes, self.push_bytes) as floor:
                before = resident_kib(floor.pid)
                after = load_floor(self.build, floor, 0, 1, 1, self.reply_bytes, count)
                per["floor"].append((after["server"]["resident_kib"] - before) * 1024 / count)
        self.row("10,000 idle connections: each", "bytes", per["ours"], per["floor"], "<= 4608")

    def linear(self):
        cost = {}
        for rooms in (100, 1000, 5000):
            ours = []
            for _ in range(self.runs):
                with Server(self.build) as server:
                    ours.append(load(self.build, server, f"--rooms={rooms}", "--rate=2000", f"--duration={self.seconds}"))
            cost[rooms] = [r["server"]["cpu_us_per_move"] for r in ours]
            self.row(f"{rooms} rooms, 2,000 moves/s: processor per move", "us", cost[rooms])
        medians = [statistics.median(values) for values in cost.values()]
        self.row("100 to 5,000 rooms: dearest over cheapest", "", [max(medians) / min(medians)], None, "< 1.2")

    def crowd(self):
        rooms, ours, floors = 8000, [], []
        for _ in range(max(1, self.runs // 2)):
            with Server(self.build) as server:
                ours.append(load(self.build, server, f"--rooms={rooms}", "--rate=400", f"--duration={2 * self.seconds}"))
            with Floor(self.build, self.reply_bytes, self.push_bytes) as floor:
                floors.append(load_floor(self.build, floor, rooms, 400, 2 * self.seconds, self.reply_bytes))
        p99 = lambda results: [r["delivered_us"]["p99"] / 1000 for r in results]
        self.row("16,000 connections, a move per room in 20 s: p99", "ms", p99(ours), p99(floors), "< 10")

    def finished(self):
        """What each further room costs: what the first ones bring along (caches, buffers) is not a room's."""
        few, many, per = 200, 1200, []
        for _ in range(self.runs):
            resident = {}
            for rooms in (few, many):
                with Server(self.build) as server:
                    after = load(self.build, server, f"--rooms={rooms}", "--players=4", "--games=1")
                    resident[rooms] = after["server"]["resident_kib"]
            per.append((resident[many] - resident[few]) / (many - few))
        self.row("a finished four-player room, still open", "KiB", per, None, "<= 24, its connections included")

    def resume(self):
        with Server(self.build) as server:
            flags = ["--rooms=50", "--watchers=2", "--rate=500", "--storm=1", "--storm-away=10"]
            seen = load(self.build, server, *flags, f"--duration={self.seconds}")
        self.row("resume after 10 missed moves, median", "bytes", [seen["resume_bytes"]["p50"]], None, "<= 4096")
        self.row("resume after 10 missed moves, largest", "bytes", [seen["resume_bytes"]["max"]])

    def restart(self):
        """A server with 10,000 matches under way, of about 60 events each, is stopped, and a new one takes them over. The floor
        is SQLite alone: it hands over the same rows, and nothing is done with them."""
        rooms = 10000
        folder = tempfile.mkdtemp(prefix="taluva-bench-")
        try:
            with Server(self.build, folder=folder) as server:
                for _ in range(2):  # no more connections at once than elsewhere
                    flags = [f"--rooms={rooms // 2}", f"--rate={RESTART_RATE}", f"--duration={30 * rooms // RESTART_RATE}"]
                    load(self.build, server, *flags)
            ours, floors, resident, events = [], [], [], 0
            for _ in range(self.runs):
                begun = time.monotonic()
                with Server(self.build, folder=folder) as server:
                    ours.append(time.monotonic() - begun)
                    resident.append(resident_kib(server.pid) / 1024)
                begun = time.monotonic()
                events = rows_read(os.path.join(folder, "taluva.db"))
                floors.append(time.monotonic() - begun)
        finally:
            shutil.rmtree(folder)
        self.row("restart with 10,000 matches: events each", "", [events / rooms])
        self.row("restart with 10,000 matches: ready after", "s", ours, floors)
        self.row("restart with 10,000 matches: memory", "MiB", resident)

    def rules(self):
        """No network, no floor: the rules core alone, on positions of real games."""
        games = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../vectors/games.jsonl")
        command = ["taskset", "-c", str(SERVER_CORE), f"{self.build}/tests/bench/rules/bench-rules", "--json", games]
        runs = [json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
                for _ in range(self.runs)]
        mean_us = lambda name: [run[name]["mean_ns"] / 1000 for run in runs]
        self.row("rules: perft to depth 4", "million/s", [run["perft"]["million_per_s"] for run in runs], None, ">= 30")
        self.row("rules: all placements at turn 40", "us", mean_us("placements"), None, "<= 15")
        self.row("rules: with leaves-nothing-to-build flags", "us", mean_us("dead_ends"), None, "<= 50")
        self.row("rules: one placement checked", "us", mean_us("check"), None, "<= 0.15")


SECTIONS = ("rules", "steady", "saturated", "games", "cost", "idle", "linear", "crowd", "finished", "resume", "restart")


def machine():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def compare_files(before, after):
    """Figures of the same name, and what became of them."""
    rows = []
    for path in (before, after):
        with open(path, encoding="utf-8") as file:
            rows.append({row["name"]: row["median"] for row in json.load(file)["rows"]})
    print(f"{'':60}{'before':>12}{'after':>12}{'after / before':>16}")
    for name, was in rows[0].items():
        if name in rows[1]:
            ratio = f"{rows[1][name] / was:.2f}" if was else ""
            print(f"{name:60}{was:12.4g}{rows[1][name]:12.4g}{ratio:>16}")


def parsed():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--only", help=f"of {','.join(SECTIONS)}; with --peers of {','.join(beside.LOADS)}")
    parser.add_argument("--json", help="writes the figures to this file as well")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"))
    arguments = parser.parse_args()
    known = beside.LOADS if arguments.peers else SECTIONS
    arguments.only = arguments.only.split(",") if arguments.only else list(beside.ALWAYS if arguments.peers else SECTIONS)
    for name in arguments.only:
        if name not in known:
            parser.error(f"there is no {name}: --only takes {','.join(known)}")
    if not arguments.build and not arguments.compare:
        parser.error("BUILD_DIR is missing")
    return arguments


def main():
    arguments = parsed()
    if arguments.compare:
        compare_files(*arguments.compare)
        return
    end_all_at_exit()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    bench = Bench(os.path.abspath(arguments.build), arguments.runs, arguments.seconds)
    print(f"{machine()}; {arguments.runs} runs of {arguments.seconds} s; median, smallest .. largest\n")
    started = time.time()
    bench.learn_sizes()
    if arguments.peers:
        beside.Beside(bench).run(arguments.only)
    else:
        for name in arguments.only:
            getattr(bench, name)()
    print(f"\n{time.time() - started:.0f} s in all")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine(), "rows": bench.rows}, file, indent=1)


if __name__ == "__main__":
    main()

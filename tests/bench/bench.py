#!/usr/bin/env python3
"""Measures the server beside the floor, in one run, and prints each figure with its ratio.

The floor is a bare libuv + libwebsockets program that moves the same bytes and knows nothing (floor/). Server and
floor are pinned to one core, the driver to another; runs of both take turns, so that a machine whose speed drifts
drifts for both. Quoted are the median, the smallest and the largest of the runs. Nothing is asserted here: machines
are noisy, and a figure that misses its mark is for a person to look at.

usage: bench.py BUILD_DIR [--runs N] [--seconds S] [--only NAME[,NAME]] [--json FILE]
"""

import argparse
import json
import os
import platform
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

REQUEST_BYTES = 75  # a move's request; the replies and pushes are measured, see floor_sizes()
SERVER_CORE, DRIVER_CORE = 0, 1
NO_LIMITS = {
    "requests_per_s": 1000000,
    "requests_burst": 1000000,
    "connections": 100000,
    "connections_per_address": 100000,
    "sessions": 1000000,
    "sessions_per_address_per_min": 1000000,
    "sessions_per_address_burst": 1000000,
    "rooms": 100000,
    "rooms_per_session": 1000,
    "rooms_per_address_per_min": 1000000,
    "rooms_per_address_burst": 1000000,
    "batch_ops": 100000,
}


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def pinned(core, command, **more):
    return subprocess.Popen(["taskset", "-c", str(core)] + command, **more)


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Server:
    """taluvad on a fresh store, pinned; its data folder is on the disk that holds the temporary files."""

    def __init__(self, build):
        self.folder = tempfile.mkdtemp(prefix="taluva-bench-")
        limits = [f"--{name.replace('_', '-')}={value}" for name, value in NO_LIMITS.items()]
        self.port = free_port()
        self.process = pinned(
            SERVER_CORE,
            [f"{build}/server/taluvad", f"--listen=127.0.0.1:{self.port}", f"--data={self.folder}", "--log-level=error"]
            + limits,
            stdout=subprocess.PIPE,
            text=True,
        )
        if "listening" not in self.process.stdout.readline():
            sys.exit("taluvad did not start")
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        shutil.rmtree(self.folder)


class Floor:
    def __init__(self, build, reply_bytes, push_bytes):
        self.port = free_port()
        self.process = pinned(
            SERVER_CORE,
            [f"{build}/tests/bench/taluva-floor", str(self.port), str(reply_bytes), str(push_bytes)],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.process.stdout.readline()
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)


def load(build, server, *flags):
    """One run of the load tester against a server; anything it finds wrong ends the benchmark."""
    command = [f"{build}/clients/load/taluva-load", f"--server=ws://127.0.0.1:{server.port}/ws", "--json", "--quiet"]
    command += [f"--server-pid={server.pid}", *flags]
    done = pinned(DRIVER_CORE, command, stdout=subprocess.PIPE, text=True)
    out, _ = done.communicate()
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {out}")
    return json.loads(out)


def load_floor(build, floor, rooms, rate, seconds, reply_bytes, idle=0):
    command = [f"{build}/tests/bench/taluva-floor-load", str(floor.port), str(rooms), "2", str(rate), str(seconds)]
    command += [str(REQUEST_BYTES), str(reply_bytes), str(floor.pid), str(idle)]
    done = pinned(DRIVER_CORE, command, stdout=subprocess.PIPE, text=True)
    out, _ = done.communicate()
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    return json.loads(out)


class Bench:
    def __init__(self, build, runs, seconds):
        self.build, self.runs, self.seconds = build, runs, seconds
        self.rows = []
        self.reply_bytes, self.push_bytes = 33, 270

    def learn_sizes(self):
        """The floor moves what the server moves: measured, not guessed."""
        with Server(self.build) as server:
            seen = load(self.build, server, "--rooms=20", "--rate=500", "--duration=3", "--warmup=1")
        self.push_bytes = round(seen["push_bytes"]["mean"])

    def row(self, name, unit, ours, floor=None, mark=None):
        """`ours` and `floor` are lists of runs; pairs are compared run by run."""
        ratio = None
        if floor:
            ratio = statistics.median(a / b for a, b in zip(ours, floor) if b)
        entry = {
            "name": name,
            "unit": unit,
            "median": statistics.median(ours),
            "min": min(ours),
            "max": max(ours),
            "floor": statistics.median(floor) if floor else None,
            "ratio": ratio,
            "mark": mark,
        }
        self.rows.append(entry)
        spread = f"{entry['min']:.4g} .. {entry['max']:.4g}"
        beside = f"floor {entry['floor']:.4g}, ratio {ratio:.2f}" if ratio else ""
        print(f"{name:46} {entry['median']:10.4g} {unit:12} {spread:22} {beside:30} {mark or ''}", flush=True)

    def paired(self, rooms, rate):
        """Runs of server and floor in turn; returns two lists of results."""
        ours, floors = [], []
        for _ in range(self.runs):
            flags = [f"--rooms={rooms}", f"--duration={self.seconds}"] + ([f"--rate={rate}"] if rate else [])
            with Server(self.build) as server:
                ours.append(load(self.build, server, *flags))
            with Floor(self.build, self.reply_bytes, self.push_bytes) as floor:
                floors.append(load_floor(self.build, floor, rooms, rate, self.seconds, self.reply_bytes))
        return ours, floors

    def steady(self):
        ours, floors = self.paired(500, 2000)
        p99 = lambda results: [r["delivered_us"]["p99"] / 1000 for r in results]
        cpu = lambda results: [r["server"]["core_percent"] for r in results]
        p50 = lambda results: [r["delivered_us"]["p50"] / 1000 for r in results]
        memory = lambda results: [r["server"]["resident_kib"] / 1024 for r in results]
        self.row("2,000 moves/s, 500 rooms: p50 delivered", "ms", p50(ours), p50(floors))
        self.row("2,000 moves/s, 500 rooms: p99 delivered", "ms", p99(ours), p99(floors), "< 2")
        self.row("2,000 moves/s, 500 rooms: processor", "% of core", cpu(ours), cpu(floors), "<= 12")
        self.row("2,000 moves/s, 500 rooms: memory", "MiB", memory(ours), memory(floors), "<= 24")
        self.row("push of a move, median", "bytes", [r["push_bytes"]["p50"] for r in ours], None, "<= 300")

    def saturated(self):
        ours, floors = self.paired(100, 0)
        rate = lambda results: [r["moves_per_s"] for r in results]
        cpu = lambda results: [r["server"]["cpu_us_per_move"] for r in results]
        driver = lambda results: [r["driver"]["core_percent"] for r in results]
        self.row("saturated: moves", "per s", rate(ours), rate(floors), ">= 25000")
        self.row("saturated: processor per move", "us", cpu(ours), cpu(floors))
        self.row("saturated: the driver's own core", "%", driver(ours), driver(floors))

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
        rooms, per = 500, []
        for _ in range(self.runs):
            with Server(self.build) as server:
                flags = [f"--rooms={rooms}", "--players=4"]
                before = resident_kib(server.pid)
                after = load(self.build, server, *flags, "--games=1")
                per.append((after["server"]["resident_kib"] - before) / rooms)
        self.row("a finished four-player room, still open", "KiB", per, None, "<= 24, connections included")

    def resume(self):
        with Server(self.build) as server:
            flags = ["--rooms=50", "--watchers=2", "--rate=500", "--storm=1", "--storm-away=10"]
            seen = load(self.build, server, *flags, f"--duration={self.seconds}")
        self.row("resume after 10 missed moves, median", "bytes", [seen["resume_bytes"]["p50"]], None, "<= 4096")
        self.row("resume after 10 missed moves, largest", "bytes", [seen["resume_bytes"]["max"]])

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


def machine():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--only", default="rules,steady,saturated,idle,linear,crowd,finished,resume")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    bench = Bench(os.path.abspath(arguments.build), arguments.runs, arguments.seconds)
    print(f"{machine()}; {arguments.runs} runs of {arguments.seconds} s; median, smallest .. largest\n")
    started = time.time()
    bench.learn_sizes()
    for name in arguments.only.split(","):
        getattr(bench, name)()
    print(f"\n{time.time() - started:.0f} s in all")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine(), "rows": bench.rows}, file, indent=1)


if __name__ == "__main__":
    main()

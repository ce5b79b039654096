#!/usr/bin/env python3
"""Measures the server with its embedded store beside the same with a PostgreSQL database, in turns in one run.

The database is a cluster of its own on the loopback, durable as PostgreSQL is by itself, on the same disk as the embedded store. Server
and database are pinned to one core, the driver to another. Processor and bytes are of the whole of each run, with the making of its
rooms, divided by its moves: `server` is taluvad, `database` all processes of PostgreSQL, `bytes to the disk` what the system has written
for both. `takeover` makes ROOMS matches in both, starts a server on them, and then kills or stops one on the database
while a standby waits.
Quoted are the median, the smallest and the largest of the runs, and the ratio of the database to the embedded store, run by run.

usage: stores.py BUILD_DIR [--runs N] [--seconds S] [--only NAME[,NAME]] [--rooms ROOMS]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import postgres
from bench import machine
from programs import DRIVER_CORE, SERVER_CORE, Server, end_all_at_exit, load, pace, rows_read

# Rooms, and moves a second (0: as many as go).
LOADS = {"club": ("200 moves/s, 100 rooms", 100, 200), "steady": ("2,000 moves/s, 500 rooms", 500, 2000), "saturated": ("saturated, 100 rooms", 100, 0)}
SECTIONS = (*LOADS, "takeover")
FILLS = 10
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def used(pids):
    """Seconds of processor, those of children that are gone included, and bytes to the disk, of these processes."""
    seconds, written = 0, 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            with open(f"/proc/{pid}/io", encoding="ascii") as io:
                written += next(int(line.split()[1]) for line in io if line.startswith("write_bytes"))
        except FileNotFoundError:
            continue  # it has just ended
        seconds += sum(int(field) for field in fields[11:15]) * TICK_S
    return seconds, written


class Database:
    """A cluster, and an empty database of it for each server."""

    def __init__(self):
        self.postgres = postgres.Postgres(durable=True)
        self.environment = self.postgres.start()
        self.pid = self.postgres.process.pid
        self.run_on(SERVER_CORE)
        self.made = 0

    def run_on(self, core):
        """With all connections that are made from now on."""
        for pid in self.pids():
            subprocess.run(["taskset", "-a", "-c", "-p", str(core), str(pid)], check=pid == self.pid, stdout=subprocess.DEVNULL)

    def pids(self):
        with open(f"/proc/{self.pid}/task/{self.pid}/children", encoding="ascii") as children:
            return [self.pid, *map(int, children.read().split())]

    def ask(self, sql):
        command = [os.path.join(self.postgres.bin, "psql"), self.environment["TALUVA_TEST_POSTGRES"], "-Atc", sql]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def fresh(self):
        self.made += 1
        self.ask(f"CREATE DATABASE bench{self.made}")
        self.ask("CHECKPOINT")
        return self.environment["TALUVA_TEST_POSTGRES"].removesuffix("/postgres") + f"/bench{self.made}"


def one_run(build, seconds, rooms, rate, database):
    """The figures of one run; with `database` None on the embedded store."""
    with Server(build, store=database.fresh() if database else None) as server:
        behind = (lambda: used(database.pids())) if database else lambda: (0, 0)
        ours, its = used([server.pid]), behind()
        seen = load(build, server, f"--rooms={rooms}", f"--duration={seconds}", *pace(rate))
        ours_after, its_after = used([server.pid]), behind()
        moves = server.moves()
    return {
        "moves/s": seen["moves_per_s"],
        "p50 delivered, ms": seen["delivered_us"]["p50"] / 1000,
        "p99 delivered, ms": seen["delivered_us"]["p99"] / 1000,
        "processor of the server, us a move": (ours_after[0] - ours[0]) * 1e6 / moves,
        "processor of the database, us a move": (its_after[0] - its[0]) * 1e6 / moves,
        "bytes to the disk, a move": (ours_after[1] - ours[1] + its_after[1] - its[1]) / moves,
    }


def shown(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def spread(values):
    return f"{shown(statistics.median(values))} ({shown(min(values))} to {shown(max(values))})"


def loads(arguments, database, name):
    title, rooms, rate = LOADS[name]
    embedded, other = [], []
    for _ in range(arguments.runs):
        embedded.append(one_run(arguments.build, arguments.seconds, rooms, rate, None))
        other.append(one_run(arguments.build, arguments.seconds, rooms, rate, database))
    print(f"| {title} | SQLite | PostgreSQL | ratio |\n|---|---|---|---|")
    for figure in embedded[0]:
        ours, its = [run[figure] for run in embedded], [run[figure] for run in other]
        ratio = f"{statistics.median(b / a for a, b in zip(ours, its)):.2f}" if min(ours) > 0 else ""
        print(f"| {figure} | {spread(ours)} | {spread(its)} | {ratio} |")
    print(flush=True)


def fill(arguments, server):
    for _ in range(FILLS):  # a busy machine does not take all connections at once
        load(arguments.build, server, f"--rooms={arguments.rooms // FILLS}", f"--duration={2 * arguments.seconds}", *pace(0))


def restart_s(build, **where):
    begun = time.monotonic()
    with Server(build, **where):
        return time.monotonic() - begun


def takeover(arguments, database):
    """The same matches under way in both stores: loading, and for the database a standby that takes over."""
    with tempfile.TemporaryDirectory(prefix="taluva-bench-") as folder:
        with Server(arguments.build, folder=folder) as server:
            fill(arguments, server)
        embedded = [restart_s(arguments.build, folder=folder) for _ in range(arguments.runs)]
        events = [rows_read(os.path.join(folder, "taluva.db"))]
    url = database.fresh()
    with Server(arguments.build, store=url) as server:
        fill(arguments, server)
    other = [restart_s(arguments.build, store=url) for _ in range(arguments.runs)]
    events.append(int(subprocess.run([os.path.join(database.postgres.bin, "psql"), url, "-Atc", "SELECT count(*) FROM taluva.event"],
                                check=True, stdout=subprocess.PIPE, text=True).stdout))
    ratio = statistics.median(b / a for a, b in zip(embedded, other))
    print(f"| {arguments.rooms:,} matches | SQLite | PostgreSQL | ratio |\n|---|---|---|---|")
    print(f"| events in all | {events[0]:,} | {events[1]:,} | {events[1] / events[0]:.2f} |")
    print(f"| start until it listens, s | {spread(embedded)} | {spread(other)} | {ratio:.2f} |", flush=True)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "takeover.mjs")
    command = ["taskset", "-c", f"{SERVER_CORE},{DRIVER_CORE}", "node", script, url, str(arguments.runs)]
    subprocess.run(command, check=True, env={**os.environ, **database.environment, "TALUVAD": f"{arguments.build}/server/taluvad"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--rooms", type=int, default=10000)
    parser.add_argument("--only", default=",".join(SECTIONS))
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    for name in arguments.only.split(","):
        if name not in SECTIONS:
            parser.error(f"there is no {name}: --only takes {','.join(SECTIONS)}")
    end_all_at_exit()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    database = Database()
    try:
        version = database.ask("SHOW server_version")
        print(f"{machine()}; PostgreSQL {version}; {arguments.runs} runs of {arguments.seconds} s; median (smallest to largest)\n")
        started = time.monotonic()
        for name in arguments.only.split(","):
            if name == "takeover":
                takeover(arguments, database)
            else:
                loads(arguments, database, name)
        print(f"\n{time.monotonic() - started:.0f} s in all")
    finally:
        database.postgres.stop()


if __name__ == "__main__":
    main()

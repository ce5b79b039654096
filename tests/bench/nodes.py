#!/usr/bin/env python3
"""Measures a site of two nodes beside one server on PostgreSQL and one on its embedded store, in turns in one run.

The database is a cluster of its own on the loopback, as durable as PostgreSQL is by itself, on the same disk as the embedded store and
without a standby. Servers, nodes and database are pinned to one core, the driver to another; but `takeover`, `lobby` and `standby` use both.
Quoted are the median, the smallest and the largest of the runs. Nothing is asserted here.

    lone, steady   one room with ten moves a second; 500 rooms with 2,000. `right`: all players are at the node that has the rooms;
                   `wrong`: at the other one, so that each request and each push crosses the link. Processor and bytes are of the whole
                   of a run, with the making of its rooms, divided by its moves
    saturated      as many moves as go in 100 rooms; only if it is asked for
    batches        what an event costs the database in batches of 6, 40, 100 and 1,000, written by the stores' own code (events/)
    takeover       a node has ROOMS matches that have begun, and is killed; another one takes them over
    lobby          pages of the list of LISTED open rooms, of one server and of two nodes that share 12 parts
    standby        the start of one server with ROOMS matches that were played, from both stores; and one on the database that is killed or
                   stopped while a standby waits; only if it is asked for

With --before the embedded store is measured with the server of another build as well, and nothing else but the floors.

usage: nodes.py BUILD_DIR [--runs N] [--seconds S] [--only NAME[,NAME]] [--rooms ROOMS] [--listed LISTED]
       nodes.py BUILD_DIR --before BUILD_DIR [--runs N] [--seconds S] [--only LOAD[,LOAD]]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import crowded
from bench import machine
from crowded import gathered
from databases import Database, used
from programs import DRIVER_CORE, SERVER_CORE, Floor, Server, end_all_at_exit, load, load_floor, pace, pinned, rows_read
from sites import Site, ran_us, socket_bytes

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)

# Rooms, and moves a second (0: as many as go).
LOADS = {
    "lone": ("one room, a move in 100 ms", 1, 10),
    "steady": ("2,000 moves/s, 500 rooms", 500, 2000),
    "saturated": ("saturated, 100 rooms", 100, 0),
}
SECTIONS = (*LOADS, "batches", "takeover", "lobby", "standby")
ALWAYS = ("lone", "steady", "batches", "takeover", "lobby")
FILLS = 10
BATCHES = {6: 600, 40: 300, 100: 200, 1000: 20}
REPLY_BYTES, PUSH_BYTES = 33, 270


def shown(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def spread(values):
    if any(value is None for value in values):
        return ""
    return f"{shown(statistics.median(values))} ({shown(min(values))} to {shown(max(values))})"


def table(title, columns):
    """`columns`: name, and for each figure its runs."""
    figures = list(dict.fromkeys(figure for runs in columns.values() for figure in runs))
    print(f"| {title} | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for figure in figures:
        print(f"| {figure} | {' | '.join(spread(runs[figure]) if figure in runs else '' for runs in columns.values())} |")
    print(flush=True)


# ---- lone, steady


def times(seen):
    """The floors tell no times of replies."""
    kinds = {"delivered_us": "the opponent", "acknowledged_us": "the reply"}
    return {f"{at} to {whom}, ms": seen[kind][at] / 1000 for kind, whom in kinds.items() if kind in seen for at in ("p50", "p99")}


class Asked:
    """What a load costs everybody: from its making on until `figures`."""

    def __init__(self, servers, database, relays=()):
        self.servers, self.database, self.relays = servers, database, relays
        self.before = self.counted()

    def counted(self):
        pids = [server.pid for server in self.servers]
        counts = {f"processor of {name}": ran_us([pid]) for name, pid in zip(("the server", "the other node"), pids)}
        behind = self.database.pids() if self.database else []
        counts["bytes to the disk"] = used([*pids, *behind])[1]
        if self.database:
            counts["processor of the database"] = ran_us(behind)
            counts["bytes from and to the database"] = socket_bytes([self.database.postgres.port])
        if self.relays:
            counts["bytes over the link"] = socket_bytes(self.relays)
        return counts

    def figures(self, moves):
        after = self.counted()
        unit = lambda name: f"{name}, us a move" if "processor" in name else f"{name}, a move"
        return {unit(name): None if count is None else (after[name] - count) / moves for name, count in self.before.items()}


def measured(arguments, servers, at, database, rooms, rate, relays=()):
    """With the driver at the server `at`."""
    asked = Asked(servers, database, relays)
    seen = load(arguments.build, at, f"--rooms={rooms}", f"--duration={arguments.seconds}", *pace(rate))
    return {"moves/s": seen["moves_per_s"], **times(seen), **asked.figures(servers[0].moves())}


def one_server(arguments, database, rooms, rate, build=None):
    with Server(build or arguments.build, store=database.fresh() if database else None) as server:
        return measured(arguments, [server], server, database, rooms, rate)


def two_nodes(arguments, database, rooms, rate, at):
    with Site(arguments.build, database.fresh()) as site:
        return measured(arguments, site.nodes, site.nodes[at], database, rooms, rate, site.relays())


def floor(arguments, rooms, rate, durable):
    with Floor(arguments.build, REPLY_BYTES, PUSH_BYTES, durable) as server:
        seen = load_floor(arguments.build, server, rooms, rate, arguments.seconds, REPLY_BYTES)
    return {"moves/s": seen["moves_per_s"], **times(seen), "processor of the server, us a move": seen["server"]["cpu_us_per_move"]}


def loads(arguments, database, name):
    title, rooms, rate = LOADS[name]
    kinds = {
        "SQLite, before": lambda: one_server(arguments, None, rooms, rate, arguments.before),
        "SQLite": lambda: one_server(arguments, None, rooms, rate),
        "PostgreSQL": lambda: one_server(arguments, database, rooms, rate),
        "two nodes, right": lambda: two_nodes(arguments, database, rooms, rate, 0),
        "two nodes, wrong": lambda: two_nodes(arguments, database, rooms, rate, 1),
        "floor": lambda: floor(arguments, rooms, rate, False),
        "durable floor": lambda: floor(arguments, rooms, rate, True),
    }
    wanted = ("SQLite, before", "SQLite", "floor", "durable floor") if arguments.before else [*kinds][1:]
    results = {kind: [] for kind in wanted}
    for _ in range(arguments.runs):
        for kind in wanted:
            results[kind].append(kinds[kind]())
    runs = {kind: gathered(each) for kind, each in results.items()}
    table(title, runs)
    if not arguments.before:
        show_what_is_wrong(title, runs)


def show_what_is_wrong(title, runs):
    for figure in ("p50 to the opponent, ms", "p50 to the reply, ms"):
        more = [wrong - right for wrong, right in zip(runs["two nodes, wrong"][figure], runs["two nodes, right"][figure])]
        print(f"{title}: {figure}, the wrong node more than the right one: {spread(more)} (mark 0.5)\n", flush=True)


# ---- batches


class Writer:
    """events/ on a store of its own."""

    def __init__(self, build, where):
        command = [f"{build}/tests/bench/events/bench-events", where]
        self.process = pinned(DRIVER_CORE, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise SystemExit("bench-events did not start")

    def write(self, batch, count, database):
        before = ran_us(database.pids())
        print(batch, count, file=self.process.stdin, flush=True)
        took_us, own_us, _ = map(int, self.process.stdout.readline().split())
        events, of = batch * count, f"batches of {batch:,}"
        return {
            f"{of}: the store's own code, us an event": own_us / events,
            f"{of}: the database, us an event": (ran_us(database.pids()) - before) / events,
            f"{of}: ms a batch": took_us / count / 1000,
        }

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


def batches(arguments, database):
    """The driver's core is the store's here."""
    with tempfile.TemporaryDirectory(prefix="taluva-bench-") as folder:
        writers = {"PostgreSQL": Writer(arguments.build, database.fresh()), "SQLite": Writer(arguments.build, folder)}
        results = {name: [] for name in writers}
        for _ in range(arguments.runs):
            for name, writer in writers.items():
                results[name].append({})
                for batch, count in BATCHES.items():
                    results[name][-1].update(writer.write(batch, count, database))
        for writer in writers.values():
            writer.end()
    table("events written", {name: gathered(runs) for name, runs in results.items()})
    print("mark: at most 20 us an event of the database at batches of 100\n", flush=True)


# ---- takeover, lobby


def takeover(arguments, database):
    columns = {}
    for parts in (1, 12):
        url = crowded.with_matches(arguments.build, database, parts, arguments.rooms)
        columns["one part" if parts == 1 else f"{parts} parts"] = {
            "events in all": [crowded.events(database, url)],
            **crowded.takeovers(arguments.build, database, url, parts, arguments.runs),
        }
    table(f"takeover of {arguments.rooms:,} rooms", columns)
    print("mark: the first move is durable within 5 s\n", flush=True)


def lobby(arguments, database):
    build, listed = arguments.build, arguments.listed
    url = crowded.with_open_rooms(build, database, 1, listed)
    columns = {"one server": crowded.pages_of_server(build, url, listed, arguments.runs)}
    url = crowded.with_open_rooms(build, database, 12, listed)
    columns["two nodes, 12 parts"] = crowded.pages_of_nodes(build, url, 12, listed, arguments.runs)
    table(f"pages of {listed:,} open rooms", columns)
    print("mark: a page within 5 ms\n", flush=True)


# ---- standby


def fill(arguments, server):
    for _ in range(FILLS):  # a busy machine does not take all connections at once
        load(arguments.build, server, f"--rooms={arguments.rooms // FILLS}", f"--duration={2 * arguments.seconds}", *pace(0))


def start_s(build, **where):
    begun = time.monotonic()
    with Server(build, **where):
        return time.monotonic() - begun


def filled_and_started(arguments, **where):
    with Server(arguments.build, **where) as server:
        fill(arguments, server)
    return [start_s(arguments.build, **where) for _ in range(arguments.runs)]


def standby(arguments, database):
    url = database.fresh()
    with tempfile.TemporaryDirectory(prefix="taluva-bench-") as folder:
        starts = {"SQLite": filled_and_started(arguments, folder=folder), "PostgreSQL": filled_and_started(arguments, store=url)}
        events = {"SQLite": rows_read(os.path.join(folder, "taluva.db")), "PostgreSQL": crowded.events(database, url)}
    columns = {name: {"events in all": [events[name]], "start until it listens, s": runs} for name, runs in starts.items()}
    table(f"{arguments.rooms:,} matches", columns)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "takeover.mjs")
    command = ["taskset", "-c", f"{SERVER_CORE},{DRIVER_CORE}", "node", script, url, str(arguments.runs)]
    subprocess.run(command, check=True, env={**os.environ, **database.environment, "TALUVAD": f"{arguments.build}/server/taluvad"})


def parsed():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--rooms", type=int, default=10000)
    parser.add_argument("--listed", type=int, default=100000)
    parser.add_argument("--before", metavar="BUILD_DIR")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    arguments.before = arguments.before and os.path.abspath(arguments.before)
    known = tuple(LOADS) if arguments.before else SECTIONS
    arguments.only = arguments.only.split(",") if arguments.only else [*(LOADS if arguments.before else ALWAYS)]
    for name in arguments.only:
        if name not in known:
            parser.error(f"there is no {name}: --only takes {','.join(known)}")
    return arguments


def main():
    arguments = parsed()
    end_all_at_exit()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    database = Database()
    try:
        version = database.ask("SHOW server_version")
        print(f"{machine()}; PostgreSQL {version}; {arguments.runs} runs of {arguments.seconds} s; median (smallest to largest)\n")
        started = time.monotonic()
        for name in arguments.only:
            database.run_on(crowded.BOTH_CORES if name in ("takeover", "lobby", "standby") else SERVER_CORE)
            if name in LOADS:
                loads(arguments, database, name)
            else:
                {"batches": batches, "takeover": takeover, "lobby": lobby, "standby": standby}[name](arguments, database)
        print(f"{time.monotonic() - started:.0f} s in all")
    finally:
        database.postgres.stop()


if __name__ == "__main__":
    main()

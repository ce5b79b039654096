"""Ours, both floors and the servers of other frameworks under the same load in turns, as one table for each load."""

import statistics

import peer_servers
from programs import Floor, Server, load, load_floor, pace

# Rooms, and moves a second (0: as many as go).
LOADS = {
    "steady": ("2,000 moves/s, 500 rooms", 500, 2000),
    "club": ("200 moves/s, 100 rooms", 100, 200),
    "saturated": ("saturated, 100 rooms", 100, 0),
    "lone": ("one room, a move in 100 ms", 1, 10),
}
ALWAYS = ("steady", "saturated", "lone")
FULL = 90  # % of its core: from there on the driver may be the limit
FIGURES = {
    "processor, %": lambda run: run["server"]["core_percent"],
    "p50, ms": lambda run: run["delivered_us"]["p50"] / 1000,
    "p99, ms": lambda run: run["delivered_us"]["p99"] / 1000,
    "memory, MiB": lambda run: run["server"]["resident_kib"] / 1024,
    "moves/s": lambda run: run["moves_per_s"],
    "us a move": lambda run: run["server"]["cpu_us_per_move"],
    "push, bytes": lambda run: run["push_bytes"]["mean"],
    "driver, %": lambda run: run["driver"]["core_percent"],
}
BESIDE = ("socket.io", "durable floor")


def shown(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


class Beside:
    def __init__(self, bench):
        self.bench = bench
        self.peers = list(peer_servers.PEERS)
        self.rows = bench.rows

    def give_up(self, name, why):
        print(f"{name} is not measured: {why}", flush=True)
        self.peers.remove(name)

    def install(self):
        try:
            peer_servers.install()
        except peer_servers.Unavailable as error:
            for name in list(self.peers):
                self.give_up(name, error)
        else:
            versions = (f"{name} {peer_servers.version(peer_servers.PEERS[name][1])}" for name in self.peers)
            print("beside " + ", ".join(versions), flush=True)

    def ours(self, rooms, rate):
        flags = [f"--rooms={rooms}", f"--duration={self.bench.seconds}"] + pace(rate)
        with Server(self.bench.build) as server:
            return load(self.bench.build, server, *flags)

    def floor(self, rooms, rate, durable):
        bench = self.bench
        with Floor(bench.build, bench.reply_bytes, bench.push_bytes, durable) as floor:
            return load_floor(bench.build, floor, rooms, rate, bench.seconds, bench.reply_bytes)

    def turn(self, rooms, rate, results):
        """One run of each that is still there; what a peer lacks is said once, and it is left out from then on."""
        results.setdefault("ours", []).append(self.ours(rooms, rate))
        results.setdefault("floor", []).append(self.floor(rooms, rate, durable=False))
        results.setdefault("durable floor", []).append(self.floor(rooms, rate, durable=True))
        for name in list(self.peers):
            try:
                run = peer_servers.load_peer(
                    self.bench.build, name, self.bench.push_bytes, rooms, rate, self.bench.seconds
                )
                results.setdefault(name, []).append(run)
            except (peer_servers.Unavailable, OSError) as error:
                self.give_up(name, error)

    def load(self, key):
        title, rooms, rate = LOADS[key]
        results = {}
        for _ in range(self.bench.runs):
            self.turn(rooms, rate, results)
        self.show(title, results)

    def show(self, title, results):
        print(f"\n{title + ':':24}" + "".join(f"{figure:>21}" for figure in FIGURES))
        for name, runs in results.items():
            cells = []
            for figure, of in FIGURES.items():
                values = [of(run) for run in runs]
                entry = {"name": f"{title}: {name}: {figure}", "unit": "", "median": statistics.median(values)}
                self.rows.append(dict(entry, min=min(values), max=max(values)))
                cells.append(f"{shown(entry['median'])} ({shown(min(values))}..{shown(max(values))})")
            note = "  driver full" if FIGURES["driver, %"](runs[-1]) >= FULL else ""
            print(f"  {name:22}" + "".join(f"{cell:>21}" for cell in cells) + note)
        for other in BESIDE:
            if other in results:
                self.show_ratios(title, other, results)
        print(flush=True)

    def show_ratios(self, title, other, results):
        """Of runs that followed each other, so that a machine whose speed drifts drifts for both."""
        cells = []
        for figure, of in FIGURES.items():
            pairs = [(of(ours), of(theirs)) for ours, theirs in zip(results["ours"], results[other])]
            ratios = [ours / theirs for ours, theirs in pairs if theirs]
            if ratios:
                self.rows.append({"name": f"{title}: ours / {other}: {figure}", "unit": "", "median": statistics.median(ratios)})
            cells.append(f"{statistics.median(ratios):.2f}" if ratios else "")
        print(f"  {'ours / ' + other:22}" + "".join(f"{cell:>21}" for cell in cells))

    def run(self, loads):
        self.install()
        for key in loads:
            self.load(key)

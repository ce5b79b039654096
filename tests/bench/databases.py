"""PostgreSQL for the benchmarks: a cluster of its own on the loopback, as durable as PostgreSQL is by itself, on the same disk as the embedded
store, with an empty database for whoever asks."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import postgres
from programs import SERVER_CORE

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

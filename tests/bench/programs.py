"""The programs that a benchmark runs: ours, the floors and what drives them, each pinned to its core.

All that are started are ended when the benchmark ends, however it ends.
"""

import atexit
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

REQUEST_BYTES = 75  # a move's request; the replies and pushes are measured, see floor_sizes()
SERVER_CORE, DRIVER_CORE = 0, min(1, os.cpu_count() - 1)
RESTART_RATE = 10000  # moves per second while the store of `restart` is made
NO_LIMITS = {
    "requests_per_s": 1000000,
    "requests_burst": 1000000,
    "requests_per_address_per_s": 1000000,
    "requests_per_address_burst": 1000000,
    "reads_per_turn": 65535,
    "work_per_s": 1000000,
    "work_burst": 1000000,
    "connections": 100000,
    "connections_per_address": 100000,
    "sessions": 1000000,
    "sessions_per_address_per_min": 1000000,
    "sessions_per_address_burst": 1000000,
    "rooms": 100000,
    "rooms_per_address_per_min": 1000000,
    "rooms_per_address_burst": 1000000,
    "rooms_per_session": 1000,
    "rooms_per_address": 100000,
    "sessions_per_address": 1000000,
    "outbox_bytes_per_address": 1 << 30,
    "outbox_bytes_in_all": 1 << 30,
    "connects_per_address_per_s": 1000000,
    "connects_per_address_burst": 1000000,
    "batch_ops": 100000,
}


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


running = []


def end_all():
    for process in running:
        if process.poll() is None:
            process.kill()
            process.wait()


def end_all_at_exit():
    """A signal that would end this program ends it as an exception does, so that nothing is left behind."""
    atexit.register(end_all)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def pinned(core, command, **more):
    process = subprocess.Popen(["taskset", "-c", str(core)] + command, **more)
    running[:] = [each for each in running if each.poll() is None] + [process]
    return process


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def scheduled(pid):
    """How often the threads of a process went to sleep by themselves, and how long they ran."""
    sleeps, ran_ns = 0, 0
    for task in glob.glob(f"/proc/{pid}/task/*"):
        with open(f"{task}/status", encoding="ascii") as status:
            sleeps += next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
        with open(f"{task}/schedstat", encoding="ascii") as schedstat:
            ran_ns += int(schedstat.read().split()[0])
    return {"sleeps": sleeps, "ran_ns": ran_ns}


class Server:
    """taluvad on a fresh store, pinned; its data folder is on the disk that holds the temporary files."""

    def __init__(self, build, count=False, folder=None, store=None, more=(), core=SERVER_CORE, below=()):
        """With a `folder` of the caller's it starts on the store in there, and leaves it when it ends. `store`: the URL of a database;
        `more`: options of its own; `below`: a program that runs it."""
        self.lent = folder is not None
        self.folder = folder or tempfile.mkdtemp(prefix="taluva-bench-")
        limits = [f"--{name.replace('_', '-')}={value}" for name, value in NO_LIMITS.items()]
        self.port = free_port()
        self.process = pinned(
            core,
            list(below)
            + [f"{build}/server/taluvad", f"--listen=127.0.0.1:{self.port}", f"--data={self.folder}", "--log-level=error"]
            + limits
            + ([f"--store={store}"] if store else [])
            + list(more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if count else None,
            text=True,
            env=dict(os.environ, LD_PRELOAD=f"{build}/tests/bench/taluva-count.so") if count else None,
        )
        if "listening" not in self.process.stdout.readline():
            sys.exit("taluvad did not start")
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        if not self.lent:
            shutil.rmtree(self.folder)

    def counted(self):
        """What it has asked of the system so far, and how many moves it has taken; see count/."""
        self.process.send_signal(signal.SIGUSR2)
        counts = json.loads(self.process.stderr.readline())
        counts.update(scheduled(self.pid))
        counts["moves"] = self.moves()
        return counts

    def figure(self, name):
        """Of its metrics; 0 if it is not there."""
        metrics = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics").read().decode()
        return sum(int(count) for count in re.findall(f"^{re.escape(name)} (\\d+)", metrics, re.M))

    def moves(self):
        return self.figure('taluva_events_total{kind="move"}')


class Floor:
    def __init__(self, build, reply_bytes, push_bytes, durable=False):
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="taluva-floor-")
        journal = [os.path.join(self.folder, "journal")] if durable else []
        self.process = pinned(
            SERVER_CORE,
            [f"{build}/tests/bench/taluva-floor", str(self.port), str(reply_bytes), str(push_bytes)] + journal,
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
        self.process.stdout.close()
        shutil.rmtree(self.folder)


def rows_read(path):
    """How many events a store has; all of each has been read."""
    with contextlib.closing(sqlite3.connect(path)) as store:
        return sum(1 for _ in store.execute("SELECT * FROM event"))


def load_begin(build, server, *flags):
    command = [f"{build}/clients/load/taluva-load", f"--server=ws://127.0.0.1:{server.port}/ws", "--json", "--quiet"]
    command += [f"--server-pid={server.pid}", *flags]
    return pinned(DRIVER_CORE, command, stdout=subprocess.PIPE, text=True)


def load_end(driver):
    out, _ = driver.communicate()
    if driver.returncode != 0:
        sys.exit(f"{' '.join(driver.args)} failed: {out}")
    return json.loads(out)


def load(build, server, *flags):
    """One run of the load tester against a server; anything it finds wrong ends the benchmark."""
    return load_end(load_begin(build, server, *flags))


def pace(rate):
    """Flags of a run at this rate; 0: as many moves as go, when the driver must cost less than the server and checks a sample."""
    return [f"--rate={rate}"] if rate else ["--check=sample"]


def load_floor(build, floor, rooms, rate, seconds, reply_bytes, idle=0):
    command = [f"{build}/tests/bench/taluva-floor-load", str(floor.port), str(rooms), "2", str(rate), str(seconds)]
    command += [str(REQUEST_BYTES), str(reply_bytes), str(floor.pid), str(idle)]
    done = pinned(DRIVER_CORE, command, stdout=subprocess.PIPE, text=True)
    out, _ = done.communicate()
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    return json.loads(out)

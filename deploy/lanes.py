"""Runs the tests of one build in lanes: beside those that compute, as many as there are processors, those that mostly wait for real
time, more of them. tests/plan.toml says which are which.

usage: lanes.py PLAN MODE BUILD FOLDER LOCKS [SUITE...]

A lane is one `meson test` of its tests, with a log of its own, `lane-NAME`. LOCKS is a folder: of one lane only one build runs at a
time, so that two of these commands may test two builds at once. How each lane ended is written to `lanes.json` beside the logs, for
deploy/tally.py; the exit status is 0 if all lanes ended well.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time

import tally

SECONDS = "test-seconds.json"


class Lane:
    """One lane of a build: `status` is that of `meson test`, or None if it was not run to its end."""

    def __init__(self, build, name, folder, names, at_once):
        self.build, self.name, self.folder, self.names, self.at_once = build, name, folder, names, at_once
        self.status = None
        self.process = None
        self.ended = False

    def command(self):
        return ["meson", "test", "-C", self.folder, "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "4",
                "--num-processes", str(self.at_once), "--logbase", tally.LOG_OF_LANE + self.name, *self.names]

    def run(self, locks):
        with open(os.path.join(locks, self.name), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.ended:
                return
            began = time.monotonic()
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL)
            if self.ended:
                self.end()
            self.status = self.process.wait()
            print(f"== {self.build}, {self.name}: {time.monotonic() - began:.0f} s", flush=True)

    def end(self):
        self.ended = True
        if self.process:
            self.process.terminate()  # meson ends its tests


def run(lanes, locks):
    """Runs all of them. If this program is told to end, they end first."""
    threads = [threading.Thread(target=lane.run, args=(locks,), daemon=True) for lane in lanes]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: [lane.end() for lane in lanes])
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def seconds_of(folder):
    """How long each test took when it was last run in this folder."""
    try:
        with open(os.path.join(folder, SECONDS), encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def keep_seconds(folder, lanes):
    known = seconds_of(folder)
    for lane in lanes:
        ran = tally.read(tally.log_of(folder, tally.LOG_OF_LANE + lane.name))
        known.update({name: test["duration"] for name, test in ran.items()})
    with open(os.path.join(folder, SECONDS), "w", encoding="utf-8") as file:
        json.dump(known, file)


def in_order(names, seconds):
    """What takes long begins first, so that nothing long is left alone at the end. What nobody has timed comes before, in meson's order."""
    return sorted(names, key=lambda name: -seconds.get(name, float("inf")))


def main(path, mode, build, folder, locks, *suites):
    plan = tally.Plan(path, mode)
    tests, seconds = tally.configured(folder), seconds_of(folder)
    lanes = []
    for lane, at_once in plan.lanes(os.cpu_count()).items():
        names = [name for name in plan.chosen(build, tests, suites) if plan.lane(tests[name]) == lane]
        if names:
            lanes.append(Lane(build, lane, folder, in_order(names, seconds), at_once))
    run(lanes, locks)
    with open(tally.log_of(folder, "lanes"), "w", encoding="utf-8") as file:
        json.dump({lane.name: lane.status for lane in lanes}, file)
    keep_seconds(folder, lanes)
    return int(any(lane.status != 0 for lane in lanes))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

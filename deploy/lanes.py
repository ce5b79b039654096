"""Runs the tests of one build in lanes: beside those that compute, as many as there are processors, those that mostly wait for real
time, more of them. tests/plan.toml says which are which.

usage: lanes.py [--afresh] TOP MODE BUILD FOLDER LOCKS [SUITE...]

A lane is one `meson test` of its tests, with a log of its own, `lane-NAME`. LOCKS is a folder: of one lane only one build runs at a
time, so that two of these commands may test two builds at once. How each lane ended is written to `lanes.json` beside the logs, for
deploy/tally.py; the exit status is 0 if all lanes ended well.

What has passed with the same inputs is not run again (memory.py), but for a run at night, in continuous integration (`CI` is set) or with
`--afresh`.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time

import memory
import tally

SECONDS = "test-seconds.json"
# What mostly waits for real time needs little of a processor, but at once: what computes beside it comes after.
COMPUTES = ["nice", "-n", "5"]


class Lane:
    """One lane of a build: `status` is that of `meson test`, or None if it was not run to its end."""

    def __init__(self, build, name, folder, names, at_once):
        self.build, self.name, self.folder, self.names, self.at_once = build, name, folder, names, at_once
        self.status = None
        self.process = None
        self.ended = False

    def command(self):
        first = COMPUTES if self.name == tally.COMPUTING else []
        return [*first, "meson", "test", "-C", self.folder, "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "4",
                "--num-processes", str(self.at_once), "--logbase", tally.LOG_OF_LANE + self.name, *self.names]

    def run(self, locks):
        with open(os.path.join(locks, self.name), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.ended:
                return
            began = time.monotonic()
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, env={**os.environ, "TALUVA_TEST_USAGE": "1"})
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
    """The results of the lanes, of which this keeps how long they took."""
    ran = {}
    for lane in lanes:
        ran.update(tally.read(tally.log_of(folder, tally.LOG_OF_LANE + lane.name)))
    with open(os.path.join(folder, SECONDS), "w", encoding="utf-8") as file:
        json.dump({**seconds_of(folder), **{name: test["duration"] for name, test in ran.items()}}, file)
    return ran


def in_order(names, seconds):
    """What takes long begins first, so that nothing long is left alone at the end. What nobody has timed comes before, in meson's order."""
    return sorted(names, key=lambda name: -seconds.get(name, float("inf")))


def remembered(plan, kept, keys):
    """What has passed with the same inputs, with the number of its checks then: the plan may ask for more of them now."""
    checks = {name: kept.passed(name, key) for name, key in keys.items()}
    return {name: count for name, count in checks.items() if count is not None and count >= plan.checks.get(name, 0)}


def learn(plan, kept, keys, ran):
    """Remembers what of the tests that have run has passed whole; `keys` are from before they ran."""
    memory.read_files_again()
    for name, test in ran.items():
        if tally.whole(plan, name, test):
            kept.remember(name, keys.get(name), tally.counted(test))
        else:
            kept.forget(name)
    kept.save()


def main(afresh, top, mode, build, folder, locks, *suites):
    plan = tally.Plan(os.path.join(top, "tests", "plan.toml"), mode)
    tests, seconds = tally.configured(folder), seconds_of(folder)
    chosen = plan.chosen(build, tests, suites)
    kept = memory.Memory(top, folder, tally.introspected(folder))
    keys = {name: kept.key(name) for name in chosen}
    known = {} if afresh or mode == "nightly" or os.environ.get("CI") else remembered(plan, kept, keys)
    lanes = []
    for lane, at_once in plan.lanes(os.cpu_count()).items():
        names = [name for name in chosen if plan.lane(tests[name]) == lane and name not in known]
        if names:
            lanes.append(Lane(build, lane, folder, in_order(names, seconds), at_once))
    run(lanes, locks)
    with open(tally.log_of(folder, "lanes"), "w", encoding="utf-8") as file:
        json.dump({"lanes": {lane.name: lane.status for lane in lanes}, "remembered": known}, file)
    learn(plan, kept, keys, keep_seconds(folder, lanes))
    return int(any(lane.status != 0 for lane in lanes))


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main("--afresh" in words[:1], *words[words[:1] == ["--afresh"] :]))

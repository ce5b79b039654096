"""Runs the tests of one build in lanes: beside those that compute, as many as there are processors, those that mostly wait for real
time, more of them. tests/plan.toml says which are which, and which lanes are early: they begin when their own programs are built.

usage: lanes.py [--afresh] run TOP MODE BUILD FOLDER WHEN LOCKS [SUITE...]
       lanes.py needed TOP MODE BUILD FOLDER WHEN [SUITE...]     prints what ninja is to build for these tests

WHEN is `early` or `late`: these lanes, and no others. A lane is one `meson test` of its tests, with a log of its own, `lane-NAME`. LOCKS
is a folder: of one lane only one build runs at a time, so that several of these commands may test several builds at once. The first test
that has a database keeps it there as it was made, for all others (tests/support/postgres.py). How each lane
ended is written to `lane-NAME-ended.json` beside the logs, for deploy/tally.py; the exit status is 0 if all lanes ended well.

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
EARLY = "early"
# What mostly waits for real time needs little of a processor, but at once: what computes beside it comes after.
COMPUTES = ["nice", "-n", "5"]


class Lane:
    """One lane of a build: `status` is that of `meson test`, or None if it was not run to its end."""

    def __init__(self, build, name, folder, names, at_once, waits):
        self.build, self.name, self.folder, self.names, self.at_once, self.waits = build, name, folder, names, at_once, waits
        self.status = None
        self.process = None
        self.ended = False

    def command(self):
        first = [] if self.waits else COMPUTES
        return [*first, "meson", "test", "-C", self.folder, "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "4",
                "--num-processes", str(self.at_once), "--logbase", tally.LOG_OF_LANE + self.name, *self.names]

    def run(self, locks):
        with open(os.path.join(locks, self.name), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.ended:
                return
            began = time.monotonic()
            more = {"TALUVA_TEST_USAGE": "1", "TALUVA_TEST_CLUSTER": os.path.join(locks, "cluster")}
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, env={**os.environ, **more})
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
    with open(os.path.join(folder, SECONDS + ".new"), "w", encoding="utf-8") as file:
        json.dump({**seconds_of(folder), **{name: test["duration"] for name, test in ran.items()}}, file)
    os.replace(os.path.join(folder, SECONDS + ".new"), os.path.join(folder, SECONDS))
    return ran


def in_order(names, seconds):
    """What takes long begins first, so that nothing long is left alone at the end. What nobody has timed comes before, in meson's order."""
    return sorted(names, key=lambda name: -seconds.get(name, float("inf")))


def remembered(plan, kept, keys):
    """What has passed with the same inputs, with the number of its checks then: the plan may ask for more of them now."""
    checks = {name: kept.passed(name, key) for name, key in keys.items()}
    return {name: count for name, count in checks.items() if count is not None and count >= plan.checks.get(name, 0)}


def learn(plan, kept, keys, ran):
    """Remembers what of the tests that have run has passed whole; `keys` are from before they ran. Others may have learnt meanwhile."""
    memory.read_files_again()
    kept.known = kept.load()
    for name, test in ran.items():
        if tally.whole(plan, name, test):
            kept.remember(name, keys.get(name), tally.counted(test))
        else:
            kept.forget(name)
    kept.save()


def ended(folder, names, lanes, known):
    """Writes for each lane how it ended, and which of its tests need not run."""
    statuses = {lane.name: lane.status for lane in lanes}
    for lane, of_lane in names.items():
        with open(tally.ended_of(folder, lane), "w", encoding="utf-8") as file:
            json.dump({"status": statuses.get(lane), "remembered": {name: known[name] for name in of_lane if name in known}}, file)


def in_lanes(plan, folder, build, when, suites):
    """The names of the tests that are to run, by lane."""
    tests = tally.configured(folder)
    chosen = plan.chosen(build, tests, suites)
    return {lane: [name for name in chosen if plan.lane(tests[name]) == lane] for lane in plan.lanes(0) if plan.is_early(lane) == (when == EARLY)}


def run_tests(afresh, top, mode, build, folder, when, locks, *suites):
    with open(os.path.join(locks, "installing"), "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)  # what tests need may still be installed
    plan, seconds = tally.Plan(os.path.join(top, "tests", "plan.toml"), mode), seconds_of(folder)
    names = in_lanes(plan, folder, build, when, suites)
    kept = memory.Memory(top, folder, tally.introspected(folder))
    # In continuous integration nothing is known, and nothing is learnt but failures.
    keys = {} if os.environ.get("CI") else {name: kept.key(name) for of_lane in names.values() for name in of_lane}
    known = {} if afresh or mode == "nightly" else remembered(plan, kept, keys)
    lanes = []
    for lane, of_lane in names.items():
        unknown = [name for name in of_lane if name not in known]
        if unknown:
            lanes.append(Lane(build, lane, folder, in_order(unknown, seconds), plan.lanes(os.cpu_count())[lane], plan.is_early(lane)))
    run(lanes, locks)
    ended(folder, names, lanes, known)
    with open(os.path.join(locks, build), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the other lanes' command writes to the same files
        learn(plan, kept, keys, keep_seconds(folder, lanes))
    return int(any(lane.status != 0 for lane in lanes))


def needed(top, mode, build, folder, when, *suites):
    """What of a build these tests need, as ninja calls it."""
    plan = tally.Plan(os.path.join(top, "tests", "plan.toml"), mode)
    names = {name for of_lane in in_lanes(plan, folder, build, when, suites).values() for name in of_lane}
    made = memory.made(folder)
    files = {path for test in tally.introspected(folder) if test["name"] in names for target in test["depends"] for path in made[target]}
    return sorted(os.path.relpath(path, os.path.realpath(folder)) for path in files)


def main(words):
    afresh = "--afresh" in words[:1]
    what, *arguments = words[afresh:]
    if what == "needed":
        print(*needed(*arguments), sep="\n", end="")
        return 0
    return run_tests(afresh, *arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

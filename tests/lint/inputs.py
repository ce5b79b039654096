"""What tests read in the checkout and in the build folder is declared in tests/inputs.toml, or meson knows it: whatever else they read could
change, and a memory of what they said before would not notice.

usage: inputs.py [--minutes N] TOP BUILD [TEST...]

Traces the named tests, or all that may be remembered, with strace. BUILD is one without sanitizers: leaks are not looked for below strace.
With --minutes it begins none after so long, and each day with others.

strace may lose a process that it follows, and wait for ever. An entry of tests/inputs.toml that says why `endless` is of tests of which as much
is looked at as there is after ENDLESS_S.
"""

import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy"))
import memory  # noqa: E402  (who makes keys of what is declared)

BOUND_S, ENDLESS_S = 900, 120  # of one test
TRACED = "trace=open,openat,execve"
# What was opened: with -y, strace says the path of the file descriptor. What was only to be written is no input.
OPENED = re.compile(r"(?:open|openat)\(.*?(O_[A-Z_|]+).* = \d+<([^>]*)>(?:\(deleted\))?$")
EXECUTED = re.compile(r'execve\("([^"]*)",.* = 0$')
# Where meson and tests write, and what node's and Python's own caches are.
OWN = re.compile(r"/(?:node_modules|__pycache__|meson-logs)(?:/|$)")


def paths_read(lines, workdir):
    """The paths that a trace says were read or executed."""
    for line in lines:
        if (opened := OPENED.search(line)) and "O_WRONLY" not in opened[1]:
            yield opened[2]
        elif executed := EXECUTED.search(line):
            yield os.path.join(workdir, executed[1])


def undeclared(kept, name, lines):
    """What of the checkout and the build folder a trace of a test read without saying so."""
    declared = {os.path.realpath(path) for path in kept.read_by(name)}
    workdir = kept.tests[name]["workdir"] or kept.folder
    for path in sorted({os.path.realpath(path) for path in paths_read(lines, workdir)}):
        ours = path.startswith((kept.top + os.sep, kept.folder + os.sep))
        if ours and os.path.exists(path) and not OWN.search(path) and path not in declared and not kept.lists(name, path):
            yield path


def is_endless(kept, name):
    suites = {suite.rpartition(":")[2] for suite in kept.tests[name]["suite"]}
    entries = [entry for entry in kept.inputs.entries if "endless" in entry]
    return any(name in entry.get("tests", []) or suites.intersection(entry.get("suites", [])) for entry in entries)


def traced(kept, name, bound_s):
    """The lines of a trace of a test, and what it said, or None if that did not end."""
    test = kept.tests[name]
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "trace")
        command = ["strace", "-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-e", TRACED, "-e", "signal=none", "-o", log, *test["cmd"]]
        run = subprocess.Popen(command, cwd=test["workdir"] or kept.folder, env={**os.environ, **test["env"]}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        try:
            said = run.communicate(timeout=bound_s)[0]
        except subprocess.TimeoutExpired:
            said = None
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        with open(log, encoding="utf-8", errors="replace") as lines:
            return lines.read().splitlines(), said


def in_order(names, seed):
    """Other ones first each day, as there may not be time for all."""
    return random.Random(seed).sample(sorted(names), len(names))


def main(words):
    minutes = float(words[1]) if words[0] == "--minutes" else math.inf
    top, build, *names = words[2:] if words[0] == "--minutes" else words
    until, late = time.monotonic() + 60 * minutes, 0
    introspected = json.loads(subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, text=True, check=True).stdout)
    kept = memory.Memory(top, build, introspected)
    wrong = []
    for name in names or in_order(kept.tests, time.strftime("%j")):
        if kept.read_by(name) is None:
            if names:
                wrong.append(f"{name} declares nothing")
            continue
        if time.monotonic() > until:
            late += 1
            continue
        endless = is_endless(kept, name)
        lines, said = traced(kept, name, ENDLESS_S if endless else BOUND_S)
        if said is None and not endless:
            wrong.append(f"{name} could not be traced to its end")
        elif not lines:
            wrong.append(f"{name} was not traced: {(said or '').strip()}")
        wrong += [f"{name} reads {os.path.relpath(path, kept.top)}, which tests/inputs.toml does not declare" for path in undeclared(kept, name, lines)]
        print(f"{name}: {len(lines)} files opened", flush=True)
    print(f"{late} were not traced: there was no time")
    return tree.report(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

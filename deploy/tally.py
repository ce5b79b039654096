"""Reads from tests/plan.toml which tests a command runs, and reports afterwards whether they all ran, what failed or was
skipped, and why. The last line has the totals.

usage: tally.py check PLAN MODE BUILD=FOLDER... [-- SUITE...]
           whether each suite exists and has a test in this mode
       tally.py floors PLAN MODE BUILD=FOLDER...
           what the plan's floors may be raised to after a run
       tally.py spent PLAN MODE BUILD=FOLDER...
           what the tests of a run took of a processor and of time, by suite, and the dearest of them
       tally.py total PLAN MODE BUILD=FOLDER=WHAT... [NAME=STATUS...] [-- SUITE...]
           WHAT is "lanes" if deploy/lanes.py ran the tests, or "build" if the build failed; NAME is another command

The logs of the lanes are compared with the configured tests. A lane that was interrupted, a test without a line in its lane's log, a
test that one build leaves to another which does not have it, a folder of tests that is no longer configured, and an exit status that no
failing test explains all count as failures.
"""

import fnmatch
import json
import os
import re
import sys
import tomllib

import memory

PASSED = ("OK", "EXPECTEDFAIL")
LOG_OF_LANE = "lane-"
COMPUTING = "computing"  # the lane of whatever the plan puts into no other

# How the test runners report what they ran and what they skipped.
COUNTED = (
    re.compile(r"^\d+%: Checks: (\d+), ", re.MULTILINE),  # Check
    re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE),  # unittest
    re.compile(r"^ℹ tests (\d+)$", re.MULTILINE),  # node's spec reporter
    re.compile(r"^(\d+) (?:counts|games|inputs|walks|worlds)\b", re.MULTILINE),  # ours
)
ONE_MORE = re.compile(r"^ok \S", re.MULTILINE)  # TAP
USED = re.compile(r"^processor: (\d+\.\d+) s$", re.MULTILINE)  # tests/support/contained.py
DEAREST = 40
LEFT_OUT = (
    re.compile(r"^OK \(.*?skipped=(\d+)", re.MULTILINE),
    re.compile(r"^ℹ (?:skipped|todo) (\d+)$", re.MULTILINE),
)
ONE_LEFT_OUT = re.compile(r"^ok .*# (?:SKIP|T[O]DO)", re.MULTILINE | re.IGNORECASE)


class Plan:
    """tests/plan.toml: `runs`, `lanes`, the floors `tests` and `checks`, and `may_skip`."""

    def __init__(self, path, mode):
        with open(path, "rb") as file:
            text = tomllib.load(file)
        self.runs = text["runs"][mode]
        self.tests = text.get("tests", {})
        self.checks = text.get("checks", {})
        self.may_skip = text.get("may_skip", {})
        self.lane_of = text.get("lanes", {})

    def without(self, build):
        return self.runs[build].get("without", [])

    def left_to(self, build, of):
        """The build that runs a test of these suites in the place of this one, or None."""
        for other, suites in self.runs[build].get("left_to", {}).items():
            if of.intersection(suites) and not of.intersection(self.without(other)):
                return other
        return None

    def belongs(self, build, of, suites):
        return not of.intersection(self.without(build)) and (not suites or bool(of.intersection(suites)))

    def chosen(self, build, tests, suites):
        """The names of the configured tests that are to run."""
        return [name for name, of in tests.items() if self.belongs(build, of, suites) and not self.left_to(build, of)]

    def lanes(self, processors):
        """How many tests each lane runs at once."""
        return {COMPUTING: processors, **{name: lane["at_once"] for name, lane in self.lane_of.items()}}

    def is_early(self, lane):
        """Whether a lane begins as soon as its own programs are built."""
        return self.lane_of.get(lane, {}).get("early", False)

    def lane(self, of):
        """The lane of a test of these suites."""
        return next((name for name, lane in self.lane_of.items() if of.intersection(lane["suites"])), COMPUTING)


def introspected(folder):
    """What meson says of each test of a build."""
    with open(os.path.join(folder, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        return json.load(file)


def configured(folder):
    """The tests of a build with their suites; a log tells them apart by their names."""
    tests = {}
    for test in introspected(folder):
        if test["name"] in tests:
            sys.exit(f"two tests are called {test['name']}")
        tests[test["name"]] = {suite.rpartition(":")[2] for suite in test["suite"]}
    return tests


def read(path):
    """The lines of a log that are whole, by the test's name."""
    tests = {}
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    test = json.loads(line)
                except json.JSONDecodeError:
                    continue  # an incomplete line: the test is reported as not run
                tests[test["name"].rpartition(" / ")[2]] = test
    except FileNotFoundError:
        pass
    return tests


def log_of(folder, base):
    return os.path.join(folder, "meson-logs", base + ".json")


def ended_of(folder, lane):
    return log_of(folder, LOG_OF_LANE + lane + "-ended")


def told(folder, lane):
    """How a lane ended and what was remembered of it; nothing is known if deploy/lanes.py did not come to its end."""
    try:
        with open(ended_of(folder, lane), encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, json.JSONDecodeError):
        return {"status": None, "remembered": {}}


def said(test):
    return (test.get("stdout") or "") + "\n" + (test.get("stderr") or "")


def numbers(test, patterns):
    return sum(int(number) for pattern in patterns for number in pattern.findall(said(test)))


def counted(test):
    """How many checks a test has made, if it says so."""
    return numbers(test, COUNTED) + len(ONE_MORE.findall(said(test)))


def used(test):
    """The seconds of a processor that a test took with all that it started."""
    return sum(float(seconds) for seconds in USED.findall(said(test)))


def left_out(test):
    """How many of its parts a test that passed has skipped."""
    return numbers(test, LEFT_OUT) + len(ONE_LEFT_OUT.findall(said(test)))


def reason(test):
    """Why a test was skipped: what TAP says, else its last words."""
    tap = re.findall(r"# SKIP\S*\s+(.+)", said(test), re.IGNORECASE)
    words = [line.strip() for line in said(test).splitlines() if line.strip()]
    return tap[-1] if tap else words[-1] if words else "no reason given"


def whole(plan, name, test):
    """Whether a test has passed, with all its parts and with as many checks as it is to make."""
    return test["result"] in PASSED and not left_out(test) and counted(test) >= plan.checks.get(name, 0)


def known_skip(plan, build, name):
    return any(fnmatch.fnmatchcase(f"{build}: {name}", pattern) for pattern in plan.may_skip)


class Total:
    """Counts tests; anything else that is wrong counts as one more failure."""

    def __init__(self, plan, out=print):
        self.plan, self.out = plan, out
        self.passed = self.failed = self.skipped = self.remembered = 0

    def fail(self, build, what):
        self.failed += 1
        self.out(f"FAILED   {build}: {what}")

    def skip(self, build, name, why):
        if known_skip(self.plan, build, name):
            self.skipped += 1
            self.out(f"SKIPPED  {build}: {name}: {why}")
        else:
            self.fail(build, f"{name} was skipped, and tests/plan.toml does not allow it: {why}")

    def test(self, build, name, test, log):
        if test["result"] == "SKIP":
            return self.skip(build, name, reason(test))
        if test["result"] not in PASSED:
            return self.fail(build, f"{name} ({test['result'].lower()}, see {log})")
        if left_out(test):
            return self.skip(build, name, f"{left_out(test)} of its parts: {reason(test)}")
        floor = self.plan.checks.get(name, 0)
        if counted(test) < floor:
            return self.fail(build, f"{name} made {counted(test)} checks, tests/plan.toml says at least {floor}")
        self.passed += 1
        return None

    def remember(self, build, name, checks):
        """A test that need not run, as it has passed with the same inputs, and made so many checks then."""
        floor = self.plan.checks.get(name, 0)
        if checks < floor:
            self.fail(build, f"{name} is remembered with {checks} checks, tests/plan.toml says at least {floor}")
        else:
            self.passed += 1
            self.remembered += 1

    def floors(self, build, tests):
        """What is configured against what there has to be: a folder of tests may be gone from meson.build."""
        for suite, floor in self.plan.tests.get(build, {}).items():
            count = sum(suite in of for of in tests.values())
            if count < floor:
                self.fail(build, f"suite {suite} has {count} tests, tests/plan.toml says at least {floor}")

    def lane(self, build, log, expected, status):
        """What the log of a lane says about the tests that it was to run."""
        ran, failing = read(log), 0
        for name in expected:
            if name in ran:
                failing += ran[name]["result"] not in (*PASSED, "SKIP")
                self.test(build, name, ran[name], log.replace(".json", ".txt"))
            else:
                self.fail(build, f"{name} is configured and did not run")
        for name in ran.keys() - set(expected):
            self.fail(build, f"{name} ran and was not asked for")
        if expected and status != failing:
            self.fail(build, f"meson test ended with {status}, and {failing} failing tests do not explain that")
        return ran

    def run(self, build, folder, tests, suites):
        self.floors(build, tests)
        ran, asked = [], 0
        chosen = self.plan.chosen(build, tests, suites)
        for lane in self.plan.lanes(0):
            how, mine = told(folder, lane), [name for name in chosen if self.plan.lane(tests[name]) == lane]
            for name, checks in how["remembered"].items():
                if name in mine:
                    self.remember(build, name, checks)
                else:
                    self.fail(build, f"{name} is remembered and was not asked for")
            expected = [name for name in mine if name not in how["remembered"]]
            asked += len(expected)
            ran += self.lane(build, log_of(folder, LOG_OF_LANE + lane), expected, how["status"]).values()
        took, processor = sum(test["duration"] for test in ran), sum(map(used, ran))
        self.out(f"{build}: {len(ran)} of {asked} tests in {took:.0f} s, {processor:.0f} s of a processor")

    def left(self, builds, suites):
        """Whether each test that one build leaves to another is a test of that."""
        for build, tests in builds.items():
            for name, of in tests.items():
                other = self.plan.left_to(build, of)
                if other and self.plan.belongs(build, of, suites) and name not in builds.get(other, {}):
                    self.fail(build, f"{name} is left to {other}, which does not have it")


def unknown(plan, suites, builds):
    """What is wrong with the suites that were asked for; `builds` are the configured tests of each."""
    for suite in suites:
        if not any(suite in of for tests in builds.values() for of in tests.values()):
            yield f"there is no suite {suite}"
        elif not any(plan.chosen(build, tests, [suite]) for build, tests in builds.items()):
            yield f"no test of the suite {suite} belongs to this command"


def missing_inputs(path, builds):
    """What tests/inputs.toml declares and is not there."""
    everything = {}
    for tests in builds.values():
        everything.update(tests)
    inputs = memory.Inputs(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    return [f"tests/inputs.toml: {wrong}" for wrong in inputs.wrong(everything)]


def total(plan, words, suites, out=print):
    result = Total(plan, out)
    runs = [word.split("=") for word in words if word.count("=") == 2]
    for missing in plan.runs.keys() - {build for build, _, _ in runs}:
        result.fail(missing, "this build was not tried")
    builds = {}
    for build, folder, what in runs:
        if what == "build":
            result.fail(build, "no tests were run")
        else:
            builds[build] = configured(folder)
            result.run(build, folder, builds[build], suites)
    result.left(builds, suites)
    for name, status in (word.split("=") for word in words if word.count("=") == 1):
        if status == "0":
            result.passed += 1
        else:
            result.fail(name, f"ended with {status}")
    if result.remembered:
        out(f"{result.remembered} of those that passed are remembered: they have passed before, with the same inputs")
    out(f"{result.passed} passed, {result.failed} failed, {result.skipped} skipped")
    return result.failed > 0 or result.passed == 0


def spent(plan, runs):
    """Lines of seconds of a processor, seconds, how many tests and what they are: each suite (one that a test names first), each dear test."""
    for build, folder in runs:
        suites, tests = {}, {}
        ran = {name: test for lane in plan.lanes(0) for name, test in read(log_of(folder, LOG_OF_LANE + lane)).items()}
        for test in introspected(folder):
            if test["name"] in ran:
                of = test["suite"][0].rpartition(":")[2]
                tests[test["name"]] = (used(ran[test["name"]]), ran[test["name"]]["duration"], 1)
                suites[of] = [sum(both) for both in zip(suites.get(of, (0, 0, 0)), tests[test["name"]])]
        for table in (suites, dict(sorted(tests.items(), key=lambda item: -item[1][0])[:DEAREST])):
            yield from (f"{build:6}{processor:8.1f}{took:8.1f}{count:5} {name}" for name, (processor, took, count) in table.items())


def floors(plan, runs):
    """The lines of the plan as they would be if nothing may become less; what runs by the clock has no floor."""
    checks = {}
    for build, folder in runs:
        tests = configured(folder)
        yield f"[tests.{build}]"
        for suite in sorted(set().union(*tests.values())):
            yield f"{suite} = {sum(suite in of for of in tests.values())}"
        yield ""
        logs = [read(log_of(folder, LOG_OF_LANE + lane)) for lane in plan.lanes(0)]
        for name, test in (item for log in logs for item in log.items()):
            if counted(test) and "nightly" not in tests.get(name, {"nightly"}):
                checks[name] = min(counted(test), checks.get(name, counted(test)))
    yield "[checks]"
    for name in sorted(checks.keys() | plan.checks.keys()):
        yield f'"{name}" = {max(checks.get(name, 0), plan.checks.get(name, 0))}'


def main(what, path, mode, *words):
    plan = Plan(path, mode)
    end = words.index("--") if "--" in words else len(words)
    suites = words[end + 1 :]
    if what == "check":
        builds = dict(word.split("=", 1) for word in words[:end])
        builds = {build: configured(folder) for build, folder in builds.items()}
        wrong = [*unknown(plan, suites, builds), *missing_inputs(path, builds)]
        print(*wrong, sep="\n", end="\n" if wrong else "")
        return 2 if wrong else 0
    if what == "spent":
        print(*spent(plan, [word.split("=", 1) for word in words]), sep="\n")
        return 0
    if what == "floors":
        print(*floors(plan, [word.split("=", 1) for word in words]), sep="\n")
        return 0
    return int(total(plan, words[:end], suites))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

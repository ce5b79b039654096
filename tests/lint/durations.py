"""No test asserts how long something took, waits for nothing, or has a bound of time so short that a busy machine runs into it by itself.

What an assertion of a test says is looked at, where the difference of two readings of a clock stands in it, or a name that was given such a
difference. That something took at least so long may be said in C, where nothing else tells that a timer has been waited for. Whoever waits
compares the clock with the end of its patience, and asserts what it waits for.

The page's `waitForFunction` takes the promise of an async function for true at once: what only such a function knows is waited for by `until`
of browser/lib/until.mjs, which awaits it.

A server that all tests of a file share (`const server = await Server.start(...)` at the left edge) has no bound of time below SHORT_MS: a test
that is to run into one starts a server for it. One that is called HASTY is for such tests alone.

usage: durations.py TOP
"""

import re
import sys

import tree

SHORT_MS = 10000
HASTY = "hasty"
NOT_TESTS = ("tests/bench/", "tests/browser/bench.mjs", "tests/browser/experience.mjs", "tests/strength/", "tests/lint/")

CLOCK = r"(?:(?:Date|performance)\.now\(\)|time\.(?:monotonic|perf_counter|time)\(\)|uv_hrtime\(\)|uv_now\([^()]*\)|now_ms\(\))"
DIFFERENCE = rf"(?:{CLOCK}\s*-(?!-)|(?<!-)-\s*{CLOCK})"
NAMED = re.compile(rf"\b(\w+) = [^;\n]*{DIFFERENCE}")
AT_LEAST = re.compile(r"ck_assert_\w+_g[et]\(|ck_assert\([^<]*>=?[^<]*$")
ASSERTS = {
    ".mjs": re.compile(r"\bassert\b[\w.]*\([^;]*"),
    ".py": re.compile(r"^\s*(?:assert\b|check\(|self\.assert\w+\()[^\n]*", re.MULTILINE),
    ".c": re.compile(r"\bck_assert\w*\([^;]*"),
}
NOT_AWAITED = re.compile(r"waitForFunction\(\s*async\b")
SHARED = re.compile(r"^const (\w+) = await (?:Server\.start|begin)\(([^;]*)", re.MULTILINE)
BOUND = re.compile(r"'--((?:\w+-)*(?:timeout|probe|patience)-ms)', '(\d+)'")


def spans(ending, text):
    """Each assertion as its place and its text, up to its end."""
    for found in ASSERTS[ending].finditer(text):
        yield found.start(), found.group()


def asserted_durations(path, text):
    ending = path[path.rindex(".") :]
    names = "|".join(sorted(set(NAMED.findall(text)))) or r"(?!)"
    duration = re.compile(rf"{DIFFERENCE}|(?<![\w.])(?:{names})(?!\w)")
    for at, said in spans(ending, text):
        if duration.search(said) and not (ending == ".c" and AT_LEAST.match(said)):
            yield f"{path}:{text.count(chr(10), 0, at) + 1}: asserts how long something took"


def shared_bounds(path, text):
    for server in SHARED.finditer(text):
        for bound, ms in BOUND.findall(server[2]):
            if server[1] != HASTY and int(ms) < SHORT_MS:
                yield f"{path}:{text.count(chr(10), 0, server.start()) + 1}: all tests of the file have --{bound} {ms}"


def waits_for_nothing(path, text):
    for found in NOT_AWAITED.finditer(text):
        yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: waitForFunction does not await an async function"


def findings_in(path, text):
    yield from asserted_durations(path, text)
    if path.endswith(".mjs"):
        yield from shared_bounds(path, text)
        yield from waits_for_nothing(path, text)


def findings(top):
    for path in tree.files(top, *ASSERTS):
        if path.startswith("tests/") and not path.startswith(NOT_TESTS):
            yield from findings_in(path, tree.read(top, path))


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

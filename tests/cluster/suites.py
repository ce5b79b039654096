"""Runs the tests that start a server with something else beneath it than the embedded store.

usage: suites.py BUILD postgres|nodes [SUITE...] [-- TEST...]

  postgres  with matches in a PostgreSQL database
  nodes     so, and at a node that has none of the rooms: each client is at the wrong one (beneath/taluvad)

SUITE is wire, e2e or browser, all of them if none is given; TEST is a test's name. PROCESSES (2) run at once. The last line is
"N passed, N failed, N skipped"; skipped is what beneath.toml leaves out, tests and cases, each named before with its reason.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import beneath

sys.path.insert(0, str(beneath.TESTS.parent / "deploy"))
import tally  # noqa: E402  (it lies elsewhere)

SUITES = ("wire", "e2e", "browser")
LEFT_OUT = re.compile(r"^# left out: (.+)$", re.MULTILINE)


def starts_a_server(test, file):
    """Of the page most tests have a server of their own making."""
    if file.startswith("browser/"):
        return re.search(r"\bnew (Fixture|Server)\(", (beneath.TESTS / file).read_text(encoding="utf-8"))
    return test["env"].get("TALUVAD", "").endswith("server/taluvad") or any(beneath.is_server(word) for word in test["cmd"])


def chosen(build, suites, names):
    """The tests, {name: file below tests/}: those of the suites that start an ordinary server, once each."""
    tests = {}
    for test in tally.introspected(build):
        of = {suite.rpartition(":")[2] for suite in test["suite"]}
        file, _ = beneath.file_of(test["cmd"])
        has_its_own = any(word.endswith(("postgres.py", "beneath.py")) for word in test["cmd"]) or (file or "").startswith("cluster/")
        if of.intersection(suites) and not test["name"].endswith(", everything") and file and not has_its_own and starts_a_server(test, file):
            if not names or test["name"] in names:
                tests[test["name"]] = file
    return tests


def leave_out(tests, left, whole_run):
    """The tests that are left out whole, as they are taken out of `tests`, {name: reason}."""
    unknown = set(left) - set(tests.values())
    if whole_run and unknown:
        sys.exit(f"beneath.toml: no test runs {', '.join(sorted(unknown))}")
    return {name: left[file]["*"] for name, file in list(tests.items()) if "*" in left.get(file, {}) and tests.pop(name)}


def total(build, base, tests, whole):
    passed, failed, skipped = 0, 0, len(whole)
    ran = tally.read(tally.log_of(build, base))
    for name, why in whole.items():
        print(f"SKIPPED  {name}: {why}")
    for name in tests:
        result = ran.get(name, {"result": "not run"})
        cases = LEFT_OUT.findall(tally.said(result))
        for case in cases:
            print(f"SKIPPED  {name}: {case}")
        skipped += len(cases)
        passed += result["result"] in tally.PASSED
        if result["result"] not in tally.PASSED:
            failed += 1
            print(f"FAILED   {name} ({result['result'].lower()}, see {tally.log_of(build, base).replace('.json', '.txt')})")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or passed == 0


def main(build, mode, *words):
    suites, names = words, ()
    if "--" in words:
        suites, names = words[: words.index("--")], words[words.index("--") + 1 :]
    if mode not in beneath.MODES or set(suites) - set(SUITES):
        print(__doc__, file=sys.stderr)
        sys.exit(os.EX_USAGE)
    tests = chosen(build, suites or SUITES, names)
    whole = leave_out(tests, beneath.left_out(mode), not suites and not names)
    named = "-".join(["beneath", mode, *suites])  # so that suites can run side by side
    base = f"{named}-python3"  # meson adds what wraps
    pathlib.Path(tally.log_of(build, base)).unlink(missing_ok=True)
    contained = ["python3", "-SB", str(beneath.TESTS / "support" / "contained.py")]
    wrap = shlex.join([*contained, "python3", "-B", str(beneath.HERE / "beneath.py"), mode])
    own = beneath.postgres.Postgres(connections=beneath.CONNECTIONS)
    try:
        environment = {**os.environ, **own.start(), "NIGHT": "1"}
        subprocess.run(
            ["meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "4", "--setup", "wrapped",
             "--wrap", wrap, "--logbase", named, "--num-processes", os.environ.get("PROCESSES", "2"), *tests], check=False, env=environment)
    finally:
        own.stop()
    return total(build, base, tests, whole)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(os.EX_USAGE)
    beneath.postgres.contained.enter()
    sys.exit(main(*sys.argv[1:]))

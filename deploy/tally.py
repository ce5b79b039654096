"""Reads meson's logs of one or more test runs, says what failed or was skipped and why, and ends with the totals.

usage: tally.py NAME=TESTLOG.JSON...

A log that is not there means that the run did not come to its tests: that counts as one failure.
"""

import json
import re
import sys

PASSED = ("OK", "EXPECTEDFAIL")
SKIPPED = ("SKIP",)


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            return [json.loads(line) for line in lines]
    except FileNotFoundError:
        return None


def reason(test):
    """Why a test was skipped: what TAP says, else its last words."""
    said = (test.get("stdout") or "") + "\n" + (test.get("stderr") or "")
    tap = re.findall(r"# SKIP\S*\s+(.+)", said, re.IGNORECASE)
    words = [line.strip() for line in said.splitlines() if line.strip()]
    return tap[-1] if tap else words[-1] if words else "no reason given"


def main(arguments):
    passed = failed = skipped = 0
    for argument in arguments:
        name, path = argument.split("=", 1)
        tests = read(path)
        if tests is None:
            print(f"FAILED   {name}: no tests were run")
            failed += 1
            continue
        for test in tests:
            if test["result"] in PASSED:
                passed += 1
            elif test["result"] in SKIPPED:
                skipped += 1
                print(f"SKIPPED  {name}: {test['name']}: {reason(test)}")
            else:
                failed += 1
                print(f"FAILED   {name}: {test['name']} ({test['result'].lower()}, see {path.replace('.json', '.txt')})")
        print(f"{name}: {len(tests)} tests in {sum(test['duration'] for test in tests):.0f} s")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or passed == 0


sys.exit(main(sys.argv[1:]))

"""What tests/plan.toml says fits the tests that are configured, and none of them runs nowhere.

usage: plan.py TOP BUILD
"""

import os
import sys

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy"))
import tally  # noqa: E402  (the reader of the plan)

# Suites that the second compiler never runs again.
ONLY_ONCE = {"browser", "unwatched"}


def findings(path, tests):
    """`tests` are those of the build with gcc, which has all of them."""
    quick, change, nightly = (tally.Plan(path, mode) for mode in ("quick", "change", "nightly"))
    for build in sorted(nightly.runs):
        whole = set(nightly.chosen(build, tests, []))
        for name, suites in tests.items():
            if name not in whole and not (build != "gcc" and suites & ONLY_ONCE):
                yield f"{name} never runs with {build}"
        if not set(change.chosen(build, tests, [])) <= whole:
            yield f"a change runs more with {build} than a night does"
    at_a_change = set().union(*(change.chosen(build, tests, []) for build in change.runs))
    for name in set(quick.chosen("gcc", tests, [])) - at_a_change:
        yield f"--quick runs {name}, and a change does not"
    known = set().union(*tests.values())
    for plan in (quick, change, nightly):
        for build in plan.runs:
            for suite in set(plan.without(build)) - known:
                yield f"there is no suite {suite} to be left out"
            for suite in set().union(*plan.runs[build].get("left_to", {}).values()) - known:
                yield f"there is no suite {suite} to be left to another build"
        for suite in set().union(*(lane["suites"] for lane in plan.lane_of.values())) - known:
            yield f"there is no suite {suite} for a lane"
    for name in sorted(nightly.checks.keys() - tests.keys()):
        yield f"there is no test {name} to count the checks of"
    for suite, floor in nightly.tests["gcc"].items():
        count = sum(suite in of for of in tests.values())
        if count < floor:
            yield f"suite {suite} has {count} tests, and is to have {floor}"


if __name__ == "__main__":
    plan_path = os.path.join(sys.argv[1], "tests", "plan.toml")
    sys.exit(tree.report(sorted(set(findings(plan_path, tally.configured(sys.argv[2]))))))

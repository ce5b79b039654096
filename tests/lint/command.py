"""deploy/test on a small project of its own: whatever way a test is lost, the command says so and ends with a failure.

usage: command.py TOP CLASS[.TEST]...
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy"))
import memory  # noqa: E402  (the memory of deploy/test)

TOP = ""
LAST_NICE = 19  # of a process that has the processor last: it can be put behind no further
PLAN = """
[runs.quick.gcc]
without = ["slow", "nightly"]
[runs.change.gcc]
without = ["nightly"]
left_to.clang = ["live"]
[runs.change.clang]
without = ["nightly", "once"]
[runs.nightly.gcc]
[runs.nightly.clang]
[tests.gcc]
one = 2
[checks]
counts = 7
[may_skip]
"gcc: excused*" = "an example"
[lanes.waiting]
suites = ["timed"]
at_once = 3
early = true
"""

PROJECT = """
project('fixture', 'c')
test('first', find_program('true'), suite: 'one')
test('counts', find_program('counts'), suite: 'one')
subdir('more')
"""
INPUTS = """
[[inputs]]
suites = ["kept"]
files = ["tests/read/**"]
[[inputs]]
tests = ["always"]
never = "it is an example"
"""
MORE = "test('second', find_program('true'), suite: ['two', 'once'])\n"


def script(text):
    return "#!/bin/sh\n" + text


class Fixture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.top = os.path.join(cls.folder.name, "a b")
        os.makedirs(os.path.join(cls.top, "deploy"))
        for name in ("test", "common.sh", "tally.py", "lanes.py", "memory.py"):
            shutil.copy(os.path.join(TOP, "deploy", name), os.path.join(cls.top, "deploy"))
        shutil.copy(os.path.join(TOP, "meson_options.txt"), cls.top)
        os.makedirs(os.path.join(cls.top, "tests", "support"))
        shutil.copy(os.path.join(TOP, "tests", "support", "contained.py"), os.path.join(cls.top, "tests", "support"))
        for name in ("run", "build", "compile", "test"):
            cls.put(f"deploy/packages.{name}", "libc6\n")
        cls.put("tests/plan.toml", PLAN)
        os.makedirs(os.path.join(cls.top, "clients"))
        os.makedirs(os.path.join(cls.top, "protocol"))

    @classmethod
    def put(cls, path, content):
        path = os.path.join(cls.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        if content.startswith("#!"):
            os.chmod(path, 0o755)

    def setUp(self):
        self.put("meson.build", PROJECT)
        self.put("more/meson.build", MORE)
        self.put("counts", script("echo '100%: Checks: 7, Failures: 0, Errors: 0'\n"))

    def run_tests(self, *words, **environment):
        """The status and the last lines of what deploy/test said."""
        # Without meson's own variables: a test that runs below a test is no part of it. Nor is this run one of continuous integration.
        mine = {name: value for name, value in os.environ.items() if not name.startswith("MESON") and name != "CI"}
        mine.update({name: self.folder.name for name in ("TMPDIR", "TALUVA_TEST_MEMORY")})
        run = subprocess.run(
            [os.path.join(self.top, "deploy", "test"), *words],
            env=dict(mine, **environment),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=900,
            check=False,
        )
        return run.returncode, run.stdout + run.stderr

    def assert_fails(self, word, *words, **environment):
        status, said = self.run_tests(*words, **environment)
        self.assertNotEqual(status, 0, said)
        self.assertIn(word, said)
        self.assertNotRegex(said, r"Traceback")


class Command(Fixture):
    def test_all_is_well(self):
        status, said = self.run_tests("--quick")
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "3 passed, 0 failed, 0 skipped")
        self.assertRegex(said, r"gcc: 3 of 3 tests in \d+ s, \d+ s of a processor\n")
        tally = [sys.executable, "-B", os.path.join(self.top, "deploy/tally.py"), "spent", os.path.join(self.top, "tests/plan.toml")]
        run = subprocess.run([*tally, "quick", f"gcc={self.top}/build-gcc"], capture_output=True, text=True, check=True)
        self.assertRegex(run.stdout, r"(?m)^gcc +\d+\.\d +\d+\.\d +2 one\ngcc .* 1 two\ngcc .* 1 (first|counts|second)$")

    def test_both_compilers(self):
        status, said = self.run_tests()
        self.assertEqual(status, 0, said)
        # `second` is of the suite `once`
        self.assertEqual(said.splitlines()[-1], "5 passed, 0 failed, 0 skipped")

    def test_something_is_left_behind(self):
        self.put("leaves", script('mkdir "$TMPDIR/taluva-run-0"\n'))
        self.put("meson.build", PROJECT + "test('leaves', find_program('leaves'), suite: 'one')\n")
        self.assert_fails("left behind: folder", "--quick")
        self.assertEqual(self.run_tests("--quick", "two")[0], 0)  # and removed
        os.mkdir(os.path.join(self.folder.name, "taluva-run-1"))
        self.assertEqual(self.run_tests("--quick", "two")[0], 0)  # an earlier run's

    def test_meson_is_killed_midway(self):
        self.put("killer", script(f"kill -{int(signal.SIGKILL)} $PPID\n"))
        self.put("meson.build", PROJECT + "test('killer', find_program('killer'), is_parallel: false, priority: -1)\n")
        self.assert_fails("killer is configured and did not run", "--quick")

    def test_nothing_is_configured_for_the_second_compiler(self):
        self.put("meson.build", PROJECT.replace("test(", "if meson.get_compiler('c').get_id() == 'gcc'\ntest(", 1) + "endif\n")
        plan = PLAN + "\n[tests.clang]\none = 2\n"
        self.put("tests/plan.toml", plan)
        self.addCleanup(self.put, "tests/plan.toml", PLAN)
        self.assert_fails("clang: suite one has 0 tests")

    def test_a_folder_of_tests_is_gone(self):
        self.put("meson.build", PROJECT.replace("test('first'", "# test('first'"))
        self.assert_fails("suite one has 1 tests, tests/plan.toml says at least 2", "--quick")

    def test_an_unknown_suite(self):
        self.assert_fails("there is no suite tow", "--quick", "one", "tow")

    def test_a_suite_without_tests_in_this_command(self):
        self.put("more/meson.build", MORE.replace("'once'", "'slow'"))
        self.assert_fails("no test of the suite two belongs to this command", "--quick", "two")

    def test_a_known_suite(self):
        status, said = self.run_tests("--quick", "two")
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "1 passed, 0 failed, 0 skipped")

    def test_a_skipped_test(self):
        self.put("skips", script("echo for no good reason\nexit 77\n"))
        self.put("meson.build", PROJECT + "test('skips', find_program('skips'))\n")
        self.assert_fails("skips was skipped, and tests/plan.toml does not allow it: for no good reason", "--quick")
        self.put("meson.build", PROJECT + "test('excused', find_program('skips'))\n")
        status, said = self.run_tests("--quick")
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "3 passed, 0 failed, 1 skipped")

    def test_a_part_of_a_test_is_skipped(self):
        self.put("skips", script("echo Ran 9 tests in 0.1s; echo 'OK (skipped=2)'\n"))
        self.put("meson.build", PROJECT + "test('skips', find_program('skips'))\n")
        self.assert_fails("skips was skipped", "--quick")

    def test_a_line_of_tap_is_skipped(self):
        self.put("skips", script("echo 1..2; echo ok 1 - one; echo 'ok 2 - two # SKIP no two'\n"))
        self.put("meson.build", PROJECT + "test('skips', find_program('skips'), protocol: 'tap')\n")
        self.assert_fails("skips was skipped, and tests/plan.toml does not allow it: 1 of its parts: no two", "--quick")

    def test_another_command_fails(self):
        tally = [sys.executable, "-B", os.path.join(self.top, "deploy/tally.py"), "total", os.path.join(self.top, "tests/plan.toml")]
        run = subprocess.run([*tally, "quick", "mutants=1"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("FAILED   mutants: ended with 1", run.stdout)

    def test_two_tests_of_one_name(self):
        self.put("meson.build", PROJECT + "test('first', find_program('true'), suite: 'two')\n")
        self.assert_fails("two tests are called first", "--quick")

    def test_a_test_counts_less(self):
        self.put("counts", script("echo '100%: Checks: 6, Failures: 0, Errors: 0'\n"))
        self.assert_fails("counts made 6 checks, tests/plan.toml says at least 7", "--quick")

    def test_a_test_fails(self):
        self.put("counts", script("exit 1\n"))
        self.assert_fails("counts (fail, see", "--quick")

    def test_what_fails_once_has_failed(self):
        self.put("now and then", script('[ -e "$0.ran" ] || { : >"$0.ran"; exit 1; }\n'))
        self.put("meson.build", PROJECT + "test('now and then', find_program('now and then'), suite: 'timed')\n")
        self.assert_fails("now and then (fail, see", "--quick")

    def test_the_build_fails(self):
        self.put("meson.build", PROJECT + "executable('no', 'no.c')\n")
        self.put("no.c", "int main(void) { return 0 }\n")
        self.assert_fails("BUILD FAILED", "--quick")

    def test_what_would_change_the_tests_is_not_handed_on(self):
        self.put("counts", script("echo ${TALUVA_UPDATE_GOLDEN+no}${CK_RUN_CASE+no}; echo 100%: Checks: 7, Failures: 0\n"
                                  '[ -z "${TALUVA_UPDATE_GOLDEN+no}${CK_RUN_CASE+no}" ]\n'))
        status, said = self.run_tests("--quick", TALUVA_UPDATE_GOLDEN="1", CK_RUN_CASE="one")
        self.assertEqual(status, 0, said)


class Lanes(Fixture):
    def test_lanes_run_side_by_side(self):
        """Each of two tests waits for the other: they are in two lanes."""
        meet = ': >"$MESON_BUILD_ROOT/$1"; for i in $(seq 600); do [ -e "$MESON_BUILD_ROOT/$2" ] && exit 0; sleep 0.1; done; exit 1\n'
        self.put("meets", script(f"MESON_BUILD_ROOT=$PWD; {meet}"))
        self.put("meson.build", PROJECT + "test('left', find_program('meets'), args: ['l', 'r'], is_parallel: false)\n"
                                          "test('right', find_program('meets'), args: ['r', 'l'], is_parallel: false, suite: 'timed')\n")
        status, said = self.run_tests("--quick")
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "5 passed, 0 failed, 0 skipped")

    def test_what_waits_has_the_processor_first(self):
        self.put("tells", script('nice >"$1"\n'))
        self.put("meson.build", PROJECT + "test('computes', find_program('tells'), args: 'computes')\n"
                                          "test('waits', find_program('tells'), args: 'waits', suite: 'timed')\n")
        status, said = self.run_tests("--quick")
        self.assertEqual(status, 0, said)
        told = {}
        for name in ("computes", "waits"):
            with open(os.path.join(self.top, "build-gcc", name), encoding="utf-8") as file:
                told[name] = int(file.read())
        self.assertGreaterEqual(told["computes"], min(told["waits"] + 1, LAST_NICE))

    def test_an_early_lane_begins_before_all_is_built(self):
        """What is built last waits for a test that has begun."""
        self.put("waits", script('for i in $(seq 600); do [ -e "$1" ] && exit 0; sleep 0.1; done; exit 1\n'))
        self.put("begins", script(': >begun\n[ -e first ]\n'))
        self.put("meson.build", PROJECT + "first = custom_target('first', output: 'first', command: [find_program('touch'), '@OUTPUT@'])\n"
                 "last = custom_target('last', output: 'last', command: [find_program('waits'), 'begun'], capture: true, build_by_default: true)\n"
                 "test('begins', find_program('begins'), suite: 'timed', depends: first)\n"
                 "test('built last', find_program('true'), depends: last)\n")
        status, said = self.run_tests("--quick")
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "5 passed, 0 failed, 0 skipped")

    def test_what_no_test_of_the_second_compiler_needs_is_not_built(self):
        self.put("no.c", "int main(void) { return 0 }\n")
        self.put("meson.build", PROJECT + "if meson.get_compiler('c').get_id() == 'clang'\nexecutable('no', 'no.c')\nendif\n")
        status, said = self.run_tests()
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "5 passed, 0 failed, 0 skipped")
        self.assert_fails("BUILD FAILED: clang", "--nightly", "one")

    def test_the_log_of_a_lane_is_lost(self):
        self.put("loses", script("rm -f meson-logs/lane-waiting.json\n"))
        self.put("meson.build", PROJECT + "test('loses', find_program('loses'), suite: 'timed')\n")
        self.assert_fails("loses is configured and did not run", "--quick")

    def test_a_lane_is_killed(self):
        self.put("killer", script(f"kill -{int(signal.SIGKILL)} $PPID\n"))
        self.put("meson.build", PROJECT + "test('killer', find_program('killer'), suite: 'timed')\n")
        self.assert_fails("killer is configured and did not run", "--quick")

    def test_what_runs_the_lanes_is_killed(self):
        kill = f'kill -{int(signal.SIGKILL)} $(cut -d " " -f 4 /proc/$PPID/stat)'
        self.put("killer", script(kill + "\n"))
        self.put("meson.build", PROJECT + "test('killer', find_program('killer'), suite: 'timed')\n")
        self.assert_fails("meson test ended with None", "--quick")

    def test_a_failure_in_each_lane(self):
        self.put("never", script("exit 1\n"))
        self.put("meson.build", PROJECT + "test('never', find_program('never'), suite: 'timed')\n"
                                          "test('nor ever', find_program('never'))\n")
        status, said = self.run_tests("--quick")
        self.assertNotEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "3 passed, 2 failed, 0 skipped")

    def test_a_test_that_is_left_to_the_other_build_runs_there_once(self):
        self.put("meson.build", PROJECT + "test('lively', find_program('true'), suite: 'live')\n")
        status, said = self.run_tests()
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "6 passed, 0 failed, 0 skipped")

    def test_a_test_is_left_to_a_build_that_runs_no_such_test(self):
        """The suite `once` never runs with clang."""
        self.put("meson.build", PROJECT + "test('lively', find_program('true'), suite: ['live', 'once'])\n")
        status, said = self.run_tests()
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "6 passed, 0 failed, 0 skipped")

    def test_a_test_is_left_to_a_build_that_does_not_have_it(self):
        self.put("meson.build", PROJECT + "if meson.get_compiler('c').get_id() == 'gcc'\n"
                                          "test('lively', find_program('true'), suite: 'live')\nendif\n")
        self.assert_fails("lively is left to clang, which does not have it")


class Memory(Fixture):
    def put_kept(self, said="100%: Checks: 7, Failures: 0", more=""):
        """A test that may be remembered, and notes each of its runs."""
        self.put("kept", script(f'echo >>"{self.top}/ran"; echo {said}; cat "{self.top}/tests/read/one"\n{more}\n'))
        self.put("tests/read/one", "one\n")
        self.put("tests/inputs.toml", INPUTS)
        self.put("meson.build", PROJECT + "test('kept', find_program('kept'), suite: 'kept')\n"
                                          "test('always', find_program('kept'), suite: 'kept')\n")
        for name in ("ran", "tests/inputs.toml"):
            self.addCleanup(lambda name: os.path.exists(name) and os.remove(name), os.path.join(self.top, name))
        build = os.path.join(self.top, "build-gcc", "remembered.json")
        if os.path.exists(build):
            os.remove(build)

    def assert_runs(self, count, *words, **environment):
        """All passes, and the tests of `put_kept`, of which one is never remembered, run so often."""
        self.put("ran", "")
        status, said = self.run_tests("--quick", *words, **environment)
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "5 passed, 0 failed, 0 skipped")
        self.assertEqual("1 of those that passed are remembered" in said.splitlines()[-2], count == 1, said)
        with open(os.path.join(self.top, "ran"), encoding="utf-8") as file:
            self.assertEqual(len(file.read()), count, said)

    def test_what_has_passed_with_the_same_inputs_is_remembered(self):
        self.put_kept()
        self.assert_runs(2)
        self.assert_runs(1, SHLVL="77")
        self.assert_runs(2, "--afresh")
        self.assert_runs(2, CI="true")
        self.put("tests/read/one", "another\n")
        self.assert_runs(2)

    def key(self, name):
        """The key of a test of the build, of what is in the files now."""
        build = os.path.join(self.top, "build-gcc")
        memory.read_files_again()
        ask = subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, text=True, check=True)
        return memory.Memory(self.top, build, json.loads(ask.stdout)).key(name)

    def test_a_changed_input_is_another_key(self):
        self.put_kept()
        self.assert_runs(2)
        first = self.key("kept")
        self.assertEqual(self.key("kept"), first)
        self.assertIsNone(self.key("always"))
        self.assertIsNone(self.key("counts"), "it declares nothing")
        self.put("tests/read/one", "another\n")
        self.assertNotEqual(self.key("kept"), first)
        self.put("tests/read/one", "one\n")
        self.assertEqual(self.key("kept"), first)
        self.put("tests/read/below/two", "one more\n")
        self.assertNotEqual(self.key("kept"), first)
        shutil.rmtree(os.path.join(self.top, "tests/read/below"))
        self.assertEqual(self.key("kept"), first)
        self.put("kept", script("echo another program\n"))
        self.assertNotEqual(self.key("kept"), first)
        self.put_kept()
        wrapper = os.path.join(self.top, "tests/support/contained.py")
        with open(wrapper, encoding="utf-8") as file:
            self.addCleanup(self.put, "tests/support/contained.py", file.read())
        self.put("tests/support/contained.py", "# another\n")
        self.assertNotEqual(self.key("kept"), first)
        self.doCleanups()
        self.put_kept()
        self.assertEqual(self.key("kept"), first)
        with unittest.mock.patch.dict(os.environ, SOME_VARIABLE="1"):
            self.assertNotEqual(self.key("kept"), first)
        with unittest.mock.patch.dict(os.environ, SHLVL="77", SSH_TTY="1"):
            self.assertEqual(self.key("kept"), first)

    def test_what_fails_is_forgotten(self):
        self.put_kept(more=f'[ ! -e "{self.top}/fails" ]')
        self.assert_runs(2)
        self.put("fails", "")
        self.assert_fails("kept (fail, see", "--quick", "--afresh")
        os.remove(os.path.join(self.top, "fails"))
        self.assert_runs(2)

    def test_what_changes_its_own_inputs_is_not_remembered(self):
        self.put_kept(more=f'echo >>"{self.top}/tests/read/one"')
        self.assert_runs(2)
        self.assert_runs(2)

    def test_what_the_plan_asks_more_of_is_run(self):
        self.put_kept()
        self.assert_runs(2)
        self.put("tests/plan.toml", PLAN.replace("counts = 7", "counts = 7\nkept = 8"))
        self.addCleanup(self.put, "tests/plan.toml", PLAN)
        self.assert_fails("kept made 7 checks, tests/plan.toml says at least 8", "--quick")

    def test_a_declared_input_is_missing(self):
        self.put_kept()
        self.put("tests/inputs.toml", INPUTS.replace("tests/read/**", "tests/gone/**"))
        self.assert_fails("tests/inputs.toml: there is no tests/gone/**", "--quick")

    def test_the_night_remembers_nothing(self):
        self.put_kept()
        self.assert_runs(2)
        self.put("ran", "")
        status, said = self.run_tests("--nightly", "kept")
        self.assertEqual(status, 0, said)
        self.assertEqual(said.splitlines()[-1], "4 passed, 0 failed, 0 skipped")
        self.assertNotIn("remembered", said)

    def test_an_input_that_is_read_and_not_declared(self):
        self.put_kept(more=f'cat "{self.top}/tests/plan.toml" >/dev/null')
        self.assert_runs(2)
        trace = [sys.executable, "-B", os.path.join(TOP, "tests/lint/inputs.py"), self.top, os.path.join(self.top, "build-gcc")]
        run = subprocess.run([*trace, "kept"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("kept reads tests/plan.toml, which tests/inputs.toml does not declare\n1 findings", run.stdout)

    def test_what_is_remembered_and_was_not_asked_for(self):
        self.put_kept()
        self.assert_runs(2)
        with open(os.path.join(self.top, "build-gcc/meson-logs/lane-computing-ended.json"), "w", encoding="utf-8") as file:
            json.dump({"status": 0, "remembered": {"never heard of": 3, "counts": 6}}, file)
        tally = [sys.executable, "-B", os.path.join(self.top, "deploy/tally.py"), "total", os.path.join(self.top, "tests/plan.toml")]
        run = subprocess.run([*tally, "quick", f"gcc={self.top}/build-gcc=lanes"], capture_output=True, text=True, check=False)
        self.assertIn("never heard of is remembered and was not asked for", run.stdout)
        self.assertIn("counts is remembered with 6 checks, tests/plan.toml says at least 7", run.stdout)


if __name__ == "__main__":
    TOP = os.path.abspath(sys.argv.pop(1))
    unittest.main()

"""Whatever ends a test, nothing of it is left: contained.py with commands that leave processes, files and a PostgreSQL.

usage: test_contained.py
"""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import contained

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = [sys.executable, "-SB", os.path.join(HERE, "contained.py")]
HASTY = [sys.executable, "-Bc", f"import sys; sys.path.insert(0, {HERE!r}); import contained; contained.PATIENCE_S = 0.2; "
         "sys.exit(contained.main(sys.argv[1:]))"]
# A child in another session, whose parent has ended, and files in both folders; all have the standard output, which ends with the last of them.
TREE = 'touch "$TMPDIR/a" "$TALUVA_TEST_MEMORY/b"; (setsid sh -c "sleep 600 & exec sleep 600" &); '
TREE += 'sleep 600 & echo "$PPID $TMPDIR $TALUVA_TEST_MEMORY"; wait'


class Contained(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.disk, self.memory = os.path.join(folder.name, "d"), os.path.join(folder.name, "m")
        os.mkdir(self.disk)
        os.mkdir(self.memory)
        os.chmod(folder.name, 0o755)
        self.environment = {**os.environ, "TMPDIR": self.disk, contained.MEMORY: self.memory}
        self.environment.pop(contained.RUN, None)  # of the one that this is a test of

    def start(self, *words, program=tuple(PROGRAM), **more):
        return subprocess.Popen([*program, *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def run_it(self, *words, program=tuple(HASTY)):
        run = self.start(*words, program=program)
        said, wrong = run.communicate()
        self.assert_clean()
        return run.returncode, said, wrong

    def assert_clean(self):
        self.assertEqual((os.listdir(self.disk), os.listdir(self.memory)), ([], []))

    def await_clean(self):
        while os.listdir(self.disk) or os.listdir(self.memory):
            time.sleep(0.01)

    def test_the_status_is_the_command_s(self):
        for script, status in (("true", 0), ("exit 3", 3), ("exit 77", 77), ("kill -9 $$", 137), ("kill -6 $$", 134)):
            self.assertEqual(self.run_it("sh", "-c", script)[0], status)
        self.assertEqual(self.run_it("/nowhere/x")[0], 127)

    def test_the_command_is_as_it_would_be(self):
        signals = "grep -E '^(SigIgn|SigBlk)' /proc/self/status"
        bare = subprocess.run(["sh", "-c", signals], capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.run_it("sh", "-c", signals), (0, bare, ""))

    def test_what_is_left_behind_is_named(self):
        status, _, wrong = self.run_it("sh", "-c", 'echo > "$TMPDIR/one"; mkdir "$TALUVA_TEST_MEMORY/two"; setsid sleep 600 & exit 0')
        self.assertEqual(status, 1)
        self.assertRegex(wrong, r"^left behind: process \d+: (setsid )?sleep 600\nleft behind: \S+/one\nleft behind: \S+/two\n$")

    def test_what_ends_by_itself_is_not_left_behind(self):
        self.assertEqual(self.run_it("sh", "-c", "sleep 0.1 & exit 0", program=PROGRAM), (0, "", ""))

    def test_a_failure_may_leave_things(self):
        status, _, wrong = self.run_it("sh", "-c", 'echo > "$TMPDIR/one"; sleep 600 & exit 4')
        self.assertEqual((status, wrong), (4, ""))

    def test_what_it_took_of_a_processor(self):
        """With what its children took, one that lost its parent too, and said once, by the outermost."""
        burn = f"{sys.executable} -Sc 'while __import__(\"time\").process_time() < 0.3: pass'"
        script = f"{burn}; (setsid sh -c \"true; {burn.replace(chr(34), chr(92) + chr(34))}\" &); exec {shlex.join(PROGRAM)} true"
        self.environment[contained.USAGE] = "1"
        self.addCleanup(self.environment.pop, contained.USAGE)
        status, _, wrong = self.run_it("sh", "-c", script, program=PROGRAM)
        self.assertEqual(status, 0, wrong)
        self.assertRegex(wrong, r"^processor: \d+\.\d\d s\n$")
        self.assertGreater(float(wrong.split()[1]), 0.6)

    def test_files_that_resist(self):
        script = 'mkdir -p "$TMPDIR/a/b"; touch "$TMPDIR/a/b/c"; chmod 0 "$TMPDIR/a/b" "$TMPDIR/a"; exit 4'
        self.assertEqual(self.run_it("sh", "-c", script)[0], 4)

    def test_it_is_ended(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            run = self.start("sh", "-c", TREE)
            run.stdout.readline()
            run.send_signal(number)
            self.assertEqual(run.communicate()[0], "")  # nobody has it any more
            self.assertEqual(run.returncode, -9 if number == signal.SIGKILL else 128 + number)
            self.await_clean()

    def test_the_second_one_is_killed(self):
        run = self.start("sh", "-c", TREE)
        os.kill(int(run.stdout.readline().split()[0]), signal.SIGKILL)
        self.assertEqual(run.communicate()[0], "")
        self.assertEqual(run.returncode, 137)
        self.assert_clean()

    def test_who_started_it_is_killed(self):
        parent = self.start("-c", f"import subprocess; subprocess.run({[*PROGRAM, 'sh', '-c', TREE]!r})", program=(sys.executable,))
        parent.stdout.readline()
        parent.kill()
        self.assertEqual(parent.communicate()[0], "")
        self.await_clean()

    def test_all_of_it_is_killed(self):
        run = self.start("sh", "-c", TREE)
        second, disk, memory = run.stdout.readline().split()
        for process in (run.pid, int(second)):
            os.kill(process, signal.SIGSTOP)
        for process in (run.pid, int(second)):
            os.kill(process, signal.SIGKILL)
        run.wait()
        while "b" not in os.listdir(memory):
            time.sleep(0.01)
        status, said, _ = self.run_it("--leftovers", program=PROGRAM)
        self.assertEqual(status, 1)
        for what in (disk, memory, "sleep 600"):
            self.assertIn(what, said)
        self.assertEqual(run.communicate()[0], "")
        self.assertEqual(self.run_it("--leftovers", program=PROGRAM), (0, "0 left behind\n", ""))

    def test_who_is_there_is_left_alone(self):
        run = self.start("sh", "-c", TREE)
        run.stdout.readline()
        other = self.start("--leftovers")
        self.assertEqual(other.communicate()[0], "0 left behind\n")
        self.assertIsNone(run.poll())
        run.terminate()
        run.communicate()

    def test_a_postgres(self):
        """By its program alone, and as a test: a helper's SIGKILL takes its server, its folder and its shared memory with it."""
        postgres = [sys.executable, "-B", os.path.join(HERE, "postgres.py"), "sh", "-c", "echo $TALUVA_TEST_POSTGRES_HELPER; exec sleep 600"]
        for program in ((), PROGRAM):
            for helper_too in (False, True):
                run = self.start(*postgres, program=program)
                helper = int(run.stdout.readline())
                mine = set(contained.shared_memory_in(self.memory))
                self.assertEqual(len(mine), 1)
                self.assertLessEqual(mine, self.segments())
                os.kill(helper if helper_too else run.pid, signal.SIGKILL)
                run.communicate()
                self.await_clean()
                self.assertFalse(mine & self.segments())

    @staticmethod
    def segments():
        with open("/proc/sysvipc/shm", encoding="ascii") as file:
            return {int(line.split()[1]) for line in file.readlines()[1:]}


if __name__ == "__main__":
    unittest.main()

"""What continuous integration runs, .ci/run, on a small project of its own: the last line is always the totals, and nothing in a bare system
outlives the run. Making a bare system is not tried here: a green run of .ci/run has done it.

usage: ci.py TOP
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

TOP = ""
TOTALS = "3 passed, 1 failed, 0 skipped"
TESTS = f"#!/bin/sh\necho one\necho\necho \"two $*\"\necho '{TOTALS}'\nexit 7\n"
# Enough to run in place, and nothing to make a bare system with.
FEW = ("bash", "sh", "cat", "dirname", "env", "grep", "id", "mktemp", "rm", "sed", "setpriv")
# The system is this machine's own, seen from another folder.
IN_A_SYSTEM = """
. "$0/deploy/common.sh"
. "$0/deploy/bare.sh"
mount --bind / "$1"
bare_inside "$1" / sh -c 'setsid sleep 600 & echo started; exec sleep 600'
"""


class InPlace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.top, self.path = folder.name, os.path.join(folder.name, "a b"), os.path.join(folder.name, "bin")
        os.makedirs(os.path.join(self.top, "deploy"))
        os.makedirs(os.path.join(self.top, ".ci"))
        os.makedirs(self.path)
        for path in (".ci/run", "deploy/common.sh", "deploy/bare.sh"):
            shutil.copy(os.path.join(TOP, path), os.path.join(self.top, path))
        self.put(TESTS)
        for name in FEW:
            os.symlink(shutil.which(name), os.path.join(self.path, name))

    def put(self, tests):
        path = os.path.join(self.top, "deploy", "test")
        with open(path, "w", encoding="utf-8") as file:
            file.write(tests)
        os.chmod(path, 0o755)

    def start(self):
        return subprocess.Popen(
            [os.path.join(self.path, "bash"), os.path.join(self.top, ".ci", "run"), "--quick"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env={"PATH": self.path, "TMPDIR": self.folder})

    def test_the_totals_are_last(self):
        run = self.start()
        said = run.communicate()[0].splitlines()
        self.assertEqual(run.returncode, 7)
        self.assertEqual([*said[1:4], said[5]], ["one", "", "two --quick", TOTALS])
        for line in (said[0], said[4]):
            self.assertRegex(line, r"(?i)^not in a bare Debian 12.*: (not root|there is no apt-get)$")

    def test_the_tests_end_with_it(self):
        self.put("#!/bin/sh\necho one\necho two\nread forever <\"$0.fifo\"\n")
        os.mkfifo(os.path.join(self.top, "deploy", "test.fifo"))
        run = self.start()
        while run.stdout.readline() != "one\n":
            self.assertIsNone(run.poll())
        run.kill()
        self.assertNotIn(TOTALS, run.communicate()[0])  # the pipe ends when nobody has it any more


class InASystem(unittest.TestCase):
    def test_everything_ends_with_the_run(self):
        if os.getuid() != 0 or subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, check=False).returncode:
            return  # there are no bare systems either
        for how in (signal.SIGKILL, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as root:
                run = subprocess.Popen(
                    ["unshare", "--mount", "bash", "-euc", IN_A_SYSTEM, TOP, root], stdout=subprocess.PIPE, text=True,
                    env={**os.environ, "TMPDIR": folder})
                self.assertEqual(run.stdout.readline(), "started\n")
                run.send_signal(how)
                run.communicate()  # the pipe ends when nobody has it any more
                self.assertEqual(os.listdir(root), [])


if __name__ == "__main__":
    TOP = sys.argv.pop(1)
    unittest.main()

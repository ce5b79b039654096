"""What can be changed in a small file, and a small project whose tests notice some of it.

usage: BUILD=FOLDER selftest.py
"""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import tomllib
import unittest

import mutate
import operators

SOURCE = """#include <assert.h>
#define LIMIT 4
/* a < b */
static void note(int *n)
{
    (*n)++;
    n[0] = LIMIT;
}
int f(int a, int b)
{
    char text[10] = "1 + 1";
    assert(a < 100);
    if (a < b && text[0]) {
        note(&a);
    }
    for (int i = 0; i < b; i++)
        a += i;
    return a - b ? (int)-b : -1;
}
"""
PROJECT = """
project('fixture', 'c')
lib = static_library('f', 'code/f.c')
strong = executable('strong', 'strong.c', link_with: lib)
weak = executable('weak', 'weak.c', link_with: lib)
test('strong', strong)
test('weak', weak)
"""
CODE = """int clamp(int a);
int clamp(int a)
{
    if (a > 9)
        a = 9;
    if (a < 0)
        a = 0;
    return a + 0;
}
"""
STRONG = """int clamp(int a);
int main(void)
{
    return !(clamp(-5) == 0 && clamp(0) == 0 && clamp(5) == 5 && clamp(9) == 9 && clamp(10) == 9 && clamp(12) == 9 && clamp(-1) == 0);
}
"""
WEAK = "int clamp(int a);\nint main(void) { return clamp(5) != 5; }\n"


class Operators(unittest.TestCase):
    def changes(self, source):
        found = []
        for mutant in operators.mutants(source):
            changed = operators.apply(source, mutant)
            self.assertEqual(changed.count("\n"), source.count("\n"))
            place = mutate.Place("f.c", source, mutant)
            found.append((mutant.operator, place.was, place.now))
        return found

    def test_every_operator(self):
        found = self.changes(SOURCE)
        for change in (
            ("return early", "{", "{ return;"),
            ("swap", "(*n)++;", "(*n)--;"),
            ("drop", "n[0] = LIMIT;", ";"),
            ("drop", "note(&a);", ";"),
            ("drop", "a += i;", ";"),
            ("negate", "if (a < b && text[0]) {", "if (!(a < b && text[0])) {"),
            ("swap", "if (a < b && text[0]) {", "if (a <= b && text[0]) {"),
            ("swap", "if (a < b && text[0]) {", "if (a < b || text[0]) {"),
            ("constant", "if (a < b && text[0]) {", "if (a < b && text[1]) {"),
            ("swap", "a += i;", "a -= i;"),
            ("return other", "return a - b ? (int)-b : -1;", "return 0;"),
            ("swap", "return a - b ? (int)-b : -1;", "return a + b ? (int)-b : -1;"),
        ):
            self.assertIn(change, found)

    def test_what_is_left_alone(self):
        for _, was, _ in self.changes(SOURCE):
            self.assertNotRegex(was, "assert|LIMIT 4|/\\*|include|char text")
        self.assertNotIn("return a - b ? (int)+b : -1;", [now for _, _, now in self.changes(SOURCE)])

    def test_the_head_of_a_loop_is_no_statement(self):
        dropped = [was for operator, was, _ in self.changes("void f(int n)\n{\n    for (int i = 0; i < n; i++)\n        g(i);\n}\n")
                   if operator == "drop"]
        self.assertEqual(dropped, ["g(i);"])

    def test_declarations_are_not_dropped(self):
        source = "void f(struct a *b)\n{\n    struct a *c = b;\n    size_t n = 0;\n    a_t *d;\n    b->c = n ? 1 : g(d);\n}\n"
        dropped = [was for operator, was, _ in self.changes(source) if operator == "drop"]
        self.assertEqual(dropped, ["b->c = n ? 1 : g(d);"])


class Settings(unittest.TestCase):
    """folders.toml outlives the names in it: a folder or a test that is renamed must be noticed here."""

    @classmethod
    def setUpClass(cls):
        cls.top = os.path.dirname(os.path.dirname(mutate.HERE))
        with open(os.path.join(mutate.HERE, "folders.toml"), "rb") as file:
            cls.folders = tomllib.load(file)

    def test_every_folder_has_sources(self):
        for folder in self.folders:
            self.assertTrue(mutate.sources(self.top, folder, self.folders), f"there are no sources in {folder}")

    def test_every_test_is_defined(self):
        with open(os.path.join(os.environ["BUILD"], "meson-info", "intro-tests.json"), encoding="utf-8") as file:
            defined = {test["name"] for test in json.load(file)}
        for folder, settings in self.folders.items():
            self.assertTrue(settings["tests"], folder)
            self.assertEqual(sorted(set(settings["tests"]) - defined), [], f"{folder} names tests that there are not")

    def test_what_is_accepted_is_in_the_sources(self):
        with open(os.path.join(mutate.HERE, "accepted.toml"), "rb") as file:
            for entry in tomllib.load(file)["accepted"]:
                lines = [line.strip() for line in mutate.tree.read(self.top, entry["file"]).splitlines()]
                self.assertIn(entry["was"], lines, entry["file"])


class Project(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = os.path.join(folder.name, "top")
        cls.build = os.path.join(folder.name, "build")
        for path, text in (
            ("meson.build", PROJECT), ("code/f.c", CODE), ("strong.c", STRONG), ("weak.c", WEAK),
            ("tests/mutate/accepted.toml", ""),
        ):
            cls.put(path, text)

    @classmethod
    def put(cls, path, text):
        path = os.path.join(cls.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_it(self, tests, *words):
        self.put("tests/mutate/folders.toml", f'["code"]\ntests = {tests}\n')
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = mutate.main([*words, "--build", self.build, self.top])
        with open(os.path.join(self.top, "code/f.c"), encoding="utf-8") as file:
            self.assertEqual(file.read(), CODE, "the sources themselves are not touched")
        return status, out.getvalue()

    def test_a_strong_test_notices(self):
        status, said = self.run_it('["strong"]')
        self.assertEqual(status, 0, said)
        self.assertIn(" 0 SURVIVED,", said)
        # The compiler finds out that nobody can notice this.
        self.assertIn("same     code/f.c:6: swap: if (a < 0)  =>  if (a <= 0)", said)
        self.assertRegex(said, r"killed +code/f.c:5: drop: a = 9;  =>  ;")

    def test_a_weak_test_does_not(self):
        status, said = self.run_it('["weak"]')
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"SURVIVED code/f.c:4: negate|SURVIVED code/f.c:7: drop: a = 0;  =>  ;")

    def test_what_is_accepted(self):
        self.addCleanup(self.put, "tests/mutate/accepted.toml", "")
        self.put(
            "tests/mutate/accepted.toml",
            '[[accepted]]\nfile = "code/f.c"\nwas = "a = 0;"\nnow = ";"\nwhy = "an example"\n',
        )
        said = self.run_it('["weak"]')[1]
        self.assertIn("accepted code/f.c:7: drop: a = 0;  =>  ;", said)

    def test_a_folder_below_has_tests_of_its_own(self):
        self.assertEqual(mutate.sources(self.top, "code", {"code": {}}), ["code/f.c"])
        above = os.path.dirname(self.top)
        self.assertEqual(mutate.sources(above, "top", {"top": {}, "top/code": {}}), ["top/strong.c", "top/weak.c"])
        self.assertEqual(mutate.sources(above, "top", {"top": {"without": ["top/code"]}}), ["top/strong.c", "top/weak.c"])

    def test_a_seed_is_a_choice(self):
        first = self.run_it('["strong"]', "--count", "4", "--list")
        self.assertEqual(first, self.run_it('["strong"]', "--count", "4", "--list"))
        self.assertNotEqual(first, self.run_it('["strong"]', "--count", "4", "--seed", "2", "--list"))
        self.assertEqual(len(first[1].splitlines()), 4)

    def test_what_there_is_time_for_is_a_choice_as_well(self):
        whole = self.run_it('["strong"]', "--list")[1].splitlines()
        first = self.run_it('["strong"]', "--minutes", "1", "--list")[1].splitlines()
        other = self.run_it('["strong"]', "--minutes", "1", "--seed", "2", "--list")[1].splitlines()
        self.assertEqual(sorted(whole), sorted(first))
        self.assertEqual(sorted(whole), sorted(other))
        self.assertNotEqual(first, other)

    def test_little_time_for_all(self):
        status, said = self.run_it('["strong"]', "--in-all", "0")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"\ncode: 1 mutants, .*, \d+ not tried\n")
        status, said = self.run_it('["weak"]', "--in-all", "9")
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"\n\d+ % of all are noticed, less than 90 %\n")

    def test_each_seed_begins_elsewhere(self):
        chosen = {"a": [1], "b": [], "c": [2], "d": [3]}
        orders = {tuple(mutate.in_turn(chosen, str(seed))) for seed in range(20)}
        self.assertEqual(orders, {("a", "c", "d"), ("c", "d", "a"), ("d", "a", "c")})

    def test_only_what_changed(self):
        git = ["git", "-C", self.top, "-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run([*git, "init", "-q"], check=True)
        self.put("code/f.c", CODE.replace("a < 0", "a < 1"))
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "t"], check=True)
        self.put("code/f.c", CODE)
        said = self.run_it('["strong"]', "--changed", "HEAD", "--list")[1]
        self.assertTrue(said and all(line.startswith("code/f.c:6: ") for line in said.splitlines()), said)

    def test_a_test_that_does_not_end(self):
        loop = CODE.replace("if (a > 9)\n        a = 9;", "while (a > 9)\n        a--;")
        self.put("code/f.c", loop)
        self.addCleanup(self.put, "code/f.c", CODE)
        self.addCleanup(setattr, mutate, "PATIENCE_AT_LEAST_S", mutate.PATIENCE_AT_LEAST_S)
        mutate.PATIENCE_AT_LEAST_S = 2
        build = mutate.Build(self.top, self.build)
        build.prepare()
        places = [mutate.Place("code/f.c", loop, mutant) for mutant in operators.mutants(loop)]
        endless = [place for place in places if place.now == "a++;" or (place.was == "a--;" and place.now == ";")]
        self.assertEqual(len(endless), 2)
        trial = mutate.Trial(build, ["strong"])
        trial.baseline()
        with contextlib.redirect_stdout(io.StringIO()):
            fates = trial.run(endless, mutate.Accepted(""), float("inf"))
        self.assertEqual(set(fates.values()), {"killed"})

    def test_the_first_failure_is_enough(self):
        for line, passed in (("not ok 2 - b", False), ("ok 2 - not ok", True)):
            goes_on = "time.sleep(600)" if not passed else ""
            program = f"import time; print('ok 1 - a'); print({line!r}, flush=True); {goes_on}"
            test = {"cmd": [sys.executable, "-c", program], "env": {}, "workdir": self.top}
            self.assertEqual(mutate.Build(self.top, self.build).passes(test, 3600), passed)

    def test_nothing_goes_on_after_a_test(self):
        """Check runs a test in a process group of its own, which a killed runner leaves behind. Whoever leaves something has failed."""
        child = "import os, time; os.setpgid(0, 0); print(os.getpid(), flush=True); time.sleep(600)"
        for ending in ("time.sleep(600)", ""):
            with open(os.path.join(self.top, "pid"), "w+", encoding="utf-8") as file:
                runner = (
                    "import subprocess, sys, time\n"
                    f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
                    f"open({file.name!r}, 'wb').write(child.stdout.readline())\n{ending}\n"
                )
                test = {"cmd": [sys.executable, "-c", runner], "env": {}, "workdir": self.top}
                self.assertFalse(mutate.Build(self.top, self.build).passes(test, 5))
                pid = int(file.read())
            self.addCleanup(self.end, pid)
            self.assertFalse(self.runs(pid))

    @staticmethod
    def end(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    @staticmethod
    def runs(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rpartition(")")[2].split()[0] not in "ZX"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def test_a_test_that_fails_anyway(self):
        self.put("weak.c", WEAK.replace("!=", "=="))
        self.addCleanup(self.put, "weak.c", WEAK)
        status, said = self.run_it('["strong", "weak"]')
        self.assertEqual(status, 1, said)
        self.assertIn("code: weak fails without any change", said)
        self.assertNotIn("killed", said)


if __name__ == "__main__":
    unittest.main()

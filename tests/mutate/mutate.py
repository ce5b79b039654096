"""Changes the code a little, one place at a time, and says which changes no test notices.

usage: mutate.py [--folder FOLDER]... [--count N] [--seed N] [--changed REVISION] [--least PERCENT] [--build FOLDER]
                 [--minutes N] [--in-all N] [--list] TOP

    --folder    only these folders of folders.toml; all of them otherwise
    --count     so many mutants of each folder, chosen by the seed; otherwise 40
    --seed      another choice; otherwise 1
    --changed   only lines that differ from a revision of git, and all of their mutants
    --least     fails if a folder's share of killed mutants is smaller; otherwise what folders.toml says, or 90
    --build     where the copy of the sources is kept that is changed and built; otherwise build-mutate
    --minutes   begins no further mutant of a folder after so long; the rest is told to be missing. The order is then by chance too, so that
                what there was time for is spread over all files
    --in-all    so many minutes for all folders, each of which has an equal share of what is left: at least one mutant. With another seed the
                folders begin at another one. A folder of which fewer than 10 were tried fails with all others only, if less than 90 % of all are
                noticed
    --list      only prints the mutants

A mutant is built into the tests of its folder (folders.toml) with the optimiser on. It is
    same        if the compiler makes the same object of it: there is nothing to notice
    broken      if it cannot be compiled
    killed      if a test fails or does not end
    accepted    if it survives and accepted.toml says why that is right
    SURVIVED    otherwise: a test is missing
"""

import hashlib
import json
import math
import os
import random
import re
import select
import shutil
import subprocess
import sys
import time
import tomllib

import operators

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lint"))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))
import tree  # noqa: E402  (the files that are ours)
from usage import Parser  # noqa: E402  (of tests/support)

# Ends with all that it has started: Check runs each test in a process group of its own.
CONTAINED = [sys.executable, "-SB", os.path.join(os.path.dirname(HERE), "support", "contained.py")]
SETUP = ["-Dbuildtype=plain", "-Doptimization=1", "-Dwerror=false", "-Db_ndebug=false"]
# A test that takes so many times as long as it did with the code as it is, and so long besides, will not end.
PATIENCE, PATIENCE_AT_LEAST_S = 4, 20
# The percentage that is to be noticed, and how many of a folder it takes to tell.
LEAST, TELLING = 90, 10


def says_failed(process, until):
    """Whether a program says that a test of it has failed, in TAP: the rest of it need not be waited for."""
    said = b"\n"
    while True:
        if time.monotonic() > until:
            raise subprocess.TimeoutExpired(process.args, 0)
        ended = process.poll() is not None  # what it started may go on, and keep the pipe open
        while select.select([process.stdout], [], [], 0 if ended else 0.2)[0]:
            some = os.read(process.stdout.fileno(), 65536)
            said = said[-16:] + some
            if b"\nnot ok" in said:
                return True
            if not some:
                process.wait(max(0, until - time.monotonic()))
                return False
        if ended:
            return False


class Place:
    """A mutant where it stands."""

    def __init__(self, path, source, mutant):
        self.path, self.mutant = path, mutant
        self.line = source.count("\n", 0, mutant.at) + 1
        self.was = self.text(source, mutant.at)
        self.source = operators.apply(source, mutant)
        self.now = self.text(self.source, mutant.at)

    @staticmethod
    def text(source, at):
        """The line without what is around it."""
        end = source.find("\n", at)
        return source[source.rfind("\n", 0, at) + 1 : end if end >= 0 else len(source)].strip()

    def __str__(self):
        return f"{self.path}:{self.line}: {self.mutant.operator}: {self.was}  =>  {self.now}"


def sources(top, folder, folders):
    """The sources of a folder but not of those below it that have tests of their own, or none."""
    without = folders[folder].get("without", [])
    below = tuple(other + "/" for other in [*folders, *without] if other.startswith(folder + "/"))
    return [path for path in tree.files(top, ".c") if path.startswith(folder + "/") and not path.startswith(below)]


def changed_lines(top, revision):
    """{path: lines} that git knows to differ."""
    said = subprocess.run(
        ["git", "-C", top, "diff", "-U0", "--no-color", revision, "--", "*.c"], capture_output=True, text=True, check=True
    ).stdout
    lines, path = {}, None
    for line in said.splitlines():
        if line.startswith("+++ "):
            path = line[6:]
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(match[1]), int(match[2] or 1)
            lines.setdefault(path, set()).update(range(first, first + count))
    return lines


def choose(top, folder, folders, options):
    """The mutants of a folder that are tried, in the order of the files, or by chance if the time is limited."""
    lines = changed_lines(top, options.changed) if options.changed else None
    places = []
    for path in sources(top, folder, folders):
        if lines is not None and path not in lines:
            continue
        source = tree.read(top, path)
        for mutant in operators.mutants(source):
            place = Place(path, source, mutant)
            if lines is None or place.line in lines[path]:
                places.append(place)
    if lines is None and options.count < len(places):
        chosen = sorted(random.Random(f"{options.seed} {folder}").sample(range(len(places)), options.count))
        places = [places[index] for index in chosen]
    if options.minutes is not None or options.in_all is not None:
        random.Random(f"{options.seed} {folder}").shuffle(places)
    return places


class Accepted:
    """What survives and may, with the reason. An entry is known by its file and by the line before and after."""

    def __init__(self, path):
        self.entries = {}
        if os.path.exists(path):
            with open(path, "rb") as file:
                for entry in tomllib.load(file).get("accepted", []):
                    self.entries[entry["file"], entry["was"], entry["now"]] = entry["why"]

    def why(self, place):
        return self.entries.get((place.path, place.was, place.now))


class Build:
    """A copy of the sources, and what is built of it."""

    def __init__(self, top, folder):
        self.top, self.copy, self.build = top, os.path.join(folder, "src"), os.path.join(folder, "build")
        self.environment = dict(os.environ, CK_DEFAULT_TIMEOUT="60", CK_TAP_LOG_FILE_NAME="-")
        self.environment.pop("TALUVA_UPDATE_GOLDEN", None)
        self.took_s = {}  # how long each test took with the code as it is

    def prepare(self):
        """What differs is copied, so that a second time little is built."""
        os.makedirs(self.copy, exist_ok=True)
        wanted = set()
        for folder, folders, names in os.walk(self.top):
            at_top = folder == self.top
            folders[:] = [
                name for name in folders
                if name not in (".git", "__pycache__", "node_modules") and not (at_top and name.startswith("build"))
            ]
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.top)
                wanted.add(path)
                self.put(path)
        for folder, _, names in os.walk(self.copy):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.copy)
                if path not in wanted:
                    os.remove(os.path.join(self.copy, path))
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            run = subprocess.run(["meson", "setup", self.build, self.copy, *SETUP], capture_output=True, text=True, check=False)
            if run.returncode:
                sys.exit(run.stdout[-2000:] + run.stderr)
        self.ninja_or_end("build.ninja")
        self.introspect()

    def put(self, path):
        source, copy = os.path.join(self.top, path), os.path.join(self.copy, path)
        if os.path.islink(source):
            return
        with open(source, "rb") as file:
            content = file.read()
        if os.path.exists(copy):
            with open(copy, "rb") as file:
                if file.read() == content:
                    return
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(copy, "wb") as file:
            file.write(content)
        shutil.copymode(source, copy)

    def introspect(self):
        def ask(what):
            return json.loads(subprocess.run(
                ["meson", "introspect", what, self.build], capture_output=True, text=True, check=True).stdout)

        files = {target["id"]: target["filename"] for target in ask("--targets")}
        self.tests = {test["name"]: test for test in ask("--tests")}
        for test in self.tests.values():
            test["files"] = [os.path.relpath(name, self.build) for target in test["depends"] for name in files[target]]
        self.objects = {}
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
            for entry in json.load(file):
                path = os.path.relpath(os.path.realpath(os.path.join(self.build, entry["file"])), os.path.realpath(self.copy))
                self.objects.setdefault(path, entry["output"])

    def ninja(self, *targets):
        run = subprocess.run(["ninja", "-C", self.build, *targets], capture_output=True, text=True, check=False)
        return run.returncode == 0, run.stdout

    def ninja_or_end(self, *targets):
        good, said = self.ninja(*targets)
        if not good:
            sys.exit(said[-3000:])

    def object(self, path):
        with open(os.path.join(self.build, self.objects[path]), "rb") as file:
            return hashlib.sha256(file.read()).digest()

    def write(self, path, source):
        with open(os.path.join(self.copy, path), "w", encoding="utf-8") as file:
            file.write(source)

    def passes(self, test, timeout_s):
        """Whether a test of meson passes. Nothing that it started goes on afterwards."""
        process = subprocess.Popen(
            [*CONTAINED, *test["cmd"]], env=dict(self.environment, **test["env"]), cwd=test["workdir"] or self.build,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            return not says_failed(process, time.monotonic() + timeout_s) and process.wait() == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


class Trial:
    """The tests of a folder, and what becomes of its mutants."""

    def __init__(self, build, names):
        self.build = build
        missing = [name for name in names if name not in build.tests]
        if missing:
            sys.exit(f"folders.toml: there is no test {missing[0]}")
        self.tests = [build.tests[name] for name in names]
        self.files = sorted({name for test in self.tests for name in test["files"]})
        self.patience_s = {}

    def baseline(self):
        """The name of a test that fails with the code as it is; None if all pass."""
        self.build.ninja_or_end(*self.files)
        for test in self.tests:
            name, began = test["name"], time.monotonic()
            if name not in self.build.took_s:
                if not self.build.passes(test, 600):
                    return name
                self.build.took_s[name] = time.monotonic() - began
            self.patience_s[name] = PATIENCE * self.build.took_s[name] + PATIENCE_AT_LEAST_S
        return None

    def fate(self, place):
        build = self.build
        build.write(place.path, place.source)
        if not build.ninja(build.objects[place.path])[0]:
            return "broken"
        if build.object(place.path) == self.original:
            return "same"
        if not build.ninja(*self.files)[0]:
            return "broken"
        for test in self.tests:
            if not build.passes(test, self.patience_s[test["name"]]):
                return "killed"
        return "survived"

    def run(self, places, accepted, until):
        """What became of each place that there was time for."""
        fates, path = {}, None
        for place in places:
            if fates and time.monotonic() > until:
                break
            if place.path != path:
                self.restore(path)
                path = place.path
                self.build.ninja_or_end(self.build.objects[path])
                self.original = self.build.object(path)
            fate = self.fate(place)
            if fate == "survived":
                fate = "accepted" if accepted.why(place) else "SURVIVED"
            fates[place] = fate
            print(f"{fate:8} {place}", flush=True)
        self.restore(path)
        return fates

    def restore(self, path):
        if path:
            self.build.put(path)


def share(fates):
    """The percentage of those that can be noticed which are."""
    values = list(fates.values())
    killed, survived = values.count("killed"), values.count("SURVIVED")
    return 100 * killed / (killed + survived) if killed + survived else 100


def report(folder, fates, missing):
    values = list(fates.values())
    counts = ", ".join(f"{values.count(fate)} {fate}" for fate in ("killed", "SURVIVED", "accepted", "same", "broken"))
    late = f", {missing} not tried" if missing else ""
    return f"{folder}: {len(values)} mutants, {share(fates):.0f} % noticed: {counts}{late}"


def in_turn(chosen, seed):
    """The folders that have mutants: at the end there may be little time."""
    folders = [folder for folder, places in chosen.items() if places]
    first = int(hashlib.sha256(seed.encode()).hexdigest(), 16) % max(1, len(folders))
    return folders[first:] + folders[:first]


def ends_at(options, end, folders_left):
    """When the folder that is next begins no further mutant."""
    now = time.monotonic()
    return min(now + 60 * options.minutes if options.minutes is not None else math.inf, now + (end - now) / folders_left)


def read_options(words):
    parser = Parser(usage=__doc__.split("usage: ")[1].replace("%", "%%"))
    parser.add_argument("--folder", action="append")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--changed")
    parser.add_argument("--least", type=float)
    parser.add_argument("--build")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--in-all", type=float)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("top")
    return parser.parse_args(words)


def main(words):
    options = read_options(words)
    top = os.path.abspath(options.top)
    settings = os.path.join(top, "tests", "mutate")
    with open(os.path.join(settings, "folders.toml"), "rb") as file:
        folders = tomllib.load(file)
    for folder in options.folder or []:
        if folder not in folders:
            sys.exit(f"{folder} is not in tests/mutate/folders.toml")
    chosen = {folder: choose(top, folder, folders, options) for folder in options.folder or folders}
    if options.list:
        print(*(place for places in chosen.values() for place in places), sep="\n")
        return 0
    build = Build(top, os.path.abspath(options.build or os.path.join(top, "build-mutate")))
    build.prepare()
    accepted = Accepted(os.path.join(settings, "accepted.toml"))
    reports, weak, all_fates = [], [], {}
    folders_in_turn = in_turn(chosen, options.seed) if options.in_all is not None else [folder for folder in chosen if chosen[folder]]
    end = time.monotonic() + 60 * options.in_all if options.in_all is not None else math.inf
    for number, folder in enumerate(folders_in_turn):
        places, until = chosen[folder], ends_at(options, end, len(folders_in_turn) - number)
        trial = Trial(build, folders[folder]["tests"])
        if failing := trial.baseline():
            weak.append(f"{folder}: {failing} fails without any change")
            continue
        fates = trial.run(places, accepted, until)
        reports.append(report(folder, fates, len(places) - len(fates)))
        all_fates.update(fates)
        least = options.least if options.least is not None else folders[folder].get("least", LEAST)
        if share(fates) < least and (options.in_all is None or len(fates) >= TELLING):
            weak.append(f"{folder}: less than {least:g} % are noticed")
    if options.in_all is not None and share(all_fates) < LEAST:
        weak.append(f"{share(all_fates):.0f} % of all are noticed, less than {LEAST} %")
    print(*reports, *weak, sep="\n")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

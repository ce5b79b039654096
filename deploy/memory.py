"""A memory of tests that have passed: what passed with the same inputs need not run again.

What a test depends on is hashed into its key: its command and environment, each program of the build that meson knows it to need, each
file of the checkout that tests/inputs.toml says it reads, what it is run by (WRAPPER), and what is installed. If any of that has changed, even by a byte, the key is
another one. A test that inputs.toml does not declare is never remembered. tests/lint/inputs.py traces tests, and finds what they read
and do not declare.

The memory is one file in the build folder, with a few keys for each test, none older than KEPT_S.
"""

import functools
import glob
import hashlib
import json
import os
import platform
import shutil
import sys
import time
import tomllib

FORMAT = 1  # other ways of making keys have other numbers
KEYS_OF_A_TEST = 4  # so that two branches can take turns
KEPT_S = 7 * 24 * 3600
FILE = "remembered.json"

# Variables that no test's result hangs on: they differ from one terminal to the next.
NOT_READ = ("_", "COLORTERM", "COLUMNS", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "LINES", "OLDPWD", "PWD", "SHLVL", "TERM", "TERM_PROGRAM",
            "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE", "WINDOWID")
NOT_READ_BEGINS = ("SSH_", "XDG_SESSION_", "VTE_")

# Every test is run by it.
WRAPPER = os.path.join("tests", "support", "contained.py")

# Never read as an input: package-lock.json, which has to be declared, says what is in node_modules.
NOT_INPUT = ("node_modules", "__pycache__")


def digest_of(value):
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=20).hexdigest()


@functools.lru_cache(maxsize=None)
def content(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def read_files_again():
    """They may have changed since they were read: otherwise each is read once."""
    content.cache_clear()


def stat_of(path):
    """Of a file that is installed: whoever changes it changes this."""
    real = os.path.realpath(path)
    of = os.stat(real)
    return [real, of.st_size, of.st_mtime_ns]


def below(folder):
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - set(NOT_INPUT))
        yield from (os.path.join(parent, name) for name in names)


def files_of(top, pattern):
    """The files of a pattern: all below a folder (`folder/**`), or what a shell would find."""
    if pattern.endswith("/**"):
        return sorted(below(os.path.join(top, pattern[:-3])))
    return sorted(path for path in glob.glob(os.path.join(glob.escape(top), pattern)) if os.path.isfile(path))


class Inputs:
    """tests/inputs.toml: what the tests read in the checkout."""

    def __init__(self, top):
        self.top = os.path.realpath(top)
        self.files = functools.lru_cache(maxsize=None)(lambda pattern: files_of(self.top, pattern))
        try:
            with open(os.path.join(top, "tests", "inputs.toml"), "rb") as file:
                self.entries = tomllib.load(file)["inputs"]
        except FileNotFoundError:
            self.entries = []

    def patterns(self, name, suites):
        """What a test declares, or None if it is never to be remembered. An entry that names it goes before those of its suites."""
        named = [entry for entry in self.entries if name in entry.get("tests", [])]
        of = named or [entry for entry in self.entries if suites.intersection(entry.get("suites", []))]
        if not of or any("never" in entry for entry in of):
            return None
        return sorted({pattern for entry in of for pattern in entry["files"]})

    def wrong(self, tests):
        """What is declared and not there, `tests` being the configured ones with their suites."""
        suites = set().union(*tests.values())
        for entry in self.entries:
            yield from (f"no test is called {name}" for name in entry.get("tests", []) if name not in tests)
            yield from (f"there is no suite {suite}" for suite in entry.get("suites", []) if suite not in suites)
            yield from (f"there is no {pattern}" for pattern in entry.get("files", []) if not self.files(pattern))


def environment():
    return {name: value for name, value in os.environ.items() if name not in NOT_READ and not name.startswith(NOT_READ_BEGINS)}


def installed(top):
    """What is installed, or None if there is nobody to ask: then nothing is remembered."""
    status = "/var/lib/dpkg/status"
    if not os.path.exists(status):
        return None
    commands = ["node", "python3", "meson"]
    for path in glob.glob(os.path.join(glob.escape(top), "deploy", "packages.*")):
        with open(path, encoding="utf-8") as lines:
            commands += [words[1] for line in lines if len(words := line.partition("#")[0].split()) > 1]
    found = sorted({path for command in commands if (path := shutil.which(command))})
    own = sorted(path for folder in ("bin", "lib") for path in glob.glob(f"/usr/local/{folder}/*") if os.path.isfile(path))
    return [content(status), sys.version, platform.release(), *map(stat_of, found + own + [sys.executable])]


def made(folder):
    """The files of each target of a build."""
    with open(os.path.join(folder, "meson-info", "intro-targets.json"), encoding="utf-8") as file:
        return {target["id"]: target["filename"] for target in json.load(file)}


class Memory:
    """The tests of a build that have passed. `introspected` is what meson says of each."""

    def __init__(self, top, folder, introspected):
        self.top, self.folder = os.path.realpath(top), os.path.realpath(folder)
        self.inputs = Inputs(top)
        self.tests = {test["name"]: test for test in introspected}
        self.made = made(folder)
        self.around = [FORMAT, installed(top), environment()]
        self.known = self.load()

    def load(self):
        try:
            with open(os.path.join(self.folder, FILE), encoding="utf-8") as file:
                known = json.load(file)
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        oldest = time.time() - KEPT_S
        return {name: [one for one in passes if oldest < one["at"] <= time.time()] for name, passes in known.items() if name in self.tests}

    def save(self):
        path = os.path.join(self.folder, FILE)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.known, file)
        os.replace(path + ".new", path)

    def patterns(self, name):
        return self.inputs.patterns(name, {suite.rpartition(":")[2] for suite in self.tests[name]["suite"]})

    def lists(self, name, folder):
        """Whether all files of a folder are inputs of a test, so that it may ask which there are."""
        patterns = [os.path.join(self.top, pattern[:-2]) for pattern in self.patterns(name) or [] if pattern.endswith("/**")]
        return any((folder + os.sep).startswith(pattern) for pattern in patterns)

    def read_by(self, name):
        """The files that a test declares to read, or None."""
        test = self.tests[name]
        patterns = self.patterns(name)
        if patterns is None:
            return None
        files = {path for pattern in patterns for path in self.inputs.files(pattern)}
        files.add(os.path.join(self.top, WRAPPER))
        files.update(path for target in test["depends"] for path in self.made[target])
        for word in [*test["cmd"], *test["env"].values()]:
            path = os.path.join(test["workdir"] or self.folder, word)
            if os.path.isfile(path) and os.path.realpath(path).startswith((self.top + os.sep, self.folder + os.sep)):
                files.add(os.path.realpath(path))
        return files

    def key(self, name):
        """None if the test is not to be remembered, or something that it needs is not there."""
        files = self.read_by(name)
        if files is None or self.around[1] is None:
            return None
        test = self.tests[name]
        try:
            read = sorted((path, content(path)) for path in files)
        except OSError:
            return None
        return digest_of([self.around, [test[of] for of in ("cmd", "env", "workdir", "protocol", "suite")], read])

    def passed(self, name, key):
        """How many checks the test made when it passed with this key, or None."""
        return next((one["checks"] for one in self.known.get(name, []) if one["key"] == key), None)

    def remember(self, name, key, checks):
        """Of a test that has passed; `key` is that before it ran: nothing is known of a test whose inputs have changed meanwhile."""
        if key is None or key != self.key(name):
            return
        others = [one for one in self.known.get(name, []) if one["key"] != key]
        self.known[name] = [{"key": key, "checks": checks, "at": time.time()}, *others[: KEYS_OF_A_TEST - 1]]

    def forget(self, name):
        self.known.pop(name, None)

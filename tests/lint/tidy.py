"""clang-tidy, with the checks of .clang-tidy, over every C file that is built; only what changed since it was last clean.

usage: tidy.py TOP BUILD [--checks CHECKS] [--newest COUNT] [--minutes N]

    --checks   is added to those of .clang-tidy: "-clang-analyzer-*" leaves out the analyzer, which takes nearly all of the time
    --newest   looks only at so many, those that were written last, or that include a header that was
    --minutes  begins no further file after so long; the rest is told, and is looked at the next time

A file is looked at again when its own text, that of a header it read, its command line, the checks or clang-tidy itself has
changed.
"""

import concurrent.futures
import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
import time

import arrows
import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)


def commands(build):
    """Every source of ours with its command line, once."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return {os.path.realpath(os.path.join(build, entry["file"])): entry["command"] for entry in json.load(file)}


def headers(build):
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout

    def whole(path):
        return os.path.realpath(os.path.join(build, path))

    return {whole(source): sorted(map(whole, read)) for source, read in arrows.included(listing)}


def checks(top, source):
    """The .clang-tidy files that a source is held against: of its folder and of those above, up to top."""
    folder = os.path.dirname(source)
    while os.path.commonpath([top, folder]) == top:
        if os.path.exists(os.path.join(folder, ".clang-tidy")):
            yield os.path.join(folder, ".clang-tidy")
        folder = os.path.dirname(folder)


def fingerprint(paths, words):
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    digest.update("\0".join(words).encode())
    return digest.hexdigest()


# Only a guard against clang-tidy going on for ever: seconds of one file on a machine as busy as can be.
HANGS_AFTER_S = 3600

# Of gcc alone: what is no warning, and not known, is an error to clang.
OF_GCC = " -mmemset-strategy="


def tell_clang(build, folder):
    """Writes the command lines to the folder as clang understands them."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        before, found, rest = entry["command"].partition(OF_GCC)
        entry["command"] = before + (" " + rest.partition(" ")[2] if found else "")
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)


# Warnings of gcc that clang does not know, and assert(!"why"), which the build allows as well.
QUIET = ("--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-string-conversion")


def look(folder, source, more=""):
    """What clang-tidy says of a source; the warnings of gcc that clang does not know are no finding."""
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", folder, f"--checks={more}", *QUIET, source],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS_AFTER_S,
    )
    return run.returncode, run.stdout.strip() or run.stderr.strip()


def looked_at(folder, todo, more, until):
    """Each source that there was time for, with what was said of it."""
    def in_time(source):
        return look(folder, source, more) if time.monotonic() < until else None

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        yield from ((source, said) for source, said in zip(todo, pool.map(in_time, todo)) if said)


def read_options(words):
    parser = Parser(usage=__doc__.split("usage: ")[1].replace("%", "%%"))
    parser.add_argument("--checks", default="")
    parser.add_argument("--newest", type=int)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("top")
    parser.add_argument("build")
    return parser.parse_args(words)


def main(words):
    options = read_options(words)
    top, build, more = os.path.realpath(options.top), options.build, options.checks
    if not shutil.which("clang-tidy"):
        tree.skip("clang-tidy is not installed")
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=True).stdout
    stamps = os.path.join(build, "tidy")
    os.makedirs(stamps, exist_ok=True)
    tell_clang(build, stamps)
    read, todo = headers(build), {}
    for source, command in commands(build).items():
        stamp = fingerprint([*checks(top, source), source, *read.get(source, [])], [version, command, more])
        if not os.path.exists(os.path.join(stamps, stamp)):
            todo[source] = stamp
    newest = sorted(todo, key=lambda source: -max(map(os.path.getmtime, [source, *read.get(source, [])])))[: options.newest]
    print(f"{len(todo)} files have changed since they were clean", flush=True)
    wrong = seen = 0
    for source, (status, said) in looked_at(stamps, newest, more, time.monotonic() + 60 * options.minutes):
        seen += 1
        if status:
            wrong += 1
            print(said, flush=True)
        else:
            open(os.path.join(stamps, todo[source]), "w", encoding="utf-8").close()
    print(f"{wrong} files with findings, {len(todo) - seen} not looked at")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

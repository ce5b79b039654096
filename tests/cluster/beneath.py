"""Runs a test with something else beneath the server than the embedded store.

usage: beneath.py postgres|nodes COMMAND [ARGUMENT]...

beneath/taluvad takes the place of the real program, in TALUVAD and among the arguments. What of the test makes no sense then, by
beneath.toml, is left out and named. Databases are made in the PostgreSQL of TALUVA_TEST_POSTGRES, and dropped at the end; without one
there is one of the test's own. A test that passes has failed nevertheless if an owner (beneath/taluvad) has ended by itself.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
MODES = ("postgres", "nodes")

sys.path.insert(0, str(TESTS / "support"))
import postgres  # noqa: E402  (it lies elsewhere)

CONNECTIONS = 400


def left_out(mode):
    """What of each file is left out: {file: {case: reason}}; the case "*" is all of it."""
    with open(HERE / "beneath.toml", "rb") as file:
        files = tomllib.load(file)
    return {
        name: {case: entry["why"] for case, entry in cases.items() if mode in entry.get("modes", MODES)} for name, cases in files.items()
    }


def file_of(command):
    """The test that a command runs, as beneath.toml calls it: its file below tests/, and its words for a program of several tests."""
    for at, word in enumerate(command):
        path = pathlib.Path(word)
        if path.suffix in (".mjs", ".py") and TESTS in path.resolve().parents and path.name != "run.mjs":
            return str(path.resolve().relative_to(TESTS)), command[at + 1 :]
        if path.name.endswith(".test.mjs"):
            return f"browser/{path.name}", command[at + 1 :]
    return None, []


def is_server(word):
    return os.path.basename(word) == "taluvad"


def drop(folder):
    psql = os.path.join(os.environ["TALUVA_TEST_POSTGRES_BIN"], "psql")
    for name in os.listdir(folder / "databases"):
        sql = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
        subprocess.run([psql, os.environ["TALUVA_TEST_POSTGRES"], "-qc", sql], check=False, stderr=subprocess.DEVNULL)


def run(mode, command):
    program = os.environ.get("TALUVAD") or next(word for word in command if is_server(word))
    stand_in = str(HERE / "beneath" / "taluvad")
    with tempfile.TemporaryDirectory(prefix="taluva-beneath-") as path:
        folder = pathlib.Path(path)
        for name in ("databases", "owners", "elsewhere"):
            (folder / name).mkdir()
        if mode == "nodes":
            certificates = TESTS.parent / "deploy" / "cluster" / "certificates"
            subprocess.run([certificates, folder / "relays", "owner", "visible"], check=True)
        environment = {
            **os.environ, "TALUVAD": stand_in, "TALUVA_BENEATH": mode, "TALUVA_BENEATH_FOLDER": path, "TALUVA_BENEATH_PROGRAM": os.path.abspath(program),
            "TALUVA_TEST_LEFT_OUT": json.dumps(left_out(mode).get(file_of(command)[0], {})),
        }
        status = subprocess.run([stand_in if is_server(word) else word for word in command], check=False, env=environment).returncode
        drop(folder)
        complaints = folder / "complaints"
        if complaints.exists():
            print("".join(f"# {line}" for line in complaints.read_text(encoding="utf-8").splitlines(keepends=True)), flush=True)
            return status or 1
        return status


def main(mode, *command):
    if "TALUVA_TEST_POSTGRES" in os.environ:
        return run(mode, command)
    own = postgres.Postgres(connections=CONNECTIONS)
    try:
        os.environ.update(own.start())
        return run(mode, command)
    finally:
        own.stop()


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in MODES:
        print(__doc__, file=sys.stderr)
        sys.exit(os.EX_USAGE)
    postgres.contained.enter()
    sys.exit(main(*sys.argv[1:]))

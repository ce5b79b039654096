"""Makes the golden store in which every described table has rows, as SQL: of the engine that is asked for.

usage: every.py BUILD                                                   tests/unit/store/versionN-every.sql
       python3 -B tests/support/postgres.py python3 -B tests/unit/store/every.py BUILD    tests/unit/postgres/versionN-every.sql

What stands there stays as it is: only rows of tables that it lacks are added, so what an earlier program has stored is never written anew. When
the version of the store or the schema goes up, a new file is begun, and the old one is not changed any more. The tests that read them say when a
table is missing.
"""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
POSTGRES = os.path.join(HERE, "..", "postgres")
# What pg_dump says of itself and of a server's settings.
NOISE = re.compile(r"^(--|\\|SET (?!check_function)|SELECT pg_catalog.set_config).*\n", re.M)


def read_constant(path, pattern):
    with open(os.path.join(HERE, "..", "..", "..", path), encoding="utf-8") as file:
        return re.search(pattern, file.read()).group(1)


def read_before(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_embedded(program):
    path = os.path.join(HERE, f"version{read_constant('server/store/schema.h', r'STORE_VERSION = ([0-9]+)')}-every.sql")
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "taluva.db")
        before = read_before(path)
        if before:
            made = sqlite3.connect(database)
            made.executescript(before)
            made.close()
        subprocess.run([program, folder], check=True)
        made = sqlite3.connect(database)
        pragmas = [f"PRAGMA {name} = {made.execute('PRAGMA ' + name).fetchone()[0]};" for name in ("application_id", "user_version")]
        write(path, "\n".join(pragmas + list(made.iterdump())) + "\n")
        made.close()


def make_database(program, url):
    path = os.path.join(POSTGRES, f"version{read_constant('server/postgres/schema.h', r'POSTGRES_VERSION = ([0-9]+)')}-every.sql")
    tools = os.environ["TALUVA_TEST_POSTGRES_BIN"]
    if os.path.exists(path):
        subprocess.run([os.path.join(tools, "psql"), "-q", "-v", "ON_ERROR_STOP=1", "-f", path, url], check=True)
    subprocess.run([program, url], check=True)
    words = ["--schema=taluva", "--inserts", "--no-owner", "--no-privileges", url]
    text = subprocess.run([os.path.join(tools, "pg_dump"), *words], check=True, capture_output=True, text=True).stdout
    write(path, re.sub(r"\n{2,}", "\n", NOISE.sub("", text)).lstrip())


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    program = os.path.join(sys.argv[1], "tests", "unit", "store", "fill-every")
    url = os.environ.get("TALUVA_TEST_POSTGRES")
    if url:
        make_database(program, url)
    else:
        make_embedded(program)


main()

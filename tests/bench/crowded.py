"""Sites with many rooms, for nodes.py: some are really played, and copied in the database with their sessions, so that it takes seconds.

What has a driver of its own is in crowded.mjs.
"""

import json
import os
import subprocess

from programs import DRIVER_CORE, SERVER_CORE, Server, load, pinned
from sites import Site, divide, until

HERE = os.path.dirname(os.path.abspath(__file__))
COPIED = 100  # rooms
BOTH_CORES = f"{SERVER_CORE},{DRIVER_CORE}"

# A copy keeps the part of its room and those of its sessions. Events of different rooms are stored one after the other, as they are in play.
COPY = """
CREATE FUNCTION pg_temp.digits(number bigint) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((number >> 5 * digit) & 31)::int + 1, 1), '')
  FROM generate_series(0, 5) digit $$;
CREATE TEMP TABLE copy AS
  SELECT of, number * {parts} AS apart, (SELECT max(key) FROM taluva.room) / 64 * 64 + at * 64 + of % 64 AS key,
    substr(id, 1, 2) || pg_temp.digits(at * 387420489 & 1073741823) AS id
  FROM (SELECT key AS of, id, number, row_number() OVER () AS at
    FROM taluva.room, generate_series(1, {times}) number WHERE NOT archived) every;
INSERT INTO taluva.room (key, id, code, secret, host, created_ms)
  SELECT copy.key, copy.id, code, secret, host + apart, created_ms FROM copy JOIN taluva.room ON room.key = of;
INSERT INTO taluva.event
  SELECT copy.key, seq, at_ms, held_ms, CASE session WHEN 0 THEN 0 ELSE session + apart END, request_id, digest, kind, seat, text
  FROM copy JOIN taluva.event ON room = of ORDER BY at_ms, copy.key, seq;
CREATE TEMP TABLE apart AS SELECT number * {parts} AS apart FROM generate_series(1, {times}) number;
INSERT INTO taluva.session SELECT id + apart, name, created_ms, seen_ms FROM taluva.session, apart;
INSERT INTO taluva.pass SELECT session + apart, id, kind, secret_hash, name, since_ms, seen_ms FROM taluva.pass, apart;
ANALYZE;
CHECKPOINT;
"""


def psql(database, url, sql):
    command = [os.path.join(database.postgres.bin, "psql"), url, "-v", "ON_ERROR_STOP=1", "-qAt"]
    return subprocess.run(command, input=sql, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def copy_rooms(database, url, parts, times):
    psql(database, url, COPY.format(parts=parts, times=times))


def events(database, url):
    return int(psql(database, url, "SELECT count(*) FROM taluva.event"))


def driven(*words):
    """What crowded.mjs has measured."""
    command = ["node", os.path.join(HERE, "crowded.mjs"), *map(str, words)]
    process = pinned(BOTH_CORES, command, stdout=subprocess.PIPE, text=True)
    out, _ = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"crowded.mjs {words[0]} failed")
    return json.loads(out)


def gathered(results):
    """Of a list of runs, the runs of each figure."""
    return {figure: [run[figure] for run in results] for figure in results[0]}


def made(build, database, parts, rooms, make):
    """The URL of a site with so many rooms, copies of what `make` does with a node."""
    url = database.fresh()
    divide(build, url, parts)
    with Site(build, url, count=1) as site:
        make(site.nodes[0])
    copy_rooms(database, url, parts, rooms // COPIED - 1)
    return url


# ---- matches


def with_matches(build, database, parts, rooms):
    """Of about 70 events each."""
    flags = [f"--rooms={COPIED}", f"--rate={COPIED * 10}", "--warmup=1", "--duration=5"]
    return made(build, database, parts, rooms, lambda node: load(build, node, *flags))


def takeovers(build, database, url, parts, runs):
    """Of the first node, which has all parts, while the second one has just come."""
    one_of_each = psql(database, url, f"SELECT DISTINCT ON (slot % {parts}) id FROM taluva.room WHERE NOT archived").split()
    results = []
    for _ in range(runs):
        with Site(build, url, core=BOTH_CORES) as site:
            results.append(driven("takeover", site.nodes[1].port, site.nodes[0].pid, *one_of_each))
    return gathered(results)


# ---- open rooms


def with_open_rooms(build, database, parts, rooms):
    """A half are lobbies, a half have begun."""

    def make(node):
        driven("open", node.port, COPIED // 2)
        load(build, node, f"--rooms={COPIED // 2}", f"--rate={COPIED}", "--warmup=0", "--duration=1")

    return made(build, database, parts, rooms, make)


def pages_of_server(build, url, rooms, runs):
    with Server(build, store=url, core=BOTH_CORES) as server:
        return gathered([driven("pages", server.port, rooms) for _ in range(runs)])


def pages_of_nodes(build, url, parts, rooms, runs):
    with Site(build, url, core=BOTH_CORES) as site:
        until("a half of the parts is the second node's", lambda: site.nodes[1].figure("taluva_keeper_opened_total") >= parts // 2)
        return gathered([driven("pages", site.nodes[1].port, rooms) for _ in range(runs)])

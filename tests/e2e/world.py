"""Programs of this tree at work: the server on a free port of the loopback, and clients that talk to it.

Everything lives in one temporary folder and ends with it; processes are stopped by their own number.
"""

import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

PATIENCE_S = 600
# A machine that is busy with something else is no fault of a client, nor of the server.
PATIENT = (*(f"--{name}-ms=600000" for name in ("hello-timeout", "http-timeout", "drain-timeout", "hint-wait")), "--ping-timeout-ms=7200000")


class Failed(Exception):
    """What was expected did not come."""


def check(condition, what):
    if not condition:
        raise Failed(what)


def wait_for(what, condition, patience_s=PATIENCE_S, step_s=0.02):
    """The first true value of condition()."""
    end = time.monotonic() + patience_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"waited {patience_s} s for {what}")
        time.sleep(step_s)


class Server:
    """taluvad with a store of its own; keeps its port over restarts."""

    def __init__(self, program, folder, *options):
        self.program, self.folder, self.options = program, folder, options
        self.port, self.process, self.starts = 0, None, 0
        self.start()

    def start(self):
        self.starts += 1
        log = self.folder / f"taluvad.{self.starts}.log"
        self.process = subprocess.Popen(
            [self.program, "--listen", f"127.0.0.1:{self.port}", "--data", self.folder / "store", *PATIENT, *self.options],
            stdin=subprocess.DEVNULL,
            stdout=log.open("wb"),
            stderr=subprocess.STDOUT,
        )
        line = wait_for("the server", lambda: self.listening(log))
        self.port = int(line.rsplit(":", 1)[1].rstrip("/"))
        if os.environ.get("TALUVA_BENEATH") == "nodes":  # which sends clients away until it has found the one with the rooms
            wait_for("the other node", self.is_ready)

    def is_ready(self):
        check(self.process.poll() is None, "the server ended")
        scheme = "https" if "--tls-cert" in self.options else "http"
        try:
            with urllib.request.urlopen(f"{scheme}://127.0.0.1:{self.port}/readyz", context=ssl._create_unverified_context()):
                return True
        except OSError:
            return False

    def listening(self, log):
        check(self.process.poll() is None, f"the server ended: {log.read_text()}")
        for line in log.read_text().splitlines():
            if line.startswith("listening on http"):
                return line
        return None

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}/ws"

    def kill(self):
        """As the power would fail."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE_S)
        return self.process.returncode


class Client:
    """A taluva that runs by itself, with what it prints in a file."""

    def __init__(self, world, profile, *arguments):
        self.name = profile
        self.out = world.folder / f"{profile}.out"
        self.err = world.folder / f"{profile}.err"
        self.process = subprocess.Popen(
            world.command(*arguments, "--profile", profile),
            env=world.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.out.open("wb"),
            stderr=self.err.open("wb"),
        )

    def lines(self):
        """What it printed in JSON so far; a line that is still being written is left out."""
        text = self.out.read_text()
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def local(self, what):
        return [line for line in self.lines() if line.get("local") == what]

    def finish(self):
        try:
            code = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{self.name} does not end; its last words: {self.out.read_text()[-600:]}") from error
        check(code == 0, f"{self.name} ended with {code}: {self.err.read_text()[-600:]}")


class World:
    def __init__(self, server_program, client_program, *server_options):
        self.holder = tempfile.TemporaryDirectory(prefix="taluva-e2e-")
        self.folder = pathlib.Path(self.holder.name)
        self.client_program = os.path.abspath(client_program)
        self.clients = []
        self.server = Server(server_program, self.folder, *server_options)
        self.environment = dict(
            os.environ,
            TALUVA_SERVER=self.server.url,
            XDG_STATE_HOME=str(self.folder / "state"),
            XDG_CONFIG_HOME=str(self.folder / "config"),
            LC_ALL="C.UTF-8",
            TERM="xterm-256color",
        )
        self.environment.pop("NO_COLOR", None)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for client in self.clients:
            if client.process.poll() is None:
                client.process.kill()
                client.process.wait()
        code = self.server.stop()
        if kind is None:
            check(code == 0, f"the server ended with {code}")
        else:
            self.show_logs()
        self.holder.cleanup()

    def show_logs(self):
        for path in sorted(self.folder.glob("taluvad.*.log")) + sorted(self.folder.glob("*.err")):
            text = path.read_text()
            if text:
                print(f"--- {path.name}\n{text[-2000:]}", file=sys.stderr)

    def command(self, *arguments):
        return [self.client_program, *map(str, arguments)]

    def start(self, profile, *arguments):
        client = Client(self, profile, *arguments)
        self.clients.append(client)
        return client

    def run(self, *arguments, code=0):
        """Runs a client to its end and gives what it printed."""
        done = subprocess.run(
            self.command(*arguments),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        check(
            done.returncode == code,
            f"taluva {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stdout}{done.stderr}",
        )
        return done.stdout


def hexes_of(position):
    """The island of a position, as the state has it."""
    island = position.split(" ")[1]
    return dict(cell.split("=") for cell in island.split("/")) if island != "-" else {}


def huts_of(position):
    """Who lives where in a position of Totem."""
    families = dict(zip("RGBY", position.split(" ")[3].split("/")))
    people = {family: rest.split(":")[1].split(",") for family, rest in families.items() if ":" in rest}
    return {f"{family}{i}": who for family, huts in people.items() for i, who in enumerate(huts, 1) if who != "-"}


def huts_in(table):
    return {hut: row["people"] for hut, row in table["huts"].items() if "people" in row}


# What a position says of the board, and where the state of a room has the same.
BOARDS = {"taluva": (hexes_of, lambda table: table["hexes"]), "totem": (huts_of, huts_in)}


def check_record(world, room, state):
    """The record replays to the very same board, and what chance decided in it is proven."""
    path = world.folder / f"{room}.taluva"
    world.run("record", room, "--profile", "keeper", "--output", path)
    printed = world.run("replay", "--position", path).splitlines()
    check(printed[-1].endswith(" 0 differences"), printed[-1])
    replayed, played = BOARDS[state["game"]]
    check(replayed(printed[0]) == played(state["table"]), "the record gives another board")
    check(": proven\n" in world.run("verify", path), "the deal is not proven")
    check_signed(world, path)
    check_pictures(world, path, printed[-1])
    check_analysis(world, path, state["game"])
    check_forgeries(world, path, FORGERS[state["game"]])


def check_signed(world, path, signed="by the signature, the word of "):
    """The server stands for what rules cannot prove."""
    proof = world.run("verify", "--server", world.server.url, path)
    check(signed in proof and "record's word" not in proof, f"not signed: {proof}")


def check_pictures(world, path, totals):
    """The table can be looked at after each turn, by anybody's eyes."""
    turns = int(totals.split()[2])
    shown = world.run("replay", "--show", "--small", path).splitlines()
    check(shown[0] == "The match begins." and shown[-1] == totals, "the pictures begin and end otherwise")
    told = sum(line.startswith("Turn ") for line in shown)
    check(told == turns, f"{told} pictures of {turns} turns")
    check(world.run("replay", "--turn", turns, "--as", "watcher", path).startswith(f"Turn {turns}: "), "another turn")
    world.run("replay", "--turn", turns + 1, path, code=74)
    world.run("replay", "--as", "nobody", path, code=64)


def check_analysis(world, path, game):
    """A match of Taluva can be looked back at, and the record with what was found in it is as good as the record."""
    if game != "taluva":
        world.run("analyse", path, code=65)
        return
    annotated = path.with_suffix(".annotated")
    annotated.write_text(world.run("analyse", "--simulations", 0, "--annotate", path))
    check("[Result.analysis_start " in annotated.read_text(), "nothing was written into the record")
    check(": proven\n" in world.run("verify", annotated), "the deal of an annotated record is not proven")
    check_signed(world, annotated, "not signed: what others have added")
    check(world.run("analyse", "--simulations", 0, "--annotate", annotated) == annotated.read_text(), "it was annotated twice")
    check(world.run("analyse", "--simulations", 0, "--json", path).startswith('{"game":"taluva"'), "no analysis")


def forge_deck(text):
    deck = text.split('[Deal.deck "')[1].split('"')[0]
    tiles = deck.split(" ")
    other = next(i for i, tile in enumerate(tiles) if tile != tiles[0])
    tiles[0], tiles[other] = tiles[other], tiles[0]
    return text.replace(deck, " ".join(tiles))


def forge_first(text):
    """Another family was drawn."""
    first = text.split('[Deal.first "')[1][0]
    return text.replace(f'[Deal.first "{first}', f'[Deal.first "{"G" if first == "R" else "R"}')


FORGERS = {"taluva": forge_deck, "totem": forge_first}


def check_forgeries(world, path, forge):
    """What was changed in a record is found."""
    text = path.read_text()
    secret = text.split('[Secret "')[1].split('"')[0]
    for forged in (
        forge(text),
        text.replace(secret, secret[::-1]),
        text.replace("[Result.why ", "[Result.how "),
    ):
        check(forged != text, "nothing was forged")
        path.with_suffix(".forged").write_text(forged)
        world.run("verify", path.with_suffix(".forged"), code=1)


def traffic(client):
    """What a client in JSON mode heard and said, for tests/schema/validate.mjs; a name for each connection."""
    connection = 0
    for line in client.lines():
        local = line.get("local")
        if local == "online":
            connection += 1
        if local == "sent":
            yield {"dir": "in", "conn": f"{client.name}.{connection}", "msg": line["request"]}
        elif local is None:
            yield {"dir": "out", "conn": f"{client.name}.{connection}", "msg": line}


def check_traffic(world, schema_folder):
    """Every message against the schemas, where their validator is installed."""
    run = pathlib.Path(schema_folder) / "run"
    lines = "".join(json.dumps(message) + "\n" for client in world.clients for message in traffic(client))
    done = subprocess.run(
        [run, "validate.mjs"], input=lines, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if done.returncode == 77:
        print(f"not validated: {done.stdout.strip()}")
        return
    check(done.returncode == 0, f"invalid traffic: {done.stdout[-3000:]}{done.stderr[-1000:]}")
    print(f"validated: {done.stdout.splitlines()[-1]}")

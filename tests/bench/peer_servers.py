"""Servers of other frameworks (peers/), installed and run for the benchmark alone, each on the core that ours has.

Each is a turn-based game as its users write one: rooms of two, a move changes a state in memory and is pushed to both. They check
no rule and keep nothing.
"""

import http.client
import json
import os
import select
import shutil
import subprocess
import tempfile

from programs import DRIVER_CORE, REQUEST_BYTES, SERVER_CORE, free_port, pinned

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers")
WARMUP_S = 3  # a scripting language compiles meanwhile what is run often
START_S = 30


class Unavailable(Exception):
    """A peer cannot be measured here; the text says why."""


def install():
    """What the lock file pins, unless it is there already. Needs a package registry."""
    lock, installed = (os.path.join(FOLDER, name) for name in ("package-lock.json", "node_modules/.package-lock.json"))
    if os.path.exists(installed) and os.path.getmtime(installed) > os.path.getmtime(lock):
        return  # npm writes this file last
    if not shutil.which("npm") or not shutil.which("node"):
        raise Unavailable("node and npm are not installed")
    print("installing the peers with npm ci", flush=True)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
    done = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Unavailable(f"npm ci failed in {FOLDER}: {done.stdout.strip()[-600:]}")


def version(package):
    with open(os.path.join(FOLDER, "node_modules", package, "package.json"), encoding="utf-8") as file:
        return json.load(file)["version"]


class Lobby:
    """Takes seats over HTTP, as a client does before it connects."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)

    def post(self, path, body):
        self.connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        text = response.read().decode()
        if response.status != 200:
            raise Unavailable(f"{path} is answered with {response.status} {text[:200]}")
        return json.loads(text)


def colyseus_places(lobby, rooms):
    """Where each seat is to connect; it has no other secret."""
    for _ in range(rooms):
        first = lobby.post("/matchmake/create/game", {})
        room, process = first["room"]["roomId"], first["room"]["processId"]
        second = lobby.post(f"/matchmake/joinById/{room}", {})
        for seat in (first, second):
            yield f"/{process}/{room}?sessionId={seat['sessionId']} -"


def boardgameio_places(lobby, rooms):
    """The match of each seat, and what proves that the seat is taken."""
    for _ in range(rooms):
        match = lobby.post("/games/game/create", {"numPlayers": 2})["matchID"]
        for seat in ("0", "1"):
            joined = lobby.post(f"/games/game/{match}/join", {"playerID": seat, "playerName": f"player {seat}"})
            yield f"{match} {joined['playerCredentials']}"


PEERS = {  # protocol, package, seats
    "socket.io": ("socketio", "socket.io", None),
    "Colyseus": ("colyseus", "@colyseus/core", colyseus_places),
    "boardgame.io": ("boardgameio", "boardgame.io", boardgameio_places),
}


class PeerServer:
    def __init__(self, name, push_bytes):
        self.protocol, _, self.places = PEERS[name]
        self.port = free_port()
        self.errors = tempfile.TemporaryFile("w+")  # nobody reads meanwhile, and a full pipe would stop it
        self.process = pinned(
            SERVER_CORE,
            ["node", f"{self.protocol}.mjs", str(self.port), str(push_bytes)],
            cwd=FOLDER,
            env=dict(os.environ, NODE_ENV="production"),
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        self.pid = self.process.pid
        if not select.select([self.process.stdout], [], [], START_S)[0] or "ready" not in self.process.stdout.readline():
            self.process.kill()
            self.process.wait()
            raise Unavailable(f"it did not start: {self.complaints()}")

    def __enter__(self):
        return self

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read(600).strip() or "it says nothing"

    def __exit__(self, *_):
        self.errors.close()
        self.process.terminate()
        try:
            self.process.wait(5)  # Colyseus says goodbye to everybody first
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def load_peer(build, name, push_bytes, rooms, rate, seconds):
    """One run against a fresh server; the same figures as of our own load tester."""
    with PeerServer(name, push_bytes) as server:
        places = "\n".join(server.places(Lobby(server.port), rooms)) if server.places else ""
        command = [f"{build}/tests/bench/taluva-peer-load", server.protocol, str(server.port), str(rooms), str(rate)]
        command += [str(seconds), str(WARMUP_S), str(REQUEST_BYTES), str(server.pid)]
        driver = pinned(
            DRIVER_CORE, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        out, errors = driver.communicate(places)
        if driver.returncode != 0:
            raise Unavailable(f"{rooms} rooms, {rate or 'as many'} moves/s: {errors.strip()[:300]}; {server.complaints()}")
        return json.loads(out)

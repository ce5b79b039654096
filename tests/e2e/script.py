"""Programs at the table: JSON lines out and in, a series of matches by rematch, encrypted connections, exit codes.

usage: script.py TALUVAD TALUVA SCHEMA_FOLDER
"""

import json
import shutil
import socket
import subprocess
import sys

from world import PATIENCE_S, Failed, World, check, check_record, check_traffic


class Script:
    """A client in JSON mode with both ends in our hands."""

    def __init__(self, world, *arguments):
        self.world, self.name = world, "script"
        self.said = []
        self.process = subprocess.Popen(
            world.command(*arguments, "--json", "--profile", "script"),
            env=world.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        world.clients.append(self)

    def lines(self):
        return self.said

    def write(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, **request):
        self.write(json.dumps(request))

    def hear(self, what, condition):
        """The next line for which the condition holds; those before it are kept, not looked at again."""
        for line in self.process.stdout:
            self.said.append(json.loads(line))
            if condition(self.said[-1]):
                return self.said[-1]
        raise Failed(f"the client ended before {what}; it said {self.said[-3:]}")

    def answer(self, **request):
        self.ask(**request)
        sent = self.hear(f"sending {request}", lambda line: line.get("request", {}).get("op") == request["op"])["request"]
        return self.hear(f"the answer to {request}", lambda line: line.get("id") == sent["id"])


def make_only(world):
    """Who does not join may seat computers all the same, and is told if they find no seat."""
    room = world.run("create", "--profile", "maker", "--no-join", "--players", 3, "--bots", 2, "--level", "strong").strip()
    watcher = Script(world, "watch", room)
    seats = watcher.hear("the view", lambda line: "state" in line.get("ok", {}))["ok"]["state"]["seats"]
    check({seat: row.get("level") for seat, row in seats.items()} == {"0": 5, "1": 5}, f"{seats}")
    watcher.process.kill()
    watcher.process.wait()
    world.run("create", "--profile", "maker", "--no-join", "--players", 2, "--bots", 3, code=77)


def talk(world):
    script = Script(world, "create", "--players", 2, "--first", 0, "--title", "A \u2603 title", "--bots", 1, "--level", "beginner")
    view = script.hear("the view", lambda line: "state" in line.get("ok", {}))["ok"]
    room = view["room"]
    check(view["you"] == {"seat": 0, "host": True}, f"the creator is {view['you']}")
    seated = script.hear("the computer", lambda line: "1" in line.get("patch", {}).get("seats", {}))
    check(seated["patch"]["seats"]["1"]["level"] == 1, f"the computer is {seated}")
    script.write("this is no JSON")
    script.hear("a complaint", lambda line: line.get("local") == "bad_line")
    script.write('{"no": "op"}')
    script.hear("a complaint", lambda line: line.get("local") == "bad_line")
    script.ask(op="say", text="x" * 5000)
    script.hear("a complaint", lambda line: line.get("local") == "bad_line")
    refused = script.answer(op="move", room=room, move="JC@0,0:0")
    check(refused["error"]["code"] == "not_begun", f"{refused}")
    check("ok" in script.answer(op="ready", room=room, ready=True), "not ready")
    script.answer(op="start", room=room)
    script.write('{"local": "cut"}')
    script.hear("the cut", lambda line: line.get("local") == "offline")
    script.hear("the return", lambda line: line.get("local") == "online")
    moves = script.answer(op="moves", room=room)["ok"]
    check(moves.get("step") == "place" and moves["moves"], f"{moves}")
    check("ok" in script.answer(op="move", room=room, move=moves["moves"][0]), "the tile was refused")
    script.answer(op="resign", room=room)
    check(any(line.get("local") == "over" for line in script.said), "the end was not told")
    script.process.stdin.close()
    check(script.process.wait(20) == 0, "the script's client did not end well")


def series(world):
    room = world.run("create", "--profile", "host", "--no-join", "--players", 3, "--tiles", 24).split()[0]
    bots = [world.start(f"serial{i}", "bot", room, "--games", 3, "--seed", i, "--json") for i in range(3)]
    for bot in bots:
        bot.finish()
    ends = [[(over["room"], over["state"]) for over in bot.local("over")] for bot in bots]
    check(len(ends[0]) == 3 and len({room for room, _ in ends[0]}) == 3, "there were not three matches")
    check(ends[0] == ends[1] == ends[2], "the bots disagree")
    seats = [[over["seat"] for over in bot.local("over")] for bot in bots]
    check(all(sorted(seat) == [0, 1, 2] for seat in seats), f"the seats were not rotated: {seats}")
    check_record(world, *ends[0][2])


def exit_codes(world):
    listing = world.run("rooms", "--profile", "host")
    check("no open room" not in listing, listing)
    world.run("join", "zzzzzzzz", "--profile", "host", code=77)
    world.run("join", "nonsense!", "--profile", "host", code=64)
    world.run("join", code=64)
    world.run("rooms", "--server", "ftp://127.0.0.1", code=64)
    world.run("rooms", "--profile", "../x", code=64)
    world.run("create", "--players", 4, "--teams", "--ranking", "--no-join", "--profile", "host", code=77)
    world.run("replay", world.folder / "nothing", code=74)
    world.run("bogus", code=64)
    for arguments in (["--help"], ["rooms", "--profile", "host"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(world.command(*arguments), env=world.environment, stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False)
        check(done.returncode == 74 and "No space left" in done.stderr, f"{arguments} onto a full disk: {done}")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        world.run("rooms", "--server", f"ws://127.0.0.1:{unused.getsockname()[1]}", "--patience", 1, code=69)
        # Commands that ask once end by themselves.
        http = f"http://127.0.0.1:{unused.getsockname()[1]}"
        asking = [
            subprocess.Popen(world.command(*words, "--server", http), env=world.environment, stderr=subprocess.DEVNULL)
            for words in (("record", "k3m9x0aq"), ("create", "--no-join"))
        ]
        codes = [command.wait(PATIENCE_S) for command in asking]
        check(codes == [69, 69], f"without a server they ended with {codes}")
    secret, code = world.run("create", "--no-join", "--invite", "--profile", "host").split()
    world.run("record", secret, "--profile", "stranger", code=77)
    world.run("record", secret, "--profile", "stranger", "--code", code)
    nowhere = world.folder / "nowhere" / "record"
    refused = subprocess.run(
        world.command("record", secret, "--profile", "stranger", "--code", code, "--output", nowhere),
        env=world.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    told = f"taluva: {nowhere}: No such file or directory\n"
    check(refused.returncode == 74 and refused.stderr == told, f"a record into no folder: {refused}")
    check(secret not in world.run("rooms", "--profile", "host"), "a room by invitation is in the list")
    sitter = Script(world, "join", secret, "--code", code)
    sitter.hear("the view", lambda line: "state" in line.get("ok", {}))
    sitter.process.kill()
    own = world.run("rooms", "--profile", "script").splitlines()
    check(own[0].startswith(secret) and own[0].endswith("(you sit here)"), f"one's own rooms: {own}")


def make_certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        + ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        + ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True,
        capture_output=True,
    )


def encrypted(taluvad, taluva):
    """wss:// with a certificate that only we trust."""
    with World(taluvad, taluva) as world:
        make_certificate(world.folder)
        world.server.stop()
        world.server.options = ["--tls-cert", world.folder / "cert.pem", "--tls-key", world.folder / "key.pem"]
        world.server.start()
        url = f"wss://localhost:{world.server.port}/ws"
        world.run("rooms", "--server", url, "--ca", world.folder / "cert.pem")
        world.run("rooms", "--server", url, "--patience", 1, code=69)


def main(taluvad, taluva, schema_folder):
    with World(taluvad, taluva, "--computer-ms=20") as world:
        make_only(world)
        talk(world)
        series(world)
        exit_codes(world)
        check_traffic(world, schema_folder)
    if shutil.which("openssl"):
        encrypted(taluvad, taluva)
    print("scripts played")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A person at a terminal: what the interactive client shows and takes, with a cut cable on the way.

usage: person.py TALUVAD TALUVA
"""

import fcntl
import os
import pty
import re
import select
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

from world import Failed, World, check, wait_for

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PICTURE = re.compile(r"\x1b7.*?(\x1b8|$)", re.DOTALL)  # painted in place, the cursor remembered before and put back after
PLACE = re.compile(r"(?<![\w-])(-?\d+,-?\d+:[0-5])(?! \(!\))")
BUILD = re.compile(r"((?:hut|tower|temple|boat) -?\d+,-?\d+|expand -?\d+,-?\d+ [JCSRL])")


class Cable:
    """A TCP connection to the server that can be cut."""

    def __init__(self, port):
        self.target = port
        self.pairs = []
        self.is_down = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                if self.is_down:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            self.pairs.append((near, far))
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self.pump, args=ends, daemon=True).start()

    @staticmethod
    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class Terminal:
    """A client in a pseudo terminal; what it printed, without the escapes."""

    def __init__(self, command, environment, columns=80, rows=24, folder=None):
        self.master, slave = pty.openpty()
        self.raw = ""
        self.seen = 0
        self.resize(columns, rows)
        # It is the terminal of its session, so that keys and sizes become the signals that a real one sends.
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *command], env=environment, stdin=slave, stdout=slave, stderr=slave, cwd=folder
        )
        os.close(slave)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, patience_s=0.0):
        while select.select([self.master], [], [], patience_s)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.raw += data.decode("utf-8", "replace")
            patience_s = 0.0

    def lines(self):
        """What was printed below the picture since the last key."""
        return ESCAPES.sub("", PICTURE.sub("", self.raw[self.seen :]))

    def picture(self):
        """The last whole picture."""
        whole = [match.group(0) for match in PICTURE.finditer(self.raw) if match.group(1)]
        return ESCAPES.sub("", re.sub(r"\x1b\[[0-9]+;1H", "\n", whole[-1][2:-2])) if whole else ""

    def expect(self, what, where=None):
        """Waits until this is there; a string or a pattern."""
        where = where or self.lines
        pattern = what if isinstance(what, re.Pattern) else re.compile(re.escape(what))

        def found():
            self.read(0.05)
            return pattern.search(where())

        try:
            return wait_for(repr(pattern.pattern), found)
        except Failed:
            print(f"--- the terminal showed:\n{self.lines()[-3000:]}\n{self.picture()}", file=sys.stderr)
            raise

    def expect_picture(self, what):
        return self.expect(what, self.picture)

    def type(self, text):
        self.read()
        self.seen = len(self.raw)
        os.write(self.master, text.encode())

    def ask(self, command, pattern):
        """What a command lists. The client may not have been told yet, and says so."""
        self.type(f"{command}\r")

        def found():
            self.read(0.05)
            if "Not known yet, try again." in self.lines():
                self.type(f"{command}\r")
            return pattern.search(self.lines())

        return wait_for(f"what {command!r} lists", found).group(1)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)


def words(text):
    """However the line is broken."""
    return re.compile(r"\s+".join(map(re.escape, text.split())))


def place_somewhere(terminal):
    terminal.expect(re.compile(r"\bplace> *$"))
    terminal.type("\r")
    terminal.expect(words("Arrows choose a move, or type it: `moves` lists what may be typed."))
    terminal.type("turn 0\r")
    place = terminal.ask("moves :0", PLACE)
    terminal.type(f"{place}\r")
    terminal.expect(re.compile(r"\bbuild> *$"))
    return place


def build_something(terminal):
    build = terminal.ask("moves", BUILD)
    terminal.type(f"{build}\r")
    terminal.expect(re.compile("Ana: " + build.split(" ")[0] + "@"))


def take_hint(terminal):
    """Asks for one as often as the client says that the computers are busy."""
    asked = 0

    def found():
        nonlocal asked
        terminal.read(0.05)
        if asked == 0 or "The computer players are busy" in terminal.lines():
            terminal.type("hint\r")
            asked += 1
        return "The best turns, and the chances after them:" in terminal.picture()

    wait_for("a hint", found)
    check("Ana takes a hint." in ESCAPES.sub("", terminal.raw), "nothing was said of the hint")


def play(world, terminal, room):
    terminal.expect_picture("Others come in by")
    terminal.type("nonsense\r")
    terminal.expect("I do not know 'nonsense'")
    terminal.type("\r")  # an empty line does nothing, and the next one is read
    terminal.type("moves\r")
    terminal.expect("The match has not begun.")
    terminal.type("follow\r")
    terminal.expect("There is no rematch; `rematch` asks for one.")
    terminal.type("say \u00e9\u20ac\U0001f30b!\r")  # of two, three and four bytes
    terminal.expect("Ana says: \u00e9\u20ac\U0001f30b!")
    terminal.type("ready\r")
    terminal.expect("Ana is ready.")
    bot = world.start("bo", "bot", room, "--name", "Bo", "--seed", 5, "--json", "--delay", 20)
    terminal.expect("Bo is ready.")
    terminal.type("start\r")
    terminal.expect("Ana is first")
    place_somewhere(terminal)
    terminal.type("undo\r")
    terminal.expect("takes the tile back")
    take_hint(terminal)
    terminal.type("7,7:1\r")
    terminal.expect("The first tile of the game goes to 0,0:0.")
    place_somewhere(terminal)
    terminal.type("7,7:1\r")
    terminal.expect("Your tile lies already: build now")
    stranger = world.run("join", room, "--profile", "stranger", "--name", "Eve", code=77)
    check(f"Anybody may watch: taluva watch {room} --profile stranger" in stranger, f"a stranger is told: {stranger}")
    terminal.type("hu\t\t")
    terminal.expect("hut ")
    terminal.type("\x15")  # takes the line away again
    build_something(terminal)
    terminal.expect(re.compile(r"Bo: \w+@.*place> *$", re.DOTALL))
    return bot


def cut_and_go_on(terminal, cable):
    terminal.type("")
    cable.is_down = True
    cable.cut()
    terminal.expect("The connection was cut")
    terminal.type("say back again\r")
    terminal.expect("Kept: it is sent once the server is back.")
    cable.is_down = False
    terminal.expect("Connected again.")
    terminal.expect("Ana says: back again")
    terminal.seen = len(terminal.raw)
    terminal.resize(50, 15)
    terminal.expect(words("50x15 is too small for the picture (50x16 is needed); `show` prints it."))
    terminal.type("help\r")
    terminal.expect(words("Enter comes back from here."))
    check(max(map(len, terminal.lines().splitlines())) <= 50, "a line of the help is longer than a row")
    big = len(terminal.raw)
    terminal.resize(120, 40)
    terminal.expect_picture(re.compile(r"\n" + " " * 95 + "[> ]A"))  # the players are at the right of 120 columns
    terminal.expect("Ana says: back again")  # what was said before is there again
    check("too small" not in terminal.raw[big:], "the size is still complained of")
    place_somewhere(terminal)
    build_something(terminal)


def finish(world, terminal, bot, room):
    terminal.type("resign\r")
    terminal.expect("`resign yes`")
    terminal.type("resign yes\r")
    terminal.expect("The match is over: all others are out.")
    terminal.expect(re.compile(r"B Bo wins\..*`rematch` plays once more, `quit` leaves\.", re.DOTALL))
    terminal.expect_picture("Bo wins")
    terminal.expect(f"`record` writes the match to {room}.taluva, `log` shows what happened.")
    terminal.expect(f"`taluva analyse {room}.taluva` then shows luck, mistakes and better turns.")
    terminal.type("record\r")
    terminal.expect(f"The record is in {room}.taluva")
    world.run("verify", world.folder / f"{room}.taluva", code=8)  # a resignation cannot be proven
    check("Ana" in world.run("analyse", "--simulations", 0, world.folder / f"{room}.taluva"), "nothing is said of Ana")
    terminal.type("\x04")
    terminal.expect(words(f"taluva join {room} --profile ana --server ws://127.0.0.1:"))
    wait_for("the client's end", lambda: terminal.process.poll() is not None)
    check(terminal.process.returncode == 0, f"the client ended with {terminal.process.returncode}")
    bot.finish()


def watch_only(world, terminal, room, environment):
    """Who watches with a player's session moves nobody's pieces, and learns how to play."""
    watcher = Terminal(world.command("watch", room, "--profile", "ana"), environment, folder=world.folder)
    try:
        watcher.expect_picture("Others come in by")
        watcher.expect(words(f"You watch; seat A, which is yours, is played with: taluva join {room} --profile ana"))
        for line in ("ready", "sit B", "undo", "start", "resign yes", "offer pause"):
            watcher.type(f"{line}\r")
            watcher.expect(words(f"You only watch here. To play: taluva join {room} --profile ana"))
        watcher.type("say I look on\r")
        watcher.expect("A Ana says: I look on")
        watcher.type("\x04")
        watcher.expect(words(f"To come back: taluva watch {room} --profile ana"))
    finally:
        watcher.close()
    terminal.read()
    check("is ready" not in terminal.lines(), f"the spectator was ready: {terminal.lines()}")


def lines_only(world, room):
    """Without a terminal it prints lines, and ends with the match."""
    watcher = world.start("pipe", "watch", room)
    watcher.finish()
    text = watcher.out.read_text()
    check("all others are out" in text and "\x1b" not in text, f"a pipe got: {text}")
    command = re.search(r"`taluva record (\S+) --profile pipe --server (\S+) -o (\S+)` fetches the match", text)
    check(command and command[1] == room, f"a pipe got: {text}")
    check(f"`taluva analyse {command[3]}`" in text, f"a pipe got: {text}")
    file = world.folder / "fetched.taluva"
    world.run("record", command[1], "-o", file, "--server", command[2])
    world.run("verify", file, code=8)


def main(taluvad, taluva):
    with World(taluvad, taluva) as world:
        cable = Cable(world.server.port)
        room = world.run("create", "--profile", "host", "--players", 2, "--first", 0, "--no-join").strip()
        environment = dict(world.environment, TALUVA_SERVER=f"ws://127.0.0.1:{cable.port}/ws")
        terminal = Terminal(
            world.command("join", room, "--profile", "ana", "--name", "Ana", "--seat", 0),
            environment,
            folder=world.folder,
        )
        try:
            terminal.expect_picture("Others come in by")
            watch_only(world, terminal, room, environment)
            bot = play(world, terminal, room)
            cut_and_go_on(terminal, cable)
            finish(world, terminal, bot, room)
            lines_only(world, room)
        finally:
            terminal.close()
    print("a person played")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Tells what an engine does otherwise than protocol/engine.md says.

usage: check_engine.py [--taluva PROGRAM] [--patience SECONDS] [--games N] [--first] -- COMMAND...

The engine plays short games with itself, in each of which something else of the box is used, and is told lines that no client should say. A line for each
thing found; the exit status is 1 if there was one. Needs `taluva`, for the rules.
"""

import json
import os
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)

BASE = {"J": "15421", "C": "61221", "S": "42111", "R": "22211", "L": "21111"}  # how many, by the second field
BOX = [first + second for first, row in BASE.items() for second, count in zip("JCSRL", row) for _ in range(int(count))]
TWO_HEX = ["2JJ", "2VJ", "2VL", "2VS", "2VV"]
GAMES = [
    {"seats": 2},
    {"seats": 3, "boats": True, "two_hex": ["2JJ", "2VL", "2VS"]},
    {"seats": 4, "teams": True, "zone": "player"},
    {"seats": 3, "ranking": True, "huts": "anywhere"},
]
TILES = 24
LINE_BYTES = 8192


class Broken(Exception):
    """The engine cannot be asked any more."""


class Enough(Exception):
    """Something was found, and one was asked for."""


class Engine:
    def __init__(self, command, patience, first):
        self.patience, self.first, self.lines, self.found = patience, first, queue.Queue(), []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def fault(self, text):
        if text not in self.found:
            self.found.append(text)
            print(text, flush=True)
        if self.first:
            raise Enough

    def say(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Broken(f"it has ended before `{line[:60]}`") from None

    def line(self, waits_for):
        """The next line that is not empty, as words."""
        while True:
            try:
                line = self.lines.get(timeout=self.patience)
            except queue.Empty:
                raise Broken(f"nothing for {self.patience} s, instead of {waits_for}") from None
            if line is None:
                raise Broken(f"it has ended, instead of {waits_for}")
            if len(line) > LINE_BYTES + 1:
                self.fault(f"a line of {len(line)} bytes: {line[:60]!r}...")
            try:
                text = line.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                self.fault(f"a line that is not UTF-8: {line[:60]!r}")
                continue
            if text:
                return text

    def ended(self, after):
        try:
            self.process.wait(self.patience)
        except subprocess.TimeoutExpired:
            raise Broken(f"it has not ended {self.patience} s after {after}") from None

    def until(self, word):
        """All lines up to the one that begins so."""
        lines = []
        while True:
            lines.append(self.line(f"`{word}`"))
            if lines[-1].partition(" ")[0] == word:
                return lines
            if lines[-1].startswith("error "):
                raise Broken(f"`{lines[-1]}`, instead of `{word}`")


# ---- a game, by the rules of `taluva`


class Game:
    def __init__(self, taluva, options, chance):
        self.taluva, self.turns = taluva, []
        self.deck = chance.sample(BOX, len(BOX))  # its first TILES are the stack
        self.options = {"huts": "isolated", "teams": False, "ranking": False, "boats": False, "two_hex": [], "zone": None, **options}
        self.position = self.after([])

    def after(self, turns):
        """The position after these turns; None if the rules refuse the last of them."""
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            json.dump({"id": "check", "options": self.options, "deck": self.deck[:TILES], "turns": turns}, file)
            file.flush()
            answer = subprocess.run([self.taluva, "replay", "--position", file.name], capture_output=True, text=True, check=False)
        positions = [line for line in answer.stdout.splitlines() if re.match(r"\d/\d/\d", line)]
        return positions[0] if positions else None

    def drawn(self):
        """How many tiles of the stack have been seen."""
        return TILES - int(self.position.split()[-2])

    def with_tile(self):
        """The position once its tile has been drawn."""
        words = self.position.split()
        step, _, seat = words[-1].partition(":")
        tile = self.deck[self.drawn()]
        return " ".join([*words[:-2], str(int(words[-2]) - 1), f"place:{seat}:{tile}"]) if step == "draw" else self.position

    def unseen(self, position):
        seen = TILES - int(position.split()[-2])
        return " ".join(["unseen", *sorted(self.deck[seen:])])

    def legal(self, position):
        answer = subprocess.run([self.taluva, "legal", position], capture_output=True, text=True, check=True)
        return answer.stdout.splitlines()

    def is_over(self):
        return self.position.split()[-1].startswith("over:")

    def take(self, turn):
        """Plays a whole turn; False if the rules refuse it."""
        placement, _, build = turn.partition(" ")
        tile, seat = placement.partition("@")[0], int(self.position.split()[-1].split(":")[1])
        move = {"seat": seat, "take": [tile if tile in TWO_HEX else "draw"], "place": placement, "build": build}
        if build == "none":
            move["build"] = None
        position = self.after([*self.turns, move])
        if position is None:
            return False
        self.turns.append(move)
        self.position = position
        return True


# ---- what is checked


def greet(engine):
    engine.say("go")
    if not engine.line("`error`").startswith("error early"):
        engine.fault("`go` before `taluva-engine 1` is not answered with `error early`")
    engine.say("taluva-engine 1")
    lines = engine.until("ready")
    if not any(line.startswith("name ") for line in lines):
        engine.fault("it does not say its name before `ready`")
    for line in lines:
        if line.startswith("option ") and not re.fullmatch(r"option \S+ (number \d+ \d+ \d+|word( \S+)+)", line):
            engine.fault(f"an option that is none: `{line}`")


def odd_lines(engine):
    engine.say("")
    for line, error in (("no such line", "unknown"), ("position 2/0/48 no position unseen", "bad"), ("position", "bad"), ("go", "early"), ("set nothing 1", "bad")):
        engine.say(line)
        answer = engine.line("`error`")
        if not answer.startswith(f"error {error}"):
            engine.fault(f"`{line}` is answered with `{answer}`, not with `error {error}`")
    engine.say("stop")
    engine.say("ping there\r")
    if (answer := engine.line("`pong there`")) != "pong there":
        engine.fault(f"`stop` without a thought, then `ping there`, are answered with `{answer}`")


def ask(engine, game, position, limits):
    """The turn that it would play; what is said before it is looked at."""
    engine.say(f"position {position} {game.unseen(position)}")
    engine.say(f"go {limits}")
    lines, seats = engine.until("best"), game.options["seats"]
    known = [line for line in lines if line.startswith("line ")]
    for number, line in enumerate(known, 1):
        found = re.fullmatch(r"line (\d+)(?: visits \d+)?(?: chances (\d+(?:/\d+)*))?(?: \S+ \S+)*? turn (\S+(?: \S+)?)", line)
        if not found or int(found[1]) != number:
            engine.fault(f"line {number} is `{line}`")
        elif found[2] and (len(found[2].split("/")) != seats or any(int(chance) > 1000 for chance in found[2].split("/"))):
            engine.fault(f"chances of {seats} seats: `{line}`")
    wanted = dict(zip(limits.split()[::2], limits.split()[1::2])).get("lines", "1")
    if len(known) > int(wanted):
        engine.fault(f"{len(known)} lines where {wanted} were asked for")
    return lines[-1].partition(" ")[2]


def play_turn(engine, game, limits):
    """One turn, by as many questions as it takes. False: nothing more can be played."""
    step = game.position
    turn = ask(engine, game, step, limits)
    if turn == "draw":
        if "draw" not in game.legal(step):
            engine.fault(f"it draws where nobody can: {step}")
            return False
        step = game.with_tile()
        turn = ask(engine, game, step, limits)
    if game.take(turn):
        return True
    engine.fault(f"`{turn}` is not legal in: {step}")
    return False


def say_again(engine, game):
    """The same simulations, seed and position: the same answer."""
    position = game.with_tile()
    first, second = (ask(engine, game, position, "simulations 30 seed 5") for _ in range(2))
    if first != second:
        engine.fault(f"the same question is answered with `{first}` and with `{second}`: {position}")


def play(engine, game, chance):
    engine.say("match")
    limits = ["simulations 20", "simulations 5 lines 3 seed 9007199254740991", "ms 20", "ms 0", "lines 0 simulations 1"]
    while not game.is_over() and play_turn(engine, game, chance.choice(limits)):
        if len(game.turns) == 4:
            say_again(engine, game)


def stop(engine, game):
    """A thought of hours ends when it should."""
    engine.say(f"position {(position := game.with_tile())} {game.unseen(position)}")
    engine.say("go ms 86000000")
    engine.say("stop")
    engine.until("best")
    engine.say("go ms 86000000")
    engine.say("quit")
    engine.ended("`quit`")


def end_of_input(engine, position):
    """What is under way is answered, and then it ends. `engine` has been told nothing yet."""
    engine.say("taluva-engine 1")
    engine.until("ready")
    engine.say(f"position {position}")
    engine.say("go simulations 1")
    engine.process.stdin.close()
    engine.until("best")
    engine.ended("the end of its input")


def check(engine, other, taluva, games):
    chance = random.Random(1)
    greet(engine)
    odd_lines(engine)
    for options in GAMES[:games]:
        play(engine, Game(taluva, options, chance), chance)
    game = Game(taluva, GAMES[0], chance)
    stop(engine, game)
    position = game.with_tile()
    end_of_input(other, f"{position} {game.unseen(position)}")


def main():
    parser = Parser(description=__doc__.partition("\n")[0])
    parser.add_argument("--taluva", default="taluva", help="the program")
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS", help="for an answer")
    parser.add_argument("--games", type=int, default=len(GAMES), metavar="N", help=f"how many of the {len(GAMES)} it plays")
    parser.add_argument("--first", action="store_true", help="ends with the first thing that it finds")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    options = parser.parse_args()
    engines = [Engine(options.command, options.patience, options.first) for _ in range(2)]
    try:
        try:
            check(*engines, options.taluva, options.games)
        except Broken as broken:
            engines[0].fault(str(broken))
    except Enough:
        pass
    finally:
        for engine in engines:
            engine.process.kill()
            engine.process.wait()
    found = [fault for engine in engines for fault in engine.found]
    print(f"{len(found)} found")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

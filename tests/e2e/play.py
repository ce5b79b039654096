"""A match at one's own terminal, without any server: programs, pipes, and people who share the keyboard.

usage: play.py TALUVA PLAYER
"""

import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from cursor import Player, play_step
from person import Terminal, words
from world import PATIENCE_S, check, wait_for

LISTED = re.compile(r"^(?:choose|cast|reveal|starve|take|write|pass|settle)\b[^ ]*(?: \S+)*?(?=  |$)")


class Home:
    """Where nothing can be reached but the program: no server, no earlier session."""

    def __init__(self, taluva):
        self.taluva = os.path.abspath(taluva)
        self.holder = tempfile.TemporaryDirectory(prefix="taluva-play-")
        self.folder = pathlib.Path(self.holder.name)
        self.environment = dict(
            os.environ, TALUVA_SERVER="ws://127.0.0.1:1/ws", XDG_STATE_HOME=str(self.folder / "state"), XDG_CONFIG_HOME=str(self.folder / "config"), LC_ALL="C.UTF-8", TERM="xterm-256color"
        )
        self.environment.pop("NO_COLOR", None)

    def command(self, *arguments):
        return [self.taluva, *map(str, arguments)]

    def run(self, *arguments, said="", code=0):
        done = subprocess.run(
            self.command(*arguments), env=self.environment, cwd=self.folder, input=said, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        check(done.returncode == code, f"taluva {arguments} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def start(self, *arguments):
        return subprocess.Popen(
            self.command(*arguments), env=self.environment, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def check_record(self, name, *contents):
        """Every program that reads records reads it."""
        text = (self.folder / name).read_text()
        for content in contents:
            check(content in text, f"{content} is not in {name}: {text}")
        self.run("replay", name)
        check("proven" in self.run("verify", name), "the record cannot be verified")


def programs(home, player):
    """The smallest player of its own plays Taluva to the end, against two computers of different levels."""
    read, write = os.pipe()
    options = ["--players", 3, "--tiles", 24, "--level", "simple", "--level", "beginner", "--record", "json.txt"]
    with subprocess.Popen(home.command("play", "--json", "--name", "Ana", *options), env=home.environment, cwd=home.folder, stdin=read, stdout=subprocess.PIPE) as match:
        os.close(read)
        with subprocess.Popen([sys.executable, "-B", player], stdin=match.stdout, stdout=write) as mind:
            os.close(write)
            check(mind.wait(PATIENCE_S) == 0, "the player ended badly")
        check(match.wait(PATIENCE_S) == 0, f"the match ended with {match.returncode}")
        match.stdout.close()  # not before: the player reads no further than the end of the match
    home.check_record("json.txt", '[Seat.0.name "Ana"]', "Result.")
    levels = re.findall(r'\[Seat\.\d\.level "?(\w+)"?\]', (home.folder / "json.txt").read_text())
    check(len(levels) == 2 and levels[0] != levels[1], f"the levels are {levels}")
    check("blunders" in home.run("analyse", "--simulations", 0, "json.txt"), "the record cannot be analysed")


def pipes(home):
    """A whole match of Totem in lines of text: whatever `moves` lists first."""
    match = home.start("play", "--game", "totem", "--name", "Ana", "--rounds", 2, "--record", "pipe.txt")
    asked = False
    for line in match.stdout:
        if line.startswith("You: "):
            match.stdin.write("moves\n")
            asked = True
        elif line.startswith("Not known yet"):
            match.stdin.write("moves\n")
        elif asked and LISTED.match(line.rstrip()):
            match.stdin.write(LISTED.match(line.rstrip()).group(0) + "\n")
            asked = False
    check(match.wait(PATIENCE_S) == 0, f"the match ended with {match.returncode}")
    match.stdin.close()
    match.stdout.close()
    home.check_record("pipe.txt", '[Game "totem"]', "Result.")


def once_more(home):
    """A rematch with a computer needs no word more."""
    terminal = Terminal(home.command("play", "--name", "Ana"), home.environment, folder=home.folder)
    try:
        terminal.expect("The match begins")
        terminal.type("resign yes\r")
        terminal.expect("A Ana resigns")
        terminal.expect("The match is over")
        terminal.type("rematch\r")
        terminal.expect("The match begins")
        terminal.expect_picture(re.compile(r"B Ana you"))
    finally:
        terminal.close()


def written_beforehand(home):
    """What two people say is read in its order; then nobody says anything more."""
    said = "0,0:0\nundo\n0,0:0\nhut 0,1\nmoves\n"
    told = home.run("play", "--name", "Ana", "--name", "Bo", "--first", 1, said=said)
    check("Bo, it is your turn." in told and "Ana, it is your turn." in told, told)
    check("takes the tile back" in told and "+" not in told and "the match is not over, and not kept" in told, told)
    check(told.count("You: place") == 3, f"it is not said once in each turn: {told}")
    check(re.search(r"-1,\d:\d", told.split("Ana, it is")[1]), f"`moves` lists nothing: {told}")
    check("resigns" in home.run("play", "--record", "gone.txt", said="resign yes\n"), "nobody resigned")
    home.run("verify", "gone.txt", code=8)
    home.run("play", "--record", home.folder / "nowhere" / "file", said="resign yes\n", code=74)
    home.run("play", "--people", 3, "--players", 2, code=77)
    home.run("play", "--level", 1, "--level", 2, code=77)


def play_first(terminal, verb):
    """The first of the moves that are listed."""
    move = terminal.ask("moves", re.compile(rf"({verb} \S+)"))
    terminal.type(f"{move}\r")


def hot_seat(home):
    """Two people at one terminal: nothing is hidden in Taluva, and both may type."""
    terminal = Terminal(home.command("play", "--name", "Ana", "--name", "Bo", "--first", 0), home.environment, folder=home.folder)
    try:
        terminal.expect(re.compile(r"Ana: place> *$"))
        terminal.type("0,0:0\r")
        terminal.expect(re.compile(r"Ana: build> *$"))
        terminal.type("undo\r")
        terminal.expect("takes the tile back")
        terminal.expect(re.compile(r"Ana: place> *$"))
        terminal.type("0,0:0\r")
        terminal.expect(re.compile(r"Ana: build> *$"))
        terminal.type("hint\r")
        terminal.expect("A Ana takes a hint.")
        play_first(terminal, "hut")
        terminal.expect(re.compile(r"Bo, it is your turn\..*Bo: place> *$", re.DOTALL))
        check(terminal.lines().count("hut@") == 1, f"one move is told twice: {terminal.lines()}")
        terminal.type("resign yes\r")
        terminal.expect("B Bo resigns. The match is over: all others are out.")
        terminal.expect_picture("Ana wins")
        terminal.type("record\r")
        name = terminal.expect(re.compile(r"The record is in (\w+\.taluva)")).group(1)
        home.run("verify", name, code=8)
        terminal.type("rematch\r")  # all go there, and sit in each other's seats
        terminal.expect("The match begins; A Bo is first.")
        terminal.expect(re.compile(r"Bo: place> *$"))
        terminal.type("0,0:0\r")
        terminal.expect(re.compile(r"Bo: build> *$"))
        play_first(terminal, "hut")
        terminal.expect(re.compile(r"Ana, it is your turn\..*Ana: place> *$", re.DOTALL))
        terminal.type("quit yes\r")
        wait_for("the end", lambda: terminal.process.poll() is not None)
        check(terminal.process.returncode == 0, f"it ended with {terminal.process.returncode}")
    finally:
        terminal.close()


def pasted(home):
    """What is pasted fills the line, and is not run before Enter."""
    terminal = Terminal(home.command("play", "--name", "Ana", "--name", "Bo", "--first", 0), home.environment, folder=home.folder)
    try:
        terminal.expect(re.compile(r"Ana: place> *$"))
        terminal.type("\x1b[200~check\t0,0:0\r\n\x15\x04\x1b[Aresign yes\r\x1b[201~")
        terminal.expect("check 0,0:0 resign yes")
        terminal.type("\r")
        terminal.expect(re.compile(r"Ana: place> *$"))
        check("resigns" not in terminal.lines(), terminal.lines())
        terminal.type("\x1b[200~" + "x" * 600 + "\x1b[201~")  # more than a line takes
        terminal.expect(re.compile(r"(x\W*){240}"))
        terminal.type("\r")
        terminal.expect(re.compile(r"I do not know\s+'x"))
        check(terminal.raw.count("x") < 600, "all of it was taken")
        terminal.type("help quit\r")  # a word longer than a row stops nothing
        terminal.expect("leaves the program")
    finally:
        terminal.close()


def secrets(home):
    """In Totem nobody sees what the other has laid aside, nor what the other has typed."""
    terminal = Terminal(home.command("play", "--game", "totem", "--name", "Ana", "--name", "Bo", "--players", 3, "--first", "R"), home.environment, folder=home.folder)
    try:
        terminal.expect(re.compile(r"Ana: settle> *$"))
        terminal.type("help\r")
        terminal.expect_picture("bot [SEAT] [LEVEL], ")
        check("COLOUR" not in terminal.picture(), f"nobody chooses a colour here: {terminal.picture()}")
        terminal.type("q")
        terminal.expect_picture(">R red")
        play_first(terminal, "settle")
        for person, following in (("Bo", "Ana"), ("Ana", "Bo")):
            terminal.expect(re.compile(rf"{person}: press Enter> *$"))
            terminal.expect_picture(f"{person}, it is your turn.")
            check("pole" not in terminal.picture(), terminal.picture())
            if person == "Ana":
                break
            terminal.type("\r")
            terminal.expect(re.compile(rf"{person}: settle> *$"))
            play_first(terminal, "settle")
        terminal.type("\r")
        terminal.expect("Green (B Bo) settles")  # while Ana did not look
        terminal.expect(re.compile(r"Ana: choose> *$"))
        terminal.type("choose TH\r")
        terminal.expect(re.compile(r"Bo: press Enter> *$"))
        terminal.type("\x0c")  # draws everything that is to be seen
        terminal.expect(re.compile(r"Bo: press Enter> *$"))
        check("Ana" not in terminal.lines() and "TH" not in terminal.picture(), terminal.lines() + terminal.picture())
        terminal.type("\x10\x15c\t")  # neither what Ana has typed, nor what could be
        terminal.read(0.5)
        check("TH" not in terminal.lines() and "check" not in terminal.lines(), terminal.lines())
        terminal.type("\x15")
        terminal.type("\r")
        terminal.expect(re.compile(r"Bo: choose> *$"))
        terminal.type("\x10")
        terminal.read(0.5)
        check("TH" not in terminal.lines() and "TH" not in terminal.picture(), terminal.lines() + terminal.picture())
        terminal.type("\x15quit yes\r")
        terminal.expect("The match was not over, and is not kept.")
        wait_for("the end", lambda: terminal.process.poll() is not None)
    finally:
        terminal.close()


class Keys(Player):
    """Somebody who presses keys at a terminal of 80x24, and types no move."""

    def __init__(self, home, name, *arguments):
        self.name, self.screens, self.played = name, 0, collections.Counter()
        self.terminal = Terminal(home.command("play", "--name", name, *arguments), home.environment, folder=home.folder)


def by_keys(home):
    """A whole match of Taluva with everything in the box."""
    box = ("--boats", "--two-hex", "--zone", "player", "--preset", "custom", "--tiles", 24, "--first", 0)
    player, chance = Keys(home, "Ana", *box, "--record", "keys.txt"), random.Random(16)
    try:
        while player.wait():
            play_step(player, chance)
        player.terminal.expect_picture("Over: ")
        check(player.played["tile"] and player.played["hut"], f"played: {player.played}")
        player.terminal.expect(words("The record is in keys.txt"))
    finally:
        player.terminal.close()
    home.check_record("keys.txt", "Result.")


def main(taluva, player):
    home = Home(taluva)
    programs(home, player)
    pipes(home)
    written_beforehand(home)
    once_more(home)
    hot_seat(home)
    pasted(home)
    secrets(home)
    by_keys(home)
    home.holder.cleanup()
    print("matches without a server were played")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A person plays Totem at a terminal, in short forms and with Tab, against a bot that leads the other two families.

usage: totem_person.py TALUVAD TALUVA
"""

import re
import sys

from person import Terminal
from world import World, check, wait_for

PROMPT = re.compile(r"(settle|choose|cast|reveal|starve) ([RB])(?: \([a-z ]+\))?> *$")
# What is typed at each prompt of a family; Tab settles it.
TYPED = {
    "settle": "settle {}\t\r",
    "choose": "choose {} T\r",
    "cast": "cast {0} T {0}1\r",
    "reveal": "reveal {} none\r",
}


def starve(terminal, family):
    """The first of those that the list offers."""
    terminal.type("moves\r")
    line = terminal.expect(re.compile(rf"starve {family} \S+")).group(0)
    terminal.type(f"{line}\r")


def play_round(terminal):
    """Commands of both families, until the first pair of them has been asked for everything once."""
    asked = set()
    while not {"settle", "choose", "cast", "reveal"} <= {verb for verb, _ in asked}:
        found = terminal.expect(PROMPT)
        verb, family = found.group(1), found.group(2)
        terminal.expect_picture(re.compile(rf"\n{family}: "))  # what is asked is known, and so what Tab offers
        if verb == "starve":
            starve(terminal, family)
        else:
            terminal.type(TYPED[verb].format(family))
        name = {"R": "Red", "B": "Blue"}[family]
        terminal.expect(re.compile(rf"{name} \(A Ana\) (settles|lays|places|uncovers|gives up)"))
        asked.add((verb, family))


def play(world, terminal):
    terminal.expect_picture("`sit` changes the seat,")
    bot = world.start("bo", "bot", terminal.room, "--name", "Bo", "--seed", 5, "--json", "--delay", 20)
    terminal.expect("Bo is ready.")
    terminal.type("ready\r")
    terminal.expect("Ana is ready.")
    terminal.type("start\r")
    terminal.expect("Ana is first")
    terminal.expect_picture("R: settle 7 people, 6 in a hut")
    terminal.type("settle R ww\r")
    terminal.expect("Everybody gets a place")
    terminal.type("hut G1\r")
    terminal.expect("2 young women, 2 young men, 1 woman, 1 man, 1 elder.")
    terminal.type("help spells\r")
    terminal.expect_picture("M sniffles: half of each kind of children leaves")
    terminal.type("help\r")
    terminal.expect_picture("levels.")  # no name of a page is cut off
    terminal.type("show\r")
    play_round(terminal)
    check("T:R1" in terminal.picture() or "R(T)" in terminal.picture(), terminal.picture())
    terminal.type("resign yes\r")
    terminal.expect(re.compile(r"match\s+is\s+over:\s+all\s+others\s+are\s+out"))
    terminal.expect_picture("Bo wins")
    bot.finish()


def main(taluvad, taluva):
    with World(taluvad, taluva) as world:
        room = world.run("create", "--game", "totem", "--profile", "host", "--players", 2, "--first", "R", "--no-join")
        terminal = Terminal(
            world.command("join", room.strip(), "--profile", "ana", "--name", "Ana", "--seat", 0),
            world.environment,
            folder=world.folder,
        )
        terminal.room = room.strip()
        try:
            play(world, terminal)
            terminal.type("\x04")
            wait_for("the client's end", lambda: terminal.process.poll() is not None)
            check(terminal.process.returncode == 0, f"the client ended with {terminal.process.returncode}")
        finally:
            terminal.close()
    print("a person played Totem")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A person plays both games by keys alone, and one with the mouse: no move is typed.

usage: cursor.py TALUVAD TALUVA

With TALUVA_SCREENS=FOLDER in the environment every screen is kept there as text, to be looked at.
"""

import collections
import os
import pathlib
import random
import re
import signal
import sys
import time

from person import ESCAPES, PICTURE, Cable, Terminal, words
from world import World, check, wait_for

RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"
TAB, ENTER, ESCAPE = "\t", "\r", "\x1b"
ASKED = re.compile(r"(draw or take|place|build)> *$")
CHOSEN = re.compile(r"(draw or take|place|build): ([^>]+)> *$")
OVER = re.compile(r"The\s+match\s+is\s+over")
WANTED = ("temple", "tower", "boat", "expand", "hut")  # the best first
DOUBLE_CLICK_S = 0.5  # longer than two clicks of one


class Player:
    """Somebody at a terminal of 80x24 who presses keys."""

    def __init__(self, world, name, *arguments, environment=None):
        self.name, self.screens, self.played = name, 0, collections.Counter()
        command = world.command(*arguments, "--name", name, "--profile", name.lower(), "--ready")
        self.terminal = Terminal(command, environment or world.environment, folder=world.folder)
        self.terminal.expect(f"{name} is ready.")
        self.room = self.terminal.expect_picture(re.compile(r"taluva join (\w{8})")).group(1)

    def keep(self):
        folder = os.environ.get("TALUVA_SCREENS")
        self.screens += 1
        if folder:
            path = pathlib.Path(folder) / f"{self.name.lower()}-{self.screens:03}.txt"
            path.write_text(f"{self.terminal.picture()}\n{self.terminal.lines()}\n")

    def press(self, keys, pattern):
        """What the terminal shows after the keys."""
        self.terminal.type(keys)
        found = self.terminal.expect(pattern)
        self.keep()
        return found

    def insist(self, keys, pattern):
        """The same, again and again while it is not known yet what is legal."""
        unknown = "Not known yet, try again"
        while True:
            found = self.press(keys, re.compile(f"{pattern}|{unknown}"))
            if found.group(0) != unknown:
                return found

    def wait(self):
        """False when the match is over, else it is this player's move."""
        found = self.terminal.expect(re.compile(f"{ASKED.pattern}|{OVER.pattern}"))
        return not OVER.search(found.group(0))

    def open(self):
        """The first arrow shows a choice."""
        return self.insist(RIGHT, CHOSEN.pattern).group(2)

    def choose(self, keys):
        return self.press(keys, CHOSEN).group(2)

    def enter(self):
        """Plays what is chosen; whoever would be out says so again."""
        chosen = CHOSEN.search(self.terminal.lines()).group(2)
        move = rf"{self.name}(: \S*@| draws)"
        if "y plays it" in self.insist(ENTER, f"{move}|y plays it all").group(0):
            self.press("y", re.compile(move))
        kind = chosen.split(" ")[0]
        self.played["2-Hex" if kind.startswith("2") and "@" in kind else "tile" if ":" in kind else kind] += 1


# ---- a whole game


def choose_build(player, chosen):
    """The best kind of building that Tab shows, and which it is."""
    first, kinds = chosen, {}
    while chosen.split(" ")[0] not in kinds:
        kinds[chosen.split(" ")[0]] = chosen
        chosen = player.choose(TAB)
    best = next(kind for kind in WANTED if kind in kinds)
    for _ in range(20):
        if chosen.startswith(best):
            return
        chosen = player.choose(TAB)
    check(False, f"Tab does not come back to {best} from {first}")


def choose_place(player, chance):
    for _ in range(chance.randrange(6)):
        player.choose(chance.choice((LEFT, RIGHT, UP, DOWN, "t", "T", " ")))


def play_step(player, chance):
    asked, chosen = ASKED.search(player.terminal.lines()).group(1), player.open()
    if asked == "build":
        choose_build(player, chosen)
    elif asked == "place" or (chance.random() < 0.6 and player.choose(TAB) != "draw"):
        choose_place(player, chance)
    player.enter()


def whole_game(world):
    """Five players and everything in the box, at 80x24."""
    box = ("--boats", "--two-hex", "--zone", "player", "--players", 5, "--preset", "custom", "--tiles", 24)
    bots = ("--bots", 4, "--level", "beginner", "--first", 0, "--title", "Friday night")
    player, chance = Player(world, "Ana", "create", *box, *bots), random.Random(16)
    try:
        player.press("start\r", "Ana is first")
        while player.wait():
            play_step(player, chance)
        player.keep()
        player.terminal.expect_picture("Over: ")
        stale = re.compile(r"Ana: (?:hut|tower|temple|boat|expand)@[^\n]*\n[^\n]*build> ")
        check(not stale.search(ESCAPES.sub("", PICTURE.sub("", player.terminal.raw))), "what was done is asked again")
        check(player.played["tile"] and player.played["hut"] and player.played["2-Hex"], f"played: {player.played}")
        path = world.folder / f"{player.room}.taluva"
        world.run("record", player.room, "--profile", "ana", "--output", path)
        check(" 0 differences" in world.run("replay", path), "the record differs")
    finally:
        player.terminal.close()
    return player.played


# ---- a whole game of Totem

# In one line: "Red (A Cleo) casts" in the line before is no question.
FAMILY_ASKED = re.compile(r"(settle|choose|cast|write|reveal|starve|take)[^>:\r\n]*> *$")
FAMILY_CHOSEN = re.compile(r"(settle|choose|cast|write|reveal|starve|take)[^>\r\n]*: ([^>\r\n]+)> *$")
# Keys that change what is filled in, such that it can still be played: somebody moves to another hut, spells come and go.
CHANGES = {"settle": ("", "-" + RIGHT + "+", DOWN + "-" + RIGHT + "+"), "starve": ("",), "take": ("",)}
SPELLS = ("", "+", RIGHT + "+", DOWN + "+", "+" + DOWN + RIGHT + "+", UP + LEFT + " ")


def play_family(player, chance):
    """One answer of one family. True if it is the second of two that are asked, and Tab went there."""
    kind = player.insist(RIGHT, FAMILY_CHOSEN.pattern).group(2).split(" ")[0]
    if chance.random() < 0.5:
        player.press(TAB, FAMILY_CHOSEN)
    for key in re.findall(r"\x1b\[.|.", chance.choice(CHANGES.get(kind, SPELLS))):
        player.press(key, FAMILY_CHOSEN)
    done = r"\(A Cleo\) \w+|must be placed"
    if "must be placed" in player.insist(ENTER, done).group(0):
        player.press("+", FAMILY_CHOSEN)
        player.insist(ENTER, done)
    player.played[kind] += 1


def totem_game(world, *options):
    chance, arguments = random.Random(16), ("--game", "totem", "--players", 2, "--bots", 1, "--level", "beginner")
    player = Player(world, "Cleo", "create", *arguments, "--rounds", 3, *options)
    try:
        player.press("start\r", "The match begins")
        asked = re.compile(f"{FAMILY_ASKED.pattern}|{OVER.pattern}")
        while not OVER.search(player.terminal.expect(asked).group(0)):
            play_family(player, chance)
        player.keep()
        player.terminal.expect_picture("Over: no rounds are left")
        check(player.played["settle"] > 3 and player.played["reveal"], f"played: {player.played}")
    finally:
        player.terminal.close()
    return player.played


# ---- with the mouse


def report(button, x, y, end="M"):
    return f"\x1b[<{button};{x + 1};{y + 1}{end}"


def find_all(player, sign):
    """Wherever the pattern is in the map: (column, row) of the terminal."""
    rows = player.terminal.picture().split("\n")[1:]
    return [(found.start(), y) for y, row in enumerate(rows) if 0 < y < len(rows) - 1 for found in re.compile(sign).finditer(row[: 80 - 26], 5)]


def find(player, sign):
    """The first of them; None: there is none."""
    return next(iter(find_all(player, sign)), None)


def click_any(player, sign):
    """A double click on one of them, which only chooses: on the first where something can be chosen. Where it was."""
    refused = "Nothing can be chosen"
    for at in find_all(player, sign):
        once = report(0, *at) + report(0, *at, "m")
        if refused not in player.insist(once + once, f"{CHOSEN.pattern}|{refused}").group(0):
            return at
    return None


def play_shown(player, shown):
    """A click on the preview; where the map has moved meanwhile it only chooses, as it does too soon after another: then once more."""
    played = re.compile(rf"{player.name}: \S*@")

    def clicked():
        time.sleep(DOUBLE_CLICK_S)
        player.terminal.read(0.05)
        at = find(player, shown)
        if at:
            player.terminal.type(report(0, *at) + report(0, *at, "m"))
        end = time.monotonic() + 2
        while time.monotonic() < end and not played.search(player.terminal.lines()):
            player.terminal.read(0.05)
        return played.search(player.terminal.lines())

    wait_for("the move by a click", clicked)
    player.keep()


def click_turn(player):
    """A click on a place, the wheel, a click on what is shown then; the same for the building."""
    for first, shown, moved in ((r"\+", r"\{\dV", "place"), (r"\[\d[^V]", r"\{", "build")):
        player.terminal.expect(re.compile(rf"{moved}> *$"))
        wait_for(f"{first!r} in the picture", lambda first=first: player.terminal.read(0.05) or find(player, first))
        at = wait_for(f"a choice at {first!r}", lambda first=first: click_any(player, first))
        player.press(report(65, *at), CHOSEN)
        wait_for("the preview", lambda shown=shown: player.terminal.read(0.05) or find(player, shown))
        play_shown(player, shown)


def mouse_game(world):
    """Two people with the mouse, which each has while it is their turn, and the terminal else."""
    player = Player(world, "Bea", "create", "--players", 2, "--first", 0)
    other = Player(world, "Ben", "join", player.room)

    def has_mouse():
        player.terminal.read(0.05)
        return player.terminal.raw.rfind("\x1b[?1006h") > player.terminal.raw.rfind("\x1b[?1006l")

    try:
        player.terminal.expect("Ben is ready.")
        check("\x1b[?1000h" not in player.terminal.raw, "clicks are asked for in the lobby")
        player.press("start\r", re.compile("Bea is first.*place> *$", re.DOTALL))
        for _ in range(2):
            wait_for("the mouse to be asked for", has_mouse)
            click_turn(player)
            wait_for("the mouse to be given back", lambda: not has_mouse())
            click_turn(other)
        wait_for("the mouse to be asked for", has_mouse)
    finally:
        player.terminal.close()
        other.terminal.close()


# ---- what may come between


def stays(player, chosen):
    """Whatever has come, the same thing is being chosen."""
    player.terminal.expect(re.compile(re.escape(chosen) + r"> *$"))


def disturbed(world):
    cable = Cable(world.server.port)
    environment = dict(world.environment, TALUVA_SERVER=f"ws://127.0.0.1:{cable.port}/ws")
    player = Player(world, "Ada", "create", "--players", 2, "--first", 0, environment=environment)
    other = Player(world, "Bob", "join", player.room)
    try:
        player.terminal.expect("Bob is ready.")
        player.press("start\r", re.compile("Ada is first.*place> *$", re.DOTALL))
        chosen = player.open()
        for junk in ("\x1b[99~", "\x1b[<0;1M", "\x1b[<0;99999;1M", report(0, 79, 2), report(0, 3, 22)):
            player.press(junk + RIGHT, CHOSEN)
        chosen = player.choose(RIGHT)
        other.press("offer pause\r", "Bob offers: pause")
        player.terminal.expect("Bob offers: pause")
        stays(player, chosen)  # of what has happened nothing touches the choice
        player.terminal.seen = len(player.terminal.raw)
        player.terminal.resize(100, 30)
        stays(player, chosen)
        paste(player)
        cut(player, cable)
        stop_and_go_on(player)
        player.open()
        other.press("resign yes\r", OVER)
        player.terminal.expect(words("It is no longer your move: nothing was played."))
        player.terminal.expect(OVER)
        player.press("\x04", words(f"Your place is kept: taluva join {player.room} --profile ada"))
        raw = player.terminal.raw
        check(raw.rfind("\x1b[?1006l") > raw.rfind("\x1b[?1006h"), "the mouse stays on")
    finally:
        player.terminal.close()
        other.terminal.close()


def paste(player):
    """Pasted text only fills the line, whatever it would mean as keys."""
    player.press("\x1b[200~\r\x1b[201~", ASKED)
    player.open()
    player.press("\x1b[200~t 7,7\r\x1b[201~", re.compile(r"> t 7,7 *$"))
    player.press("\r", "I do not know 't'")
    player.open()
    player.press("say t+y\r", "Ada says: say t+y".replace("say ", "", 1))  # letters that mean nothing here are typed
    player.open()
    player.press(ESCAPE, ASKED)


def cut(player, cable):
    player.open()
    cable.is_down = True
    cable.cut()
    player.terminal.expect("The connection was cut")
    chosen = player.choose("t")
    player.press(ENTER, "Kept: it is sent once the server is back.")
    cable.is_down = False
    player.terminal.expect("Connected again.")
    player.terminal.expect(re.compile(r"Ada: \w+@" + re.escape(chosen)))
    player.terminal.expect(re.compile(r"build> *$"))


def stop_and_go_on(player):
    """Control-Z gives the terminal back, and `fg` takes it again."""
    process = player.terminal.process
    chosen = player.open()
    player.terminal.type("\x1a")
    state = pathlib.Path(f"/proc/{process.pid}/stat")
    wait_for("the client to stop", lambda: player.terminal.read() or state.read_text().rsplit(")", 1)[1].split()[0] == "T")

    def given_back():  # it has stopped, so all is written, but the terminal may hand it over a moment later
        player.terminal.read(0.05)
        written = player.terminal.raw[player.terminal.seen :]
        return "\x1b[?1000l" in written and written.endswith("\x1b[?1049l")

    wait_for("the terminal to be given back", given_back)
    player.terminal.seen = len(player.terminal.raw)
    process.send_signal(signal.SIGCONT)
    stays(player, chosen)
    check("\x1b[?1000h" in player.terminal.raw[player.terminal.seen :], "the mouse is not asked for again")


def main(taluvad, taluva):
    with World(taluvad, taluva) as world:  # where computers and people choose at once, the computer's pause leaves time for keys
        played = totem_game(world)
        played += totem_game(world, "--spells", "A", "--meals", "A")
        played += totem_game(world, "--spells", "B", "--meals", "B")
    with World(taluvad, taluva, "--computer-ms=20") as world:
        played += whole_game(world)
        mouse_game(world)
        disturbed(world)
    print("a person played by keys alone:", ", ".join(f"{count} {what}" for what, count in sorted(played.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])

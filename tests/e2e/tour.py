"""The README's five minutes, with a pause in them, word for word: six terminals of 80x24 in tmux, and every command that the README has people type; then
once more, at the same terminals.

usage: tour.py TALUVAD TALUVA README [FOLDER]

The screens are kept as text in FOLDER, to be looked at. With SIMULATIONS in the environment the match is analysed with so many, which is
not what the README says, but most of the time that all of this takes.
"""

import os
import pathlib
import re
import subprocess
import sys

from world import Failed, World, check, wait_for

HEADING = "## Five minutes: a team game in the terminal"
ROOM = "k3m9x0aq"  # the README's
LOOK_S = 0.2  # a look at a terminal is a process
PLACE = re.compile(r"(?<![\w,-])(-?\d+,-?\d+:[0-5])(?![\d*!])")
BUILD = re.compile(r"((?:hut|tower|temple) -?\d+,-?\d+|expand -?\d+,-?\d+ [JCSRL])")


def commands_of(readme):
    """The lines of the tour that are to be typed."""
    section = readme.read_text().split(HEADING, 1)[1].split("\n## ", 1)[0].split("The other game is Totem", 1)[0]
    lines = [line.strip() for line in section.splitlines() if re.match(r" {4,}\S", line)]
    inline = re.findall(r"`(taluva watch [^`]*)`", section)
    return lines, inline


class Screens:
    """Terminals of tmux, with a server of their own."""

    def __init__(self, world, folder):
        self.socket = world.folder / "tmux"
        self.environment = dict(world.environment)
        self.environment.pop("TMUX", None)
        self.folder = folder
        self.kept = 0
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", self.socket, *arguments], env=self.environment, capture_output=True, text=True, check=False
        )
        check(done.returncode == 0, f"tmux {arguments[0]}: {done.stderr}")
        return done.stdout

    def open(self, name, folder):
        self.tmux("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "-c", str(folder), "env PS1='$ ' bash --norc --noprofile")
        self.expect(name, re.compile(r"\$ *$"))

    def type(self, name, text):
        self.tmux("send-keys", "-t", name, "-l", "--", text)
        self.tmux("send-keys", "-t", name, "Enter")

    def show(self, name):
        return self.tmux("capture-pane", "-p", "-t", name).rstrip("\n")

    def expect(self, name, pattern):
        try:
            return wait_for(pattern.pattern, lambda: pattern.search(self.show(name)), step_s=LOOK_S)
        except Failed:
            print(f"--- the terminal of {name} showed:\n{self.show(name)}", file=sys.stderr)
            raise

    def keep(self, name, what):
        if self.folder:
            self.kept += 1
            (self.folder / f"{self.kept:02}-{name}-{what}.txt").write_text(self.show(name) + "\n")

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.environment, capture_output=True, check=False)


def below(screen, command):
    """What a terminal shows below the last line that was typed, if that is this one."""
    parts = re.split(r"\n(?:place|build|)> (?=\S)", screen)
    head, _, rest = parts[-1].partition("\n")
    return rest if head.strip() == command else ""


class Tour:
    def __init__(self, world, screens, readme):
        lines, inline = commands_of(readme)
        check(len(lines) == 12 and len(inline) == 1, f"the tour has other lines: {lines} {inline}")
        self.alias, self.create, *self.joins = lines[:5]
        self.watch = inline[0]
        self.after = lines[7:]
        self.world, self.screens = world, screens
        self.room = ROOM
        # The checkout as the README expects it.
        self.folder = world.folder / "checkout"
        program = self.folder / "build-run/clients/cli"
        program.mkdir(parents=True)
        (program / "taluva").symlink_to(world.client_program)

    def terminal(self, name, command, expected):
        self.screens.open(name, self.folder)
        self.screens.type(name, self.alias)
        self.screens.type(name, "clear; " + command.replace(ROOM, self.room))
        self.screens.expect(name, expected)
        self.screens.keep(name, "begins")

    def sit_down(self):
        self.terminal("ana", self.create, re.compile(r"\n>\s*$"))
        # A prompt alone may be the shell's, which goes on with a long line on the next.
        self.room = self.screens.expect("ana", re.compile(r"^ ?([0-9a-z]{8}) ", re.MULTILINE)).group(1)
        for name, command in zip(("bo", "chi", "dee"), self.joins):
            check(f"--profile {name}" in command, f"somebody else joins: {command}")
            self.terminal(name, command, re.compile(r"\n>\s*$") if name != "dee" else re.compile("Playing"))
        self.terminal("eve", self.watch, re.compile(r"\n>\s*$"))

    def begin(self):
        for name in ("ana", "bo", "chi"):
            self.screens.type(name, "ready")
        for who in ("Bo", "Chi", "Dee"):
            self.screens.expect("ana", re.compile(rf"[A-D] {who} +ready"))
        self.screens.keep("ana", "ready")
        self.screens.type("ana", "start")
        self.screens.expect("eve", re.compile("The match begins"))

    def pause(self):
        """Ana offers a pause, and all agree, the bot too; and so to going on."""
        for what, told in (("pause", "The match is paused"), ("resume", "The match goes on")):
            self.screens.type("ana", f"offer {what}")
            for name in ("bo", "chi"):
                self.screens.expect(name, re.compile(rf"offers: {what}"))
                self.screens.keep(name, f"asked-{what}")
                self.screens.type(name, "yes")
            for name in ("ana", "bo", "chi", "eve"):
                self.screens.expect(name, re.compile(told))
            self.screens.keep("eve", what)

    def again(self):
        """Ana asks for a rematch and is there at once, the others follow, the bot is called as before, and it is begun."""
        old = self.room
        self.screens.type("ana", "rematch")
        self.room = self.screens.expect("ana", re.compile(rf"^ ?(?!{old})([0-9a-z]{{8}}) ", re.MULTILINE)).group(1)
        for name in ("bo", "chi", "eve"):
            self.screens.expect(name, re.compile("`follow` goes there"))
            self.screens.type(name, "follow")
            self.screens.expect(name, re.compile(rf"^ ?{self.room} ", re.MULTILINE))
        self.screens.type("dee", "clear; " + self.joins[-1].replace(ROOM, self.room))
        self.screens.expect("dee", re.compile("Playing"))
        self.begin()
        self.play(most=2)

    def choose(self, name, kind):
        """Types `moves`, and one of those that are listed."""
        self.screens.type(name, "moves")

        def listed():
            screen = below(self.screens.show(name), "moves")
            if "Not known yet" in screen:
                self.screens.type(name, "moves")
            return kind.findall(screen) if re.search(r"(place|build)> *$", screen) else None

        found = wait_for(f"moves for {name}", listed, step_s=LOOK_S)
        self.screens.type(name, found[len(found) // 2])

    def play(self, most=None):
        """Whoever is asked plays, until the match is over for all, or they were asked so often."""
        people, asked = ("ana", "bo", "chi"), 0

        def next_asked():
            """Who is asked, and for what; or that it is over for all."""
            shown = {name: self.screens.show(name) for name in (*people, "eve")}
            prompts = ((name, re.search(r"\n(place|build)> *$", shown[name])) for name in people)
            return next((found for found in prompts if found[1]), None) or all("Over:" in screen.split("\n")[0] for screen in shown.values())

        while (found := wait_for("somebody to be asked, or the end", next_asked, step_s=LOOK_S)) is not True:
            name, prompt = found
            self.choose(name, PLACE if prompt.group(1) == "place" else BUILD)
            self.screens.expect(name, re.compile(r"\n(?!" + prompt.group(1) + r")[a-z]*> *$"))
            asked += 1
            if asked == most:
                return
            if asked % 12 == 1:
                self.screens.keep(name, f"turn-{asked}")
                self.screens.keep("eve", f"turn-{asked}")
        for name in (*people, "eve"):
            self.screens.keep(name, "over")
            check(re.search(r" Team (A and C|B and D) wins", self.screens.show(name)), f"no result: {self.screens.show(name)}")
        print(f"{asked} times somebody was asked")

    def look_back(self):
        self.screens.open("ana2", self.folder)
        self.screens.type("ana2", self.alias)
        for at, command in enumerate(self.after):
            # A prompt alone may be the one before: what is waited for is not there until this command has ended.
            bare = re.sub(r"\s+#.*", "", command)
            if bare.startswith("taluva analyse") and "SIMULATIONS" in os.environ:
                bare += f" --simulations {os.environ['SIMULATIONS']}"
            self.screens.type("ana2", f"clear; {bare.replace(ROOM, self.room)}; echo ended'-'{at}")
            if "--show" in command:
                self.screens.expect("ana2", re.compile(r"q quit"))
                self.screens.keep("ana2", "shown")
                self.screens.tmux("send-keys", "-t", "ana2", "q")
            self.screens.expect("ana2", re.compile(rf"^ended-{at}$", re.MULTILINE))
            self.screens.keep("ana2", command.split()[1])
            check("taluva: " not in self.screens.show("ana2"), f"{command}: {self.screens.show('ana2')}")
        check(": proven" in self.screens.show("ana2"), "the deal is not proven")


def main(server_program, client_program, readme, folder=None):
    with World(server_program, client_program) as world:
        screens = Screens(world, pathlib.Path(folder) if folder else None)
        try:
            tour = Tour(world, screens, pathlib.Path(readme))
            tour.sit_down()
            tour.begin()
            tour.pause()
            tour.play()
            tour.look_back()
            tour.again()
        finally:
            screens.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Leaving a match that is lost with the program: it is asked first, and what was typed is dropped before.

usage: leave.py TALUVA
"""

import re
import signal
import sys

from person import Terminal, words
from play import Home
from world import check, wait_for

KEPT = "The match is not over and would be lost"


class Leaver(Terminal):
    """One person in a match of two at the same terminal."""

    def __init__(self, home, *arguments):
        super().__init__(home.command("play", "--name", "Ana", "--name", "Bo", "--first", 0, *arguments), home.environment, folder=home.folder)
        self.expect(re.compile(r"Ana: place> *$"))

    def interrupt(self):
        self.read()
        self.seen = len(self.raw)
        self.process.send_signal(signal.SIGINT)

    def stays(self):
        check(self.process.poll() is None, f"it ended: {self.lines()}")

    def ends(self, code):
        wait_for("the end", lambda: self.process.poll() is not None)
        check(self.process.returncode == code, f"it ended with {self.process.returncode}")


def with_leaver(home, step, *arguments):
    leaver = Leaver(home, *arguments)
    try:
        step(leaver)
    finally:
        leaver.close()


def quit_asks(leaver):
    for line in ("quit", "quit now", "quit"):
        leaver.type(f"{line}\r")
        leaver.expect(words(f"{KEPT}: `quit yes` ends it for everybody here."))
        leaver.stays()
    leaver.type("quit yes\r")
    leaver.expect("The match was not over, and is not kept.")
    leaver.ends(0)


def control_c_asks(leaver):
    leaver.type("0,0:0")
    leaver.expect("0,0:0")
    leaver.interrupt()
    leaver.expect(re.compile(r"Ana: place> *$"))
    check(KEPT not in leaver.lines(), leaver.lines())
    leaver.type("\r")  # nothing is left of it
    leaver.read(0.5)
    check("JC" not in leaver.lines() and "build" not in leaver.lines(), leaver.lines())
    for _ in range(2):  # something typed in between begins anew
        leaver.interrupt()
        leaver.expect(words(f"{KEPT}: Control-C again, or `quit yes`, ends it."))
        leaver.type("undo\r")
        leaver.expect("undo")
    leaver.interrupt()
    leaver.expect(KEPT)
    leaver.interrupt()
    leaver.ends(130)


def control_c_ends_choosing(leaver):
    leaver.type("\x1b[B")
    leaver.expect(re.compile(r"Ana: place: \S+>"))
    leaver.interrupt()
    leaver.expect(re.compile(r"Ana: place> *$"))
    check(KEPT not in leaver.lines(), leaver.lines())


def control_d_asks(leaver):
    leaver.type("\x04")
    leaver.expect(KEPT)
    leaver.type("\x04")
    leaver.ends(0)


def term_ends(leaver):
    leaver.process.send_signal(signal.SIGTERM)
    leaver.ends(130)


def over(leaver):
    leaver.type("resign yes\r")
    leaver.expect("`record` writes the match to")


def record_is_asked(leaver):
    over(leaver)
    leaver.type("quit\r")
    leaver.expect(words("The record is not saved: `record` saves it, `quit` again leaves."))
    leaver.stays()
    leaver.type("quit\r")
    leaver.ends(0)


def record_is_asked_by_control_c(leaver):
    over(leaver)
    leaver.interrupt()
    leaver.expect(words("The record is not saved: `record` saves it, `quit` again leaves."))
    leaver.stays()
    leaver.interrupt()
    leaver.ends(130)


def record_has_a_name(leaver):
    """No file that is there is overwritten, and what is saved is not asked for."""
    over(leaver)
    leaver.type("record old.txt\r")
    leaver.expect(words("old.txt: File exists. The record is not saved; `record` or `record FILE` saves it."))
    leaver.type("record new.txt\r")
    leaver.expect("The record is in new.txt")
    leaver.type("quit\r")
    leaver.ends(0)


def record_fails(home):
    """What --record names is looked at before the match, and again at its end."""
    for name in ("old.txt", "nowhere/file"):
        told = home.run("play", "--record", name, code=74)
        check("place" not in told, f"it began: {told}")
    check((home.folder / "old.txt").read_text() == "mine", "it is overwritten")
    home.run("play", "--json", "--record", "old.txt", code=74)
    with_leaver(home, lambda leaver: taken_meanwhile(home, leaver), "--record", "late.txt")


def taken_meanwhile(home, leaver):
    (home.folder / "late.txt").write_text("mine")
    leaver.type("resign yes\r")
    leaver.expect(words("late.txt: File exists. The record is not saved; `record` or `record FILE` saves it."))
    check((home.folder / "late.txt").read_text() == "mine", "it is overwritten")
    leaver.type("record\r")
    leaver.expect("The record is in")


STEPS = (
    quit_asks,
    control_c_asks,
    control_c_ends_choosing,
    control_d_asks,
    term_ends,
    record_is_asked,
    record_is_asked_by_control_c,
    record_has_a_name,
)


def main(taluva):
    home = Home(taluva)
    (home.folder / "old.txt").write_text("mine")
    for step in STEPS:
        with_leaver(home, step)
    record_fails(home)
    home.holder.cleanup()
    print("a match was left")


if __name__ == "__main__":
    main(*sys.argv[1:])

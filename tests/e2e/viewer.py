"""Looking at a record on a terminal: `taluva replay --show` takes the terminal over, and gives it back whatever ends it.

usage: viewer.py TALUVA RECORD
"""

import os
import re
import signal
import subprocess
import sys
import termios
import time

from person import Terminal
from world import Failed, check

ENVIRONMENT = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
GIVEN_BACK = "\x1b[?1049l"
PATIENCE_S = 60


def canonical(terminal):
    return bool(termios.tcgetattr(terminal.master)[3] & termios.ICANON)


def until(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"not in time: {what}")
        time.sleep(0.02)


def shows(terminal, text):
    terminal.expect(text, terminal.picture)


def ended(terminal, code):
    until("the end", lambda: terminal.read(0.05) or terminal.process.poll() is not None)
    terminal.read(0.2)
    check(terminal.process.returncode == code, f"ended with {terminal.process.returncode}: {terminal.raw[-500:]}")
    check(canonical(terminal), "the terminal's modes are not as they were")
    left, after = terminal.raw.rsplit(GIVEN_BACK, 1)
    check("\x1b[?1049h" in left, "the other screen was never taken")
    check(re.search(r"1 games, \d+ turns, 0 differences", after), f"after the end: {after!r}")


def start(command, *options):
    terminal = Terminal([command[0], "replay", "--show", *options, command[1]], ENVIRONMENT)
    shows(terminal, "q quit")
    check(not canonical(terminal), "keys come line by line")
    return terminal


def walk(command):
    terminal = start(command)
    shows(terminal, "turn 0 of ")
    os.write(terminal.master, b"n")
    shows(terminal, "turn 1 of ")
    os.write(terminal.master, b"\x1b[C")
    shows(terminal, "turn 2 of ")
    os.write(terminal.master, b"\x1b[D")
    shows(terminal, "turn 1 of ")
    os.write(terminal.master, b"12\r")
    shows(terminal, "turn 12 of ")
    terminal.resize(40, 12)
    until("a smaller picture", lambda: terminal.read(0.05) or len(terminal.picture().strip("\n").split("\n")) == 12)
    os.write(terminal.master, b"q")
    ended(terminal, 0)


def begin_at(command):
    terminal = start(command, "--turn", "5")
    shows(terminal, "turn 5 of ")
    os.write(terminal.master, b"q")
    ended(terminal, 0)


def interrupt(command):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        terminal = start(command)
        os.kill(terminal.process.pid, number)
        ended(terminal, 130)


def suspend(command):
    terminal = start(command)
    os.write(terminal.master, b"\x1a")
    state = f"/proc/{terminal.process.pid}/stat"
    until("it stops", lambda: terminal.read(0.05) or open(state).read().rsplit(")", 1)[1].split()[0] == "T")
    check(canonical(terminal), "the terminal's modes are not given back")
    # All is written, but the terminal may hand it over a moment later.
    until("the screen is given back", lambda: terminal.read(0.05) or terminal.raw.rstrip().endswith(GIVEN_BACK))
    os.kill(terminal.process.pid, signal.SIGCONT)
    until("it goes on", lambda: terminal.read(0.05) or not canonical(terminal))
    os.write(terminal.master, b"n")
    shows(terminal, "turn 1 of ")
    os.write(terminal.master, b"q")
    ended(terminal, 0)


def pipe(command):
    """Without a terminal it is text, as `less -R` takes it."""
    done = subprocess.run([command[0], "replay", "--show", command[1]], capture_output=True, text=True, env=ENVIRONMENT)
    check(done.returncode == 0, done.stderr)
    check("\x1b[?1049h" not in done.stdout, "a pipe was taken for a terminal")
    check("The match begins.\n" in done.stdout and "\nTurn 12: " in done.stdout, done.stdout[:500])


def main():
    command = sys.argv[1:3]
    for part in (walk, begin_at, interrupt, suspend, pipe):
        part(command)
        print(f"{part.__name__}: well")


main()

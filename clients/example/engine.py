"""The smallest engine: any legal move. A beginning for a better one.

It speaks the lines of protocol/engine.md, and leaves the rules to `taluva legal`.

    taluva bot ROOM --engine "python3 engine.py"
    taluva-contest engine:"python3 engine.py" simple       (tests/strength/README.md)
"""

import os
import random
import subprocess
import sys

TALUVA = os.environ.get("TALUVA", "taluva")


def say(*words):
    print(*words, flush=True)


def legal(*words):
    answer = subprocess.run([TALUVA, "legal", *words], capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()


def choose(position, unseen, moves, chance):
    """A turn, or what is left of it in the position's step. Put your own thoughts here."""
    if "draw" in moves or position.split()[-1].startswith("build:"):
        return "draw" if "draw" in moves else chance.choice(moves)
    good = [move for move in moves if not move.endswith(" eliminates")]
    placement = chance.choice(good or moves).removesuffix(" eliminates")
    return placement + " " + chance.choice(legal("--after", placement, position))


def read_position(text):
    """The position, the tiles that nobody has seen, and what may be done; None if it is no position that asks for something."""
    position, told, unseen = text.partition(" unseen")
    try:
        moves = legal(position) if told else []
    except subprocess.CalledProcessError:
        moves = []
    return (position, unseen.split(), moves) if moves else None


def main():
    greeted, shown = False, None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "taluva-engine" and rest == "1":
            greeted = True
            say("name any legal move")
            say("ready")
        elif word == "quit":
            return
        elif word == "ping":
            say("pong", rest)
        elif word in ("", "stop"):
            pass  # `best` comes before the next line is read
        elif word not in ("match", "position", "go", "set"):
            say("error unknown there is no such line")
        elif not greeted or (word == "go" and not shown):
            say("error early something comes first")
        elif word == "position" and (position := read_position(rest)):
            shown = position
        elif word == "go":
            limits = dict(zip(rest.split()[::2], map(int, rest.split()[1::2])))
            say("best", choose(*shown, random.Random(limits.get("seed"))))
        elif word != "match":
            say("error bad this cannot be")


if __name__ == "__main__":
    main()

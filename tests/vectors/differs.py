"""Replaying finds what is wrong: one thing at a time is changed in a good game of Totem and in good refusals.

usage: differs.py TALUVA GAMES REFUSALS
"""

import copy
import json
import subprocess
import sys


def replay(program, objects):
    lines = "".join(json.dumps(one) + "\n" for one in objects)
    done = subprocess.run([program, "replay", "-"], input=lines, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def changed(game, path, value):
    game = copy.deepcopy(game)
    at = game
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return game


def game_changes(game):
    step = next(i for i, one in enumerate(game["steps"]) if one.get("do", "").startswith("cast"))
    yield ("key",), "00" * 32
    yield ("secret",), "00" * 32
    yield ("secret",), "no hex"
    yield ("options", "players"), 5
    yield ("options", "rounds"), 0
    yield ("options", "spells"), "C"
    yield ("options", "meals"), "turns"
    yield ("options", "first"), "X"
    yield ("options", "village"), not game["options"]["village"]
    yield ("start",), game["end"]
    yield ("end",), game["start"]
    yield ("result", "why"), "nothing"
    yield ("result", "winners"), [3]
    yield ("result", "ranks"), [[0, 1, 2, 3]]
    yield ("result", "ranks", 0), [3]
    yield ("steps", -1), None
    yield ("steps", step, "do"), "cast@R"
    yield ("steps", step, "do"), "pass@" + game["steps"][step]["do"][5]
    yield ("steps", step, "seat"), (game["steps"][step]["seat"] + 1) % game["options"]["players"]
    yield ("steps", step, "forfeit"), True
    yield ("steps", step, "n"), 1
    yield ("steps", step, "legal"), "00000000"
    yield ("steps", step, "legal"), None
    yield ("steps", step, "fx"), "age"
    yield ("steps", step, "full"), "00000000"
    yield ("steps", step, "views"), []
    yield ("steps", step, "events"), []
    for audience in range(game["options"]["players"] + 1):
        yield ("steps", step, "views", audience), "00000000"
        yield ("steps", step, "events", audience), "00000000"


def main(program, games, refusals):
    with open(games, encoding="utf-8") as file:
        game = min((json.loads(line) for line in file), key=lambda one: (len(one["steps"]) if one["options"]["spells"] != "B" else 10**9))
    with open(refusals, encoding="utf-8") as file:
        refusal = json.loads(file.readline())
    cases = [(changed(game, *change), change) for change in game_changes(game)]
    cases += [(changed(refusal, *change), change) for change in (
        (("reason",), "over"), (("position",), "4/R/24"), (("command",), "settle@R=-/-/-"), (("game",), "chess"))]
    wrong = 0
    for good in (game, refusal):
        status, said = replay(program, [good])
        if status != 0 or ", 0 differences" not in said:
            print(f"good, but: {said}")
            wrong += 1
    for bad, change in cases:
        status, said = replay(program, [bad])
        if status == 0 or ", 0 differences" in said:
            print(f"nothing is found: {change}")
            wrong += 1
    print(f"{len(cases)} changes, {wrong} of them not found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

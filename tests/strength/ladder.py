"""A ladder of players: each against each other one, and how far apart they are, with 95 % intervals.

usage: ladder.py [--contest PROGRAM] [--pairs N] [--seed N] [--save FILE] [OPTIONS] -- PLAYER PLAYER...

A player is what taluva-contest takes: a level, search:N, engine:COMMAND or run:COMMAND. Strengths are those under which what was won is likeliest (Bradley and
Terry), in points: 400 log10 of the odds of a win in a match. Each two who met have a drawn match more than they played, so that nobody who won all of them is
infinitely better. The intervals are of the difference to the best: 95 % of 1,000 fits to as many pairs of matches of each two, drawn anew from those that were played.
"""

import json
import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)

POINTS = 400 / math.log(10)
ROUNDS = 1000  # of the fit, at most
CLOSE = 1e-7
DRAWS = 1000
MATCHES = 2  # in a pair


def fit(count, meetings, begun=None):
    """Points of all players, 0 on average. `meetings` has for each two (i, j) the shares that i won, of pairs of matches; `begun` are points that may be near."""
    won, met = [0.0] * count, []
    for (i, j), shares in meetings.items():
        matches = MATCHES * len(shares) + 1
        share = MATCHES * sum(shares) + 0.5
        won[i] += share
        won[j] += matches - share
        met.append((i, j, matches))
    strengths = [math.exp(points / POINTS) for points in begun or [0] * count]
    for _ in range(ROUNDS):
        expected = [0.0] * count
        for i, j, matches in met:
            each = matches / (strengths[i] + strengths[j])
            expected[i] += each
            expected[j] += each
        found = [won[i] / expected[i] for i in range(count)]
        middle = math.exp(sum(map(math.log, found)) / count)
        found = [strength / middle for strength in found]
        change = max(abs(math.log(new / old)) for new, old in zip(found, strengths))
        strengths = found
        if change < CLOSE:
            break
    return [POINTS * math.log(strength) for strength in strengths]


def ladder(count, meetings, chance):
    """(player, points below the best, least, most), best first."""
    points = fit(count, meetings)
    order = sorted(range(count), key=lambda i: (-points[i], i))
    below = [[] for _ in range(count)]
    for _ in range(DRAWS):
        drawn = fit(count, {two: chance.choices(shares, k=len(shares)) for two, shares in meetings.items()}, points)
        for i in range(count):
            below[i].append(drawn[i] - drawn[order[0]])
    return [(i, points[i] - points[order[0]], *bounds(below[i])) for i in order]


def bounds(drawn):
    drawn = sorted(drawn)
    return drawn[DRAWS // 40], drawn[DRAWS - 1 - DRAWS // 40]


# ---- playing


class Refused(Exception):
    """taluva-contest has not played."""


def meet(options, one, other):
    """The shares of the first one in each pair of matches."""
    command = [options.contest, "--json", "--pairs", str(options.pairs), "--seed", str(options.seed)]
    for name in ("options", "go", "patience"):
        if getattr(options, name) is not None:
            command += [f"--{name}", getattr(options, name)]
    done = subprocess.run([*command, "--", one, other], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: a program was at fault, and has lost such matches
        raise Refused(f"{one} and {other}: taluva-contest ended with {done.returncode}")
    told = json.loads(done.stdout)
    return [sum(pair) / len(pair) for pair in told["shares"]], [side["faults"] for side in told["players"]]


def same(options):
    """What has to be the same where a file is gone on with."""
    return {name: getattr(options, name) for name in ("pairs", "seed", "options", "go")}


def load(options):
    if not options.save or not os.path.exists(options.save):
        return {"settings": same(options), "met": []}
    with open(options.save, encoding="utf-8") as file:
        kept = json.load(file)
    if kept["settings"] != same(options):
        raise Refused(f"{options.save} is of other settings: {kept['settings']}")
    return kept


def keep(options, kept):
    if not options.save:
        return
    with open(options.save + ".new", "w", encoding="utf-8") as file:
        json.dump(kept, file)
    os.replace(options.save + ".new", options.save)


def play_all(options):
    """Each two once; those that the file has are not played again."""
    kept, meetings = load(options), {}
    known = {tuple(meeting["players"]): meeting["shares"] for meeting in kept["met"]}
    for i, one in enumerate(options.player):
        for j, other in enumerate(options.player[:i]):
            if (other, one) in known:
                meetings[j, i] = known[other, one]
                continue
            if (one, other) in known:
                meetings[j, i] = [1 - share for share in known[one, other]]
                continue
            print(f"{other} and {one}", file=sys.stderr, flush=True)
            shares, faults = meet(options, other, one)
            for player, fault in zip((other, one), faults):
                if fault:
                    print(f"{player} lost by faults: {fault}", file=sys.stderr, flush=True)
            meetings[j, i] = shares
            kept["met"].append({"players": [other, one], "shares": shares})
            keep(options, kept)
    return meetings


# ---- what is printed


def won_by(player, meetings):
    shares = [share for (i, j), all_of in meetings.items() for share in (all_of if i == player else [1 - s for s in all_of] if j == player else [])]
    return sum(shares) / len(shares)


def show(options, meetings):
    rows = ladder(len(options.player), meetings, random.Random(options.seed))
    if options.json:
        print(json.dumps([
            {"player": options.player[i], "points": points, "least": least, "most": most, "share": won_by(i, meetings)} for i, points, least, most in rows
        ]))
        return
    matches = MATCHES * options.pairs
    print(f"{matches} matches of each two; points below the best, and 95 %")
    for place, (i, points, least, most) in enumerate(rows, 1):
        print(f"{place:3} {points:6.0f} ({least:.0f} to {most:.0f})  {100 * won_by(i, meetings):5.1f} %  {options.player[i]}")


def main():
    parser = Parser(description=__doc__.partition("\n")[0])
    parser.add_argument("--contest", default="taluva-contest", metavar="PROGRAM", help="the program that plays")
    parser.add_argument("--pairs", type=int, default=10, metavar="N", help="pairs of matches that each two play (10)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the deals, and of the intervals (1)")
    parser.add_argument("--options", metavar="JSON", help="of the room, as for taluva-contest")
    parser.add_argument("--go", metavar="LIMITS", help="how much engines may think, as for taluva-contest")
    parser.add_argument("--patience", metavar="SECONDS", help="for a move, as for taluva-contest")
    parser.add_argument("--save", metavar="FILE", help="keeps what was played, and goes on from it: players may be added")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("player", nargs="+", metavar="PLAYER")
    options = parser.parse_args()
    if len(set(options.player)) < 2 or len(set(options.player)) != len(options.player):
        parser.error("two players or more are needed, each named once")
    if options.pairs < 1:
        parser.error("--pairs is 1 or more")
    try:
        show(options, play_all(options))
    except Refused as refused:
        print(f"ladder.py: {refused}", file=sys.stderr)
        sys.exit(os.EX_SOFTWARE)


if __name__ == "__main__":
    main()

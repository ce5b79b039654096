#!/usr/bin/env python3
"""A second, slow and simple reading of protocol/rules.md, to hold the engine against.

It shares no code and no data structure with server/games/taluva/rules: hexes are tuples in a dict, every question is answered by looking
at the whole island again. It plays random games over random option sets and prints them as JSON lines in the format of
README.md beside it, to be checked by `taluva replay -`; with --check it hands them to that program itself.

usage: reference.py [--seed N] [--games N] [--check TALUVA]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)

STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]  # E SE SW W NW NE
CORNERS = [(2, -1, -1), (1, 1, -2), (-1, 2, -1), (-2, 1, 1), (-1, -1, 2), (1, -2, 1)]
TERRAINS = "JCSRL"
BOX = {"J": [1, 5, 4, 2, 1], "C": [6, 1, 2, 2, 1], "S": [4, 2, 1, 1, 1], "R": [2, 2, 2, 1, 1], "L": [2, 1, 1, 1, 1]}
FIFTH = ["CJ"] + ["JC", "SJ", "JS", "LJ", "RC"] * 2 + ["CR"]
TWO_HEX = ["2JJ", "2VJ", "2VL", "2VS", "2VV"]
RADIUS = {"beginner": 6, "player": 5, "expert": 4}


def neighbours(at):
    return [(at[0] + dq, at[1] + dr) for dq, dr in STEPS]


def step(at, direction):
    dq, dr = STEPS[direction % 6]
    return (at[0] + dq, at[1] + dr)


class Hex:
    def __init__(self, level, terrain, facing=None):
        self.level, self.terrain, self.facing = level, terrain, facing
        self.owner, self.kind, self.count = None, None, 0


class Tile:
    """Where the hexes of a placement go, and what is on them."""

    def __init__(self, name, at, k):
        self.text = f"{name}@{at[0]},{at[1]}:{k}"
        self.name = name
        if name[0] == "2":
            hexes, letters = [at, step(at, k)], name[1:]
            facings = [("pair", k), ("pair", (k + 3) % 6)]
        else:
            hexes, letters = [at, step(at, k), step(at, k + 1)], "V" + name
            facings = [k, None, None]
        self.parts = [(h, t, f if t == "V" else None) for h, t, f in zip(hexes, letters, facings)]


class Game:
    def __init__(self, options, deck):
        self.options, self.deck = options, list(deck)
        self.island, self.boats = {}, {}
        self.offer = set(options["two_hex"])
        self.taken = [0] * options["seats"]
        start = {"hut": 20, "tower": 2, "temple": 3, "boat": 2 if options["boats"] else 0}
        self.reserve = [dict(start) for _ in range(options["seats"])]
        self.supply = start
        self.out, self.finished = [], []
        self.seat, self.result = 0, None

    # ---- geometry

    def zone_allows(self, hexes):
        zone = self.options["zone"]
        if zone is None:
            return True
        limit, outside = 6 * RADIUS[zone], set()
        for q, r in hexes:
            for a, b, c in CORNERS:
                x, y, z = 3 * q + a, -3 * q - 3 * r + b, 3 * r + c
                if max(abs(x - y), abs(y - z), abs(z - x)) > limit:
                    outside.add((x, y, z))
        return len(outside) <= 2

    def lagoons(self):
        """Sets of empty hexes that cannot reach the open sea."""
        if not self.island:
            return []
        qs, rs = [q for q, _ in self.island], [r for _, r in self.island]
        box = [(q, r) for q in range(min(qs) - 1, max(qs) + 2) for r in range(min(rs) - 1, max(rs) + 2)]
        empty, seen, found = {h for h in box if h not in self.island}, set(), []
        for start in sorted(empty):
            if start in seen:
                continue
            group, todo, sea = set(), [start], False
            while todo:
                at = todo.pop()
                if at in group:
                    continue
                group.add(at)
                for n in neighbours(at):
                    if n in empty:
                        todo.append(n)
                    elif n not in self.island:
                        sea = True
            seen |= group
            if not sea:
                found.append(group)
        return found

    def settlements(self, seat=None):
        seen, found = set(), []
        for start in sorted(self.island):
            hex_ = self.island[start]
            if hex_.owner is None or start in seen or (seat is not None and hex_.owner != seat):
                continue
            group, todo = set(), [start]
            while todo:
                at = todo.pop()
                if at not in group and at in self.island and self.island[at].owner == hex_.owner:
                    group.add(at)
                    todo += neighbours(at)
            seen |= group
            found.append(group)
        return found

    # ---- placing

    def fits(self, tile, context):
        settlements, closed = context
        hexes = [h for h, _, _ in tile.parts]
        on_island = [h in self.island for h in hexes]
        if not self.zone_allows(hexes):
            return False
        if not self.island:
            return hexes[0] == (0, 0) and tile.text.endswith("@0,0:0")
        if not any(on_island):
            return any(n in self.island for h in hexes for n in neighbours(h)) and not any(h in closed for h in hexes)
        if not all(on_island):
            return False
        below = [self.island[h] for h in hexes]
        if len({h.level for h in below}) != 1:
            return False
        if tile.name == "2JJ":
            return False
        volcanoes = [(old, facing) for old, (_, t, facing) in zip(below, tile.parts) if t == "V"]
        landed = [(old, facing) for old, facing in volcanoes if old.terrain == "V"]
        if not landed or any(old.facing == facing for old, facing in landed):
            return False
        if any(h.kind in ("tower", "temple") for h in below):
            return False
        return not any(group <= set(hexes) for group in settlements)

    def candidates(self, name):
        ks = range(3) if name in ("2VV", "2JJ") else range(6)
        near = set(self.island) | {n for h in self.island for n in neighbours(h)}
        near |= {n for h in near for n in neighbours(h)}
        return [Tile(name, at, k) for at in (near or {(0, 0)}) for k in ks]

    def placements(self, name):
        closed = set()
        for group in self.lagoons() if self.boats else []:
            if min(group) in self.boats:
                closed |= group
        context = (self.settlements(), closed)
        return [tile for tile in self.candidates(name) if self.fits(tile, context)]

    def place(self, tile):
        for at, terrain, facing in tile.parts:
            level = self.island[at].level + 1 if at in self.island else 1
            self.island[at] = Hex(level, terrain, facing)

    # ---- building

    def expansion(self, group, terrain):
        around = {n for h in group for n in neighbours(h)} - group
        return [h for h in around if h in self.island and self.island[h].terrain == terrain and self.island[h].owner is None]

    def builds(self, seat):
        own, reserve, found = self.settlements(seat), self.reserve[seat], []
        free = [(at, h) for at, h in self.island.items() if h.terrain != "V" and h.owner is None]
        for at, hex_ in free:
            name = f"{at[0]},{at[1]}"
            touching = [g for g in own if any(n in g for n in neighbours(at))]
            if hex_.level == 1 and reserve["hut"] >= 1 and (self.options["huts"] == "anywhere" or not touching):
                found.append(f"hut@{name}")
            has = lambda g, kind: any(self.island[h].kind == kind for h in g)
            if hex_.level >= 3 and reserve["tower"] and any(not has(g, "tower") for g in touching):
                found.append(f"tower@{name}")
            if reserve["temple"] and any(len(g) >= 3 and not has(g, "temple") for g in touching):
                found.append(f"temple@{name}")
        for group in own:
            q, r = min(group)
            for terrain in TERRAINS:
                hexes = self.expansion(group, terrain)
                if hexes and sum(self.island[h].level for h in hexes) <= reserve["hut"]:
                    found.append(f"expand@{q},{r}={terrain}")
        if self.options["boats"] and reserve["boat"]:
            mine = {h for g in own for h in g}
            for group in self.lagoons():
                if min(group) not in self.boats and any(n in mine for h in group for n in neighbours(h)):
                    found.append("boat@%d,%d" % min(group))
        return found

    def build(self, seat, text):
        verb, place = text.split("@")
        place, _, terrain = place.partition("=")
        at = tuple(int(x) for x in place.split(","))
        if verb == "boat":
            self.boats[at] = seat
            self.reserve[seat]["boat"] -= 1
            return
        hexes = [at]
        if verb == "expand":
            hexes = self.expansion(next(g for g in self.settlements(seat) if min(g) == at), terrain)
        for h in hexes:
            hex_ = self.island[h]
            hex_.owner, hex_.kind = seat, verb if verb in ("tower", "temple") else "hut"
            hex_.count = hex_.level if verb == "expand" else 1
            self.reserve[seat][hex_.kind] -= hex_.count

    # ---- turns and ends

    def active(self):
        return [s for s in range(self.options["seats"]) if s not in self.out and s not in self.finished]

    def may_take(self, seat):
        draw = ["draw"] if self.deck and self.placements("JC") else []
        if self.taken[seat] and (self.taken[seat] > 1 or self.deck):
            return draw
        return draw + sorted(t for t in self.offer if self.placements(t))

    def two_kinds(self, seat):
        kinds = ["hut", "tower", "temple"] + (["boat"] if self.options["boats"] else [])
        return sum(self.reserve[seat][kind] == 0 for kind in kinds)

    def built(self, seat):
        kinds = ["hut", "tower", "temple"] + (["boat"] if self.options["boats"] else [])
        return {kind: self.supply[kind] - self.reserve[seat][kind] for kind in kinds}

    def score(self, built):
        return (built["temple"], built["tower"]) + ((built["boat"],) if self.options["boats"] else ()) + (built["hut"],)

    def by_count(self, seats):
        groups = {}
        for seat in seats:
            groups.setdefault(self.score(self.built(seat)), []).append(seat)
        return [sorted(groups[score]) for score in sorted(groups, reverse=True)]

    def totals(self):
        found = []
        for team in (0, 1):
            members = [s for s in (team, team + 2) if s not in self.out]
            found.append({k: sum(self.built(s).get(k, 0) for s in members) for k in ("temple", "tower", "boat", "hut")})
        return found

    def finish(self, why, winners=None):
        if self.options["teams"]:
            scores = [self.score(t) for t in self.totals()]
            if winners is None:
                winners = [t for t in (0, 1) if scores[t] == max(scores)]
            self.result = {"why": why, "winners": winners, "totals": [list(s) for s in scores]}
            return
        alive = self.active()
        ranks = [[s] for s in self.finished]
        if winners is not None:
            ranks.append(sorted(winners))
            alive = [s for s in alive if s not in winners]
        ranks += self.by_count(alive) + [[s] for s in reversed(self.out)]
        self.result = {"why": why, "winners": ranks[0], "ranks": ranks}

    def check_standing(self):
        """After an elimination, or when a player has left the turn order."""
        if self.options["teams"]:
            alive = [t for t in (0, 1) if any(s not in self.out for s in (t, t + 2))]
            if len(alive) == 1:
                self.finish("last-standing", alive)
        elif len(self.active()) == 1:
            self.finish("last-standing", None if self.options["ranking"] else self.active())
        return self.result is not None

    def check_two_kinds(self, seat):
        if self.options["teams"]:
            mate = (seat + 2) % 4
            members = [s for s in (seat, mate) if s not in self.out]
            kinds = [self.two_kinds(s) for s in members]
            if len(members) == 2 and max(kinds) >= 2 and min(kinds) >= 1:
                self.finish("two-kinds", [seat % 2])
        elif self.two_kinds(seat) >= 2:
            if self.options["ranking"]:
                self.finished.append(seat)
                self.check_standing()
            else:
                self.finish("two-kinds", [seat])

    def pass_turn(self):
        """To the next player who may take something; or the end."""
        seats = self.options["seats"]
        order = [s for s in ((self.seat + i) % seats for i in range(1, seats + 1)) if s in self.active()]
        if not self.deck:
            able = [s for s in order if self.offer and self.taken[s] < 2]
            if not able:
                self.finish("exhausted")
                return
            order = able
        self.seat = order[0]
        if not self.may_take(self.seat):
            self.finish("no-room")


def crc(texts):
    return f"{zlib.crc32(chr(10).join(sorted(texts)).encode()):08x}"


def pick_placement(game, tiles, style, dice):
    eruptions = [t for t in tiles if t.parts[0][0] in game.island]
    if style == "eruptive" and eruptions and dice.random() < 0.8:
        return dice.choice(eruptions)
    if style == "huddle":  # leaves holes and stays small: lagoons, crowded boards
        return min(dice.sample(tiles, min(6, len(tiles))), key=lambda t: sum(abs(x) for h, _, _ in t.parts for x in h))
    return dice.choice(tiles)


def pick_build(builds, style, dice):
    if style in ("builder", "huddle"):
        for verb in ("temple", "boat", "tower", "expand"):
            some = [b for b in builds if b.startswith(verb)]
            if some and dice.random() < 0.8:
                return dice.choice(some)
    if style == "eruptive":
        some = [b for b in builds if b.startswith(("expand", "tower"))]
        if some and dice.random() < 0.7:
            return dice.choice(some)
    return dice.choice(builds)


def play(name, options, deck, style, dice):
    game, turns = Game(options, deck), []
    while game.result is None:
        seat, take = game.seat, game.may_take(game.seat)
        taken = "draw" if "draw" in take and dice.random() < 0.8 else dice.choice(take)
        tile_name = game.deck.pop(0) if taken == "draw" else taken
        if taken != "draw":
            game.offer.discard(taken)
            game.taken[seat] += 1
        tiles = game.placements(tile_name)
        tile = pick_placement(game, tiles, style, dice)
        game.place(tile)
        builds = game.builds(seat)
        build = pick_build(builds, style, dice) if builds else "none"
        turns.append({
            "seat": seat, "take": take, "place": tile.text, "placements": len(tiles),
            "placements_crc": crc([t.text for t in tiles]), "build": build, "builds": len(builds), "builds_crc": crc(builds),
        })
        if builds:
            game.build(seat, build)
            game.check_two_kinds(seat)
        else:
            game.out.append(seat)
            game.check_standing()
        if game.result is None:
            game.pass_turn()
    game.result["built"] = [game.built(s) for s in range(options["seats"])]
    return {"id": name, "options": options, "deck": deck, "turns": turns, "result": game.result}


def random_options(dice):
    seats = dice.choice([2, 2, 3, 4, 4, 5])
    teams = seats == 4 and dice.random() < 0.5
    return {
        "seats": seats, "huts": dice.choice(["isolated", "isolated", "anywhere"]), "teams": teams,
        "ranking": not teams and dice.random() < 0.4, "boats": dice.random() < 0.5,
        "two_hex": sorted(dice.sample(TWO_HEX, seats)) if dice.random() < 0.5 else [],
        "zone": dice.choice([None, None, "beginner", "player", "expert"]),
    }


def random_deck(dice, options):
    box = [a + b for a in TERRAINS for b, n in zip(TERRAINS, BOX[a]) for _ in range(n)]
    if options["seats"] == 5:
        box += FIFTH
    dice.shuffle(box)
    return box[: dice.choice([n for n in (24, 36, 48, 60) if n <= len(box)])]


def random_game(seed, number):
    dice = random.Random(f"{seed}/{number}")
    options = random_options(dice)
    style = dice.choice(["uniform", "eruptive", "builder", "huddle"])
    return play(f"{style}-{seed}-{number}", options, random_deck(dice, options), style, dice)


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--check", metavar="TALUVA")
    arguments = parser.parse_args()
    games = (random_game(arguments.seed, number) for number in range(arguments.games))
    if arguments.check is None:
        for game in games:
            print(json.dumps(game), flush=True)
        return
    lines = "".join(json.dumps(game) + "\n" for game in games)
    sys.exit(subprocess.run([arguments.check, "replay", "-"], input=lines, text=True, check=False).returncode)


if __name__ == "__main__":
    main()

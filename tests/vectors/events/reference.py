"""Events, read a second time from their description in protocol/events.md: what the server enters, lots, tables, standings.

usage: reference.py LOGS FILTER FIRST COUNT     logs of these seeds, as the program LOGS makes them
       reference.py FILTER FILE                 the log of one event that has ended: its standings

FILTER pairs rounds of Swiss events by their report files (../pairing/filter.c); all that is in those is from here.
"""

import hashlib
import hmac
import json
import struct
import subprocess
import sys

from forms import Cup, Stage, Swiss, berger, bracket_rounds, direct_places, stages_of

POINT = 60
LADDERS = {2: [1, 0], 3: [5, 3, 1], 4: [5, 3, 2, 1], 5: [5, 3, 2, 1, 0]}


class Lots:
    def __init__(self, secret, event, number, paired, points):
        standings = "".join(f"{entrant} {points[entrant]}\n" for entrant in sorted(paired)).encode()
        message = f"taluva pairing 1\n{event}\n{number}\n".encode() + hashlib.sha256(standings).digest()
        self.key = hmac.digest(secret, message, "sha256")
        self.words = self.stream()

    def stream(self):
        for counter in range(1 << 30):
            yield from struct.unpack(">8I", hmac.digest(self.key, counter.to_bytes(8, "big"), "sha256"))

    def below(self, n):
        return next(word for word in self.words if word < 2**32 - 2**32 % n) % n

    def shuffle(self, list_, begin, end):
        for i in range(end - begin, 1, -1):
            other = begin + self.below(i)
            list_[begin + i - 1], list_[other] = list_[other], list_[begin + i - 1]


class Event:
    def __init__(self, lines, filter_):
        self.filter = filter_
        self.secret = bytes.fromhex(lines[-1]["secret"])
        self.made = lines[0]
        assert hashlib.sha256(self.secret).hexdigest() == self.made["commitment"]
        self.robin = self.made["form"] == "robin"
        self.cup = self.made["form"] == "cup"
        self.swiss = self.made["form"] == "swiss"
        self.groups = self.made["form"] == "groups"
        self.byes = []  # of each round who has it, or None
        self.people = {}  # by number: what is so of each
        self.rounds = []  # of tables: seats, and places or None
        self.paired_at = self.over_at = 0
        self.state = "open"
        self.field = []
        for number, line in enumerate(lines, 1):
            assert line["n"] == number
            if number > 1:
                self.check(line)
                self.follow(line)
            self.at = line["at"]

    # ---- what there is

    def inside(self):
        return [number for number, one in self.people.items() if one["agreed"] and not one["gone"] and not one["removed"]]

    def planned(self):
        if self.cup:
            return self.made["rounds"] * bracket_rounds(len(self.field))
        if self.groups:
            return stages_of(len(self.field))
        if not self.robin:
            return self.made["rounds"] + self.made["final"]
        return self.made["rounds"] * (len(self.field) - 1 + len(self.field) % 2)

    def open_tables(self):
        return [table for table in self.rounds[-1] if table["places"] is None] if self.rounds else []

    def points_of(self, table):
        ladder = LADDERS[len(table["seats"])] if self.made["points"] == "places" else [1] + [0] * 4
        found = []
        for place in table["places"] or [0] * len(table["seats"]):
            equals = table["places"].count(place) if place else 1
            found.append(POINT * sum(ladder[place - 1 : place - 1 + equals]) // equals if place else 0)
        return found

    def qualifying(self):
        """Rounds but the final."""
        return self.rounds[: self.made["rounds"]] if self.made["final"] and not self.cup else self.rounds

    def points(self):
        sums = dict.fromkeys(self.people, 0)
        for table in self.ended():
            for entrant, points in zip(table["seats"], self.points_of(table)):
                sums[entrant] += points
        for entrant in filter(None, self.byes):
            sums[entrant] += POINT
        return sums

    def ended(self):
        return [table for tables in self.qualifying() for table in tables if table["places"] is not None]

    def meetings(self):
        """Each two who were at a table, both ways, with their places."""
        for table in self.ended():
            for a, place in zip(table["seats"], table["places"]):
                for b, other in zip(table["seats"], table["places"]):
                    if a != b and place and other:
                        yield a, b, place, other

    # ---- section 2

    def due(self, now):
        """What the server enters by then, but for who and when."""
        bank = 1000 * self.made.get("pause_s", 0)
        pauses = [(one["paused"] + bank - one["rested"], n) for n, one in self.people.items() if one["paused"] is not None]
        when, entry = self.due_of_event(now)
        if self.state == "running" and pauses and min(pauses)[0] <= when:
            return min(pauses)[0], {"kind": "resumed", "entrant": min(pauses)[1], "reason": "used up"}
        return when, entry

    def due_of_event(self, now):
        inside = self.inside()
        if self.state == "open":
            here = [n for n in inside if self.people[n]["here"] or not self.made["check_in_s"]]
            few = {"kind": "off", "secret": self.secret.hex(), "reason": "too few entrants"}
            return self.made["start"], few if len(here) < self.made["least"] else {"kind": "began"}
        if self.open_tables():
            return self.due_result(set(inside))
        absent = [n for n in inside if self.people[n]["missed"] >= 2]
        if absent:
            return self.at, {"kind": "withdrew", "entrant": max(absent), "reason": "was not there"}
        if len(self.rounds) == self.planned() or not self.can_pair(inside):
            return self.at, {"kind": "over", "secret": self.secret.hex()}
        when = self.over_at + 1000 * self.made["break_s"] if self.rounds else self.began_at
        tables = None
        if when <= now:
            tables = self.pair(inside)
            if tables is None:
                return when, {"kind": "over", "secret": self.secret.hex()}
        return when, {"kind": "paired", "round": len(self.rounds) + 1, "tables": tables}

    def can_pair(self, inside):
        if self.cup:
            return Cup(self).can_pair(inside)
        if self.groups and self.rounds:
            return sum(bool(first) for first in Stage(self, self.rounds[-1]).first(inside)) >= 2
        return len(inside) >= (3 if self.made["form"] == "tables" else 2)

    def pair(self, inside):
        if self.cup:
            return Cup(self).pair()
        if self.swiss:
            return Swiss(self).pair(inside)
        if self.groups:
            return self.pair_groups(inside)
        return self.pair_robin() if self.robin else self.pair_tables(inside)

    def due_result(self, inside):
        left = [t for t in self.open_tables() if len(inside & set(t["seats"])) < 2]
        when, reason = (self.at, "nobody to play against") if left else (self.paired_at + 1000 * self.made["round_s"], "time")
        table = (left or self.open_tables())[0]
        number = self.rounds[-1].index(table) + 1
        places = [int(seat in inside) for seat in table["seats"]]
        return when, {"kind": "result", "round": len(self.rounds), "table": number, "places": places, "reason": reason}

    def check(self, line):
        if "by" in line or line["kind"] == "result" and "room" in line:
            return
        when, entry = self.due(line["at"])
        assert when <= line["at"], (when, line)
        assert {"n": line["n"], "at": line["at"], **entry} == line, (entry, line)

    def follow(self, line):
        kind = line["kind"]
        if kind == "joined":
            self.people[line["entrant"]] = {"here": False, "gone": False, "removed": False, "missed": 0, "first": 0,
                                            "paused": None, "rested": 0, "rating": line.get("rating", 0), "agreed": "partner" not in line}
        elif kind == "began":
            self.state, self.began_at = "running", line["at"]
            for one in self.people.values():
                one["gone"] |= self.made["check_in_s"] > 0 and not one["here"]
            self.field = self.inside()
        elif kind == "paired":
            self.rounds.append([{"seats": seats, "places": None} for seats in line["tables"]])
            self.paired_at = line["at"]
            rest = set(self.inside()) - {n for seats in line["tables"] for n in seats}
            self.byes.append(min(rest) if self.swiss and rest else None)
            for seats in line["tables"]:
                self.people[seats[0]]["first"] += 1
        elif kind in ("paused", "resumed"):
            one = self.people[line["entrant"]]
            one["rested"] += line["at"] - one["paused"] if kind == "resumed" else 0
            one["paused"] = line["at"] if kind == "paused" else None
        elif kind in ("result", "judged"):
            self.end_table(line)
        elif kind in ("here", "withdrew", "removed", "returned", "agreed"):
            one = self.people[line["entrant"]]
            one.update({"here": {"here": True}, "withdrew": {"gone": True}, "removed": {"removed": True},
                        "returned": {"gone": False, "missed": 0}, "agreed": {"agreed": True}}[kind])
        else:
            self.state = kind

    def end_table(self, line):
        table = self.rounds[line["round"] - 1][line["table"] - 1]
        first = table["places"] is None
        table["places"] = line["places"]
        if not first:
            return
        for entrant, place in zip(table["seats"], table["places"]):
            self.people[entrant]["missed"] = 0 if place else self.people[entrant]["missed"] + 1
        if not self.open_tables():
            self.over_at = line["at"]

    # ---- section 3

    def drawn_field(self):
        numbers = sorted(self.field)
        lots = Lots(self.secret, self.made["event"], 0, numbers, dict.fromkeys(numbers, 0))
        lots.shuffle(numbers, 0, len(numbers))
        return numbers, lots

    def drawn_seeds(self):
        numbers, lots = self.drawn_field()
        return sorted(numbers, key=lambda n: -self.people[n]["rating"]), lots

    def pair_robin(self):
        numbers, _ = self.drawn_field()
        return berger(numbers, len(self.rounds))

    def pair_groups(self, inside):
        list_, _ = self.drawn_seeds()
        if self.rounds:
            points = self.points()
            lots = Lots(self.secret, self.made["event"], len(self.rounds) + 1, inside, points)
            chosen = [first[lots.below(len(first))] for first in Stage(self, self.rounds[-1]).first(inside) if first]
            list_ = [n for n in list_ if n in chosen]
        else:
            list_ = [n for n in list_ if n in inside]
        count = -(-len(list_) // 5)
        groups = [[] for _ in range(count)]
        for at, n in enumerate(list_):
            turn = at % (2 * count)
            groups[turn if turn < count else 2 * count - 1 - turn].append(n)
        turns = self.made["rounds"]
        return [board for group in groups for turn in range(turns * (len(group) - 1 + len(group) % 2)) for board in berger(group, turn)]

    def pair_tables(self, inside):
        points = self.points()
        lots = Lots(self.secret, self.made["event"], len(self.rounds) + 1, inside, points)
        if self.made["final"] and len(self.rounds) == self.made["rounds"]:
            inside = self.finalists(lots, inside)
        order = sorted(inside, key=lambda n: (-points[n], n))
        met = {}
        for a, b, _, _ in self.meetings():
            met[a, b] = met.get((a, b), 0) + 1
        sizes = [5] if len(order) == 5 else [4] * ((len(order) - 3 * (-len(order) % 4)) // 4) + [3] * (-len(order) % 4)

        def cost(seats):
            pairs = [(a, b) for i, a in enumerate(seats) for b in seats[:i]]
            return sum(met.get(pair, 0) ** 2 for pair in pairs), sum((points[a] - points[b]) ** 2 for a, b in pairs)

        def whole(tables):
            costs = [cost(seats) for seats in tables]
            return sum(c[0] for c in costs), sum(c[1] for c in costs)

        best = None
        for _ in range(4):
            tables = self.improve(lots, order, points, sizes, cost)
            if best is None or whole(tables) < whole(best):
                best = tables
        for seats in best:
            self.choose_first(lots, seats)
        return best

    def finalists(self, lots, inside):
        standings = [(place, n) for place, n, _, _ in self.standings() if n in inside]
        order, begin = [n for _, n in standings], 0
        while begin < len(order):
            end = begin
            while end < len(order) and standings[end][0] == standings[begin][0]:
                end += 1
            lots.shuffle(order, begin, end)
            begin = end
        return order[:4]

    @staticmethod
    def improve(lots, order, points, sizes, cost):
        drawn, begin = list(order), 0
        while begin < len(drawn):
            end = begin
            while end < len(drawn) and points[order[end]] == points[order[begin]]:
                end += 1
            lots.shuffle(drawn, begin, end)
            begin = end
        tables = []
        for size in sizes:
            tables.append(drawn[:size])
            drawn = drawn[size:]
        for _ in range(500 * len(tables) if len(tables) > 1 else 0):
            a, b = lots.below(len(tables)), lots.below(len(tables) - 1)
            b += b >= a
            i, j = lots.below(len(tables[a])), lots.below(len(tables[b]))
            before = [x + y for x, y in zip(cost(tables[a]), cost(tables[b]))]
            tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
            if [x + y for x, y in zip(cost(tables[a]), cost(tables[b]))] > before:
                tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
        return tables

    def choose_first(self, lots, seats):
        first, equals = 0, 1
        for i in range(1, len(seats)):
            mine, least = self.people[seats[i]]["first"], self.people[seats[first]]["first"]
            if mine < least:
                first, equals = i, 1
            elif mine == least:
                equals += 1
                if lots.below(equals) == 0:
                    first = i
        seats[0], seats[first] = seats[first], seats[0]

    # ---- section 4

    def standings(self):
        if self.groups:
            keys = self.group_keys()
        elif self.cup or self.swiss:
            keys = (Cup if self.cup else Swiss)(self).keys()
        else:
            keys = self.robin_keys() if self.robin else self.table_keys()
        order = sorted(self.people, key=lambda n: ([-x for x in keys[n]], n))
        found = []
        for i, n in enumerate(order):
            place = found[-1][0] if i and keys[n] == keys[order[i - 1]] else i + 1
            found.append((place, n, keys[n][1 if self.robin or self.swiss else 2], keys[n][0]))  # of a cup there are no points
        return found

    def table_keys(self):
        points, keys = self.points(), {}
        places = {n: [] for n in self.people}
        for table in self.ended():
            for entrant, place in zip(table["seats"], table["places"]):
                places[entrant].append(place)
        for n in self.people:
            others = sorted(points[b] for a, b, _, _ in self.meetings() if a == n)[1:]
            mean = 1000 * sum(others) // len(others) if others else 0
            keys[n] = [1, self.final_of(n), points[n], places[n].count(1), mean]
        groups = {n: tuple(key) for n, key in keys.items()}
        direct = dict.fromkeys(self.people, 0)
        for a, b, place, other in self.meetings():
            if groups[a] == groups[b]:
                direct[a] += (place < other) - (place > other)
        return {n: keys[n] + [direct[n], places[n].count(2)] for n in self.people}

    def final_of(self, entrant):
        for table in [table for tables in self.rounds[len(self.qualifying()) :] for table in tables]:
            if table["places"] and entrant in table["seats"]:
                return 10 - (table["places"][table["seats"].index(entrant)] or 9)
        return 0

    def group_keys(self):
        keys = {n: [1, 0, 0, 0, 0] for n in self.people}
        for number, tables in enumerate(self.rounds, 1):
            stage = Stage(self, tables)
            keys.update({n: [1, number, *stage.merits[n]] for group in stage.groups for n in group})
        return keys

    def robin_keys(self):
        played = dict.fromkeys(self.people, 0)
        for table in self.ended():
            for entrant, place in zip(table["seats"], table["places"]):
                played[entrant] += place > 0
        matches = self.made["rounds"] * (len(self.field) - 1)
        inside, keys = self.inside(), {}
        began = bool(self.field)
        counts = {n: int((n in self.field or not began) and (n in inside or 2 * played[n] >= matches)) for n in self.people}
        tables = [t for t in self.ended() if all(counts[n] for n in t["seats"])]
        points = dict.fromkeys(self.people, 0)
        for table in tables:
            for entrant, each in zip(table["seats"], self.points_of(table)):
                points[entrant] += each
        for n in self.people:
            wins = sonneborn = 0
            for table in tables:
                if n not in table["seats"]:
                    continue
                at = table["seats"].index(n)
                own, other = table["places"][at], table["places"][1 - at]
                against = points[table["seats"][1 - at]]
                wins += bool(own and other and own < other)
                # in an unplayed round one has met oneself, but nobody better than who should have been met
                sonneborn += self.points_of(table)[at] * (against if own and other else min(points[n], against))
            keys[n] = [counts[n], points[n], wins, sonneborn]
        direct = {}
        for group in {(counts[n], points[n]) for n in self.people}:
            tied = sorted(n for n in self.people if (counts[n], points[n]) == group)
            direct.update(direct_places(tied, self.games(tables)))
        return {n: keys[n][:2] + [-direct[n]] + keys[n][2:] for n in self.people}

    def games(self, tables):
        games = {}
        for table in tables:
            (a, b), (place, other) = table["seats"], table["places"]
            if place and other:
                games.setdefault((a, b), []).append(1 + (place < other) - (place > other))
                games.setdefault((b, a), []).append(1 + (other < place) - (other > place))
        return games


def check_logs(program, filter_, first, count):
    output = subprocess.run([program, first, count], stdout=subprocess.PIPE, check=True, text=True).stdout
    lines, rounds, events = [], 0, 0
    for line in output.splitlines():
        if not line.startswith("="):
            lines.append(json.loads(line))
            continue
        event = Event(lines, filter_)
        given = [tuple(map(int, each.split(":"))) for each in line.split()[1:]]
        assert event.standings() == given, (lines[0], event.standings(), given)
        rounds, events, lines = rounds + len(event.rounds), events + 1, []
    print(f"{events} walks, {rounds} rounds")
    return 0 if events == int(count) and rounds > 0 else 1


def main(*args):
    if len(args) == 4:
        return check_logs(*args)
    with open(args[1], encoding="utf-8") as file:
        event = Event([json.loads(line) for line in file], args[0])
    for place, entrant, points, counts in event.standings():
        print(place, entrant, f"{points}/{POINT}", "" if counts else "does not count")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Forms of events for reference.py: cups, Swiss events, groups by correspondence, Berger tables and direct encounters.

Each reads what it needs from an Event of that file, and changes nothing of it.
"""

import subprocess


def bracket_rounds(count):
    return max(count - 1, 0).bit_length()


def bracket_places(rounds):
    """Seeds in the order of the bracket: in each round the winners that are foretold, and beside each the one who makes up the sum."""
    seeds = [1]
    for number in range(1, rounds + 1):
        nearer = [(seed, 2**number + 1 - seed) for seed in seeds]
        seeds = [seed for at, both in enumerate(nearer) for seed in (both if at % 2 == 0 else both[::-1])]
    return seeds


class Cup:
    """What a cup's tables have decided: ties of the last stage, who went out in which, who played for the third place."""

    def __init__(self, event):
        self.event = event
        self.legs, self.stages, self.ties = 0, 0, []
        self.out, self.third = {}, {}
        for tables in event.rounds:
            if not self.undecided():
                self.stages, self.legs = self.stages + 1, 0
                self.ties = [{"sides": table["seats"], "won": {n: 0 for n in table["seats"]}, "there": set(),
                              "third": table["seats"][0] in self.out} for table in tables]
            self.legs += 1
            for table in tables:
                self.note(table)
            if not self.undecided() and all(table["places"] for table in tables):
                self.end_stage()

    def note(self, table):
        tie = next(tie for tie in self.ties if set(tie["sides"]) == set(table["seats"]))
        for n, place, other in zip(table["seats"], table["places"] or [0, 0], (table["places"] or [0, 0])[::-1]):
            tie["there"] |= {n} if place else set()
            tie["won"][n] += bool(place and (not other or place < other))

    def undecided(self):
        most = self.event.made["rounds"]
        return [tie for tie in self.ties if self.legs < most and 2 * max(tie["won"].values()) <= most]

    def end_stage(self):
        for tie in self.ties:
            better, worse = tie["sides"]
            merits = [(tie["won"][n], n in tie["there"]) for n in tie["sides"]]
            losers = [better if merits[1] > merits[0] else worse]
            if not tie["there"]:
                losers = [better, worse]
            for n in tie["sides"]:
                if tie["third"]:
                    self.third[n] = 1 if n in losers else 2
                elif n in losers:
                    self.out[n] = self.stages

    def left(self):
        return [n for n in self.event.field if n not in self.out]

    def can_pair(self, inside):
        return bool(self.undecided()) or len(set(self.left()) & set(inside)) >= 2

    def pair(self):
        if self.undecided():
            return [tie["sides"][:: 1 if self.legs % 2 == 0 else -1] for tie in self.undecided()]
        seeds, _ = self.event.drawn_seeds()
        row = [seeds[seed - 1] if seed <= len(seeds) else None for seed in bracket_places(bracket_rounds(len(seeds)))]
        stage = 0
        while len(row) > 1:
            pairs = list(zip(row[::2], row[1::2]))
            tables = [sorted(pair, key=seeds.index) for pair in pairs if None not in pair]
            stage += bool(tables)
            if tables and stage > self.stages:
                break
            row = [next((n for n in pair if n is not None and (not tables or self.out.get(n) != stage)), None) for pair in pairs]
        missed = [n for n in seeds if self.out.get(n) == self.stages]
        if self.event.made["final"] and len(self.left()) == 2 and len(missed) == 2:
            tables.append(missed)
        return tables

    def keys(self):
        inside, keys = self.event.inside(), {}
        for n in self.event.people:
            way = 2 * self.out[n] if n in self.out else 2 * self.stages + 1 + (n in inside)
            keys[n] = [1, way if n in self.event.field else 0, 0, self.third.get(n, 0)]
        return keys


def berger(numbers, turn):
    even = numbers + [None] * (len(numbers) % 2)
    ring = len(even) - 1
    cycle, turn = divmod(turn, ring)
    at = turn * (len(even) // 2) % ring
    boards = [(even[at], even[ring]) if turn % 2 == 0 else (even[ring], even[at])]
    boards += [(even[(at + step) % ring], even[(at + ring - step) % ring]) for step in range(1, len(even) // 2)]
    return [list(board if cycle % 2 == 0 else board[::-1]) for board in boards if None not in board]


def stages_of(count):
    return int(count > 1) + (stages_of(-(-count // 5)) if count > 5 else 0)


class Stage:
    """A round of groups: who is in one, and points, wins and Sonneborn-Berger of each."""

    def __init__(self, event, tables):
        self.groups = []
        for a, b in (table["seats"] for table in tables):
            joined = [group for group in self.groups if a in group or b in group] or [[]]
            if not joined[0]:
                self.groups.append(joined[0])
            for other in joined[1:]:
                self.groups.remove(other)
                joined[0] += other
            joined[0] += [n for n in (a, b) if n not in joined[0]]
        over = [table for table in tables if table["places"] is not None]
        points = {n: 0 for group in self.groups for n in group}
        wins, beaten = dict(points), dict(points)
        for table in over:
            for n, each in zip(table["seats"], event.points_of(table)):
                points[n] += each
        for table in over:
            if not all(table["places"]):
                continue
            for n, other, each, own, against in zip(table["seats"], table["seats"][::-1], event.points_of(table), table["places"], table["places"][::-1]):
                wins[n] += own < against
                beaten[n] += each * points[other]
        self.merits = {n: (points[n], wins[n], beaten[n]) for n in points}

    def first(self, inside):
        """Of each group those whom nobody is before."""
        for group in self.groups:
            left = sorted(n for n in group if n in inside)
            yield [n for n in left if self.merits[n] == max(self.merits[m] for m in left)]


class Swiss:
    """A Swiss event as letters of FIDE's report files, of rounds that are over: by entrant (opponent, colour, result) of each."""

    def __init__(self, event):
        self.event = event
        self.whole = [tables for tables in event.rounds if all(table["places"] for table in tables)]
        self.rows = {n: [] for n in event.people}
        for tables, bye in zip(self.whole, event.byes):
            said = {n: (None, "-", "U" if n == bye else "Z") for n in self.rows}
            for table in tables:
                for n, other, colour, own, against in zip(table["seats"], table["seats"][::-1], "wb", table["places"], table["places"][::-1]):
                    result = "-" if not own else "+" if not against else "1" if own < against else "=" if own == against else "0"
                    said[n] = (other, colour, result)
            for n, row in self.rows.items():
                row.append(said[n])

    def points(self, n):
        return sum({"1": 10, "+": 10, "U": 10, "=": 5}.get(result, 0) for _, _, result in self.rows[n])

    def report(self, inside):
        order, lots = self.event.drawn_seeds()
        first = "WB"[lots.below(2)]
        order += sorted(n for n in self.event.people if n not in self.event.field)
        number = {n: at for at, n in enumerate(order, 1)}
        lines = [f"142 {self.event.made['rounds']}", f"152 {first}"]
        for n in order:
            columns = "".join(f"  {number[other] if other else '0000':>4} {colour} {result}" for other, colour, result in self.rows[n])
            lines.append(f"001 {number[n]:>4}{'':72}{self.points(n) / 10:4.1f}{'':5}{columns}")
        for n in order:
            if n not in inside:
                lines.append(f"240 Z {len(self.whole) + 1:03} {number[n]:>4}")
        return "\r\n".join(lines).encode(), order

    def pair(self, inside):
        text, order = self.report(inside)
        asked = b"pair %d \n" % len(text) + text
        answer = subprocess.run([self.event.filter], input=asked, stdout=subprocess.PIPE, check=True).stdout.decode()
        boards = answer.splitlines()[0].split()[1:]
        if boards == ["none"]:
            return None
        pairs = [[int(number) for number in board.split("-")] for board in boards]
        return [[order[a - 1], order[b - 1]] for a, b in pairs if b]

    def keys(self):
        planned = max(self.event.made["rounds"], len(self.whole))
        scores = {n: self.adjusted(n) for n in self.rows}
        wins = dict.fromkeys(self.rows, 0)
        for a, _, place, other in self.event.meetings():
            wins[a] += place < other
        points, keys = self.event.points(), {}
        for n, row in self.rows.items():
            own, all_, voluntary, product = self.points(n), [], [], 0
            for opponent, _, result in row:
                score = scores[opponent] if opponent else planned * 5
                if result not in "1=0":
                    score = min(own, score)
                all_.append(score)
                voluntary += [score] if result in "Z-" else []
                product += score * {"1": 10, "+": 10, "U": 10, "=": 5}.get(result, 0)
            cut = sum(all_) - min(voluntary or all_ or [0])
            keys[n] = [1, points[n], cut, sum(all_), product, wins[n]]
        return keys

    def adjusted(self, n):
        score, last = 0, True
        for _, _, result in self.rows[n][::-1]:
            score += 5 if last and result == "Z" else {"1": 10, "+": 10, "U": 10, "=": 5}.get(result, 0)
            last = last and result in "Z-"
        return score


def direct_places(tied, games):
    """FIDE's direct encounter (C.07, 6): places of those who are tied, from 0, by the games between them; half points."""
    places, first = {}, 0
    while tied:
        least, most, whole = {}, {}, True
        for a in tied:
            least[a] = most[a] = 0
            for b in tied:
                if a != b and (a, b) in games:
                    mean = 60 * sum(games[a, b]) // len(games[a, b])
                    least[a] += mean
                    most[a] += mean
                elif a != b:
                    most[a] += 120
                    whole = False
        order = sorted(tied, key=lambda n: -least[n])
        if whole:
            for score in sorted(set(least.values()), reverse=True):
                equal = [n for n in order if least[n] == score]
                if len(equal) < len(tied):
                    below = direct_places(equal, games)
                else:
                    below = dict.fromkeys(equal, 0)
                places.update({n: first + below[n] for n in equal})
                first += len(equal)
            return places
        certain = 0
        while certain < len(order) and all(most[n] < least[order[certain]] for n in order[certain + 1 :]):
            places[order[certain]] = first + certain
            certain += 1
        if certain == 0:
            places.update(dict.fromkeys(tied, first))
            return places
        first += certain
        tied = [n for n in tied if n not in order[:certain]]
    return places

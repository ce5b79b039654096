"""Rounds as another program pairs them, and as ours does (README.md has the form of the file).

usage: check.py FILTER VECTORS.jsonl.xz
       check.py FILTER ties.json berger.json     tie-breaks, and tables of round robins
"""

import json
import lzma
import subprocess
import sys


def answers_of(program, asked):
    """The lines of each answer to a line and a text."""
    given = b"".join(f"{verb} {len(text)} {more}\n".encode() + text for verb, text, more in asked)
    done = subprocess.run([program], input=given, stdout=subprocess.PIPE, check=True)
    answers = done.stdout.decode().split(".\n")
    if len(answers) != len(asked) + 1:
        sys.exit(f"{len(asked)} asked, {len(answers) - 1} answers")
    return [answer.splitlines() for answer in answers[:-1]]


def boards_of(text):
    return [[int(number) for number in board.split("-")] for board in text.split()]


def differences_of(lines):
    """Rounds of a tournament that are not as they were to be, in the form of the vectors."""
    found = []
    for line in lines:
        number, _, rest = line.partition(" ")
        if rest == "none":
            found.append({"round": int(number), "no_pairing": True})
            continue
        _, expected, given = rest.split("|")
        if expected.strip() or given.strip():
            found.append({"round": int(number), "expected": boards_of(expected), "given": boards_of(given)})
    return found


def ordered(difference):
    return {key: sorted(value) if isinstance(value, list) else value for key, value in difference.items()}


def wrong_position(vector, lines):
    boards = "none"
    if vector["pairs"] is not None:
        pairs = vector["pairs"] + ([[vector["bye"], 0]] if vector["bye"] else [])
        boards = " ".join(f"{white}-{black}" for white, black in pairs)
    return [] if lines == [f"{vector['round']} {boards}"] else [f"expected {vector['round']} {boards}, found {lines}"]


def wrong_tournament(vector, lines):
    found = differences_of(lines)
    return [f"{vector['name']}: {difference}" for difference in found] if lines and found else [] if lines else [f"{vector['name']}: no rounds"]


def wrong_change(vector, lines):
    first = {key: vector[key] for key in ("round", "expected", "given")}
    wanted = [ordered(difference) for difference in [first] + vector["later"]]
    found = [ordered(difference) for difference in differences_of(lines)]
    return [] if found == wanted else [f"{vector['name']}: expected {wanted}, found {found}"]


WRONG = {"position": wrong_position, "tournament": wrong_tournament, "wrong": wrong_change}


def check_rounds(program, archive):
    with lzma.open(archive, "rt", encoding="utf-8") as file:
        vectors = [json.loads(line) for line in file]
    verbs = {"position": "pair", "tournament": "check", "wrong": "check"}
    answers = answers_of(program, [(verbs[vector["kind"]], vector["trf"].encode(), "") for vector in vectors])
    found = [line for vector, lines in zip(vectors, answers) for line in WRONG[vector["kind"]](vector, lines)]
    return sum(len(lines) for lines in answers), found


# Tie-breaks: tenths, but for the last two.
NAMES = {"points": 10, "adjusted": 10, "BH": 10, "BH-C1": 10, "SB": 100, "SB-C1": 100}
POINTS = {"1": 10, "W": 10, "+": 10, "U": 10, "F": 10, "=": 5, "D": 5, "H": 5}
OTHER = {"1": "0", "0": "1", "=": "="}


def score_of(rounds):
    return sum(POINTS.get(result, 0) for _, result in rounds)


def invent_opponents(case):
    """Where a case has opponents by their adjusted score alone: some who come to it, by byes in the rounds before."""
    given = case.get("given_adjusted_scores")
    if not given:
        return case["players"]
    numbers = {int(number): 2 + place for place, number in enumerate(given)}
    players = {"1": [[numbers.get(opponent, 0), result] for opponent, result in case["players"]["1"]]}
    for at, (opponent, result) in enumerate(case["players"]["1"]):
        if not opponent:
            continue
        own = OTHER[result]
        byes = int(given[str(opponent)] * 10) - POINTS.get(own, 0)
        rounds = [[0, "F"]] * (byes // 10) + [[0, "H"]] * (byes % 10 // 5)
        rounds = [[0, "Z"]] * (case["rounds"] - 1 - len(rounds)) + rounds
        players[str(numbers[opponent])] = rounds[:at] + [[1, own]] + rounds[at:]
    return players


def trf_of(case):
    players = invent_opponents(case)
    lines = [f"142 {case['rounds']}"]
    for number in sorted(players, key=int):
        columns = ""
        for at, (opponent, result) in enumerate(players[number]):
            white = opponent and int(number) < opponent
            colour = "-" if not opponent else "w" if white else "b"
            columns += f"  {opponent or '0000':>4} {colour} {result}"
        lines.append(f"001 {number:>4}{'':72}{score_of(players[number]) / 10:4.1f}{'':5}{columns}")
    return "\n".join(lines).encode()


def wrong_ties(case, lines):
    for number, row in enumerate(lines, 1):
        for (name, parts), value in zip(NAMES.items(), row.split()):
            wanted = case["expected"].get(name, {}).get(str(number))
            if wanted is not None and wanted * parts != int(value):
                yield f"{case['id']}: {name} of {number} is {wanted}, found {int(value) / parts}"


def groups_of(line):
    places = {}
    for entry in line.split():
        number, place = entry.split(":")
        places.setdefault(int(place), []).append(int(number))
    return [sorted(places[place]) for place in sorted(places)]


def check_ties(program, ties, berger):
    with open(ties, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    with open(berger, encoding="utf-8") as file:
        tables = json.load(file)["tables"]
    direct = [(case, group) for case in cases for group in case["expected"].get("DE", [])]
    asked = [("ties", trf_of(case), "") for case in cases]
    asked += [("direct", trf_of(case), " ".join(map(str, group["tied"]))) for case, group in direct]
    asked += [("berger", b"", f"{count} {number + 1}") for count, rounds in tables.items() for number in range(len(rounds))]
    answers = answers_of(program, asked)
    found = [line for case, lines in zip(cases, answers) for line in wrong_ties(case, lines)]
    for (case, group), lines in zip(direct, answers[len(cases):]):
        if groups_of(lines[0]) != group["order"]:
            found.append(f"{case['id']}: order of {group['tied']} is {group['order']}, found {lines}")
    wanted = [[f"{number} " + " ".join(f"{a}-{b}" for a, b in boards)] for rounds in tables.values() for number, boards in enumerate(rounds, 1)]
    found += [f"berger: expected {a}, found {b}" for a, b in zip(wanted, answers[len(cases) + len(direct):]) if a != b]
    return sum(len(lines) for lines in answers), found


def main(program, *files):
    count, found = (check_rounds if len(files) == 1 else check_ties)(program, *files)
    for line in found:
        print(line)
    print(f"{count} inputs, {len(found)} of them differ")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Rounds as another program pairs them, and as ours does (README.md has the form of the file).

usage: check.py FILTER VECTORS.jsonl.xz
"""

import json
import lzma
import subprocess
import sys


def answers_of(program, vectors):
    """The lines of each answer, in the order of the vectors."""
    asked = []
    for vector in vectors:
        text = vector["trf"].encode()
        verb = "pair" if vector["kind"] == "position" else "check"
        asked.append(f"{verb} {len(text)}\n".encode() + text)
    done = subprocess.run([program], input=b"".join(asked), stdout=subprocess.PIPE, check=True)
    answers = done.stdout.decode().split(".\n")
    if len(answers) != len(vectors) + 1:
        sys.exit(f"{len(vectors)} files, {len(answers) - 1} answers")
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


def main(program, archive):
    with lzma.open(archive, "rt", encoding="utf-8") as file:
        vectors = [json.loads(line) for line in file]
    answers = answers_of(program, vectors)
    found = [line for vector, lines in zip(vectors, answers) for line in WRONG[vector["kind"]](vector, lines)]
    for line in found:
        print(line)
    count = sum(len(lines) for lines in answers)
    print(f"{count} inputs, {len(found)} of them differ")
    return 1 if found or not vectors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

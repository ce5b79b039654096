"""The update of ratings, read a second time from its description in protocol/ratings.md, with Python's whole numbers.

usage: reference.py check FILTER VECTORS [--random COUNT] [--seed N]
       reference.py compilers SOURCES VECTORS COMPILER ...

`check` holds FILTER (filter.c here), the vectors and this file against each other, and then both programs over random lines. `compilers`
makes FILTER of the sources by each compiler with the options that have changed what other programs compute, and holds each against the vectors.
"""

import math
import os
import random
import shlex
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from usage import Parser  # noqa: E402  (of tests/support)

ONE = 1 << 30
DAY_MS = 86_400_000

# ---- numbers that are not whole, to 60 digits

LN_10 = Fraction(2302585092994045684017991454684364207601101488628772976033328, 10**60)
LN_2 = Fraction(693147180559945309417232121458176568075500134360255254120680, 10**60)
PI = Fraction(3141592653589793238462643383279502884197169399375105820974945, 10**60)
Q = LN_10 / 400 / 1000


def nearest(fraction):
    return math.floor(fraction + Fraction(1, 2))


BLUR = nearest(3 * Q**2 / PI**2 * 2**76)
Q_70 = nearest(Q * 2**70)
Q2_90 = nearest(Q**2 * 2**90)
HALVES = nearest(LN_10 / LN_2 / 400_000 * 2**40)


def half_to(power):
    """2^-(1/2^power) in 2^-30: by repeated square roots in 2^-400."""
    value = 1 << 399
    for _ in range(power):
        value = math.isqrt(value << 400)
    return nearest(Fraction(value, 1 << 370))


ROOTS = [half_to(power) for power in range(1, 27)]

# ---- the update


def halve(halvings):
    whole, part = divmod(halvings, 1 << 26)
    result = ONE
    for bit, root in zip(f"{part:026b}", ROOTS):
        if bit == "1":
            result = result * root // ONE
    return result // 2**whole if whole <= 30 else 0


def aged(deviation, idle_ms):
    idle_ms = sorted((0, idle_ms, 3650 * DAY_MS))[1]
    return min(math.isqrt(deviation**2 + idle_ms * 24_000_000 // DAY_MS), 350_000)


def chances(steepness, strengths):
    best = max(strengths)
    weights = [halve(min(best - strength, 2_000_000) * steepness // 2**12 * HALVES // 2**32) for strength in strengths]
    return [weight * ONE // sum(weights) for weight in weights]


def stages(places):
    """Pairs of sets: who takes part in the winning of a place, and who has it."""
    found = []
    for place in sorted(set(places)):
        inside = {side for side, own in enumerate(places) if own >= place}
        first = {side for side in inside if places[side] == place}
        if first != inside or not found:
            found.append((inside, first))
    return found


def update(scale, still, seats, won):
    """Seats: (strength, deviation, side). What they are afterwards, as (strength, deviation)."""
    sides = [[seat for seat in seats if seat[2] == side] for side in range(max(seat[2] for seat in seats) + 1)]
    each = len(sides[0])
    strengths = [sum(seat[0] for seat in side) // each for side in sides]
    spreads = [sum(seat[1] ** 2 for seat in side) // each**2 for side in sides]

    def one(at):
        strength, deviation, side = seats[at]
        if side in still:
            return strength, deviation
        partners = sum(other[1] ** 2 for i, other in enumerate(seats) if i != at and other[2] == side)
        unsure = sum(spread for other, spread in enumerate(spreads) if other != side) // (len(sides) - 1) + partners // each**2
        x = (unsure * BLUR // 2**46) * (scale * scale // ONE) // ONE
        steepness = scale * ONE // math.isqrt((ONE + x) * ONE)
        weight = surplus = 0
        for inside, first in won:
            if side in inside:
                members = sorted(inside)
                chance = chances(steepness, [strengths[member] for member in members])[members.index(side)]
                weight += (steepness**2 // ONE) * (chance * (ONE - chance) // ONE) // ONE
                surplus += (ONE // len(first) if side in first else 0) - chance
        weight //= each**2
        told = (deviation**2 * weight // ONE) * Q2_90 // 2**60
        left = deviation**2 * (2**60 // (ONE + told)) // ONE
        step = nearest(Fraction((left * Q_70 // 2**40) * (steepness * abs(surplus) // ONE // each), 2**60))
        strength += step if surplus >= 0 else -step
        return sorted((100_000, strength, 4_000_000))[1], sorted((50_000, math.isqrt(left), 350_000))[1]

    return [one(at) for at in range(len(seats))]


# ---- lines


def bits(number):
    return {at for at in range(32) if number >> at & 1}


def number_of(members):
    return sum(1 << member for member in members)


def answer_match(words):
    bar = words.index("|")
    seats = [tuple(int(word) for word in seat.replace("@", "/").split("/")) for seat in words[2:bar]]
    won = [tuple(bits(int(word)) for word in stage.split(":")) for stage in words[bar + 1 :]]
    return [f"{strength}/{deviation}" for strength, deviation in update(int(words[0]), bits(int(words[1])), seats, won)]


ANSWERS = {
    "match": answer_match,
    "stages": lambda words: [f"{number_of(inside)}:{number_of(first)}" for inside, first in stages([int(word) for word in words])],
    "chances": lambda words: chances(int(words[0]), [int(word) for word in words[1:]]),
    "aged": lambda words: [aged(int(words[0]), int(words[1]))],
    "constants": lambda words: [BLUR, Q_70, Q2_90, HALVES] + ROOTS,
}


def answered(line):
    word, *rest = line.split()
    return " ".join([line, "="] + [str(value) for value in ANSWERS[word](rest)])


def asked(line):
    return line.split(" =")[0]


# ---- random lines


def random_match(dice):
    each = dice.choice([1, 1, 1, 2])
    sides = 2 if each == 2 else dice.randint(2, 6)
    spread = dice.choice([50, 300, 1500])

    def seat(at):
        strength = min(max(int(dice.gauss(1500, spread) * 1000), 100_000), 4_000_000)
        return f"{strength}/{dice.choice([50_000, 350_000, dice.randint(50_000, 350_000)])}@{at % sides}"

    places = [dice.randint(1, sides) for _ in range(sides)]
    if dice.random() < 0.4:
        won = stages(places)
    else:
        won = [(set(range(sides)), {side for side in range(sides) if dice.random() < 1 / sides})]
    still = number_of({side for side in range(sides) if dice.random() < 0.05})
    scale = dice.choice([ONE, dice.randint(1 << 28, ONE)])
    seats = " ".join(seat(at) for at in range(sides * each))
    return f"match {scale} {still} {seats} | " + " ".join(f"{number_of(inside)}:{number_of(first)}" for inside, first in won)


def random_line(dice):
    kind = dice.random()
    if kind < 0.8:
        return random_match(dice)
    if kind < 0.87:
        return "stages " + " ".join(str(dice.randint(1, 5)) for _ in range(5))
    if kind < 0.93:
        strengths = [str(dice.randint(100_000, 4_000_000)) for _ in range(dice.randint(2, 8))]
        return f"chances {dice.randint(1 << 26, ONE)} " + " ".join(strengths)
    return f"aged {dice.randint(50_000, 350_000)} {dice.randint(-5, 4000) * dice.randint(0, DAY_MS)}"


# ---- comparing


def filtered(program, lines):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def differences(name, ours, theirs):
    if len(ours) != len(theirs):
        yield f"{name}: {len(ours)} lines and {len(theirs)}"
    yield from (f"{name}:\n  {one}\n  {other}" for one, other in zip(ours, theirs) if one != other)


def vectors_of(path):
    with open(path, encoding="ascii") as file:
        return file.read().splitlines()


def check(options):
    vectors = vectors_of(options.vectors)
    questions = [asked(line) for line in vectors]
    dice = random.Random(options.seed)
    lines = [random_line(dice) for _ in range(options.random)]
    found = list(differences("the vectors and the reference", vectors, [answered(line) for line in questions]))
    found += differences("the vectors and the filter", vectors, filtered(options.filter, questions))
    found += differences("the reference and the filter", [answered(line) for line in lines], filtered(options.filter, lines))
    return found, 2 * len(vectors) + len(lines)


FLAGS = ["-O0", "-O1", "-O2", "-O3 -march=native", "-Ofast -march=native", "-O1 -fsanitize=address,undefined"]


def compilers(options):
    vectors = vectors_of(options.vectors)
    dice = random.Random(1)
    lines = [asked(line) for line in vectors] + [random_line(dice) for _ in range(2000)]
    right = vectors + [answered(line) for line in lines[len(vectors) :]]
    sources = [os.path.join(options.sources, name) for name in ("update.c", "wide.c")]
    sources.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "filter.c"))
    found, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "filter")
        for compiler in options.compiler:
            for flags in FLAGS:
                include = [f"-I{options.sources}", f"-I{options.sources}/include"]
                subprocess.run([*shlex.split(compiler), *shlex.split(flags), "-std=c11", *include, *sources, "-o", program], check=True)
                found += differences(f"{compiler} {flags}", right, filtered(program, lines))
                count += len(lines)
    return found, count


def main():
    parser = Parser()
    verbs = parser.add_subparsers(dest="verb", required=True)
    checking = verbs.add_parser("check")
    checking.add_argument("filter")
    checking.add_argument("vectors")
    checking.add_argument("--random", type=int, default=2000)
    checking.add_argument("--seed", type=int, default=1)
    compiling = verbs.add_parser("compilers")
    compiling.add_argument("sources")
    compiling.add_argument("vectors")
    compiling.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    found, count = {"check": check, "compilers": compilers}[options.verb](options)
    for line in found[:20]:
        print(line)
    print(f"{count} inputs, {len(found)} of them differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

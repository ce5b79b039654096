"""The table of what may stand in the text of people says of every code point what Python's own data says, and is what its program makes.

usage: unicode.py TOP

Syllables of Hangul are taken apart without a table. What Unicode has assigned after Python's version of it is left out. Where Debian's package unicode-data of the table's version is installed,
the table is made again and must be the same.
"""

import pathlib
import re
import subprocess
import sys
import unicodedata

DATABASE = pathlib.Path("/usr/share/unicode")
BLANK = {0x2800, 0xFFFC, 0x1D159}
TURNING = {0x061C, *range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
LONGEST = 3
HANGUL = range(0xAC00, 0xD7A4)


def numbers_of(text, name):
    body = re.search(rf"{name}\[\] = \{{\n(.*?)\n\}};", text, re.DOTALL)[1]
    return [[int(number, 0) for number in re.findall(r"-?\b(?:0x[0-9a-f]+|\d+)\b", row)] for row in re.findall(r"\{[^{}]*(?:\{[^{}]*\})?\}", body)]


def points_of(text, name):
    return {point for first, last in numbers_of(text, name) for point in range(first, last + 1)}


def folds_of(text):
    folds = {}
    for first, last, step, delta in numbers_of(text, "FOLD_RUNS"):
        folds.update({point: (point + delta,) for point in range(first, last + 1, step)})
    for point, *parts in numbers_of(text, "FOLDS"):
        folds[point] = tuple(parts)
    return folds


def is_refused(point, category):
    return category in ("Cc", "Zl", "Zp", "Cs") or point in TURNING or 0xFFF9 <= point <= 0xFFFB


def findings(text):
    refused, unseen, ignored, folds = points_of(text, "REFUSED"), points_of(text, "UNSEEN"), points_of(text, "IGNORED"), folds_of(text)
    nothing = ignored | points_of(text, "SPACE")
    for point in range(0x110000):
        sign, category = chr(point), unicodedata.category(chr(point))
        if category == "Cn":
            if (point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF) != (point in refused):
                yield f"U+{point:04X} is no character, and refused if it is none"
            continue
        if is_refused(point, category) != (point in refused):
            yield f"U+{point:04X} ({category}) is refused or not"
        hidden = category[0] in "MZ" or category == "Cf" or point in BLANK or point in ignored
        if point not in refused and hidden != (point in unseen):
            yield f"U+{point:04X} ({category}) can be seen or not"
        yield from wrong_fold(point, sign, nothing, folds)


def alike(text, nothing, folds):
    """As the table compares it, once it is apart by Python."""
    return [last for sign in text if ord(sign) not in nothing for last in folds.get(ord(sign), (ord(sign),))]


def wrong_fold(point, sign, nothing, folds):
    if point in nothing or point in HANGUL or 0xD800 <= point <= 0xDFFF:
        return
    apart = sign
    for _ in range(3):
        apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", apart).casefold())
    wanted = alike(apart, nothing, folds)
    mine = [last for part in folds.get(point, (point,)) for last in folds.get(part, (part,))]
    if 0 < len(wanted) <= LONGEST and not (mine and mine[0] in HANGUL) and mine != wanted:
        yield f"U+{point:04X} is compared as {mine}, not {wanted}"


def is_made_again(top, text):
    version = re.search(r'UNICODE_VERSION "([0-9.]+)"', text)[1]
    core = DATABASE / "DerivedCoreProperties.txt"
    if not core.exists() or f"-{version}.txt" not in core.read_text(encoding="utf-8"):
        return True
    made = subprocess.run([sys.executable, "-B", top / "protocol/unicode/generate.py"], stdout=subprocess.PIPE, check=True)
    return made.stdout.decode() == text


def main():
    top = pathlib.Path(sys.argv[1])
    text = (top / "protocol/src/unicode_table.h").read_text(encoding="utf-8")
    wrong = list(findings(text))
    if not is_made_again(top, text):
        wrong.append("the table is not what its program makes")
    for line in wrong[:50]:
        print(line)
    sys.exit(bool(wrong))


main()

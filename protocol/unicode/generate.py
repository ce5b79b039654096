#!/usr/bin/env python3
"""Writes ../src/unicode_table.h from the Unicode Character Database, as Debian's package unicode-data has it.

    protocol/unicode/generate.py [FOLDER] > protocol/src/unicode_table.h

FOLDER is /usr/share/unicode unless it is said. Nothing else needs that package: the table is kept with its version.
"""

import pathlib
import re
import sys

POINTS = 0x110000
HANGUL = range(0xAC00, 0xD7A4)

# Symbols by their category that show nothing: a blank Braille pattern, what stands for an object, a note without a head.
BLANK = {0x2800, 0xFFFC, 0x1D159}

# What looks like a letter of the Latin alphabet, or like another sign, in most fonts: by hand, as the package has no list of them. Both sides
# are as folding leaves them, in lower case; a letter counts if it looks so in either case. 0 and o, 1 and i and l are one.
LOOKS = {
    "a": "аαꓮᎪɑ", "b": "вβꓐᏴ", "c": "сϲꓚᏟ", "d": "ԁꓓᎠ", "e": "еεꓰᎬ", "f": "ꓝ", "g": "ցɡꓖᏀ", "h": "нηһհꓧᎻ", "j": "јϳյꓙᎫ", "k": "кκꓗᏦ",
    "l": "i1|ıіιӏǀꓲꓡᏞ", "m": "мμꓟᎷ", "n": "ոꓠ", "o": "0оοօꓳ", "p": "рρꓑᏢ", "q": "ԛզ", "r": "ꓣᏒ", "s": "ѕꓢᏚ", "t": "тτꓔᎢ", "u": "սꓴ",
    "v": "νѵꓦᏙ", "w": "ԝꓪᎳ", "x": "хχꓫ", "y": "уүυꓬᎩ", "z": "ζꓜᏃ", "-": "‐‒–—−", "'": "’‘ʼ′´`ʹ", '"': "“”″",
}


def lines_of(folder, name):
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) > 1:
            yield fields


def points_of(text):
    first, _, last = text.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def property_of(folder, name, word):
    return {point for fields in lines_of(folder, name) if fields[1] == word for point in points_of(fields[0])}


def read_database(folder):
    category, parts, first = {}, {}, 0
    for fields in lines_of(folder, "UnicodeData.txt"):
        point = int(fields[0], 16)
        if fields[1].endswith("First>"):
            first = point
        for each in range(first if fields[1].endswith("Last>") else point, point + 1):
            category[each] = fields[2]
        if fields[5] and not fields[5].startswith("<"):
            parts[point] = [int(part, 16) for part in fields[5].split()]
    return category, parts


def ranges_of(points):
    ranges = []
    for point in sorted(points):
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return ranges


def folds_of(folder, parts, nothing):
    """What each code point is when case, compatibility and what may be ignored are: apart, with each look-alike as one. Longer ones are left.

    `nothing` is left out everywhere.
    """
    looks = {ord(sign): ord(like) for like, signs in LOOKS.items() for sign in signs}
    folded = {}
    for fields in lines_of(folder, "DerivedNormalizationProps.txt"):
        if fields[1] == "NFKC_CF":
            for point in points_of(fields[0]):
                folded[point] = [int(part, 16) for part in fields[2].split()] if len(fields) > 2 else []

    def apart(point):
        return [last for part in parts[point] for last in apart(part)] if point in parts else [looks.get(point, point)]

    every = {
        point: [last for part in folded.get(point, [point]) for last in apart(part) if last not in nothing]
        for point in {*folded, *parts, *looks} - nothing
    }
    whole = {point: fold for point, fold in every.items() if fold != [point] and 0 < len(fold) < 4 and point not in HANGUL}
    return {point: fold for point, fold in whole.items() if len(fold) == 1 or not any(part in HANGUL for part in fold)}


def runs_of(folds):
    """Code points that fold to one other: in runs of one distance and one step."""
    runs = []
    for point in sorted(point for point, fold in folds.items() if len(fold) == 1):
        delta = folds[point][0] - point
        if runs and runs[-1][3] == delta and (point - runs[-1][1] == runs[-1][2] or (runs[-1][0] == runs[-1][1] and point - runs[-1][1] <= 2)):
            runs[-1][2] = point - runs[-1][1]
            runs[-1][1] = point
        else:
            runs.append([point, point, 1, delta])
    return runs


def print_table(head, rows):
    print(f"\nstatic const struct {head}[] = {{")
    line = "   "
    for row in rows:
        if len(line) + len(row) > 98:
            print(line)
            line = "   "
        line += f" {row},"
    print(f"{line}\n}};")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    version = re.search(r"DerivedCoreProperties-([0-9.]+)\.txt", (folder / "DerivedCoreProperties.txt").read_text(encoding="utf-8"))[1]
    category, parts = read_database(folder)
    ignored = property_of(folder, "DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    space = property_of(folder, "PropList.txt", "White_Space")
    turning = property_of(folder, "PropList.txt", "Bidi_Control")
    none = property_of(folder, "PropList.txt", "Noncharacter_Code_Point")
    refused = turning | none | {point for point, word in category.items() if word in ("Cc", "Zl", "Zp", "Cs")} | set(range(0xFFF9, 0xFFFC))
    unseen = ignored | space | BLANK | {point for point, word in category.items() if word[0] in "MZ" or word in ("Cc", "Cf")}
    folds = folds_of(folder, parts, ignored | space)
    print(f"/* Made by unicode/generate.py from Unicode {version}: do not change it here. */")
    print("/* clang-format off */")
    print(f'#define UNICODE_VERSION "{version}"')
    for name, points in (("SPACE", space), ("REFUSED", refused), ("UNSEEN", unseen - refused), ("IGNORED", ignored)):
        print_table(f"range {name}", [f"{{0x{first:x}, 0x{last:x}}}" for first, last in ranges_of(points)])
    print_table("fold_run FOLD_RUNS", [f"{{0x{first:x}, 0x{last:x}, {step}, {delta}}}" for first, last, step, delta in runs_of(folds)])
    several = sorted(point for point, fold in folds.items() if len(fold) > 1)
    print_table("fold FOLDS", [f"{{0x{point:x}, {{{', '.join(f'0x{part:x}' for part in folds[point])}}}}}" for point in several])


main()

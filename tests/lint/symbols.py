"""The library of a game's rules, or of a computer player together with its rules, calls nothing but mem* and assert and
keeps no variable: no heap, clock, input, output, randomness or memory of an earlier call can hide in it.

usage: symbols.py NM ARCHIVE ...
"""

import re
import subprocess
import sys

import tree

CALLS = re.compile(
    r"mem(cpy|move|set|cmp|chr)"
    r"|__mem(cpy|move|set)_chk"  # the same, with _FORTIFY_SOURCE
    r"|__assert_fail|__stack_chk_fail"
    r"|_GLOBAL_OFFSET_TABLE_"
)
VARIABLES = re.compile(r"\.(data|bss|tdata|tbss)\b(?!\.rel\.ro)|\*COM\*")


def rows(listing):
    """Name, class and section of every symbol in what `nm --format=sysv` prints."""
    for line in listing.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[0] != "Name":
            yield cells[0], cells[2], cells[6]


def findings(listing):
    symbols = list(rows(listing))
    own = {name for name, kind, _ in symbols if kind not in "Uw"}
    if not own:
        yield "the archive defines nothing"
    for name in sorted({name for name, kind, _ in symbols if kind in "Uw"} - own):
        if not CALLS.fullmatch(name):
            yield f"the library calls {name}"
    for name, _, section in symbols:
        if VARIABLES.match(section):
            yield f"the library keeps a variable: {name}"


def main(nm, *archives):
    listing = subprocess.run([nm, "--format=sysv", *archives], capture_output=True, text=True, check=True).stdout
    return tree.report(list(findings(listing)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

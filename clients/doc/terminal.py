#!/usr/bin/env python3
"""Turns a captured terminal screen into an SVG picture.

    tmux capture-pane -e -p -t SESSION | ./terminal.py COLUMNS ROWS > terminal.svg

Understands what the client prints: UTF-8 and the SGR sequences for bold and for 16, 256 and
true colours.
"""

import re
import sys
from xml.sax.saxutils import escape

CELL_W, CELL_H, PAD = 9, 19, 10
BASE = [
    "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
    "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
]  # fmt: skip
NBSP = "\u00a0"  # blanks that XML does not fold
INK, PAPER = "#d4d4d4", "#14181c"


def colour_256(n):
    if n < 16:
        return BASE[n]
    if n >= 232:
        grey = 8 + 10 * (n - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    n -= 16
    steps = [0, 95, 135, 175, 215, 255]
    return f"#{steps[n // 36]:02x}{steps[n // 6 % 6]:02x}{steps[n % 6]:02x}"


class Style:
    def __init__(self):
        self.ink, self.paper, self.bold = None, None, False

    def extended(self, codes):
        if codes.pop(0) == 5:
            return colour_256(codes.pop(0))
        red, green, blue = codes.pop(0), codes.pop(0), codes.pop(0)
        return f"#{red:02x}{green:02x}{blue:02x}"

    def apply(self, codes):
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code in (38, 48):
                colour = self.extended(codes)
                if code == 38:
                    self.ink = colour
                else:
                    self.paper = colour
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.ink = BASE[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.paper = BASE[code - 40 if code < 100 else code - 92]
            elif code == 39:
                self.ink = None
            elif code == 49:
                self.paper = None


def cells(line, style):
    """(character, ink, paper, bold) for each column."""
    for part in re.split("(\x1b\\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            style.apply([int(code or 0) for code in part[2:-1].split(";")])
            continue
        for character in part:
            yield character, style.ink or INK, style.paper, style.bold


def runs(row):
    """Neighbours of one look, together."""
    start, kept = 0, None
    for column, (character, *look) in enumerate(row):
        if kept and kept[1] == look:
            kept[0].append(character)
            continue
        if kept:
            yield start, "".join(kept[0]), kept[1]
        start, kept = column, ([character], look)
    if kept:
        yield start, "".join(kept[0]), kept[1]


def main():
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    width, height = columns * CELL_W + 2 * PAD, rows * CELL_H + 2 * PAD
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
        f'font-size="15">'
    )
    print(f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>')
    style = Style()
    for y, line in enumerate(sys.stdin.read().split("\n")[:rows]):
        for x, text, (ink, paper, bold) in runs(list(cells(line, style))):
            left, top = PAD + x * CELL_W, PAD + y * CELL_H
            if paper:
                print(f'<rect x="{left}" y="{top}" width="{len(text) * CELL_W}" '
                      f'height="{CELL_H}" fill="{paper}"/>')  # fmt: skip
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                print(f'<text x="{left}" y="{top + 14}" textLength="{len(text) * CELL_W}" '
                      f'fill="{ink}"{weight}>{escape(text).replace(" ", NBSP)}</text>')  # fmt: skip
    print("</svg>")


if __name__ == "__main__":
    main()

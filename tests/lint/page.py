"""The page in clients/web knows games through one interface: who imports whom there, and that only a game speaks of itself.

A game's folder is js/games/NAME. Outside the games nothing imports from them but the types of games/game.js and what
games/registry.js gives (of a game its game.js, and first.js for somebody new); a game imports from the page only what draws, words, and what lessons are made of: dom, fields, frames, icons,
words, learning.

What the first page is made of is named in index.html, so that a browser fetches it all at once instead of finding one module in
another: what somebody new sees first before all else, as lines are slow and fetch a few at a time.

usage: page.py TOP
"""

import os
import re
import sys

import tree

WEB = "clients/web"
GAMES = "js/games"
INTERFACE = f"{GAMES}/game.js"
REGISTRY = f"{GAMES}/registry.js"
START = "js/app.js"
EARLY = "js/first.js"
INDEX = "index.html"
PRELOADED = re.compile(r'<link rel="modulepreload" href="([^"]+)">')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
FOR_GAMES = {f"js/{name}.js" for name in ("dom", "fields", "frames", "icons", "learning", "words")} | {INTERFACE}
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*)(['"])([^'"]+)\1|\bimport\s*\(\s*(['"`])([^'"`]+)\3""")

# What only Taluva is about, in the languages that the page speaks.
TERMS = re.compile(
    r"(?i:\b(?:hut|tower|temple|tile|volcano|lagoon|island|hex|hexes|jungle|terrain|boat|settlement|eruption|coast"
    r"|hutte|tuile|volcan|île|lagon|bateau)s?\b)|房舍|神庙|板块|火山|潟湖|聚落"
    r"|(?i:\b(?:Hütten?|Plättchen|Vulkane?|Lagunen?|Inseln?|Siedlung(?:en)?|choza|loseta|volcán|laguna|isla|poblado|capann[ae]|tesser[ae]|vulcan[oi]"
    r"|isol[ae]|insediament[oi]|chat[ay]|kafel(?:ek|ki)|wulkan|lagun[ay]|wysp[ay]|osad[ay])s?\b)|小屋|タイル|集落|ラグーン"
)


def game_of(path):
    """The folder of the game that a file of the page belongs to; None for the page's own."""
    match = re.match(rf"{GAMES}/([^/]+)/", path)
    return match.group(1) if match else None


def imports(path, text, at_once=False):
    """`at_once`: without what is fetched later, or named only for its type."""
    for _, static, _, dynamic in IMPORT.findall(COMMENT.sub("", text) if at_once else text):
        target = static or ("" if at_once else dynamic)
        if target:
            yield os.path.normpath(os.path.join(os.path.dirname(path), target)) if target.startswith(".") else target


def may_import(path, target):
    game, other = game_of(path), game_of(target)
    if path == REGISTRY and other is not None:
        return target in (f"{GAMES}/{other}/game.js", f"{GAMES}/{other}/first.js")
    if game is None:
        return other is None
    return other == game or target in FOR_GAMES


def made_of(texts, *paths):
    """These modules and all that they import at once."""
    found, ahead = set(), list(paths)
    while ahead:
        path = ahead.pop()
        if path in texts and path not in found:
            found.add(path)
            ahead.extend(imports(path, texts[path], at_once=True))
    return found


def preload_findings(texts):
    """The page's own modules, and those of the first game in the registry; what somebody new sees first before the others."""
    if START not in texts or INDEX not in texts:
        return
    games = [target for target in imports(REGISTRY, COMMENT.sub("", texts.get(REGISTRY, ""))) if game_of(target)]
    mine = [target for target in games if games and game_of(target) == game_of(games[0])]
    named, wanted = PRELOADED.findall(texts[INDEX]), made_of(texts, START, EARLY, *mine) - {START, EARLY}
    early = made_of(texts, EARLY, *[target for target in mine if target.endswith("/first.js")]) - {EARLY}
    for path in named[: len(early)]:
        if path in wanted - early:
            yield f"{WEB}/{INDEX}: preloads {path} before what somebody new sees first"
    for path in sorted(wanted - set(named)):
        yield f"{WEB}/{INDEX}: must preload {path}"
    for path in sorted(set(named) - wanted):
        yield f"{WEB}/{INDEX}: preloads {path}, which the first page does without"


def findings(top):
    texts = {}
    found_interface = False
    for file in tree.files(os.path.join(top, WEB), ".js", ".css", ".html"):
        path = file.replace(os.sep, "/")
        found_interface |= path == INTERFACE
        texts[path] = text = tree.read(os.path.join(top, WEB), file)
        for target in imports(path, text) if path.endswith(".js") else ():
            if not may_import(path, target):
                yield f"{WEB}/{path}: must not import {target}"
        if game_of(path) is not None:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            term = TERMS.search(PRELOADED.sub("", line))
            if term:
                yield f"{WEB}/{path}:{number}: speaks of a game's {term.group()}"
    yield from preload_findings(texts)
    if not found_interface:
        yield f"{WEB}/{INTERFACE}: is missing"


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

"""Finished matches in a list: from both sides, by page, over a server that dies, and what is said where there are none.

usage: finished.py TALUVAD TALUVA
"""

import json
import re
import sys

from person import ESCAPES, Terminal
from world import World, check

MATCHES = 22  # more than a page has
PAGE = 20
# The bots do nothing but play.
PLENTY = ("--requests-per-s=100000", "--requests-burst=100000", "--work-per-s=100000", "--work-burst=100000")
ROW = re.compile(r"(?P<ago>just now|\d+ minutes? ago) +totem +(?P<against>\w+) +(?P<result>won|lost|nobody won) +(?P<room>[0-9a-z]{8})")


def play(world):
    """Two bots, one match after the other; their rooms, the newest first."""
    room = world.run("create", "--profile", "host", "--no-join", "--game", "totem", "--players", 2, "--rounds", 1).split()[0]
    bots = [world.start(name, "bot", room, "--name", name.title(), "--games", MATCHES, "--seed", i, "--json") for i, name in enumerate(("ana", "bo"))]
    for bot in bots:
        bot.finish()
    rooms = [over["room"] for over in bots[0].local("over")]
    check(len(set(rooms)) == MATCHES, f"{len(set(rooms))} matches were played")
    return rooms[::-1]


def listed(world, profile, *words):
    """The rows behind the heading."""
    heading, *lines = world.run("games", "--profile", profile, *words).splitlines()
    check(heading.split() == ["Ended", "Game", "Against", "Result", "Room"], heading)
    rows = [ROW.fullmatch(line) for line in lines]
    check(all(rows), f"{lines}")
    check(all(len(line) <= 80 for line in lines), "wider than a terminal")
    return [row.groupdict() for row in rows]


def from_both_sides(world, rooms):
    for profile, other in (("ana", "Bo"), ("bo", "Ana")):
        rows = listed(world, profile)
        check([row["room"] for row in rows] == rooms[:PAGE], f"the first page of {profile}: {rows}")
        rows = listed(world, profile, "--all")
        check([row["room"] for row in rows] == rooms, f"all of {profile}: {rows}")
        check({row["against"] for row in rows} == {other}, f"{profile} played against {rows}")
    answers = {"won": "lost", "lost": "won", "nobody won": "nobody won"}
    results = [[row["result"] for row in listed(world, profile, "--all")] for profile in ("ana", "bo")]
    check([answers[result] for result in results[0]] == results[1], f"they disagree: {results}")
    return results


def in_json(world, rooms):
    """Programs get the server's answers page by page, and no line for people."""
    lines = [json.loads(line) for line in world.run("games", "--json", "--all", "--profile", "ana").splitlines()]
    pages = [line["ok"] for line in lines if "games" in line.get("ok", {})]
    check([len(page["games"]) for page in pages] == [PAGE, MATCHES - PAGE], "other pages")
    check([game["room"] for page in pages for game in page["games"]] == rooms, "other rooms")
    check([page.get("more", False) for page in pages] == [True, False], "more than there are")
    asked = [line["request"].get("after") for line in lines if line.get("local") == "sent" and line["request"]["op"] == "games"]
    check(asked == [None, rooms[PAGE - 1]], f"asked for what is behind {asked}")


def at_a_terminal(world):
    for profile, says in (("ana", "There are older ones: `taluva games --all`"), ("chi", "You have no finished match here yet; `taluva create`")):
        terminal = Terminal(world.command("games", "--profile", profile), world.environment)
        terminal.expect(says)
        check(terminal.process.wait(600) == 0, "it has failed")
        check(not ESCAPES.search(terminal.raw), "colours where nothing is drawn")
        terminal.close()


def main():
    with World(sys.argv[1], sys.argv[2], *PLENTY) as world:
        rooms = play(world)
        results = from_both_sides(world, rooms)
        in_json(world, rooms)
        at_a_terminal(world)
        world.server.kill()
        world.run("games", "--profile", "ana", "--patience", 1, code=69)
        world.server.start()
        check(from_both_sides(world, rooms) == results, "another list after the restart")
        world.run("games", "--profile", "ana", rooms[0], code=64)
    print("finished matches: listed from both sides, before and after")


main()

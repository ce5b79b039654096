"""Bots with a level: whole matches over restarts of the server, several rooms at once, leaving and coming back.

usage: bot.py TALUVAD TALUVA SCHEMA_FOLDER ENGINE_PY
"""

import os
import pathlib
import shlex
import signal
import sys
import tempfile
import time

from world import PATIENCE_S, World, check, check_record, check_traffic, wait_for


def make_room(world, *options):
    return world.run("create", "--profile", "host", "--no-join", *options).split()[0]


def seq_of(bot):
    return max((line["seq"] for line in bot.lines() if line.get("push") == "event"), default=0)


def final_state(bots, room):
    overs = [[over for over in bot.local("over") if over["room"] == room] for bot in bots]
    check(all(len(over) == 1 for over in overs), f"the end of {room} was told {[len(over) for over in overs]} times")
    states = [over[0]["state"] for over in overs]
    check(all(state == states[0] for state in states), "the bots disagree")
    check(states[0]["result"]["why"] != "abandoned", f"{states[0]['result']}")
    return states[0]


def moves_of(bot):
    return [line["request"]["move"] for line in bot.local("sent") if line["request"]["op"] == "move"]


def check_moves(bots, room):
    """Every move was taken at once: whoever knows the position does not try."""
    for bot in bots:
        errors = [line["error"]["code"] for line in bot.lines() if "error" in line]
        check(not errors, f"{bot.name} was refused: {errors}")
        check(not any(line["request"]["op"] == "moves" for line in bot.local("sent")), f"{bot.name} asked for moves")
    return room


def restarted(world):
    """Three levels, everything in the box, and a server that dies twice."""
    room = make_room(world, "--players", 3, "--boats", "--two-hex", "--tiles", 36)
    levels = ["regular", 4, "strong"]
    bots = [
        world.start(f"re{i}", "bot", room, "--level", level, "--seed", i, "--delay", 15, "--json")
        for i, level in enumerate(levels)
    ]
    for seq in (15, 40):
        wait_for(f"event {seq}", lambda: seq_of(bots[0]) >= seq)
        world.server.kill()
        time.sleep(0.2)
        world.server.start()
    for bot in bots:
        bot.finish()
    for bot in bots:
        check(len(bot.local("online")) == 3, f"{bot.name} was online {len(bot.local('online'))} times")
    check_record(world, room, final_state(bots, room))


def several_rooms(world):
    """Two bots, three rooms, all at once; nothing is refused."""
    rooms = [make_room(world, "--players", 2, *options) for options in ([], ["--tiles", 24], ["--zone", "player"])]
    bots = [
        world.start(f"many{i}", "bot", *rooms, "--level", level, "--seed", i, "--json")
        for i, level in enumerate(["simple", "skilled"])
    ]
    for bot in bots:
        bot.finish()
    for room in rooms:
        final_state(bots, check_moves(bots, room))
    rounds = [moves_of(bot) for bot in bots]
    check(all(len(moves) > 30 for moves in rounds), f"{[len(moves) for moves in rounds]} moves")


def rematches(world):
    """What was seen in one match is forgotten in the next."""
    room = make_room(world, "--players", 2, "--tiles", 24)
    bots = [world.start(f"series{i}", "bot", room, "--level", "skilled", "--games", 2, "--seed", i, "--json") for i in range(2)]
    for bot in bots:
        bot.finish()
    rooms = [over["room"] for over in bots[0].local("over")]
    check(len(set(rooms)) == 2, f"{rooms}")
    for room in rooms:
        final_state(bots, check_moves(bots, room))


def seats_of(world, room):
    """Who sits in a room, as somebody sees who looks at it."""
    watcher = world.start(f"look{len(world.clients)}", "watch", room, "--json")
    view = wait_for("a view", lambda: [line for line in watcher.lines() if "state" in line.get("ok", {})])[0]
    watcher.process.kill()
    watcher.process.wait()
    return view["ok"]["state"]["seats"]


def interrupt(bot):
    bot.process.send_signal(signal.SIGINT)
    code = bot.process.wait(PATIENCE_S)
    check(code == 130, f"an interrupted bot ended with {code}")


def totem(world):
    """Two levels against two computers of the server, everything in secret, and a server that dies once; nothing is refused."""
    room = make_room(world, "--game", "totem", "--players", 4, "--spells", "B", "--meals", "B", "--bots", 2, "--level", "simple")
    bots = [
        world.start(f"totem{i}", "bot", room, "--level", level, "--seed", i, "--json", *start)
        for i, (level, start) in enumerate([("strong", ["--start"]), (3, [])])
    ]
    wait_for("some events", lambda: seq_of(bots[0]) >= 30)
    world.server.kill()
    world.server.start()
    for bot in bots:
        bot.finish()
    states = [bot.local("over")[0]["state"] for bot in bots]
    check(states[0]["result"] == states[1]["result"] and states[0]["result"]["why"] == "totem", f"{[state['result'] for state in states]}")
    check_moves(bots, room)
    check(all(len(moves_of(bot)) > 10 for bot in bots), "the bots did not play")
    check_record(world, room, states[0])


def totem_alone(world):
    """Who leads two families plays for both."""
    room = make_room(world, "--game", "totem", "--players", 2, "--bots", 1, "--level", "skilled")
    bot = world.start("pair", "bot", room, "--level", "strong", "--seed", 1, "--start", "--json")
    bot.finish()
    check_moves([bot], room)
    families = {move.split("@")[1][0] for move in moves_of(bot)}
    check(len(families) == 2, f"it played for {families}")


def leaves_and_returns(world):
    """In a lobby the seat is given up; in a match it is kept, and the same profile goes on with it."""
    room = make_room(world, "--players", 2)
    lobby = world.start("leaver", "bot", room, "--level", "regular", "--json")
    wait_for("a seat", lambda: lobby.lines() and seq_of(lobby) >= 2)
    check(len(seats_of(world, room)) == 1, "the bot does not sit there")
    interrupt(lobby)
    check(not seats_of(world, room), "the seat was not given up")
    bots = [
        world.start(f"stay{i}", "bot", room, "--level", level, "--seed", i, "--json")
        for i, level in enumerate(["master", "strong"])
    ]
    wait_for("some moves", lambda: len(moves_of(bots[0])) >= 6)
    interrupt(bots[0])  # who thinks most of the time
    check(set(seats_of(world, room)) == {"0", "1"}, "a seat in a match was given up")
    back = world.start("stay0", "bot", room, "--level", "strong", "--json")
    back.finish()
    bots[1].finish()
    check(not [line for line in back.lines() if "error" in line and line["error"]["code"] != "already_seated"], "refused")
    final_state([back, bots[1]], room)


def gives_up(taluvad, taluva):
    """A server that does not come back: the bot waits as long as it was told to, and says so."""
    with World(taluvad, taluva) as world:
        room = make_room(world, "--players", 2)
        bot = world.start("patient", "bot", room, "--level", "regular", "--patience", 1, "--json")
        wait_for("a seat", lambda: bot.lines() and seq_of(bot) >= 2)
        world.server.stop()
        check(bot.process.wait(PATIENCE_S) == 69, f"it ended with {bot.process.returncode}")
        check(len(bot.local("failed")) == 1, "it did not say why")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends_with_its_room(world, alone):
    """Each room has an engine of its own, which goes when its room has ended, whatever the others do."""
    ending = world.run("create", "--profile", "ending", *alone).split()[0]
    waiting = make_room(world, "--players", 2)
    with tempfile.TemporaryDirectory(prefix="taluva-bot-") as folder:
        file = pathlib.Path(folder) / "pids"
        command = f"echo $$ >> {shlex.quote(str(file))}; echo ready; while read line; do echo best JC@9,9:0 hut@1,0; done"
        bot = world.start("rooms", "bot", ending, waiting, "--engine", command, "--start", "--json")
        wait_for("an end", lambda: bot.local("ended"))
        check([line["room"] for line in bot.local("ended")] == [ending], f"{bot.local('ended')}")
        wait_for("both engines", lambda: len(pids := file.read_text().split()) == 2 and sum(is_alive(int(pid)) for pid in pids) == 1)
        interrupt(bot)
        wait_for("the other's end", lambda: not any(is_alive(int(pid)) for pid in file.read_text().split()))


def engines(world, taluva, example):
    """A program chooses the moves: the computer as an engine over two matches, and one of anybody's; what is broken is said and ends."""
    own, anybody = f"{shlex.quote(taluva)} engine", f"TALUVA={shlex.quote(taluva)} {shlex.quote(sys.executable)} -B {shlex.quote(example)}"
    room = make_room(world, "--players", 2, "--tiles", 24, "--two-hex")
    bots = [
        world.start("engine0", "bot", room, "--engine", own, "--simulations", 5, "--games", 2, "--seed", 1, "--json"),
        world.start("engine1", "bot", room, "--engine", anybody, "--time", 1000, "--games", 2, "--seed", 2, "--json"),
    ]
    for bot in bots:
        bot.finish()
    rooms = [over["room"] for over in bots[0].local("over")]
    check(len(set(rooms)) == 2, f"{rooms}")
    for room in rooms:
        final_state(bots, check_moves(bots, room))
    broken = {
        "exit 3": "it has ended, or closed its input or output",
        "echo ready; cat > /dev/null & exec >&-; wait": "it has ended, or closed its input or output",
        "echo ready; while read line; do echo best JC@9,9:0 hut@1,0; done": "it would play what is not legal",
        "echo ready; while read line; do echo error bad; done": "it does not follow what it is told",
        "head -c 20000 /dev/zero | tr '\\0' x; cat > /dev/null": "a line of it is too long",
    }
    alone = ("--no-join", "--players", 2, "--bots", 1)
    for command, why in broken.items():
        room = world.run("create", "--profile", f"maker{len(world.clients)}", *alone).split()[0]
        bot = world.start(f"broken{len(world.clients)}", "bot", room, "--engine", command, "--start", "--json")
        check(bot.process.wait(PATIENCE_S) == 65, f"{command}: it ended with {bot.process.returncode}")
        check(why in bot.local("ended")[0]["why"], f"{command}: {bot.local('ended')}")
    ends_with_its_room(world, alone)
    room = world.run("create", "--profile", "patience", *alone).split()[0]
    slow = world.start("slow", "bot", room, "--engine", "echo ready; while read line; do :; done", "--start", "--json")
    wait_for("a match", lambda: any("started" in str(line.get("event")) for line in slow.lines()))
    interrupt(slow)  # while its engine thinks
    world.run("bot", room, "--engine", own, "--level", 1, code=64)
    world.run("bot", room, "--simulations", 1, code=64)
    totem = world.run("create", "--profile", "totemist", "--no-join", "--game", "totem", "--players", 2).split()[0]
    world.run("bot", totem, "--engine", own, "--profile", "totemist", code=64)


def refusals(world):
    """What cannot be played is said, with a code of its own, and other rooms go on."""
    room = make_room(world, "--players", 2)
    totem = make_room(world, "--game", "totem", "--players", 2)
    world.run("bot", room, "--level", "godlike", code=64)
    world.run("bot", room, "--level", 7, code=64)
    world.run("bot", room, "--level", "", code=64)
    world.run("bot", room, room, "--level", 1, code=64)
    world.run("bot", totem, "--level", "master", "--profile", "totemist", code=64)
    check(not seats_of(world, totem), "the seat of a game that has no such level was kept")
    world.run("bot", "zzzzzzzz", "--level", 1, "--profile", "lost", code=77)
    both = world.start("both", "bot", "zzzzzzzz", room, "--level", 1, "--json")
    other = world.start("other", "bot", room, "--level", 2, "--json")
    other.finish()
    check(both.process.wait(PATIENCE_S) == 77, "the refused room is not in the exit code")
    check(len(both.local("over")) == 1 and len(both.local("ended")) == 1, "the other room was not played")


def main(taluvad, taluva, schema_folder, example):
    with World(taluvad, taluva, "--computer-ms=20") as world:
        restarted(world)
        several_rooms(world)
        rematches(world)
        totem(world)
        totem_alone(world)
        leaves_and_returns(world)
        engines(world, taluva, example)
        refusals(world)
        check_traffic(world, schema_folder)
    gives_up(taluvad, taluva)
    print("bots played")


if __name__ == "__main__":
    main(*sys.argv[1:])

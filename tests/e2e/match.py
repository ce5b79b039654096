"""Whole matches of bots over real sockets, watched, killed and resumed on the way.

usage: match.py TALUVAD TALUVA SCHEMA_FOLDER SCENARIO
"""

import sys
import time

from world import World, check, check_record, check_traffic, wait_for

NAMES = ["Ana", "Bo", "Chi", "Dee", "Eli"]
TOTEM = ["--game", "totem", "--players"]
EVERYTHING = ["--players", 5, "--boats", "--two-hex", "--zone", "expert", "--clock", "fischer"]

# What is played, by how many, and at which events of the watcher the server is ended: killed, told to end, killed ...
SCENARIOS = {
    "team": (["--players", 4, "--teams"], 4, []),
    "team-killed": (["--players", 4, "--teams"], 4, [20, 60]),
    "everything": (EVERYTHING, 5, []),
    "everything-killed": (EVERYTHING, 5, [16, 34]),
    "ranking-killed": (["--players", 3, "--ranking", "--boats", "--tiles", 24], 3, [30]),
    "totem": ([*TOTEM, 4, "--rounds", 6], 4, []),
    "totem-killed": ([*TOTEM, 4, "--clock", "fischer"], 4, [30, 150]),
    "totem-secret-killed": (
        [*TOTEM, 2, "--rounds", 9, "--spells", "B", "--meals", "B", "--village", "--totem-a", "--totem-b"],
        2,
        [25, 60],
    ),
    "totem-three-killed": ([*TOTEM, 3, "--rounds", 9, "--spells", "A", "--meals", "A", "--first", "G"], 3, [40]),
}


def watched_seq(watcher):
    return max((line["seq"] for line in watcher.lines() if line.get("push") == "event"), default=0)


def check_no_turns(world, room):
    """Whoever has a record of Totem before the end has no turns: they would tell what is hidden."""
    record = world.run("record", room, "--profile", "curious")
    turns = [line for line in record.splitlines() if line and line[0] != "["]
    if '[Game "totem"]' in record:
        check('[Result.why' not in record and not turns, f"a record under way has turns: {turns[:3]}")


def end_and_restart(world, watcher, seq, politely):
    wait_for(f"event {seq}", lambda: watched_seq(watcher) >= seq)
    if politely:
        check(world.server.stop() == 0, "the server does not end in good order")
    else:
        world.server.kill()
    time.sleep(0.2)
    world.server.start()


def check_resumed(clients, kills):
    for client in clients:
        cuts, returns = client.local("offline"), client.local("online")
        check(len(cuts) >= kills, f"{client.name} saw {len(cuts)} cuts of {kills}")
        check(len(returns) == kills + 1, f"{client.name} came back {len(returns) - 1} times of {kills}")
        check(not client.local("forgotten"), f"{client.name} lost its session")


def play(world, options, players, kills):
    room = world.run("create", "--profile", "host", "--no-join", *options).split()[0]
    slow = ["--delay", 15] if kills else []
    bots = [
        world.start(f"bot{i}", "bot", room, "--name", NAMES[i], "--seat", i, "--seed", 100 + i, "--json", *slow)
        for i in range(players)
    ]
    watcher = world.start("watcher", "watch", room, "--json")
    for at, seq in enumerate(kills):
        end_and_restart(world, watcher, seq, politely=at % 2 == 1)
        check_no_turns(world, room)
    for client in world.clients:
        client.finish()
    return room, bots + [watcher]


def final_state(clients):
    """The state that all of them ended with."""
    overs = [client.local("over") for client in clients]
    for client, over in zip(clients, overs):
        check(len(over) == 1, f"{client.name} saw the end {len(over)} times")
        check(over[0]["seq"] == overs[0][0]["seq"], f"{client.name} ended at another event")
        check(over[0]["state"] == overs[0][0]["state"], f"{client.name} ended with another state")
    return overs[0][0]["state"]


def main(taluvad, taluva, schema_folder, scenario):
    options, players, kills = SCENARIOS[scenario]
    with World(taluvad, taluva) as world:
        room, clients = play(world, options, players, kills)
        state = final_state(clients)
        check(state["phase"] == "over" and state["result"]["why"] != "abandoned", f"ended by {state['result']}")
        check_resumed(clients, len(kills))
        check_record(world, room, state)
        check_traffic(world, schema_folder)
        print(f"{scenario}: {state['result']}")


if __name__ == "__main__":
    main(*sys.argv[1:])

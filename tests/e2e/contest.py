"""Levels and outside programs against each other: good ones, and each way in which one can be bad.

usage: contest.py TALUVAD TALUVA TALUVA_CONTEST PLAYER_PY ENGINE_PY RECORD
"""

import json
import math
import os
import pathlib
import random
import shlex
import statistics
import subprocess
import sys
import tempfile

from world import PATIENCE_S, World, check, wait_for

# What a program does, and what is said of it. None of them reads more than it must.
BAD = {
    "false": "ended",
    "echo '{\"op\":\"ping\"}'": "ended",
    "sleep 1000": "silent",
    "cat > /dev/null": "silent",
    "while :; do echo '{\"op\":\"ping\"}'; done": "deaf",
    "yes": "rubbish",
    "yes '[1,2]'": "rubbish",
    "yes '{\"local\":\"dance\"}'": "rubbish",
    "head -c 200000 /dev/zero; sleep 1000": "rubbish",
    "cat": "rubbish",
    "while read line; do echo '{\"op\":\"moves\",\"room\":\"zzzzzzzz\"}'; done": "refused",
    "while read line; do echo '{\"op\":\"move\"}'; done": "refused",
}


def contest(program, *arguments, code=0):
    done = subprocess.run(
        [program, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    check(done.returncode == code, f"{arguments} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def result(program, *arguments, code=0):
    return json.loads(contest(program, *arguments, "--json", code=code))


def levels(program):
    """The figures are those of the matches, and the same each time."""
    arguments = ("simple", 1, "--pairs", 8, "--seed", 3)
    told = result(program, *arguments)
    check(told["shares"] == result(program, *arguments)["shares"], "the same seed gave other matches")
    check(told["shares"] != result(program, *arguments[:-1], 4)["shares"], "another seed gave the same matches")
    pairs = [sum(pair) / 2 for pair in told["shares"]]
    check(len(pairs) == told["pairs"] == 8 and told["games"] == 16 == sum(told["ends"].values()), f"{told}")
    check(abs(told["share"] - statistics.mean(pairs)) < 1e-9, f"{told}")
    check(abs(told["interval"] - 1.96 * statistics.stdev(pairs) / 8**0.5) < 1e-9, f"{told}")
    check(told["share"] > 0.5 and told["fair"] == 0.5, f"a simple player does not beat a beginner: {told}")
    text = contest(program, *arguments)
    check(text.startswith(f"{100 * told['share']:.1f} % +- {100 * told['interval']:.1f} of 16 games"), text)


def options(program):
    """Any room: with three players one has one seat in one match and two in the other."""
    three = result(program, "regular", "simple", "--pairs", 1, "--options", '{"players": 3, "ranking": true, "tiles": 24}')
    check(abs(three["fair"] - 0.5) < 1e-9, f"{three}")
    check(all(0 <= share <= 1 for share in three["shares"][0]), f"{three}")
    search = result(program, "search:20", "search:0", "--pairs", 1)
    check(search["players"][0]["moves"] > 20 and search["share"] in (0, 0.5, 1), f"{search}")
    teams = result(program, "regular", "simple", "--pairs", 1, "--options", '{"players": 4, "teams": true, "boats": true}')
    check(all(share in (0, 0.5, 1) for share in teams["shares"][0]), f"{teams}")


def example(program, player):
    run = f"run:{sys.executable} -B {shlex.quote(player)}"
    told = result(program, run, "regular", "--pairs", 1, "--options", '{"two_hex": true}')
    check(not told["players"][0]["faults"] and told["players"][0]["moves"] > 20, f"{told}")
    check(told["share"] == 0, f"random moves won: {told}")
    both = result(program, run, run, "--pairs", 1)
    check(not any(side["faults"] for side in both["players"]), f"{both}")


# What an engine does otherwise than protocol/engine.md says: a change of the example, and what is found.
OTHERWISE = {
    ("", ""): "",
    ('say("ready")', "pass"): "instead of `ready`",
    ('say("name any legal move")', "pass"): "does not say its name",
    ('say("pong", rest)', "say('pong')"): "are answered with `pong`",
    ('say("error unknown', 'say("error bad'): "not with `error unknown`",
    ('say("best", choose', 'say("best hut@9,9", choose'): "is not legal in",
    ('random.Random(limits.get("seed"))', "random"): "the same question is answered with",
    ('say("best"', 'say("line 2 turn draw"); say("best"'): "line 1 is `line 2",
    ('say("best"', 'say("line 1 chances 500 turn draw"); say("best"'): "chances of 2 seats",
    ('say("best"', 'say("x" * 9000); say("best"'): "a line of 9001 bytes",
    ('say("best"', 'limits.get("ms") == 0 or say("best"'): "instead of `best`",
    ("            return\n", "            pass\n"): "s after `quit`",
    ("for line in sys.stdin:", "for line in iter(sys.stdin.readline, None):"): "s after the end of its input",
}


def engines(program, taluva, example):
    """The computer as an engine plays as it does itself; what an engine does otherwise than it should is found."""
    checker = pathlib.Path(__file__).parents[1] / "strength" / "check_engine.py"
    environment = dict(os.environ, TALUVA=taluva)

    def checked(patience, games, *command, first=()):
        return subprocess.run(
            [sys.executable, "-B", checker, "--taluva", taluva, "--patience", str(patience), "--games", str(games), *first, "--", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, env=environment, check=False,
        )

    done = checked(PATIENCE_S, 4, taluva, "engine")
    check(done.returncode == 0 and done.stdout == "0 found\n", f"taluva engine: {done.stdout}{done.stderr}")
    text = pathlib.Path(example).read_text()
    with tempfile.TemporaryDirectory(prefix="taluva-engine-") as folder:
        for (old, new), what in OTHERWISE.items():
            other = pathlib.Path(folder) / "engine.py"
            check(old in text, f"the example has no {old}")
            other.write_text(text.replace(old, new) if old else text)
            patience = 2 if what.startswith(("s after", "instead of")) else PATIENCE_S
            done = checked(patience, 1, sys.executable, "-B", str(other), first=["--first"])
            check(done.returncode == (1 if what else 0) and what in done.stdout, f"{new}: {done.stdout}{done.stderr}")
    own = f"engine:{shlex.quote(taluva)} engine"
    arguments = ("--pairs", 1, "--go", "simulations 20", "--options", '{"players": 3, "boats": true, "two_hex": true, "tiles": 24}')
    told = result(program, own, "search:20", *arguments)
    check(told["shares"] == result(program, "search:20", "search:20", *arguments)["shares"], f"it plays otherwise than the search: {told}")
    for command, name in {"false": "ended", "cat > /dev/null": "silent", "echo ready; while read line; do echo best draw; done": "refused"}.items():
        told = result(program, f"engine:{command}", "beginner", "--pairs", 1, "--patience", 2 if name == "silent" else PATIENCE_S, code=1)
        check(told["players"][0]["faults"] == {name: 2}, f"{command}: {told['players'][0]['faults']}, not {name}")


def analyses(taluva, example, record):
    """The computer as an engine finds in a match what it finds by itself, but for rounding; an engine of anybody's is asked if it says chances."""

    def analyse(command, *arguments, code=0):
        done = subprocess.run(
            [taluva, "analyse", *(["--engine", command] if command else []), *map(str, arguments), record], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE_S, env=dict(os.environ, TALUVA=taluva), check=False,
        )
        check(done.returncode == code, f"{command} {arguments} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    alone = json.loads(analyse(None, "--json", "--simulations", 60))
    asked = json.loads(analyse(f"{shlex.quote(taluva)} engine", "--json", "--simulations", 60))
    check(len(alone["turns"]) == len(asked["turns"]) > 3, f"{asked}")
    for one, other in zip(alone["turns"], asked["turns"]):
        pairs = [pair for key in ("start", "best", "played") for pair in zip(one[key], other[key])]
        check(all(abs(a - b) <= 2 for a, b in pairs), f"{one} is {other}")
        check(all(abs(one[key] - other[key]) <= 4 for key in ("luck", "loss")), f"{one} is {other}")
        check(one["moves"] == other["moves"] and one.get("better") == other.get("better"), f"{one} is {other}")
    anybody = f"{shlex.quote(sys.executable)} -B "
    check("it says no chances" in analyse(anybody + shlex.quote(example), code=65), "an engine without chances is asked on")
    with tempfile.TemporaryDirectory(prefix="taluva-engine-") as folder:
        other, text = pathlib.Path(folder) / "engine.py", pathlib.Path(example).read_text()
        old = 'say("best", choose(*shown, random.Random(limits.get("seed"))))'
        check(old in text, f"the example has no {old}")
        other.write_text(text.replace(old, 'best = choose(*shown, random.Random(1)); say("line 1 chances 700/300 turn", best); say("best", best)'))
        told = json.loads(analyse(anybody + shlex.quote(str(other)), "--json", "--simulations", 0, "--time", 1000))
        check({(*turn[key], turn["loss"]) for turn in told["turns"] for key in ("start", "best", "played")} == {(700, 300, 0)}, f"{told}")
    check(f"\nasked of: {taluva} engine\n" in analyse(f"{taluva} engine", "--simulations", 0), "it is not said who was asked")
    for command, why in {
        "exit 3": "it has ended, or closed its input or output",
        "echo ready; while read line; do echo best JC@9,9:0 hut@1,0; done": "it would play what is not legal: `JC@9,9:0 hut@1,0`",
        "echo ready; while read line; do echo error bad; done": "it does not follow what it is told",
    }.items():
        check(f"the engine is broken: {why}" in analyse(command, code=65), command)
    analyse(None, "--time", 10, code=64)


def ladders(program):
    """Each two meet once, and strengths are as far apart as what was won says."""
    script = pathlib.Path(__file__).parents[1] / "strength" / "ladder.py"
    sys.path.insert(0, str(script.parent))
    from ladder import fit, ladder  # noqa: PLC0415

    for share in (0.5, 0.75, 1):  # 40 matches, and one that was drawn
        points = fit(2, {(0, 1): [share] * 20})
        check(abs(points[0] - points[1] - 400 * math.log10((40 * share + 0.5) / (40 * (1 - share) + 0.5))) < 0.01, f"{share}: {points}")
    rows = ladder(3, {(0, 1): [0, 0.5] * 20, (0, 2): [0.5, 0.5, 1] * 10, (1, 2): [1, 0.5] * 20}, random.Random(1))
    check([row[0] for row in rows] == [1, 0, 2] and rows[0][1:] == (0, 0, 0), f"{rows}")
    check(all(least <= points <= most and most - least > 50 for _, points, least, most in rows[1:]), f"{rows}")

    def played(*arguments, code=0):
        command = [sys.executable, "-B", script, "--contest", program, "--pairs", 2, "--seed", 4, "--json", *arguments]
        done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        check(done.returncode == code, f"{arguments} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done

    with tempfile.TemporaryDirectory(prefix="taluva-ladder-") as folder:
        keeps = ("--save", pathlib.Path(folder) / "played.json")
        two = played(*keeps, "--", "beginner", "search:0")
        check([row["player"] for row in json.loads(two.stdout)] == ["search:0", "beginner"], two.stdout)
        three = played(*keeps, "--", "search:0", "simple", "beginner")
        check(json.loads(three.stdout)[0]["player"] == "search:0", three.stdout)
        check(three.stderr.count(" and ") == 2, f"what was played is played again: {three.stderr}")
        shares = json.loads(keeps[1].read_text())["met"][0]["shares"]
        check(shares == [sum(pair) / 2 for pair in result(program, "beginner", "search:0", "--pairs", 2, "--seed", 4)["shares"]], f"{shares}")
        played(*keeps, "--options", '{"boats": true}', "--", "beginner", "simple", code=70)
    played("--", "simple", "godlike", code=70)
    played("--", "simple", "simple", code=64)


def ends_when_told(taluva):
    """`quit` behind a line that waits for a thought, in a pipe and in a file: it ends, and well."""
    position = "2/0/2 - h20w2t3/h20w2t3 - - 2 draw:0 unseen JJ JC"
    text = f"taluva-engine 1\nposition {position}\ngo simulations 1\nposition {position}\nquit\n"
    with tempfile.TemporaryFile("w+") as file:
        file.write(text)
        file.seek(0)
        for given in ({"input": text}, {"stdin": file}):
            done = subprocess.run([taluva, "engine"], capture_output=True, text=True, timeout=PATIENCE_S, check=False, **given)
            check(done.returncode == 0 and done.stdout.count("\nbest ") == 1, f"{done.returncode}: {done.stdout}{done.stderr}")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def faults(program):
    """Each loses its matches, is called by its name, and is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="taluva-contest-") as folder:
        for command, name in BAD.items():
            pids = pathlib.Path(folder) / "pids"
            pids.unlink(missing_ok=True)
            patience_s = 2 if name == "silent" else PATIENCE_S
            told = result(program, f"run:echo $$ >> {pids}; {command}", "beginner", "--pairs", 1, "--patience", patience_s, code=1)
            check(told["players"][0]["faults"] == {name: 2}, f"{command}: {told['players'][0]['faults']}, not {name}")
            check(told["share"] == 0 and not told["players"][1]["faults"], f"{command}: {told}")
            wait_for(f"the end of {command}", lambda: not any(is_alive(int(pid)) for pid in pids.read_text().split()))


def usage(program):
    told = " ".join(contest(program, "--help").split())
    check("64: the command line is wrong; 70: a match could not be played" in told, told)
    for arguments in ((), ("simple",), ("godlike", "simple"), (0, 1), (7, 1), ("run:", 1), ("engine:", 1), ("search:", 1), ("search:-1", 1), ("search:2x", 1), (1, 2, "--pairs", 0), (1, 2, 3)):
        contest(program, *arguments, code=64)
    contest(program, 1, 2, "--options", "[]", code=64)
    contest(program, 1, 2, "--options", "{", code=64)
    contest(program, 1, 2, "--options", '{"players": 9}', code=70)
    check("lost 2: ended" in contest(program, "run:/nowhere/at/all", 1, "--pairs", 1, code=1), "a command that is none")


def over_the_network(taluvad, taluva, player):
    """The same program at a real server, by way of the client."""
    with World(taluvad, taluva) as world:
        room = world.run("create", "--profile", "host", "--no-join", "--players", 2).split()[0]
        bot = world.start("bot", "bot", room, "--level", "regular", "--start", "--json")
        lines_in, lines_out = os.pipe(), os.pipe()
        client = subprocess.Popen(
            world.command("join", room, "--ready", "--json", "--profile", "program"),
            env=world.environment, stdin=lines_in[0], stdout=lines_out[1],
        )
        program = subprocess.Popen([sys.executable, "-B", player], stdin=lines_out[0], stdout=lines_in[1])
        for end in (*lines_in, *lines_out):
            os.close(end)
        bot.finish()
        check(program.wait(PATIENCE_S) == 0, "the program did not end well")
        check(client.wait(PATIENCE_S) == 0, "its client did not end well")
        state = bot.local("over")[0]["state"]
        check(state["result"]["winners"] == {str(bot.local("over")[0]["seat"]): True}, f"{state['result']}")


def main(taluvad, taluva, program, player, engine, record):
    levels(program)
    options(program)
    example(program, player)
    engines(program, taluva, engine)
    analyses(taluva, engine, record)
    ladders(program)
    ends_when_told(taluva)
    faults(program)
    usage(program)
    over_the_network(taluvad, taluva, player)
    print(f"{len(BAD)} bad programs, and some good ones")


if __name__ == "__main__":
    main(*sys.argv[1:])

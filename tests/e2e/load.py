"""The load tester against the real server: whole games, checked push by push, and that it fails when it should.

usage: load.py TALUVAD TALUVA_LOAD
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import world

UNLIMITED = ["--requests-per-s=100000", "--requests-burst=100000",
             "--requests-per-address-per-s=100000", "--requests-per-address-burst=100000", "--work-per-s=100000", "--work-burst=100000",
             "--rooms-per-session=1000", "--rooms-per-address=1000", "--rooms-per-address-per-min=100000", "--rooms-per-address-burst=100000",
             "--sessions-per-address=1000", "--sessions-per-address-per-min=100000", "--sessions-per-address-burst=100000",
             "--connections-per-address=1000", "--connects-per-address-per-s=10000", "--connects-per-address-burst=10000"]
TOTEM = ["--game=totem", "--mix", "--rounds=4"]
EVERYTHING = ["--players=5", "--boats", "--two-hex", "--zone=beginner"]


def run(program, server, *flags):
    command = [program, f"--server={server.url}", "--quiet", "--json", f"--server-pid={server.process.pid}", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=world.PATIENCE_S, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def plays_whole_games(program, server):
    status, seen, errors = run(program, server, "--rooms=4", "--games=2", "--watchers=1", *EVERYTHING)
    world.check(status == 0, f"exit {status}: {errors}")
    world.check(seen["games_over"] == 8, f"{seen['games_over']} games over, not 8")
    world.check(sum(seen["failures"].values()) == 0, f"failures: {seen['failures']}")
    world.check(seen["acknowledged_us"]["count"] == seen["moves"], "a move without its acknowledgement")
    world.check(seen["delivered_us"]["count"] == 5 * seen["moves"], "a move that did not reach everybody")
    world.check(seen["server"]["resident_kib"] > 0, "no figures of the server")


def survives_storms(program, server):
    """Each room moves as fast as it is answered, so that a cut comes amid a move."""
    flags = ["--rooms=4", "--players=4", "--teams", "--watchers=2", "--duration=4", "--warmup=0", "--storm=1"]
    status, seen, errors = run(program, server, *flags)
    world.check(status == 0, f"exit {status}: {errors}")
    world.check(seen["resumes"] > 0, "nobody came back")
    # Each is measured once, when it has caught up; at the end some may not have.
    measured = seen["resume_bytes"]["count"]
    world.check(seen["resumes"] - 24 <= measured <= seen["resumes"], f"{measured} of {seen['resumes']} were measured")


def plays_the_other_game(program, server):
    """Every viewer is held to what it may know; the rooms differ in seats and variants."""
    status, seen, errors = run(program, server, "--rooms=12", "--games=2", "--watchers=2", "--check-every=1", *TOTEM)
    world.check(status == 0, f"exit {status}: {errors}")
    world.check(seen["games_over"] == 24, f"{seen['games_over']} games over, not 24")
    world.check(seen["states_checked"] > 2 * seen["moves"], f"{seen['states_checked']} states of {seen['moves']} moves")
    world.check(seen["acknowledged_us"]["count"] == seen["moves"], "a move without its acknowledgement")


def checks_a_sample(program, server):
    """Rooms 0 and 32 are followed and checked, all others read in place; both games come to their end."""
    for game in ([], TOTEM):
        flags = ["--rooms=34", "--games=1", "--watchers=1", "--check-every=1", *game]
        status, seen, errors = run(program, server, *flags, "--check=sample")
        world.check(status == 0, f"exit {status}: {errors}")
        world.check(seen["games_over"] == 34, f"{seen['games_over']} games over, not 34")
        world.check(seen["acknowledged_us"]["count"] == seen["moves"], "a move without its acknowledgement")
        checked, in_place = seen["pushes_checked"], seen["pushes_in_place"]
        world.check(checked + in_place > 3 * seen["moves"], "a push that was not counted")
        world.check(0 < seen["states_checked"] < checked < in_place, f"{checked} pushes checked, {in_place} in place")


def survives_storms_in_the_other_game(program, server):
    """Moves are due while their players are away, too: in all never more than a room remembers (MATCH_DUE_MAX), however slow the machine."""
    flags = ["--rooms=4", "--watchers=2", "--rate=32", "--duration=4", "--warmup=0", "--storm=1"]
    status, seen, errors = run(program, server, *flags, *TOTEM)
    world.check(status == 0, f"exit {status}: {errors}")
    world.check(seen["resumes"] > 0, "nobody came back")


def fails_when_it_should(program, server):
    flags = ["--rooms=2", "--rate=50", "--duration=1", "--warmup=0"]
    status, _, errors = run(program, server, *flags, "--min-rate=1000")
    world.check(status == 1 and "moves per second" in errors, f"a missed rate: exit {status}: {errors}")
    status, _, errors = run(program, server, *flags, "--max-p99=0.000001")
    world.check(status == 1 and "p99" in errors, f"a missed p99: exit {status}: {errors}")


def ends_when_a_client_is_lost(program, folder, taluvad):
    """A run of so many games ends though the server lets one client too few in: that match is never over."""
    server = world.Server(taluvad, folder, "--connections=3")
    try:
        status, seen, errors = run(program, server, "--rooms=2", "--players=2", "--games=1")
        world.check(status == 1 and "match " in errors, f"exit {status}: {errors}")
        world.check(seen["games_over"] == 1, f"{seen['games_over']} games over, not 1")
    finally:
        server.stop()


def children_of(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def runs(process):
    """Whether it is there and has not ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends_with_its_parent(program, server):
    """A driver process whose parent was killed plays no match on."""
    parent = subprocess.Popen([program, f"--server={server.url}", "--quiet", "--rooms=2", "--duration=1000"])
    drivers = []
    try:
        drivers = world.wait_for("a driver process", lambda: children_of(parent.pid), world.PATIENCE_S)
        parent.kill()
        world.wait_for("the end of the driver", lambda: not any(map(runs, drivers)), world.PATIENCE_S)
    finally:
        parent.kill()
        parent.wait()
        for driver in filter(runs, drivers):
            os.kill(driver, signal.SIGKILL)


def says_when_nobody_is_there(program, server):
    server.stop()
    status, _, errors = run(program, server, "--rooms=1", "--duration=1")
    world.check(status == 69 and "no connection" in errors, f"no server: exit {status}: {errors}")


def sees_a_server_that_refuses(program, server):
    """A driver that is told to slow down: that is a failure, not a figure."""
    status, seen, _ = run(program, server, "--rooms=1", "--duration=2", "--warmup=0")
    world.check(status == 1 and seen["failures"]["refused"] > 0, f"exit {status}")


def main():
    taluvad, program = (pathlib.Path(argument) for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="taluva-") as folder:
        server = world.Server(taluvad, pathlib.Path(folder), *UNLIMITED)
        try:
            for test in (plays_whole_games, survives_storms, plays_the_other_game, checks_a_sample, survives_storms_in_the_other_game, fails_when_it_should, ends_with_its_parent,
                         says_when_nobody_is_there):
                test(program, server)
                print(f"ok {test.__name__}")
        finally:
            server.stop()
    with tempfile.TemporaryDirectory(prefix="taluva-") as folder:
        ends_when_a_client_is_lost(program, pathlib.Path(folder), taluvad)
        print("ok ends_when_a_client_is_lost")
    with tempfile.TemporaryDirectory(prefix="taluva-") as folder:
        server = world.Server(taluvad, pathlib.Path(folder), "--requests-per-s=1", "--requests-burst=10")
        try:
            sees_a_server_that_refuses(program, server)
            print("ok sees_a_server_that_refuses")
        finally:
            server.stop()


if __name__ == "__main__":
    try:
        main()
    except world.Failed as failure:
        sys.exit(f"failed: {failure}")

"""What programs do with standard streams that are closed, full, or read by nobody any more.

usage: streams.py TALUVAD TALUVA TALUVA_ADMIN TALUVA_LOAD RECORD
       streams.py reports TALUVA_CONTEST PROGRAM...                    each PROGRAM of those in REPORTING
"""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import types

from world import PATIENCE_S, World, check, wait_for

# Programs of the tests that report, each with little to do.
REPORTING = {
    "taluva-rate": ["abuse"],
    "totem-strength": ["0", "0", "1"],
    "taluva-book-bench": ["1"],
    "sim": ["--seed", "1", "--worlds", "1", "--steps", "100"],
    "sim-nodes": ["--help"],
}
CLOSED = {"<&-": 0, ">&-": 1, "2>&-": 2}


def ends(world, command, **streams):
    """(status, standard error) of a command; what is not given is /dev/null or is read."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **streams}
    done = subprocess.run([*map(str, command)], env=world.environment, text=True, timeout=PATIENCE_S, check=False, **streams)
    return done.returncode, done.stderr or ""


def closing(world, command, *redirections):
    """The same with redirections of a shell that close streams."""
    line = "exec " + " ".join(f"'{word}'" for word in map(str, command)) + " " + " ".join(redirections)
    return ends(world, ["/bin/sh", "-c", line])


def closed_streams(world, commands):
    """A closed descriptor would be given to the next socket or file."""
    for command in commands:
        for redirections in (["<&-"], ["2>&-"], ["<&-", "2>&-"]):
            status, told = closing(world, command, *redirections)
            check(status == 0, f"{command} {redirections} ended with {status}: {told}")
        for redirections in ([">&-"], ["<&-", ">&-"]):
            status, told = closing(world, command, *redirections)
            check(status == 74 and "could not be written: Bad file descriptor" in told, f"{command} {redirections}: {status} {told}")


def full_output(world, commands):
    for command in commands:
        with open("/dev/full", "wb") as full:
            status, told = ends(world, command, stdout=full)
        check(status == 74 and "could not be written: No space left" in told, f"{command} onto a full disk: {status} {told}")


def nobody_reads(world, commands):
    for command in commands:
        reader, writer = os.pipe()
        os.close(reader)
        status, told = ends(world, command, stdout=writer)
        check(status == -signal.SIGPIPE, f"{command}, which nobody reads: {status} {told}")
        quiet = ["/bin/sh", "-c", 'trap "" PIPE; exec "$@"', "sh", *command]
        status, told = ends(world, quiet, stdout=writer)
        check(status == 74 and "could not be written: Broken pipe" in told, f"{command} without SIGPIPE: {status} {told}")
        os.close(writer)


def reader_goes(world, connect):
    """It ends though nothing happens at the table, and nothing is written."""
    room = world.run("create", "--profile", "maker", "--no-join").split()[0]
    for arguments in (["watch", room, "--json"], ["watch", room], ["join", room, "--json"], ["bot", room, "--json"]):
        ours, theirs = connect()
        command = world.command(*arguments, "--profile", "reader")
        held, holder = os.pipe()  # an input that stays open
        client = subprocess.Popen(command, env=world.environment, stdin=held, stdout=theirs, stderr=subprocess.DEVNULL)
        for fd in (theirs, held):
            os.close(fd)
        try:
            wait_for("a line", lambda source=ours: os.read(source, 1))
            check(client.poll() is None, f"{arguments} does not stay")
            os.close(ours)
            status = client.wait(PATIENCE_S)
        finally:
            client.kill()
            client.wait()
            os.close(holder)
        check(status == -signal.SIGPIPE, f"{arguments} ended with {status}")


def contest_ends(world, contest):
    """It reports at the end alone, and looks before each pair whether somebody still wants that."""
    reader, writer = os.pipe()
    os.close(reader)
    status, told = ends(world, [contest, "--pairs", "1000000", "1", "1"], stdout=writer)
    os.close(writer)
    check(status == -signal.SIGPIPE and "pair 2:" not in told, f"a contest that nobody reads: {status} {told}")


def socket_pair():
    pair = socket.socketpair()
    return [end.detach() for end in pair]


def reports(contest, *programs):
    here = types.SimpleNamespace(environment=dict(os.environ))
    commands = [[path, *REPORTING[pathlib.Path(path).name]] for path in programs]
    commands += [[contest, "--pairs", "1", "--json", "1", "1"], [contest, "--help"]]
    full_output(here, commands)
    nobody_reads(here, commands)
    contest_ends(here, contest)


def people(taluvad, taluva, admin, load, record):
    with World(taluvad, taluva) as world:
        data = next(path.parent for path in pathlib.Path(world.folder).glob("*/taluva.db"))
        copy = world.folder / "copy.db"
        check(ends(world, [taluvad, "--data", data, "backup", copy])[0] == 0, "no copy")
        world.run("create", "--profile", "maker", "--no-join")
        printing = [
            [taluva, "rooms"],
            [taluva, "replay", record],
            [taluva, "verify", record],
            [taluva, "--help"],
            [taluva, "create", "--no-join"],
            [admin, "--socket", data / "admin.sock", "status"],
            [admin, "--help"],
            [load, "--help"],
            [taluvad, "check", copy],
            [taluvad, "--help"],
            [taluvad, "--version"],
        ]
        closed_streams(world, printing)
        full_output(world, printing)
        nobody_reads(world, [command for command in printing if command[-1] != "--no-join"])
        reader_goes(world, os.pipe)
        reader_goes(world, socket_pair)


def main(words):
    if words[0] == "reports":
        reports(*words[1:])
    else:
        people(*words)
    print("all streams are as they should be")


main(sys.argv[1:])

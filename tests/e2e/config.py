"""The file of what a person always wants: options and the environment go before it, and mistakes in it are told.

usage: config.py TALUVAD TALUVA RECORD
"""

import json
import os
import pathlib
import subprocess
import sys

from world import World, check


class Person:
    def __init__(self, world):
        self.world = world
        self.folder = world.folder / "config" / "taluva"
        self.folder.mkdir(parents=True)
        self.file = self.folder / "config"

    def runs(self, *words, config=None, code=0, **environment):
        """What the program says when the file holds this."""
        self.file.unlink(missing_ok=True)
        if config is not None:
            self.file.write_text(config)
        own = {**self.world.environment, **environment}
        own = {name: value for name, value in own.items() if value is not None}
        done = subprocess.run([self.world.client_program, *words], capture_output=True, text=True, env=own, timeout=600)
        said = done.stdout + done.stderr
        check(done.returncode == code, f"{words} ended with {done.returncode}: {said}")
        return said


def has(text, part):
    check(part in text, f"{part!r} is not in: {text}")


def server_goes_by_rank(person):
    url = [f"ws://127.0.0.1:1/{name}" for name in ("file", "variable", "option")]
    config = f"server = {url[0]}\n"
    rooms = ("rooms", "--patience", "1")
    has(person.runs(*rooms, config=config, code=69, TALUVA_SERVER=None), f"Giving up on {url[0]}: ")
    has(person.runs(*rooms, config=config, code=69, TALUVA_SERVER=url[1]), f"Giving up on {url[1]}: ")
    has(person.runs(*rooms, "--server", url[2], config=config, code=69, TALUVA_SERVER=url[1]), f"Giving up on {url[2]}: ")
    has(person.runs(*rooms, config=config, code=69, TALUVA_SERVER=""), f"Giving up on {url[0]}: ")


def name_of(person, *words, **how):
    said = person.runs("rooms", "--json", *words, **how)
    return next(line["name"] for line in map(json.loads, said.splitlines()) if line.get("local") == "online")


def names_are_for_new_sessions(person):
    check(name_of(person, "--profile", "one", config="name = Zoe Z.\n") == "Zoe Z.", "the file's name is not taken")
    check(name_of(person, "--profile", "one", config="name = Yan\n") == "Zoe Z.", "a session was renamed")
    check(name_of(person, "--profile", "two", "--name", "Xi", config="name = Yan\n") == "Xi", "the option does not go before the file")
    check(name_of(person, config="profile = one\n") == "Zoe Z.", "the file's profile is not taken")
    check(name_of(person, "--profile", "two", config="profile = one\n") == "Xi", "the option does not go before the file's profile")


def pictures(person, record):
    show = ("replay", "--turn", "3", record)
    check(not person.runs(*show, config="ascii = no\n").isascii(), "ASCII alone")
    check(person.runs(*show, config="ascii = yes\n").isascii(), "not ASCII alone")
    check(person.runs(*show, config="small = yes\n") != person.runs(*show), "not small")


def other_encodings(person):
    """Text that is not UTF-8 vanishes nowhere."""
    told = "is not UTF-8, nor text of the locale's encoding, UTF-8"
    name = b"Jos\xe9"
    for words in (("rooms", "--name", name), ("create", "--no-join", "--title", name), ("join", "k3m9x0aq", "--code", name), ("devices", "rename", "1", name)):
        done = subprocess.run([person.world.client_program, *words], capture_output=True, env=person.world.environment)
        check(done.returncode == 64, f"{words} ended with {done.returncode}: {done.stderr}")
        has(done.stderr.decode(), told)
    file = person.folder / os.fsdecode(name)  # names of files are bytes
    file.write_text("no record\n")
    done = subprocess.run([person.world.client_program, "replay", file], capture_output=True, env=person.world.environment)
    check(done.returncode == 1 and b"Jos" in done.stdout, f"{done}")
    file.unlink()
    marked = person.folder / "marked"
    marked.write_bytes(b"\xef\xbb\xbf" + pathlib.Path(sys.argv[3]).read_bytes())
    person.world.run("verify", marked)


def mistakes_are_told(person, record):
    has(person.runs("replay", record, config="ascii = yes\ncolour = no\n", code=78), f"taluva: {person.file}:2: there is no key 'colour'")
    person.runs("--help", config="nonsense\n")
    person.runs("replay", "--help", config="nonsense\n")
    person.runs("replay", record, config="ascii = yes\r\nsmall = no\r\n")
    person.file.unlink()
    person.file.mkdir()
    done = subprocess.run([person.world.client_program, "replay", record], capture_output=True, text=True, env=person.world.environment)
    check(done.returncode == 78, f"ended with {done.returncode}")
    has(done.stderr, f"taluva: {person.file}: Is a directory")
    person.file.rmdir()
    person.file.symlink_to("config")  # in a circle: it is there, and cannot be opened
    done = subprocess.run([person.world.client_program, "replay", record], capture_output=True, text=True, env=person.world.environment)
    check(done.returncode == 78, f"ended with {done.returncode}")
    has(done.stderr, f"taluva: {person.file}: Too many levels of symbolic links")
    person.file.unlink()


def main():
    record = os.path.abspath(sys.argv[3])
    with World(sys.argv[1], sys.argv[2]) as world:
        person = Person(world)
        server_goes_by_rank(person)
        names_are_for_new_sessions(person)
        pictures(person, record)
        mistakes_are_told(person, record)
        other_encodings(person)
    print("the file is heard, after options and variables")


main()

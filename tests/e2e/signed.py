"""Signed records: checked with the server's own keys, with keys from a file, before and after the key is rotated.

usage: signed.py TALUVAD TALUVA
"""

import json
import subprocess
import sys
import urllib.request

from script import Script
from world import World, check

# RFC 8037, appendix A: the key of nobody here.
OTHERS = {"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}


def resigned_match(world):
    """A match whose end no rule can prove."""
    script = Script(world, "create", "--players", 2, "--bots", 1, "--level", "beginner", "--title", "Signed")
    room = script.hear("the view", lambda line: "state" in line.get("ok", {}))["ok"]["room"]
    for request in ({"op": "ready", "ready": True}, {"op": "start"}, {"op": "resign"}):
        check("ok" in script.answer(room=room, **request), f"{request} was refused")
    script.process.kill()
    script.process.wait()
    return room


def record_of(world, room, name):
    path = world.folder / name
    world.run("record", room, "--profile", "keeper", "--output", path)
    return path


def keys_of(world, name):
    path = world.folder / name
    with urllib.request.urlopen(f"http://127.0.0.1:{world.server.port}/.well-known/taluva-keys.json") as answer:
        path.write_bytes(answer.read())
    return path


def changed(path, name, old, new):
    text = path.read_text()
    check(old in text, f"there is no {old} in the record")
    forged = path.with_name(name)
    forged.write_text(text.replace(old, new, 1))
    return forged


def says(text, *parts):
    for part in parts:
        check(part in text, f"{part!r} is not in: {text}")


def check_trusted(world, path, source, *where):
    text = world.run("verify", *where, path)
    says(text, ": proven\n", f"by the signature, the word of {source} with its key ", "seat 0 resigned", "who sat there")
    check("record's word" not in text, f"something is still the record's word: {text}")


def check_signed(world, path, keys):
    server = world.server.url
    says(world.run("verify", path, code=8), "pass --key or --server", "on which its end rests")
    check_trusted(world, path, server, "--server", server)
    check_trusted(world, path, keys, "--key", keys)


def check_forged(world, path, keys):
    """What only a signature can show."""
    server = ("--server", world.server.url)
    named = changed(path, "named.taluva", '[Seat.1.name "', '[Seat.1.name "Dora')
    says(world.run("verify", named, code=8), "proven")
    says(world.run("verify", *server, named, code=1), "the signature is false", "not proven")
    line = next(line for line in path.read_text().splitlines() if line.startswith("[Result.signature "))
    bare = changed(path, "bare.taluva", f"{line}\n", "")
    says(world.run("verify", *server, bare, code=8), f"but for a signature by a key of {world.server.url}", "not signed")
    others = world.folder / "others.json"
    others.write_text(json.dumps(OTHERS))
    says(world.run("verify", "--key", others, path, code=8), f"which is none of {others}")
    broken = changed(keys, "broken.json", '"x":"', '"x":"A')
    world.run("verify", "--key", broken, path, code=65)


def check_usage(world, path, keys):
    world.run("verify", "--key", keys, "--server", world.server.url, path, code=64)
    world.run("verify", "--ca", keys, path, code=64)
    world.run("verify", "--key", world.folder / "none.json", path, code=74)
    world.run("verify", "--key", path, path, code=65)


def rotate(world):
    check(world.server.stop() == 0, "the server does not end in good order")
    done = subprocess.run(
        [world.server.program, "--data", world.folder / "store", "rotate-key"], capture_output=True, text=True, check=False
    )
    check(done.returncode == 0, f"rotate-key ended with {done.returncode}: {done.stderr}")
    world.server.start()


def main(taluvad, taluva):
    with World(taluvad, taluva) as world:
        room = resigned_match(world)
        old, old_keys = record_of(world, room, "old.taluva"), keys_of(world, "old.json")
        check_signed(world, old, old_keys)
        check_forged(world, old, old_keys)
        check_usage(world, old, old_keys)
        rotate(world)
        new, new_keys = record_of(world, room, "new.taluva"), keys_of(world, "new.json")
        check(new.read_text() != old.read_text(), "the new key signs as the old one did")
        check_signed(world, new, new_keys)
        check_signed(world, old, new_keys)  # by a key that is kept
        check_trusted(world, old, old_keys, "--key", old_keys)
        says(world.run("verify", "--key", old_keys, new, code=8), "which is none of")


if __name__ == "__main__":
    main(*sys.argv[1:])

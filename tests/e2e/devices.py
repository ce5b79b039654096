"""One player on several devices, in terminals: links, recovery phrases, the list, ending one.

usage: devices.py TALUVAD TALUVA
"""

import base64
import hashlib
import json
import os
import re
import signal
import subprocess
import sys

from person import ESCAPES, Terminal
from world import Failed, World, check

SITE = "taluva.example"  # what passkeys are made for
PASS = re.compile(r"^(?:[0-9a-z]{4} ){6}[0-9a-z]{4}$")


class Open:
    """A client in JSON mode that stays."""

    def __init__(self, world, *words):
        self.process = subprocess.Popen(world.command(*words), env=world.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        world.clients.append(self)

    def hear(self, what, member=None):
        """Reads to a line with this member, or with this value of it."""
        for line in map(json.loads, self.process.stdout):
            if line.get(member) == what if member else what in line:
                return line
        raise Failed(f"the client ended before {what}")


    def ask(self, op, **fields):
        """What the server answers."""
        self.process.stdin.write(json.dumps({"op": op, **fields}) + "\n")
        self.process.stdin.flush()
        sent = self.hear("sent", "local")["request"]["id"]
        return self.hear(sent, "id")


class Person:
    """Runs the client as one of several profiles."""

    def __init__(self, world):
        self.world = world
        self.state = world.folder / "state" / "taluva"

    def run(self, profile, *words, typed="", code=0, **environment):
        own = {**self.world.environment, **environment}
        own = {name: value for name, value in own.items() if value is not None}
        done = subprocess.run(
            self.world.command(*words, "--profile", profile), input=typed, env=own, capture_output=True, text=True, timeout=600, check=False
        )
        check(done.returncode == code, f"{profile}: {words} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def open(self, profile, *words):
        return Open(self.world, *words, "--json", "--profile", profile)

    def kept(self, profile):
        """Where the token of a profile is."""
        return [path for path in self.state.glob(f"*~{profile}")]

    def session(self, profile):
        for line in self.run(profile, "rooms", "--json").stdout.splitlines():
            if json.loads(line).get("local") == "online":
                return json.loads(line)["session"]
        raise Failed("no session")

    def link(self, profile):
        return self.run(profile, "link").stdout.strip()

    def devices(self, profile):
        """The lines of the list as (number, name, what else)."""
        rows = [re.split(r"  +", line) for line in self.run(profile, "devices").stdout.splitlines()]
        return [row for row in rows if len(row) == 3]


def has(text, *parts):
    for part in parts:
        check(part in text, f"{part!r} is not in: {text}")


def needs_a_session(person):
    for words in (("link",), ("phrase",), ("devices",), ("devices", "end", "this")):
        has(person.run("nobody", *words, code=64).stderr, "the profile 'nobody' has no session with ws://127.0.0.1:")
    check(not person.kept("nobody"), "a session was begun for nothing")


def link_is_good_once(person, room):
    made = person.run("ana", "link")
    link = made.stdout.strip()
    has(made.stderr, "Good once, for 10 minutes", "No other machine reaches a server at 127.0.0.1")
    check(re.fullmatch(rf"http://127\.0\.0\.1:{person.world.server.port}/#link=[0-9a-z]{{28}}", link), f"the link is {link!r}")
    entered = person.run("phone", "enter", typed=f"{link}\n", TALUVA_SERVER=None)  # the link says where
    has(entered.stdout, "You are Ana here too.", "You sit in 1 room: ")
    check(link.split("=")[1] not in entered.stdout + entered.stderr, "the secret was printed")
    check(person.session("phone") == person.session("ana"), "another session")
    has(person.run("phone", "rooms").stdout, f"{room}  lobby", "(you sit here)")
    (token,) = person.kept("phone")
    check(token.stat().st_mode & 0o777 == 0o600, "others may read the token")
    has(person.run("other", "enter", typed=f"{link}\n", code=77).stderr, "This link or phrase")
    check(not person.kept("other"), "a session was begun for nothing")


def enter_wants_a_secret(person):
    has(person.run("other", "enter", typed="", code=64).stderr, "no link and no recovery phrase was given")
    has(person.run("other", "enter", typed="k3m9x0aq\n", code=64).stderr, "that is no link and no recovery phrase")
    has(person.run("other", "enter", "7zk3f09qa5vtd2e8r1x6mhbw4cbv", code=64).stderr, "too many arguments")
    link = person.link("ana")
    slip = link[:-1] + ("0" if link[-1] != "0" else "1")
    has(person.run("other", "enter", typed=f"{slip}\n", code=64).stderr, "there is a slip in it")
    nowhere = {"XDG_STATE_HOME": None, "HOME": None}
    has(person.run("other", "enter", typed=link, code=74, **nowhere).stderr, "the session could not be kept")
    has(person.run("phone", "enter", typed=link, code=64).stderr, "the profile 'phone' has a session with", "--replace")
    has(person.run("other", "enter", typed=link).stdout, "You are Ana here too.")  # it was not used up by all that


def of_a_guest(person):
    """Whoever has no account is asked for nothing."""
    person.run("gus", "rooms", "--name", "Gus")
    phrase = person.run("gus", "phrase").stdout.strip()
    again = person.run("gus", "phrase", "--replace").stdout.strip()
    check(PASS.match(again) and again != phrase, "the same phrase")
    return phrase


def wants_the_former(person, phrase):
    """An account's phrase is replaced by nobody who does not have it; `phrase` stays good."""
    words = ("phrase", "--replace")
    has(person.run("ana", *words, typed="", code=64).stderr, "the recovery phrase that is to be replaced was not given")
    has(person.run("ana", *words, typed="k3m9x0aq\n", code=64).stderr, "that is no recovery phrase, or there is a slip in it")
    has(person.run("ana", *words, typed=person.link("ana"), code=64).stderr, "that is no recovery phrase")
    for other in (of_a_guest(person), person.link("ana").split("=")[1]):
        refused = person.run("ana", *words, typed=f"{other}\n", code=77)
        has(refused.stderr, "This link or phrase is not valid, or not any more.")
        check(not refused.stdout, f"there is a phrase: {refused.stdout}")
    has(person.run("kept", "enter", typed=phrase).stdout, "You are Ana here too.")
    person.run("kept", "devices", "end", "this")


def replaces_the_phrase(person, phrase):
    """At a terminal, for program, and from the standard input. Returns the new one."""
    wants_the_former(person, phrase)
    terminal = Terminal(person.world.command("phrase", "--replace", "--profile", "ana"), person.world.environment)
    terminal.expect("(it is not shown): ")
    terminal.type("7zk3\r")
    terminal.expect("Once more: ")
    terminal.type(f"{phrase}\r")
    terminal.expect("Write it down")
    check(terminal.process.wait(60) == 0, "it has failed")
    shown = ESCAPES.sub("", terminal.raw)
    check(phrase not in shown and "7zk3" not in terminal.raw, "the former was shown")
    second = re.search(r"(?:[0-9a-z]{4} ){6}[0-9a-z]{4}", shown).group()
    terminal.close()
    lines = person.run("ana", "phrase", "--replace", "--json", typed=second).stdout
    third = [line["ok"]["pass"] for line in map(json.loads, lines.splitlines()) if "pass" in line.get("ok", {})][0]
    check(second.replace(" ", "") not in lines, "the former was printed")
    last = person.run("ana", "phrase", "--replace", typed=f"{third}\n").stdout.strip()
    check(PASS.match(last) and len({phrase, second, last}) == 3, "the same phrase")
    return last


def unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def passkey_made(challenge):
    """As a browser makes one, without attestation; the key is the base point of Ed25519."""
    client_data = json.dumps({"type": "webauthn.create", "challenge": challenge, "origin": f"https://{SITE}"})
    key = bytes.fromhex("a401010327200621582058") + 31 * b"\x66"
    data = hashlib.sha256(SITE.encode()).digest() + b"\x41" + 4 * b"\0" + 16 * b"\0" + b"\0\x10" + 16 * b"\x01" + key
    made = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
    return {"client_data": unpadded(client_data.encode()), "attestation": unpadded(made)}


def passkey_and_no_phrase(person):
    """What a terminal cannot show it says, and where it can be."""
    person.run("pia", "claim", "Pia")
    table = person.open("pia", "join", person.room)
    table.hear("ok")
    challenge = table.ask("passkey", **{"for": "add"})["ok"]["challenge"]
    added = table.ask("passkey_add", passkey=passkey_made(challenge))
    check(len(added.get("ok", {}).get("passkeys", [])) == 1, f"{added}")
    for words in (("phrase",), ("phrase", "--replace")):
        refused = person.run("pia", *words, code=77)
        has(refused.stderr, "Show first that it is you", "a terminal has no passkeys")
        check(not refused.stdout, f"there is a phrase: {refused.stdout}")


def phrase_is_made_once(person):
    made = person.run("ana", "phrase")
    phrase = made.stdout.strip()
    check(PASS.match(phrase), f"the phrase is {phrase!r}")
    has(made.stderr, "Write it down")
    has(person.run("ana", "phrase", code=64).stderr, "There is a recovery phrase already, made on 20", "--replace")
    again = replaces_the_phrase(person, phrase)
    has(person.run("lost", "enter", typed=phrase, code=77).stderr, "This link or phrase")
    sloppy = again.upper().replace(" ", "-").replace("0", "O").replace("1", "l")
    has(person.run("lost", "enter", typed=sloppy).stdout, "You are Ana here too.")
    check(person.session("lost") == person.session("ana"), "another session")
    return again


def devices_are_listed_and_ended(person):
    listed = person.devices("ana")
    check(len(listed) == 4, f"{listed}")
    check([row[2] for row in listed].count("this one") == 1 and listed[0][2] == "this one", f"{listed}")
    check(all(re.fullmatch(r"seen (just now|\d+ minutes? ago)", row[2]) for row in listed[1:]), f"{listed}")
    number = listed[1][0]
    person.run("ana", "devices", "rename", number, "Phone in the hall")
    check(person.devices("ana")[1][:2] == [number, "Phone in the hall"], "it was not renamed")
    person.run("ana", "devices", "rename", "this", "Desk")
    has(person.run("ana", "devices").stdout, "Desk", "There is a recovery phrase, made on 20")
    has(person.run("ana", "devices", "rename", number, "", code=77).stderr, "name")
    for words in (("begin",), ("end",), ("end", number, "too"), ("rename", number), ("end", "Phone"), ("end", "ffffffff")):
        person.run("ana", "devices", *words, code=64)
    phone = person.open("phone", "watch", person.room)
    phone.hear("ok")
    check(person.devices("ana")[1][2] == "connected", "the phone is not connected")
    ended = person.run("ana", "devices", "end", number)
    check(number not in ended.stdout, "it is still in the list")
    has(ended.stderr, "The recovery phrase stays good", "taluva phrase --replace")
    phone.hear("failed", "local")
    check(phone.process.wait(600) == 77, f"the ended client says {phone.process.returncode}")
    check(not person.kept("phone"), "its token is still there")
    has(person.run("phone", "devices", code=64).stderr, "has no session")


def ended_meanwhile(person):
    """A device that was away learns it the next time."""
    number = person.devices("other")[1][0]
    check(person.devices("other")[1][2] == "this one", "another order")
    person.run("ana", "devices", "end", number)
    has(person.run("other", "devices", code=77).stderr, "The server no longer knows this session.")
    check(not person.kept("other"), "its token is still there")


def ones_own_end(person, phrase):
    person.run("lost", "devices", "end", "this")
    check(not person.kept("lost"), "its token is still there")
    person.run("bo", "rooms", "--name", "Bo")
    has(person.run("bo", "devices").stdout, "There is no recovery phrase")
    has(person.run("bo", "devices", "end", "this", code=64).stderr, "This is the last device", "--force")
    has(person.run("bo", "devices", "end", "this", "--force").stderr, "This device is ended")
    check(not person.kept("bo"), "its token is still there")
    person.run("ana", "devices", "end", "this")  # there is a phrase
    has(person.run("ana", "enter", typed=phrase).stdout, "You are Ana here too.")


def replaced(person):
    """With --replace the session of before is left behind, and not ended."""
    person.run("chi", "rooms", "--name", "Chi")
    own = person.session("chi")
    link = person.link("chi")
    has(person.run("chi", "enter", "--replace", typed=person.link("ana")).stdout, "You are Ana here too.")
    check(person.session("chi") == person.session("ana"), "another session")
    has(person.run("chi", "enter", "--replace", typed=link).stdout, "You are Chi here too.")
    check(person.session("chi") == own, "another session")


def modules(terminal):
    """Of the code in black and white on the terminal, row by row."""
    halves = {" ": "..", "▀": "#.", "▄": ".#", "█": "##"}
    rows = []
    for line in re.findall(r"\x1b\[38;5;16;48;5;231m([^\x1b]*)\x1b\[0m", terminal.raw):
        pairs = [halves[each] for each in line]
        rows += ["".join(pair[0] for pair in pairs), "".join(pair[1] for pair in pairs)]
    return rows


def code_at_a_terminal(person):
    world = person.world
    terminal = Terminal(world.command("link", "--profile", "ana"), world.environment)
    terminal.expect("Good once, for 10 minutes")
    rows = modules(terminal)
    check(len(rows) in (37, 38, 41, 42) and all(len(row) == 41 for row in rows), f"{len(rows)} rows")
    finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    check([row[4:11] for row in rows[4:11]] == finder and [row[-11:-4] for row in rows[4:11]] == finder, "there is no code")
    check(not any("#" in row for row in rows[:4]), "no border")
    check(terminal.process.wait(60) == 0, "it has failed")
    terminal.close()
    narrow = Terminal(world.command("link", "--profile", "ana"), world.environment, columns=30)
    narrow.expect("The terminal is too narrow for the QR code.")
    narrow.close()


def typed_unseen(person, phrase):
    world = person.world
    terminal = Terminal(world.command("enter", "--profile", "typed"), world.environment)
    terminal.expect("(it is not shown): ")
    terminal.type("7zk3\r")
    terminal.expect("Once more: ")
    terminal.type(f"{phrase}\r")
    terminal.expect("You are Ana here too.")
    check(phrase not in ESCAPES.sub("", terminal.raw) and "7zk3" not in terminal.raw, "the secret was shown")
    check(terminal.process.wait(60) == 0, "it has failed")
    terminal.close()
    shell = Terminal(["sh", "-c", f"'{world.client_program}' enter --profile none; echo ended with $?; stty -a"], world.environment)
    shell.expect("(it is not shown): ")
    os.write(shell.master, b"\x04")  # the end of what is typed
    shell.expect("ended with 64")
    shell.expect(re.compile(r"(?<!-)\becho\b"))
    shell.close()
    stopped = Terminal(world.command("enter", "--profile", "none"), world.environment)
    stopped.expect("(it is not shown): ")
    stopped.process.send_signal(signal.SIGTERM)
    check(stopped.process.wait(60) == 130, "a signal does not end it")
    stopped.close()


def claims_a_handle(person):
    has(person.run("ana", "claim", "an", code=64).stderr, "a handle has 3 to 20 letters")
    has(person.run("ana", "claim", "Ana-1903").stderr, "@Ana-1903 is yours", "change it once")
    has(person.run("nobody", "claim", "anaI9O3", code=77).stderr, "looks like it")
    has(person.run("nobody", "claim", "moderator", code=77).stderr, "nobody's to have")
    has(person.run("nobody", "whois", "@ana-1903").stdout, "@Ana-1903, here since 20")
    has(person.run("nobody", "whois", "nobody-1", code=77).stderr, "Nobody has this handle")
    has(person.run("nobody", "whois", "no body", code=64).stderr, "a handle has 3 to 20 letters")
    has(person.run("nobody", "invite", code=77).stderr, "takes no invitations")
    has(person.run("nobody", "claim", "bo-1", "--invitation", "hello", code=64).stderr, "28 letters and digits")
    has(person.run("phone", "claim", "Hanna").stderr, "@Hanna is yours")  # the same player's
    has(person.run("ana", "claim", "Susanna", code=77).stderr, "cannot be changed")


def ends_an_account(person):
    has(person.run("ana", "close", "Bo-1904", code=77).stderr, "handle")
    has(person.run("ana", "close", "Hanna").stderr, "@Hanna is erased at", "`taluva keep` takes that back")
    has(person.run("ana", "keep").stderr, "@Hanna stays yours")
    has(person.run("nobody", "keep", code=77).stderr, "Claim a handle first")


def takes_over_a_guest(person):
    """What was played elsewhere, which enters nowhere any more; and is nobody's twice."""
    tablet = person.open("tablet", "create", "--name", "Tab")
    room = tablet.hear("ok")["ok"].get("room") or tablet.hear("room")["room"]
    link = person.link("tablet")
    has(person.run("ana", "adopt", typed="", code=64).stderr, "no link was given")
    has(person.run("ana", "adopt", typed=person.link("ana"), code=77).stderr, "cannot be changed")
    has(person.run("ana", "adopt", typed=link).stderr, "is yours now")
    has(person.run("ana", "rooms").stdout, room)
    check(tablet.process.wait(600) != 0, "the guest goes on")
    has(person.run("ana", "adopt", typed=link, code=77).stderr, "This link or phrase")
    has(person.run("ana", "unlink", typed="", code=64).stderr, "no recovery phrase was given")


def blocks_somebody(person):
    person.run("bo", "claim", "Bo-1904")
    has(person.run("ana", "block", "b", code=64).stderr, "is no handle")
    has(person.run("ana", "block", "nobody-1", code=77).stderr, "Nobody has this handle")
    has(person.run("ana", "block", "bo-1904").stderr, "@bo-1904 is blocked")
    has(person.run("ana", "blocks").stdout, "@Bo-1904")
    has(person.run("ana", "unblock", "Bo-1904").stderr, "not blocked any more")
    has(person.run("ana", "unblock", "Bo-1904", code=77).stderr, "Nobody has this handle")
    has(person.run("ana", "rooms", "--json").stdout, '"handle":"Hanna"')


def gives_a_program_a_token(person):
    """Of its own account, with which it is known by the variable, and not after it was ended."""
    has(person.run("ana", "bots", "hanna", code=77).stderr, "wrong type, form or range")
    has(person.run("ana", "bots", "hanna-bot").stdout, "@hanna-bot")
    made = person.run("ana", "token", "evening", "--scope", "room games", "--bot", "hanna-bot")
    has(made.stderr, "shown this once")
    token = made.stdout.strip()
    check(re.fullmatch("taluva_[A-Za-z0-9_-]{43}[0-9a-hjkmnp-tv-z]{7}", token), token)
    has(person.run("nobody", "rooms", "--json", TALUVA_TOKEN=token).stdout, '"handle":"hanna-bot"', '"scope":"room games"')
    has(person.run("nobody", "devices", TALUVA_TOKEN=token, code=77).stderr, "This token is not for that")
    has(person.run("nobody", "rooms", TALUVA_TOKEN=token[:-1] + "!", code=64).stderr, "a slip in it")
    key = person.run("ana", "tokens", "--bot", "hanna-bot").stdout.split()[0]
    has(person.run("ana", "revoke", key, "--bot", "hanna-bot").stderr, "opens nothing any more")
    has(person.run("nobody", "rooms", TALUVA_TOKEN=token, code=77).stderr, "does not know this token")


def follows_somebody(person):
    has(person.run("ana", "follow", "bo-1904").stderr, "@bo-1904 is followed")
    friends = person.run("ana", "friends").stdout
    check(friends == "@Bo-1904\n", friends)
    has(person.run("ana", "friends", "--hide").stderr, "Nobody sees any more")
    has(person.run("ana", "friends").stderr, "Nobody sees whether you are there")
    has(person.run("ana", "friends", "--show").stderr, "see whether you are there")
    has(person.run("ana", "unfollow", "Bo-1904").stderr, "not followed any more")
    has(person.run("ana", "friends").stderr, "You follow nobody")
    has(person.run("ana", "games", "--people").stderr, "with nobody here yet")


def exports_everything(person):
    person.run("ana", "block", "bo-1904")
    own = json.loads(person.run("ana", "export").stdout)
    check(own["account"]["handle"] == "Hanna" and own["profile"]["handle"] == "Hanna", own)
    check([block["handle"] for block in own["blocks"]["blocks"]] == ["Bo-1904"], own)
    check(own["bots"]["bots"] == ["hanna-bot"] and own["tokens"]["tokens"] == [], own)
    check(len(own["devices"]["devices"]) > 1 and own["games"] == [], own)
    person.run("ana", "unblock", "bo-1904")
    visitor = json.loads(person.run("nobody", "export").stdout)
    of_visitor = ["devices", "games", "kept", "kept_at_desk", "name", "seats", "session", "time"]
    check(sorted(visitor) == of_visitor and visitor["kept"] == {"matches": []}, visitor)


def two_find_each_other(person):
    """In two terminals; who has looked for nobody any more is not found."""
    world = person.world
    has(person.run("nobody", "seek", code=77).stdout, "Claim a handle first.")
    has(person.run("nobody", "seek", "--sizes", "4-2", code=64).stderr, "a list such as 2,3 or 2-4")
    has(person.run("nobody", "seek", "--clocks", "fast,", code=64).stderr, "a list such as normal,calm")
    has(person.run("nobody", "seek", "--games", ",totem", code=64).stderr, "a list such as taluva,totem")
    handles = {"eva": "eva-1905", "fay": "fay-1906", "ike": "ike-1907"}
    for profile, handle in handles.items():
        person.run(profile, "claim", handle, "--name", profile.title())
    terminals = {profile: Terminal(world.command("seek", "--sizes", "2-3", "--range", "200", "--profile", profile), world.environment) for profile in ("ike",)}
    try:
        terminals["ike"].expect("Looking for others")
        for form in ("duel", "table"):
            terminals["ike"].expect(f"taluva.{form}.live: rated 1300 to 1700, and nobody else.")
        terminals["ike"].type("quit\r")
        check(terminals["ike"].process.wait(600) == 0, "it has failed")
        program = person.open("ike", "seek", "--sizes", "3,2", "--games", "totem,taluva", "--computers")
        sent = program.hear("sent", "local")["request"]
        check("game" not in sent and sent["options"] == {"sizes": [2, 3], "games": ["totem", "taluva"], "computers": True}, sent)
        check(program.hear(sent["id"], "id")["ok"] == {}, "a program seeks nothing")
        program.process.send_signal(signal.SIGTERM)
        check(program.process.wait(600) == 130, "a signal does not end it")
        # One challenges the other, who is told at once, wherever they are, and does the same.
        challenged = person.open("fay", "seek", "--sizes", "3")
        challenged.hear(challenged.hear("sent", "local")["request"]["id"], "id")
        terminals["eva"] = Terminal(world.command("seek", "--with", "fay-1906", "--clocks", "calm,fast", "--profile", "eva"), world.environment)
        check(challenged.hear("challenged", "push")["handle"] == "eva-1905", "who is challenged is not told")
        challenged.process.send_signal(signal.SIGTERM)
        check(challenged.process.wait(600) == 130, "a signal does not end it")
        terminals["fay"] = Terminal(world.command("seek", "--with", "eva-1905", "--clocks", "fast,calm", "--profile", "fay"), world.environment)
        for profile in ("eva", "fay"):
            terminals[profile].expect("Others are found.")
            terminals[profile].expect(re.compile(r"(Eva|Fay) is first"))
            terminals[profile].expect_picture("Fay")
    finally:
        for terminal in terminals.values():
            terminal.close()


def main():
    with World(sys.argv[1], sys.argv[2], "--accounts", "open", "--claims-per-address-per-day", "100", "--accept-ms", "3600000", "--origin", f"https://{SITE}", "--passes-per-min", "1000", "--passes-burst", "1000") as world:
        person = Person(world)
        needs_a_session(person)
        person.run("ana", "rooms", "--name", "Ana")
        person.room = person.run("ana", "create", "--no-join", "--players", 2).stdout.strip()
        person.open("ana", "join", person.room).hear("ok")
        link_is_good_once(person, person.room)
        claims_a_handle(person)
        ends_an_account(person)
        takes_over_a_guest(person)
        blocks_somebody(person)
        follows_somebody(person)
        gives_a_program_a_token(person)
        exports_everything(person)
        two_find_each_other(person)
        enter_wants_a_secret(person)
        phrase = phrase_is_made_once(person)
        devices_are_listed_and_ended(person)
        ended_meanwhile(person)
        ones_own_end(person, phrase)
        replaced(person)
        code_at_a_terminal(person)
        typed_unseen(person, phrase)
        passkey_and_no_phrase(person)
    print("links, phrases and devices: well")


main()

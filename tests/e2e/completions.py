"""Completions in real shells: every command and every option that the help names, and the values of those that have words.

usage: completions.py TALUVA
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from person import Terminal
from world import Failed, check

TALUVA = sys.argv[1]
GAMES = ("taluva", "totem")
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm"}
# What a shell is asked, and something that it must offer; a name ends with it.
VALUES = (
    ("create --preset ", "original-2006"),
    ("create --game ", "totem"),
    ("create --game=", "totem"),
    ("bot R --level ", "master"),
    ("join R --colour ", "brown"),
    ("totem join R --colour ", None),
    ("replay --as ", "watcher"),
    ("help ", "create"),
    ("totem help ", "create"),
    ("totem ", "legal"),
    ("", "totem"),
    ("replay ", "a match.taluva"),
    ("verify --key ", "a match.taluva"),
    ("rooms --server ", None),
    ("rooms ", None),
    ("devices ", "rename"),
)


def say(*words):
    return subprocess.run([TALUVA, *words], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout


def commands(*game):
    found = re.findall(r"^  ([a-z]+) .{10,}", say(*game, "--help"), re.MULTILINE)
    return [name for name in found if name not in ("taluva", "man")]


def named_options(*words):
    """The options at the beginnings of the lines of the help."""
    return [found.group(1) for found in re.finditer(r"^  (?:-\w, )?(--[a-z-]+)", say(*words, "--help"), re.MULTILINE)]


class Shell:
    def __init__(self, folder):
        self.folder = folder
        self.script = folder / "script"
        self.script.write_text(say("--completion", self.name))
        check(subprocess.run([self.name, "-n", self.script]).returncode == 0, f"{self.name} cannot read its script")

    def run(self, *words):
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder / "files", env=ENVIRONMENT, timeout=600)
        check(done.returncode == 0 and not done.stderr, f"{words}: {done.stderr}")
        return [row for row in done.stdout.splitlines() if row]


class Bash(Shell):
    name = "bash"

    def offers(self, line):
        words = re.findall(r"=|[^\s=]+", f"taluva {line}") + ([""] if line.endswith(" ") or not line else [])
        return self.run("bash", "--norc", "-c", f'source "{self.script}"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _taluva;'
                        ' printf "%s\\n" "${COMPREPLY[@]}"', "bash", *words)


class Fish(Shell):
    name = "fish"

    def offers(self, line):
        command = f"source {self.script}; complete -C 'taluva {line}'"
        offered = [row.split("\t")[0] for row in self.run("fish", "-N", "-c", command)]
        return [word.removeprefix("--game=") for word in offered]


OPERANDS = ("1:", "*:")  # how zsh is told of the first one, and of all


class Zsh(Shell):
    """Completes in a terminal only, so what its own functions would be given is looked at; and one real completion."""

    name = "zsh"
    STUBS = """_arguments() { print -rl -- "$@" }
_describe() { local -a list=("${(@P)2}"); print -rl -- "${list[@]%%:*}" }
compadd() { print -rl -- "$@" }
words=("$@") CURRENT=$#
shift $#
"""

    def offers(self, line):
        typed = re.sub(r"(--game)=", r"\1 ", f"taluva {line}")
        words = typed.split() + ([""] if typed.endswith(" ") else [])
        specs = self.run("zsh", "-f", "-c", f'{self.STUBS} source "{self.script}"', "zsh", *words)
        specs = [re.sub(r"^\(-[^)]*\)", "", spec) for spec in specs]  # what an option excludes
        before = words[-2] if len(words) > 1 else ""
        if before.startswith("--") or before == "R":
            pattern = rf"{before}=?\[" if before != "R" else r"\*:"
            specs = [spec for spec in specs if re.match(pattern, spec)]
            check(len(specs) < 2, f"{before} is there {len(specs)} times")
        elif not words[-1] and len(words) > 2 and any(spec.startswith(OPERANDS) for spec in specs):
            specs = [spec for spec in specs if spec.startswith(OPERANDS)]
        offered = []
        for spec in specs:
            value = spec.rsplit(":", 1)[1] if ":" in spec else ""
            wants_value = before.startswith("--") or spec.startswith(OPERANDS)
            if wants_value and value.startswith("("):
                offered += value.strip("()").split()
            elif wants_value and value == "_files":
                offered += os.listdir(self.folder / "files")
            elif not wants_value:
                offered.append(re.sub(r"=?\+?\[.*", "", spec))
        return offered

    def complete_for_real(self):
        terminal = Terminal(["zsh", "-f", "-i"], {**ENVIRONMENT, "HOME": str(self.folder)}, folder=self.folder)
        for text in ("autoload -Uz compinit && compinit -u -D", f"functions[_taluva]=\"$(<{self.script})\"", "compdef _taluva taluva",
                     "echo rea''dy"):
            os.write(terminal.master, text.encode() + b"\r")
        terminal.expect("ready\r\n")
        terminal.seen = len(terminal.raw)
        os.write(terminal.master, b"taluva verify --ke\t")
        terminal.expect(re.compile(r"taluva verify --key"))
        os.write(terminal.master, b"\x15exit\r")
        terminal.process.wait(60)


def check_shell(shell):
    folder = shell.folder
    for game in ((), *((name,) for name in GAMES)):
        prefix = "".join(f"{word} " for word in game)
        known = commands(*game)
        check(len(known) >= 9, f"the help of {game} names {known}")
        offered = set(shell.offers(prefix))
        check(offered >= {*known, "help"}, f"{shell.name}: {prefix}: only {sorted(offered)}")
        for command in known:
            wanted = set(named_options(*game, command))
            check("--help" in wanted, f"the help of {command} names {wanted}")
            got = set(shell.offers(f"{prefix}{command} --"))
            check(got >= wanted, f"{shell.name}: {prefix}{command}: no {sorted(wanted - got)}")
            check(not {word for word in got if word.startswith("--")} - wanted, f"{shell.name}: {command}: too many: {sorted(got - wanted)}")
    for line, word in VALUES:
        offered = shell.offers(line)
        if word is None:
            check(not [each for each in offered if not each.startswith("-")], f"{shell.name}: {line}: {offered}")
        else:
            check(word in offered, f"{shell.name}: {line}: {word} is not among {offered}")
    check(not set(shell.offers("totem create --")) ^ set(shell.offers("create --game totem --")), f"{shell.name}: --game is not heard")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for shell in (Bash, Zsh, Fish):
            check(shutil.which(shell.name), f"{shell.name} is not installed, see deploy/packages.test")
            own = Path(folder) / shell.name
            (own / "files").mkdir(parents=True)
            (own / "files" / "a match.taluva").touch()
            asked = shell(own)
            check_shell(asked)
            if shell is Zsh:
                asked.complete_for_real()
            print(f"{shell.name}: well")


main()

"""Completions in real shells: every command and every option that the help names, and the values of those that have words.

usage: completions.py TALUVA
"""

import os
import re
import shlex
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
ANSWERED = "answered"  # no shell offers that
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


def helped():
    """By what is typed before them, "" or a game, the commands that the help names, each with its options."""
    found = {}
    for game in ((), *((name,) for name in GAMES)):
        known = {command: set(named_options(*game, command)) for command in commands(*game)}
        check(len(known) >= 9, f"the help of {game} names {known}")
        for command, wanted in known.items():
            check("--help" in wanted, f"the help of {command} names {wanted}")
        found["".join(f"{word} " for word in game)] = known
    return found


class Shell:
    def __init__(self, folder):
        self.folder = folder
        self.script = folder / "script"
        self.script.write_text(say("--completion", self.name))
        check(subprocess.run([self.name, "-n", self.script]).returncode == 0, f"{self.name} cannot read its script")

    def ask(self, lines):
        """What is offered for each line: all by one process, as a shell takes longer to begin than to answer."""
        text = "\n".join([self.BEGIN.format(script=self.script), *map(self.question, lines)])
        done = subprocess.run([*self.words, text], capture_output=True, text=True, cwd=self.folder / "files", env=ENVIRONMENT, timeout=600)
        check(done.returncode == 0 and not done.stderr, f"{self.name}: {done.stderr}")
        answers = done.stdout.split(f"{ANSWERED}\n")
        check(len(answers) == len(lines) + 1 and not answers[-1], f"{self.name}: {len(answers) - 1} answers to {len(lines)} lines")
        return {line: self.offers(line, [row for row in answer.splitlines() if row]) for line, answer in zip(lines, answers)}


def split(typed, separator):
    """The words of what is typed; behind a blank there is one more, which is empty."""
    return re.findall(separator, typed) + ([""] if typed.endswith(" ") else [])


class Bash(Shell):
    name = "bash"
    words = ("bash", "--norc", "-c")
    BEGIN = 'source "{script}"'

    def question(self, line):
        words = split(f"taluva {line}", r"=|[^\s=]+")
        return f"""COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1} COMPREPLY=()
_taluva; printf '%s\\n' "${{COMPREPLY[@]}}" {ANSWERED}"""

    def offers(self, line, rows):
        return rows


class Fish(Shell):
    name = "fish"
    words = ("fish", "-N", "-c")
    BEGIN = "source {script}"

    def question(self, line):
        return f"complete -C 'taluva {line}'; echo {ANSWERED}"

    def offers(self, line, rows):
        return [row.split("\t")[0].removeprefix("--game=") for row in rows]


OPERANDS = ("1:", "*:")  # how zsh is told of the first one, and of all


class Zsh(Shell):
    """Completes in a terminal only, so what its own functions would be given is looked at; and one real completion."""

    name = "zsh"
    words = ("zsh", "-f", "-c")
    BEGIN = """_arguments() {{ print -rl -- "$@" }}
_describe() {{ local -a list=("${{(@P)2}}"); print -rl -- "${{list[@]%%:*}}" }}
compadd() {{ print -rl -- "$@" }}
script="{script}"
"""

    def typed(self, line):
        return split(re.sub(r"(--game)=", r"\1 ", f"taluva {line}"), r"\S+")

    def question(self, line):
        words = self.typed(line)
        return f'(words=({shlex.join(words)}) CURRENT={len(words)}; source "$script"); print -r -- {ANSWERED}'

    def offers(self, line, specs):
        words = self.typed(line)
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


SAME = ("totem create --", "create --game totem --")


def check_shell(shell, helped):
    """`helped` says of each beginning which commands the help names there, with their options."""
    lines = [prefix for prefix in helped] + [f"{prefix}{command} --" for prefix, known in helped.items() for command in known]
    asked = shell.ask(list(dict.fromkeys([*lines, *(line for line, _ in VALUES), *SAME])))
    for prefix, known in helped.items():
        offered = set(asked[prefix])
        check(offered >= {*known, "help"}, f"{shell.name}: {prefix}: only {sorted(offered)}")
        for command, wanted in known.items():
            got = set(asked[f"{prefix}{command} --"])
            check(got >= wanted, f"{shell.name}: {prefix}{command}: no {sorted(wanted - got)}")
            check(not {word for word in got if word.startswith("--")} - wanted, f"{shell.name}: {command}: too many: {sorted(got - wanted)}")
    for line, word in VALUES:
        offered = asked[line]
        if word is None:
            check(not [each for each in offered if not each.startswith("-")], f"{shell.name}: {line}: {offered}")
        else:
            check(word in offered, f"{shell.name}: {line}: {word} is not among {offered}")
    check(not set(asked[SAME[0]]) ^ set(asked[SAME[1]]), f"{shell.name}: --game is not heard")


def main():
    known = helped()
    with tempfile.TemporaryDirectory() as folder:
        for shell in (Bash, Zsh, Fish):
            check(shutil.which(shell.name), f"{shell.name} is not installed, see deploy/packages.test")
            own = Path(folder) / shell.name
            (own / "files").mkdir(parents=True)
            (own / "files" / "a match.taluva").touch()
            asked = shell(own)
            check_shell(asked, known)
            if shell is Zsh:
                asked.complete_for_real()
            print(f"{shell.name}: well")


main()

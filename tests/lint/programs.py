"""Every program that the tests and the two commands of the README call is there on a bare Debian: deploy/packages.* names its package, or
Debian cannot be without it. So a machine that happens to have more cannot hide a missing line.

Calls are found where a program's name stands in the text: what subprocess and shutil.which get in Python, what child_process gets in
JavaScript, find_program in meson.build, and the words at which a shell begins a command.

usage: programs.py TOP
"""

import ast
import os
import re
import shutil
import subprocess
import sys

import tree

LISTS = ("run", "build", "compile", "test")
SCRIPTS = ("deploy/run", "deploy/test", "deploy/common.sh", "deploy/cluster/certificates", "tests/schema/run")
# Programs that may be missing, and why.
MAY_BE_MISSING = {
    "apt-get": "deploy/common.sh installs with it",
    "sudo": "deploy/common.sh says what to do without",
    "postgres": "tests/support/postgres.py looks into the folders of postgresql-15 first, and here for what others have built",
    "ss": "tests/bench/sites.py, a benchmark, goes on without",
}
NAME = r"[a-z][a-z0-9_.+-]*"
PYTHON_CALLS = {f"subprocess.{name}" for name in ("run", "Popen", "call", "check_call", "check_output")}
SPAWN = re.compile(rf"\b(?:spawn|execFile)(?:Sync)?\(\s*(['\"`])({NAME})\1")
FIND_PROGRAM = re.compile(rf"\bfind_program\(\s*'({NAME})'")
BUILTINS = set(
    """. : [ alias break case cd command continue declare do done echo elif else esac eval exec exit export false fi for function getopts hash
    if in kill let local mapfile printf pwd read readonly return select set shift shopt source test then time trap true type ulimit umask
    unset until wait while""".split()
)
BEGINS = r"(?:^|[;|&({]|\$\()\s*"
BEFORE = r"(?:(?:!|then|do|else|if|elif|while|until|exec|env|xargs|as_root|sudo -n --|[A-Za-z_]\w*\+?=[^\s(]*)\s+)*"
COMMAND = re.compile(rf"{BEGINS}{BEFORE}({NAME})(?=[\s;|&)]|$)", re.MULTILINE)


def called_in_python(source):
    """What subprocess starts: a list that stands there, or the one that a name was given."""
    whole = ast.parse(source)
    given = {
        target.id: node.value
        for node in ast.walk(whole) if isinstance(node, ast.Assign)
        for target in node.targets if isinstance(target, ast.Name)
    }
    for node in ast.walk(whole):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function, first = ast.unparse(node.func), node.args[0]
        if function in PYTHON_CALLS:
            while isinstance(first, (ast.List, ast.Tuple, ast.Starred, ast.Name)):
                if isinstance(first, (ast.List, ast.Tuple)):
                    first = first.elts[0] if first.elts else None
                elif isinstance(first, ast.Starred):
                    first = first.value
                else:
                    first = given.pop(first.id, None)
        elif function != "shutil.which":
            continue
        if isinstance(first, ast.Constant) and re.fullmatch(NAME, str(first.value)):
            yield first.value


def without_words(source, at=0, inside=False):
    """A script without what is quoted, its comments, arrays and here-documents, and where that ends; commands within stay."""
    kept = []
    while at < len(source):
        here = source[at:]
        if match := re.match(r"\\.|'[^']*'|\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|(?<![\w$])#.*", here, re.DOTALL if here[0] in "\\'$" else 0):
            kept.append(" " if match[0] == "\\\n" else "''")
            at += match.end()
        elif match := re.match(r"<<-?'?(\w+)'?(.*\n)(?:.*\n)*?\s*\1\n", here):
            kept.append(match[2])
            at += match.end()
        elif here[0] == '"':
            at += 1
            while source[at] != '"':
                if source.startswith("$(", at):
                    body, at = without_words(source, at + 2, True)
                    kept.append(f"$({body})")
                else:
                    at += 2 if source[at] == "\\" else 1
            kept.append("''")
            at += 1
        elif here[0] == "(":
            body, at = without_words(source, at + 1, True)
            kept.append(" ".join(["''", *re.findall(r"\$\([^()]*\)", body)]) if kept and kept[-1] == "=" else f"({body})")
        elif here[0] == ")" and inside:
            return "".join(kept), at + 1
        elif here[0] == ")":  # the patterns of `case`
            while kept and "\n" not in kept[-1]:
                kept.pop()
            at += 1
        else:
            kept.append(here[0])
            at += 1
    return "".join(kept), at


def called_in_shell(source, functions):
    """The first words of commands; `functions` are those of this script and of what it reads in."""
    for name in COMMAND.findall(without_words(source)[0]):
        if name not in BUILTINS and name not in functions:
            yield name


def functions_of(source):
    return set(re.findall(r"^(\w+)\(\) *[{(]", source, re.MULTILINE))


def calls(top):
    """(file, program) of all calls."""
    for path in tree.files(top, ".py"):
        if path.startswith(("tests/", "deploy/")):
            for name in called_in_python(tree.read(top, path)):
                yield path, name
    for path in tree.files(top, ".mjs"):
        for _, name in SPAWN.findall(tree.read(top, path)):
            yield path, name
    for path in tree.files(top, ".build"):
        for name in FIND_PROGRAM.findall(tree.read(top, path)):
            if not os.path.exists(os.path.join(top, os.path.dirname(path), name)):
                yield path, name
    sources = {path: tree.read(top, path) for path in SCRIPTS if os.path.exists(os.path.join(top, path))}
    functions = set().union(*map(functions_of, sources.values()))
    for path, source in sources.items():
        for name in called_in_shell(source, functions):
            yield path, name


def listed(top):
    """The packages of deploy/packages.*, and the commands that are named beside them."""
    packages, commands = set(), set()
    for name in LISTS:
        for line in tree.read(top, f"deploy/packages.{name}").splitlines():
            words = line.partition("#")[0].split()
            packages.update(words[:1])
            commands.update(words[1:])
    return packages, commands


def always_there():
    """The packages that Debian cannot be without."""
    form = "${Package} ${Essential} ${Priority}\n"
    run = subprocess.run(["dpkg-query", "-W", f"-f={form}"], capture_output=True, text=True, check=True)
    return {words[0] for words in map(str.split, run.stdout.splitlines()) if words[1] == "yes" or words[2] == "required"}


def owners(program):
    """The packages that a program in the path may belong to, as a file or as what its links lead to."""
    found = shutil.which(program)
    if not found:
        return set()
    paths = {found, os.path.realpath(found)}
    paths |= {path.removeprefix("/usr") for path in paths if path.startswith("/usr/")}  # where it was before /usr was merged
    run = subprocess.run(["dpkg-query", "-S", *sorted(paths)], capture_output=True, text=True, check=False)
    return {line.partition(":")[0] for line in run.stdout.splitlines() if not line.startswith("diversion ")}


def findings(top):
    packages, commands = listed(top)
    good = packages | always_there()
    where = {}
    for path, name in calls(top):
        where.setdefault(name, set()).add(path)
    for name, paths in sorted(where.items()):
        if name in commands or name in MAY_BE_MISSING or (of := owners(name)) & good:
            continue
        said = f"is in {' or '.join(sorted(of))}" if of else "is in no package that is installed here"
        yield f"{min(paths)}: {name} {said}, and deploy/packages.* does not name it"


if __name__ == "__main__":
    if not shutil.which("dpkg-query"):
        tree.skip("not Debian: nothing knows which package a program belongs to")
    sys.exit(tree.report(list(findings(sys.argv[1]))))

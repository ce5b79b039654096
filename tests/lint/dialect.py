"""C is written in one way where the language has several and neither the compiler nor clang-format chooses.

usage: dialect.py TOP

- braces: around what is more than one simple statement, and then in every branch of the same `if`; nowhere else;
- `sizeof x` of a variable, and parentheses only around a type;
- a pointer is tested as `p` or `!p`; `p != NULL` only makes a value, or follows an assignment in a condition;
- a section of a file is headed by `/* ---- its name */`;
- includes are one block, before it the header of the same name, alone.
"""

import os
import re
import sys

import tree

STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
KEYWORD = re.compile(r"\b(if|for|while|do|switch)\b")
TYPE = re.compile(r"(?:const )?(?:struct|enum|union|unsigned|signed|char|short|int|long|float|double|bool|void)\b|\w+_t\b")
PAIRS = {"(": ")", "[": "]", "{": "}"}


def blank(text, patterns):
    """The text with what matches replaced by as many blanks, lines kept, so that places stay places."""
    joined = re.compile("|".join(f"(?:{pattern.pattern})" for pattern in patterns), re.DOTALL | re.MULTILINE)
    return joined.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def code_of(text):
    """Without comments, and with strings of blanks."""
    both = re.compile(f"{COMMENT.pattern}|{STRING.pattern}", re.DOTALL)

    def hide(found):
        inside = re.sub(r"[^\n]", " ", found.group())
        return inside if found.group()[0] == "/" else found.group()[0] + inside[1:-1] + found.group()[0]

    return both.sub(hide, text)


def closed(code, at):
    """Behind the bracket that closes the one at `at`."""
    open_ones = []
    for i in range(at, len(code)):
        if code[i] in PAIRS:
            open_ones.append(PAIRS[code[i]])
        elif open_ones and code[i] == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return i + 1
    return len(code)


def ended(code, at):
    """Behind the semicolon of the simple statement at `at`."""
    while at < len(code) and code[at] not in ";}":
        at = closed(code, at) if code[at] in PAIRS else at + 1
    return at + 1


def skip(code, at):
    while at < len(code) and code[at].isspace():
        at += 1
    return at


class Body:
    """What a control statement controls: kind is block, lone (a block that needs none), control or simple."""

    def __init__(self, code, text, at):
        self.start = at = skip(code, at)
        keyword = KEYWORD.match(code, at)
        if code[at : at + 1] == "{":
            self.end = closed(code, at)
            inner = code[at + 1 : self.end - 1].strip()
            alone = inner.endswith(";") and ended(inner, 0) == len(inner) and not KEYWORD.match(inner)
            comment = COMMENT.search(text, at, self.end)
            self.kind = "lone" if alone and not comment else "block"
        elif keyword:
            self.kind, self.end = "control", Control(code, text, at).end
        else:
            self.kind, self.end = "simple", ended(code, at)


class Control:
    """One control statement with all its branches."""

    def __init__(self, code, text, at):
        word = KEYWORD.match(code, at).group()
        self.word, self.bodies = word, []
        if word == "do":
            self.bodies.append(Body(code, text, at + 2))
            self.end = ended(code, self.bodies[0].end)
            return
        self.end = self.add(code, text, at)
        while word == "if" and re.match(r"else\b", code[skip(code, self.end) :]):
            at = skip(code, skip(code, self.end) + 4)
            if re.match(r"if\b", code[at:]):
                self.end = self.add(code, text, at)
            else:
                self.bodies.append(Body(code, text, at))
                self.end = self.bodies[-1].end
                break

    def add(self, code, text, at):
        self.bodies.append(Body(code, text, closed(code, code.index("(", at))))
        return self.bodies[-1].end

    def wrong(self):
        """The bodies whose braces are missing, and those whose braces are too many."""
        if self.word in ("do", "switch"):
            return [], []
        needed = any(body.kind in ("block", "control") for body in self.bodies)
        bare = [body for body in self.bodies if body.kind in ("control", "simple")]
        return (bare, []) if needed else ([], [body for body in self.bodies if body.kind == "lone"])


def controls(text):
    """Every control statement outside of macros; an `else if` belongs to its `if`."""
    code = blank(code_of(text), [DIRECTIVE])
    ends_of_do = set()
    for found in KEYWORD.finditer(code):
        before = code[: found.start()].rstrip()
        if found.start() in ends_of_do or (found.group() == "if" and re.search(r"\belse$", before)):
            continue
        control = Control(code, text, found.start())
        if found.group() == "do":
            ends_of_do.add(skip(code, control.bodies[0].end))
        yield control


def braces(text):
    for control in controls(text):
        missing, too_many = control.wrong()
        for body in missing:
            yield body.start, "braces are missing here, or in another branch too many"
        for body in too_many:
            yield body.start, "braces around one simple statement"


def sizes(text):
    code = code_of(text)
    for found in re.finditer(r"\bsizeof\s*\(", code):
        end = closed(code, found.end() - 1)
        behind = code[end : end + 2]
        if not TYPE.match(text, found.end()) and behind[:1] not in (".", "[") and behind != "->":
            yield found.start(), "sizeof a variable is written without parentheses"


TESTED = re.compile(r"(?<![\w)\]])((?:[*&]\s*)?\w+(?:->\w+|\.\w+|\[[^\[\]]*\]|\((?:[^()]|\([^()]*\))*\))*)\s*([!=])= NULL\b")
ASSERTS = r"(?:\b(?:if|while|assert|ck_assert|ck_assert_msg|REQUIRE|HOLD)\s*\(|&&|\|\||;)\s*$"


def null_tests(text):
    code = code_of(text)
    for found in TESTED.finditer(code):
        before, behind = code[: found.start()], code[found.end() :].lstrip(" \n\\)")
        if re.search(r"REQUIRE\(\w+, $", before) or re.search(ASSERTS, before) or re.match(r"&&|\|\||\?", behind):
            yield found.start(), "a pointer is tested as p or !p"


def banners(text):
    for found in re.finditer(r"/\*\s*[-=*]{2,}[^\n]*", text):
        if not re.fullmatch(r"/\* ---- [^-\s](?:[^\n]*[^-\s])? \*/", found.group()):
            yield found.start(), "a section is headed by /* ---- its name */"


BLOCKS = re.compile(r"\A(?:/\*.*?\*/\s*)?(?:#(?:ifndef|define) \w+\n)*\s*((?:#include [^\n]+\n|\n)+)", re.DOTALL)


def blocks(path, text):
    """The includes that a file begins with, as they should be: blocks of lines."""
    found = BLOCKS.match(text)
    if not found or not found.group(1).strip():
        return None, []
    lines = [line for line in found.group(1).split("\n") if line]
    name = os.path.splitext(os.path.basename(path))[0] + ".h"
    own = [line for line in lines if path.endswith(".c") and re.split(r'[/<">]', line)[-2] == name][:1]
    rest = [line for line in lines if line not in own]
    return found, [block for block in (own, rest) if block]


def includes(path, text):
    found, wanted = blocks(path, text)
    if found and [block.split("\n") for block in re.split(r"\n\n+", found.group(1).strip("\n"))] != wanted:
        yield found.start(1), "includes are one block, before it the header of the same name, alone"


def findings_in(path, text):
    places = [*braces(text), *sizes(text), *null_tests(text), *banners(text), *includes(path, text)]
    for at, what in sorted(places):
        yield f"{path}:{text.count(chr(10), 0, at) + 1}: {what}"


def findings(top):
    for path in tree.files(top, ".c", ".h"):
        yield from findings_in(path, tree.read(top, path))


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

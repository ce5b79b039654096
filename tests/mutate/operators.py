"""Small changes to C, each of which a test should notice. They are found in the text, token by token: what is made of a place
may not compile, which the caller finds out.

A mutant is (offset, length, replacement, operator).
"""

import re
from typing import NamedTuple


class Mutant(NamedTuple):
    at: int
    length: int
    text: str
    operator: str


class Token(NamedTuple):
    at: int
    text: str
    kind: str  # word, number or sign


TOKEN = re.compile(
    r"""(?P<none>\s+|/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.)*)
      |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      |(?P<word>[A-Za-z_]\w*)
      |(?P<number>\.?\d(?:[\w.]|[eE][+-])*)
      |(?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
OPENING = {"(": ")", "[": "]", "{": "}"}
KEYWORDS = set(
    """auto break case char const continue default do double else enum extern float for goto if inline int long register
    return short signed sizeof static struct switch typedef union unsigned void volatile while _Static_assert""".split()
)
# What has no effect that a test could or should see.
NOT_CALLED = {"assert", "_Static_assert", "static_assert", "__attribute__", "sizeof", "offsetof", "va_end", "ck_assert"}
# What the sanitizer of leaks sees in the other build; the mutants are built without one.
FREED = {"free", "json_decref"}

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
BINARY = {"+": "-", "-": "+", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "%": "/", "+=": "-=", "-=": "+=", "|=": "&="}
LOGICAL = {"&&": "||", "||": "&&"}
STEPS = {"++": "--", "--": "++"}
TRUTH = {"true": "false", "false": "true"}


def tokens(source):
    return [
        Token(match.start(), match.group(), match.lastgroup)
        for match in TOKEN.finditer(source)
        if match.lastgroup != "none"
    ]


def matching(found):
    """For the index of each opening token that of its closing one."""
    stack, pairs = [], {}
    for index, token in enumerate(found):
        if token.kind == "sign" and token.text in OPENING:
            stack.append(index)
        elif token.kind == "sign" and token.text in OPENING.values() and stack:
            pairs[stack.pop()] = index
    return pairs


def left_alone(found, pairs):
    """The indices of tokens in assertions, attributes and the like."""
    alone = set()
    for index, token in enumerate(found[:-1]):
        if token.text in NOT_CALLED and index + 1 in pairs:
            alone.update(range(index, pairs[index + 1] + 1))
    return alone


def bodies(found, pairs):
    """(opening, closing, name's index) of each function's body."""
    depth = 0
    for index, token in enumerate(found):
        if token.text == "{" and depth == 0 and index and found[index - 1].text == ")" and index in pairs:
            start = index
            while start > 0 and found[start - 1].text not in (";", "}"):
                start -= 1
            yield index, pairs[index], start
        depth += (token.text == "{") - (token.text == "}")


def statement_end(found, pairs, index, limit):
    """The index of the semicolon that ends what begins here, or None."""
    while index < limit:
        if found[index].text == ";":
            return index
        if found[index].text in "{}":
            return None
        index = pairs.get(index, index) + 1
    return None


def begins_statement(found, index):
    before = found[index - 1].text
    if before == ":":
        return follows_label(found, index - 1)
    return before in (";", "{", "}", "else") or (before == ")" and controls(found, index - 1))


def follows_label(found, index):
    """Whether a colon is that of a label, and no second half of a choice."""
    while found[index].text not in (";", "{", "}"):
        if found[index].text in ("?", "="):
            return False
        index -= 1
    return True


def controls(found, closing):
    """Whether a parenthesis ends the head of an if, for or while."""
    depth = 0
    for index in range(closing, -1, -1):
        depth += (found[index].text == ")") - (found[index].text == "(")
        if depth == 0:
            return index > 0 and found[index - 1].text in ("if", "for", "while", "switch")
    return False


def is_expression(found, index):
    """Whether a statement that begins here does something, and declares nothing."""
    token, after = found[index], found[index + 1].text
    if token.text in ("++", "--", "*"):
        return True
    if token.text == "(":
        return after == "void"
    if token.kind != "word" or token.text in KEYWORDS | NOT_CALLED | FREED:
        return token.text in ("break", "continue")
    return after in ("(", "=", "->", ".", "[", "++", "--", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>=")


def dropped(source, found, pairs, opening, closing):
    inside = {at for first, last in pairs.items() if found[first].text == "(" for at in range(first, last)}
    for index in range(opening + 1, closing):
        if index not in inside and begins_statement(found, index) and is_expression(found, index):
            end = statement_end(found, pairs, index, closing)
            if end is not None:
                at = found[index].at
                yield Mutant(at, found[end].at + 1 - at, blank(source[at : found[end].at]) + ";", "drop")


def blank(text):
    """Only the line ends: the lines after it keep their numbers."""
    return "\n" * text.count("\n")


def conditions(source, found, pairs, opening, closing):
    for index in range(opening + 1, closing):
        if found[index].text in ("if", "while") and index + 1 in pairs:
            first, last = found[index + 1].at + 1, found[pairs[index + 1]].at
            text = source[first:last]
            yield Mutant(first, last - first, f"!({text})", "negate")


def returns(source, found, pairs, opening, closing, start):
    words = [token.text for token in found[start:opening]]
    names = words[: words.index("(")] if "(" in words else words
    if "void" in names and "*" not in names:
        yield Mutant(found[opening].at + 1, 0, " return;", "return early")
    for index in range(opening + 1, closing):
        if found[index].text == "return" and found[index + 1].text != ";":
            end = statement_end(found, pairs, index, closing)
            if end is None:
                continue
            first, last = found[index + 1].at, found[end].at
            text = source[first:last]
            if text not in ("0", "NULL", "false", "true"):
                yield Mutant(first, last - first, "0" + blank(text), "return other")


def is_operand(token):
    """Whether an operator after this token has two sides."""
    return token.kind in ("word", "number", "text") and token.text not in ("return", "case") or token.text in (")", "]")


def is_cast(found, pairs, index):
    """Whether the parenthesis that ends before this token holds a type: what follows has one side."""
    if found[index - 1].text != ")":
        return False
    opening = next((a for a, b in pairs.items() if b == index - 1), None)
    inside = [token.text for token in found[opening + 1 : index - 1]] if opening is not None else []
    return bool(inside) and (inside[-1] == "*" or inside[-1].endswith("_t") or inside[0] in KEYWORDS)


def signs(found, pairs, index):
    token, before = found[index], found[index - 1]
    swapped = COMPARISONS.get(token.text) or LOGICAL.get(token.text) or BINARY.get(token.text)
    if not swapped or not is_operand(before) or is_cast(found, pairs, index):
        return
    yield Mutant(token.at, len(token.text), swapped, "swap")


def declares_array(found, index):
    """Whether a number stands for how much room an array has: more of it is no fault."""
    if found[index - 1].text != "[" or index < 3:
        return False
    return found[index - 3].kind == "word" and found[index - 3].text != "return" or found[index - 3].text == "*"


def is_one_of_calloc(found, index):
    """How many are allocated, where it is one: with room for two nothing goes wrong."""
    return found[index].text == "1" and [token.text for token in found[index - 2 : index]] == ["calloc", "("]


def is_minus_one(found, index):
    """A negative code: which one it is matters to nobody who asks whether it is negative."""
    return found[index].text == "1" and found[index - 1].text == "-" and not is_operand(found[index - 2])


def words_and_numbers(found, index):
    token = found[index]
    if token.text in TRUTH:
        yield Mutant(token.at, len(token.text), TRUTH[token.text], "constant")
    elif token.text in STEPS:
        yield Mutant(token.at, 2, STEPS[token.text], "swap")
    elif token.kind == "number" and not (
        declares_array(found, index) or is_minus_one(found, index) or is_one_of_calloc(found, index)
    ):
        value = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", token.text)
        if value and not (value[1].startswith("0") and value[1].isdigit() and len(value[1]) > 1):
            yield Mutant(token.at, len(token.text), f"{int(value[1], 0) + 1}{value[2]}", "constant")


def mutants(source):
    """Everything that can be changed in a file, in its order."""
    found = tokens(source)
    pairs = matching(found)
    alone = left_alone(found, pairs)
    made = set()
    for opening, closing, start in bodies(found, pairs):
        made.update(dropped(source, found, pairs, opening, closing))
        made.update(conditions(source, found, pairs, opening, closing))
        made.update(returns(source, found, pairs, opening, closing, start))
        for index in range(opening + 1, closing):
            made.update(signs(found, pairs, index))
            made.update(words_and_numbers(found, index))
    forbidden = [found[index].at for index in sorted(alone)]
    return sorted(mutant for mutant in made if mutant.at not in set(forbidden))


def apply(source, mutant):
    return source[: mutant.at] + mutant.text + source[mutant.at + mutant.length :]

"""Catalogues in gettext's PO format, as values: reading and writing them. Knows nothing of what is translated.

A catalogue is a header (text) and messages in order. What translators' tools write is read: strings over several lines, flags, comments, messages that
are out of use (`#~`, which are dropped).
"""

import dataclasses
import re

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
UNESCAPES = {escape[1]: plain for plain, escape in ESCAPES.items()}
LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr)(?:\[(\d+)\])?\s+)?"((?:[^"\\]|\\.)*)"$')


@dataclasses.dataclass
class Message:
    """`context` tells apart what reads the same in English; `texts` are the translations, one for each plural form or one alone."""

    context: str
    text: str
    plural: str = ""
    texts: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)  # of translators: "#"
    said: list = dataclasses.field(default_factory=list)  # to translators: "#."
    places: list = dataclasses.field(default_factory=list)  # "#:"
    flags: list = dataclasses.field(default_factory=list)
    before: str = ""  # the English that a fuzzy translation was made of

    @property
    def is_done(self):
        return bool(self.texts) and all(self.texts) and "fuzzy" not in self.flags


@dataclasses.dataclass
class Catalogue:
    header: str
    messages: list
    notes: list = dataclasses.field(default_factory=list)

    def field(self, name):
        """What the header says of it, such as "Plural-Forms"; "" if nothing."""
        found = re.search(rf"^{name}: *(.*)$", self.header, re.MULTILINE)
        return found[1] if found else ""


class BadCatalogue(ValueError):
    """What was read is not in the format; says where."""


def unescaped(text):
    return re.sub(r"\\(.)", lambda found: UNESCAPES.get(found[1], found[1]), text)


def quoted(text):
    return '"' + "".join(ESCAPES.get(one, one) for one in text) + '"'


def read(text, name="catalogue"):
    """The catalogue that a text has."""
    messages, block = [], []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            block.append((number, line.strip()))
        elif block:
            messages.append(read_block(block, name))
            block = []
    messages = [message for message in messages if message]
    if not messages or messages[0].text or messages[0].context:
        raise BadCatalogue(f"{name}: has no header")
    header, *rest = messages
    return Catalogue(header.texts[0] if header.texts else "", rest, header.notes)


def read_block(block, name):
    """One message of its lines, None for what is out of use."""
    message, parts, last = Message("", ""), {}, None
    for number, line in block:
        if line.startswith("#"):
            read_comment(message, line)
            continue
        found = LINE.match(line)
        if not found or not (found[1] or last):
            raise BadCatalogue(f"{name}:{number}: this is no line of a message")
        last = (found[1], int(found[2] or 0)) if found[1] else last
        parts[last] = parts.get(last, "") + unescaped(found[3])
    if ("msgid", 0) not in parts:
        return None
    message.context = parts.get(("msgctxt", 0), "")
    message.text = parts["msgid", 0]
    message.plural = parts.get(("msgid_plural", 0), "")
    message.texts = [parts[key] for key in sorted(key for key in parts if key[0] == "msgstr")]
    return message


def read_comment(message, line):
    kind, rest = line[1:2], line[2:].strip()
    if kind == ".":
        message.said.append(rest)
    elif kind == ":":
        message.places.append(rest)
    elif kind == ",":
        message.flags.extend(flag.strip() for flag in rest.split(","))
    elif kind == "|":
        found = re.match(r'msgid "(.*)"$', rest)
        message.before = unescaped(found[1]) if found else message.before
    elif kind != "~":
        message.notes.append(line[1:].strip())


def written(catalogue):
    """The text of a catalogue; reading it gives the same again."""
    lines = [("# " + note).rstrip() for note in catalogue.notes]
    lines += ['msgid ""', 'msgstr ""', *(quoted(line) for line in catalogue.header.splitlines(keepends=True)), ""]
    for message in catalogue.messages:
        lines += [*written_message(message), ""]
    return "\n".join(lines)


def written_message(message):
    yield from (("# " + note).rstrip() for note in message.notes)
    yield from ("#. " + said for said in message.said)
    yield from ("#: " + place for place in message.places)
    if message.flags:
        yield "#, " + ", ".join(message.flags)
    if message.before:
        yield "#| msgid " + quoted(message.before)
    if message.context:
        yield "msgctxt " + quoted(message.context)
    yield "msgid " + quoted(message.text)
    if message.plural:
        yield "msgid_plural " + quoted(message.plural)
        yield from (f"msgstr[{at}] {quoted(text)}" for at, text in enumerate(message.texts or [""]))
    else:
        yield "msgstr " + quoted(message.texts[0] if message.texts else "")

"""The page's texts and their catalogues. English is where the page has it (clients/web, en.js of each vocabulary) and where the protocol has its
refusals (protocol/errors.json), the server the names that it gives; every other language is a catalogue, page/LANGUAGE.po, of which the page's files are made.

usage: words.py update     page.pot and the catalogues after the English has changed: what is new waits, what reads otherwise is fuzzy
       words.py write      the page's files of the catalogues
       words.py take       into the catalogues what the page's files say otherwise, after a merge with what was written there by hand; then update and write
       words.py waiting    what no catalogue has yet
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import po

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "../.."))
TEMPLATE = "clients/po/page.pot"
CATALOGUES = "clients/po/page"
ERRORS = "protocol/errors.json"
NAMES = "server/room/default_name.c"
# The vocabularies of the page by the name that a message's context begins with, and whose refusals each has.
VOCABULARIES = {
    "page": ("clients/web/i18n", "protocol"),
    "late": ("clients/web/i18n/late", None),
    "taluva": ("clients/web/js/games/taluva/i18n", "taluva"),
    "taluva learn": ("clients/web/js/games/taluva/learn/i18n", None),
    "totem": ("clients/web/js/games/totem/i18n", "totem"),
    "totem learn": ("clients/web/js/games/totem/learn/i18n", None),
}
# By the number of forms: what the page calls each (Intl.PluralRules); of Polish what has no form of its own there is `_other`, as in all others.
FORMS = {1: ["other"], 2: ["one", "other"], 3: ["one", "few", "other"]}
ENTRY = re.compile(r"^ *(?:// *(?P<section>[^\n]*)|(?P<quote>'?)(?P<key>[\w-]+)(?P=quote):\s*'(?P<text>(?:[^'\\]|\\.)*)',?)$", re.MULTILINE)
HEADER = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"


def read_file(top, path):
    with open(os.path.join(top, path), encoding="utf-8") as file:
        return file.read()


def read_words(text):
    """Of a module of words: (section, key, text), in order."""
    section, found = "", []
    for entry in ENTRY.finditer(text[text.index("export default") :]):
        if entry["section"] is not None:
            section = entry["section"]
        else:
            found.append((section, entry["key"], re.sub(r"\\(.)", r"\1", entry["text"])))
    return found


def read_refusals(top, of):
    """What the server says itself, of the protocol or of a game alone: (key, text)."""
    errors = json.loads(read_file(top, ERRORS))["errors"]
    mine = [one for one in errors if of in one["from"] and (of == "protocol" or "protocol" not in one["from"])]
    return [("e_" + one["code"], one["message"]) for one in mine if not one["when"].startswith("Never on the wire")]


def english_of(top, name):
    """All that a vocabulary says: (section, key, text, where), with the refusals behind."""
    folder, of = VOCABULARIES[name]
    path = folder + "/en.js"
    words = [(section, key, text, path) for section, key, text in read_words(read_file(top, path))]
    keys = {key for _, key, _, _ in words}
    if of == "protocol":
        section = "the names that the server gives to those who have given none, and to computer players"
        words += [(section, "n_" + text, text, NAMES) for text in re.findall(r'"(\w+)"', read_file(top, NAMES))]
    refusals = read_refusals(top, of) if of else []
    return words + [("what the server refuses", key, text, ERRORS) for key, text in refusals if key not in keys]


def messages_of(words, name):
    """The messages of a vocabulary; `KEY_one` and `KEY_other` are one of two forms."""
    texts = {key: text for _, key, text, _ in words}
    for section, key, text, path in words:
        stem = re.sub(r"_(one|other)$", "", key)
        is_plural = stem != key and stem + "_one" in texts and stem + "_other" in texts
        said = [section] if section else []
        if not is_plural:
            yield po.Message(f"{name}:{key}", text, said=said, places=[path])
        elif key.endswith("_one"):
            yield po.Message(f"{name}:{stem}", text, texts[stem + "_other"], said=said, places=[path])


def template(top):
    """All that there is to translate."""
    messages = [message for name in VOCABULARIES for message in messages_of(english_of(top, name), name)]
    notes = ["What the page says, made by clients/po/words.py. Copy it to page/LANGUAGE.po, see README.md here."]
    return po.Catalogue("Language: \n" + HEADER + "Plural-Forms: nplurals=2; plural=(n != 1);\n", messages, notes)


def merged(catalogue, fresh):
    """A catalogue with the messages of the template: a translation stays, and is fuzzy if the English is another now."""
    known = {message.context: message for message in catalogue.messages}
    messages = []
    for new in fresh.messages:
        old = known.get(new.context)
        message = po.Message(new.context, new.text, new.plural, said=new.said, places=new.places)
        if old:
            message.texts, message.notes, message.flags, message.before = old.texts, old.notes, list(old.flags), old.before
            if (old.text, old.plural) != (new.text, new.plural) and any(old.texts):
                message.before = old.before or old.text
                message.flags += [] if "fuzzy" in old.flags else ["fuzzy"]
        messages.append(message)
    return po.Catalogue(catalogue.header, messages, catalogue.notes)


def form_count(catalogue):
    found = re.match(r"nplurals=(\d);", catalogue.field("Plural-Forms"))
    if not found or int(found[1]) not in FORMS:
        raise po.BadCatalogue(f"{catalogue.field('Language')}: Plural-Forms says no number of forms that there is")
    return int(found[1])


def texts_of(catalogue, name):
    """What a vocabulary says in a language, by key; of what is fuzzy or waits nothing, for which the page says the English."""
    forms = FORMS[form_count(catalogue)]
    words = {}
    for message in catalogue.messages:
        vocabulary, key = message.context.split(":", 1)
        if vocabulary != name or not message.is_done:
            continue
        if message.plural:
            words.update({f"{key}_{form}": text for form, text in zip(forms, message.texts)})
        else:
            words[key] = message.texts[0]
    return words


def module_of(catalogue, name):
    """A vocabulary in a language as a module of the page."""
    lines = [f"// Made of {CATALOGUES}/{catalogue.field('Language')}.po by clients/po/words.py: changes belong there.", ""]
    lines += ["/** @type {{[key: string]: string}} */", "export default {"]
    for key, text in texts_of(catalogue, name).items():
        plain = text.replace("\\", "\\\\").replace("'", "\\'")
        lines.append(f"  {key if key.isidentifier() else repr(key)}: '{plain}',")
    return "\n".join([*lines, "};", ""])


def languages(top):
    return sorted(name[: -len(".po")] for name in os.listdir(os.path.join(top, CATALOGUES)) if name.endswith(".po"))


def read_catalogue(top, language):
    path = f"{CATALOGUES}/{language}.po"
    return po.read(read_file(top, path), path)


def modules(top):
    """All files of the page that are made of catalogues: (path, text)."""
    for language in languages(top):
        catalogue = read_catalogue(top, language)
        for name, (folder, _) in VOCABULARIES.items():
            yield f"{folder}/{language}.js", module_of(catalogue, name)


def put(top, path, text):
    with open(os.path.join(top, path), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def update(top):
    fresh = template(top)
    put(top, TEMPLATE, po.written(fresh))
    for language in languages(top):
        put(top, f"{CATALOGUES}/{language}.po", po.written(merged(read_catalogue(top, language), fresh)))


def write(top):
    for path, text in modules(top):
        put(top, path, text)


def take(top):
    for language in languages(top):
        catalogue = read_catalogue(top, language)
        known = {message.context: message for message in catalogue.messages}
        forms = FORMS[form_count(catalogue)]
        for fresh in template(top).messages:
            name, key = fresh.context.split(":", 1)
            said = {key: text for _, key, text in read_words(read_file(top, f"{VOCABULARIES[name][0]}/{language}.js"))}
            texts = [said.get(one, "") for one in ([f"{key}_{form}" for form in forms] if fresh.plural else [key])]
            message = known.get(fresh.context, fresh)
            if all(texts) and texts != message.texts:
                message.text, message.plural, message.texts, message.flags, message.before = fresh.text, fresh.plural, texts, [], ""
            if message is fresh:
                catalogue.messages.append(fresh)
        put(top, f"{CATALOGUES}/{language}.po", po.written(catalogue))


def waiting(top):
    for language in languages(top):
        for message in read_catalogue(top, language).messages:
            if not message.is_done:
                print(f"{language}: {message.context}: {message.text}")


COMMANDS = {"update": update, "write": write, "take": take, "waiting": waiting}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        sys.exit(os.EX_USAGE)
    COMMANDS[sys.argv[1]](TOP)

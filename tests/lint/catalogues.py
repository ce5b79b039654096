"""The catalogues of the page's texts (clients/po): each has what there is to translate and nothing else, placeholders are those of the English, spaces and
quotation marks those of the language, and the page's files are what is made of them.

usage: catalogues.py TOP
"""

import os
import re
import sys
import unicodedata

import tree

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../clients/po"))
import po
import words

CJK = "ja", "zh"
# So many texts of a catalogue may wait for somebody who speaks the language: the page says them in English, and who adds one need not speak all.
MOST_WAITING = 40
WIDE = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
PLACEHOLDER = re.compile(r"\{\w+\}")
# What each language quotes with; one that is not here needs a line before it is translated.
QUOTES = {"de": "„“’", "es": "«»", "fr": "«»’", "it": "«»’", "ja": "「」", "pl": "„”’", "zh": "“”"}
ALL_QUOTES = "\"'“”„‟‘’‚«»‹›「」『』"
# How a sentence ends, by what the English ends with.
ENDS = {".": ".!?。！？…", "?": "?？", "!": "!！", ":": ":：", "…": "…"}
NO_END = ".:。："
# (what is wrong, where to look) by language; "" is for all but Chinese and Japanese, "cjk" for these two.
WRONG = {
    "": [("a space before a sign", re.compile(r" [,.;:!?]")), ("no space after a sign", re.compile(r"[,;!?](?=[^\W\d_])"))],
    "fr": [("no space before a sign", re.compile(r"(?<=[^ \d])[;!?»]|(?<=[^\d\Wsp]):(?!//)|«(?! )")), ("a space before a sign", re.compile(r" [,.]"))],
    "cjk": [("a sign of another script", re.compile(rf"(?<={WIDE})[,.;:!?()]|[,;!?()](?={WIDE})"))],
    "ja": [("a space", re.compile(rf"(?<={WIDE}) | (?={WIDE})|(?<=\}}) | (?=\{{)"))],
    "de": [("a quotation mark at the wrong side", re.compile(r"“\w|\w„"))],
    "pl": [("a quotation mark at the wrong side", re.compile(r"”\w|\w„"))],
}
# What the rulebooks call things otherwise, or what is easily mistaken: in French agrandir is placing a tile; in Chinese nothing sounds like cards.
OTHER_WORDS = {
    "fr": re.compile(r"cité|clairière|jungle|\bsable|roche|agrandi", re.IGNORECASE),
    "zh": re.compile(r"小屋|草地|手牌|牌堆|抽牌|(?<!高)塔"),
}


def spacing_of(language):
    """The rules that hold for a language."""
    if language in CJK:
        return WRONG["cjk"] + WRONG.get(language, [])
    return WRONG["fr"] if language == "fr" else WRONG[""] + WRONG.get(language, [])


def text_findings(language, english, text):
    """What is wrong with one translation of one English text."""
    if sorted(PLACEHOLDER.findall(english)) != sorted(PLACEHOLDER.findall(text)):
        yield "has other placeholders than the English"
    for what, where in spacing_of(language):
        if where.search(text):
            yield what
    goes_on = text.startswith(" ") and not (language == "fr" and text[1:2] in (";", ":"))
    if "  " in text or text != text.rstrip() or goes_on != (english.startswith(" ") and language not in CJK):
        yield "a space too many, or too few"
    if "..." in text:
        yield "three points in place of …"
    foreign = set(text) & (set(ALL_QUOTES) - set(QUOTES[language]))
    if foreign:
        yield f"quotes with {''.join(sorted(foreign))}"
    if language == "es" and (text.count("?") != text.count("¿") or text.count("!") != text.count("¡")):
        yield "a question or an exclamation that does not begin"
    if text != unicodedata.normalize("NFC", text):
        yield "letters and their marks apart"
    ends = ENDS.get(english[-1:])
    is_short = len(text) <= 5 and " " not in text  # "Pos."
    if (ends and text[-1:] not in ends) or (not ends and text[-1:] in NO_END and not is_short):
        yield "ends otherwise than the English"
    if text == english and len(re.findall(r"[^\W\d_]{3,}", PLACEHOLDER.sub("", text))) > 3:
        yield "is English"


def message_findings(language, forms, message):
    wanted = forms if message.plural else 1
    if len(message.texts) != wanted:
        yield f"has {len(message.texts)} forms, of {wanted}"
    for at, text in enumerate(message.texts):
        # What is said of one need not say the number.
        english = message.text if at == 0 and len(message.texts) > 1 else message.plural or message.text
        yield from text_findings(language, english, text)
    vocabulary = message.context.split(":")[0]
    if vocabulary == "taluva" and language in OTHER_WORDS and any(OTHER_WORDS[language].search(text) for text in message.texts):
        yield "has another word than the rulebook"


def catalogue_findings(path, language, catalogue, fresh):
    if catalogue.field("Language") != language:
        yield f"{path}: says that its language is {catalogue.field('Language')}"
    if language not in QUOTES:
        yield f"{path}: tests/lint/catalogues.py does not know what {language} quotes with"
        return
    ids = [[(one.context, one.text, one.plural) for one in some.messages] for some in (catalogue, fresh)]
    if ids[0] != ids[1]:
        yield f"{path}: is not what there is to translate: clients/po/words.py update"
    forms = words.form_count(catalogue)
    waiting = [message.context for message in catalogue.messages if not message.is_done]
    if len(waiting) > MOST_WAITING:
        yield f"{path}: {len(waiting)} texts wait, more than {MOST_WAITING}, such as {waiting[0]}"
    for message in catalogue.messages:
        for what in message_findings(language, forms, message) if message.is_done else ():
            yield f"{path}: {message.context}: {what}: {' | '.join(message.texts)}"


def page_findings(top):
    """Which languages the page offers, and greets in before its scripts are there."""
    offered = re.search(r"LANGUAGES = \{(.*?)\}", tree.read(top, "clients/web/js/words.js"), re.DOTALL)[1]
    offered = set(re.findall(r"(?:^|,)\s*'?([\w-]+)'?:", offered)) - {"en", "zh-hant"}
    for language in sorted(offered ^ set(words.languages(top))):
        yield f"clients/web/js/words.js: {language} is " + ("offered without a catalogue" if language in offered else "not offered")
    greeted = set(re.findall(r'<p lang="([\w-]+)">', tree.read(top, "clients/web/index.html")))
    for language in sorted({"zh-Hans" if one == "zh" else one for one in words.languages(top)} - greeted):
        yield f"clients/web/index.html: does not greet in {language}"


def findings(top):
    fresh = words.template(top)
    if tree.read(top, words.TEMPLATE) != po.written(fresh):
        yield f"{words.TEMPLATE}: is not what the page says: clients/po/words.py update"
    for language in words.languages(top):
        path = f"{words.CATALOGUES}/{language}.po"
        yield from catalogue_findings(path, language, words.read_catalogue(top, language), fresh)
    made = dict(words.modules(top))
    for path, text in made.items():
        if not os.path.exists(os.path.join(top, path)) or tree.read(top, path) != text:
            yield f"{path}: is not what its catalogue says: clients/po/words.py write"
    for folder, _ in words.VOCABULARIES.values():
        for name in os.listdir(os.path.join(top, folder)):
            if name.endswith(".js") and name != "en.js" and f"{folder}/{name}" not in made:
                yield f"{folder}/{name}: there is no catalogue of it"
    yield from page_findings(top)


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

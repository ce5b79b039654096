"""The lint of catalogues, and the program that makes the page's files of them, find and do what they are there for.

usage: selftest_catalogues.py
"""

import json
import os
import tempfile
import unittest

import catalogues
from catalogues import po, words


class Catalogues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name

    def put(self, path, content):
        path = os.path.join(self.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)

    def test_texts_of_catalogues(self):
        for language, english, text, found in (
            ("de", "Draw {n} tiles.", "Zieh {n} Plättchen.", []),
            ("de", "Draw {n} tiles.", "Zieh Plättchen.", ["has other placeholders than the English"]),
            ("de", "Draw.", "Zieh", ["ends otherwise than the English"]),
            ("de", "Press Place", "Drück „Legen“", []),
            ("es", "Rank", "Pos.", []),
            ("es", "Ready", "Puedo.", ["ends otherwise than the English"]),
            ("de", "Press Place", "Drück “Legen”", ["a quotation mark at the wrong side", "quotes with ”"]),
            ("pl", "One, two", "Raz , dwa", ["a space before a sign"]),
            ("es", "Who?", "Quién?", ["a question or an exclamation that does not begin"]),
            ("fr", "Who?", "Qui?", ["no space before a sign"]),
            ("fr", "; {what} crushed", " ; écrase {what}", []),
            ("fr", " It crushes {what}.", "Elle écrase {what}.", ["a space too many, or too few"]),
            ("ja", "One, two", "一,二", ["a sign of another script"]),
            ("ja", "{n} tiles", "{n} タイル", ["a space"]),
            ("ja", "Wait…", "待って...", ["a sign of another script", "three points in place of …", "ends otherwise than the English"]),
            ("it", "The tile lies beside it", "The tile lies beside it", ["is English"]),
        ):
            self.assertEqual(list(catalogues.text_findings(language, english, text)), found, text)

    def test_catalogues(self):
        self.put("protocol/errors.json", json.dumps({"errors": [{"code": "full", "from": ["protocol"], "message": "Full.", "when": ""}]}))
        self.put(words.NAMES, 'static const char *const people[] = {"Crab"};\n')
        for folder, _ in words.VOCABULARIES.values():
            self.put(folder + "/en.js", "export default {\n  // days\n  days_one: '{n} day',\n  days_other: '{n} days',\n  'a-b': 'A',\n};\n")
        self.put("clients/web/js/words.js", "export const LANGUAGES = { en: 'English', pl: 'Polski' };\n")
        self.put("clients/web/index.html", '<p lang="en">A</p>\n')
        header = "Language: pl\n" + words.HEADER + "Plural-Forms: nplurals=3; plural=n;\n"
        self.put("clients/po/page/pl.po", po.written(po.Catalogue(header, [po.Message("page:a-b", "Before", texts=["A\n\"'"])])))
        words.update(self.top)
        words.write(self.top)
        waiting = ["clients/po/page/pl.po: 14 texts wait, more than 13, such as page:days"]
        self.addCleanup(setattr, catalogues, "MOST_WAITING", catalogues.MOST_WAITING)
        for most, found in ((13, waiting), (14, [])):
            catalogues.MOST_WAITING = most
            self.assertEqual(list(catalogues.findings(self.top)), [*found, "clients/web/index.html: does not greet in pl"])
        catalogue = words.read_catalogue(self.top, "pl")
        self.assertIn("fuzzy", catalogue.messages[1].flags)
        self.assertEqual([(one.context, one.said) for one in catalogue.messages[:2]], [("page:days", ["days"]), ("page:a-b", ["days"])])
        self.assertIn("page:n_Crab", [one.context for one in catalogue.messages])
        self.assertEqual(catalogue.messages[1].before, "Before")
        for message in catalogue.messages:
            message.flags, message.texts = [], ["{n} dzień", "{n} dni", "{n} dni"] if message.plural else ["Pełny." if message.text == "Full." else "Ą"]
        self.put("clients/po/page/pl.po", po.written(catalogue))
        self.assertEqual(po.written(po.read(po.written(catalogue))), po.written(catalogue))
        self.put("clients/web/index.html", '<p lang="pl">A</p>\n')
        self.assertEqual(len(list(catalogues.findings(self.top))), len(words.VOCABULARIES), "each file has to be made anew")
        words.write(self.top)
        self.assertEqual(list(catalogues.findings(self.top)), [])
        module = open(os.path.join(self.top, "clients/web/i18n/pl.js"), encoding="utf-8").read()
        self.assertIn("  days_one: '{n} dzień',\n  days_few: '{n} dni',\n  days_other: '{n} dni',\n  'a-b': 'Ą',\n", module)
        self.put("clients/web/i18n/pl.js", module.replace("'Ą'", "'Ę'"))
        words.take(self.top)
        self.assertEqual(words.texts_of(words.read_catalogue(self.top, "pl"), "page")["a-b"], "Ę")
        with self.assertRaises(po.BadCatalogue):
            po.read('msgid ""\nmsgstr ""\n\nmsgid without quotes\n')


if __name__ == "__main__":
    unittest.main()

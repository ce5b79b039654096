"""Each lint finds what it is there to find, and nothing in what is as it should be.

usage: selftest.py
"""

import json
import os
import sys
import tempfile
import unittest

import arrows
import cycles
import dialect
import durations
import format as layout
import links
import names
import node
import page
import privacy
import programs
import promises
import shell
import symbols
import text
import tidy

sys.path.append(os.path.join(os.path.dirname(__file__), "../../server/sql"))
import sql_header


class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name

    def put(self, path, content):
        path = os.path.join(self.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)

    def test_text(self):
        self.addCleanup(setattr, text, "LONG_FOR_A_REASON", text.LONG_FOR_A_REASON)
        text.LONG_FOR_A_REASON = {}
        self.put("a.c", "int a;\n")
        self.assertEqual(list(text.findings(self.top)), [])
        self.put("open.c", "/* TO" + "DO */\n")
        self.put("space.md", "a \n")
        self.put("end.md", "a")
        self.put("long.c", "int a;\n" * 601)
        gone, long = "gone" + ".c", "long" + ".c"
        self.put("names.c", f"/* as {long} says,\n   and {gone} */\nint a; // x/{gone}\nchar b[] = \"{gone}\";\n")
        self.put("lock.json", "https://registry.npm" + "js.org/x\n")
        self.put("build/x.c", "FIX" + "ME\n")
        self.put("server/a.c", "int commute, a_mutex; /* Heads of messages. */\n")
        self.put("server/b.c", "int is_mute; /* Duties. */\nstruct store_pass c;\n")
        self.put("b.c", "int is_mute;\n")
        self.put("tests/node_modules/x.js", "FIX" + "ME\n")
        found = sorted(finding.split(":")[0] for finding in text.findings(self.top))
        self.assertEqual(found, ["end.md", "lock.json", "long.c", "names.c", "names.c", "open.c", *["server/b.c"] * 3, "space.md"])

    def wrong(self, path, *lines):
        return [finding.removeprefix(path + ":") for finding in dialect.findings_in(path, "\n".join([*lines, ""]))]

    def body(self, *lines):
        return [finding.split(":")[0] for finding in self.wrong("a.c", "{", *lines, "}")]

    def test_braces(self):
        self.assertEqual(self.body("if (a)", "b(1,", "2);", "else if (c)", "d();", "else", "e();"), [])
        self.assertEqual(self.body("for (;;) {", "if (a)", "b();", "}", "while (a)", ";", "do {", "b();", "} while (a);"), [])
        self.assertEqual(self.body("if (a) {", "b();", "c();", "} else {", "d();", "}", "if (a) {", "/* why */", "b();", "}"), [])
        self.assertEqual(self.body('if (a == ")")', "b = (struct x){", ".c = 1};", "switch (a) {", "case 1:", "b();", "}"), [])
        self.assertEqual(self.body("#define X \\", "if (a) { b(); }", "while (a) {", "int b = c;", "d(b);", "}"), [])
        self.assertEqual(self.body("if (a) {", "b();", "}"), ["2"])
        self.assertEqual(self.body("if (a) {", "b();", "} else if (c) {", "d();", "} else {", "e(\"}\");", "}"), ["2", "4", "6"])
        self.assertEqual(self.body("for (;;)", "if (a)", "b();"), ["3"])
        self.assertEqual(self.body("if (a)", "b();", "else {", "c();", "d();", "}"), ["3"])
        self.assertEqual(self.body("do {", "while (a) {", "b();", "}", "c();", "} while (d);"), ["3"])

    def test_sizeof(self):
        self.assertEqual(self.body("a(sizeof b, sizeof *b, sizeof(struct c), sizeof(uint8_t), sizeof((struct d *)0)->e);"), [])
        self.assertEqual(self.body('a(sizeof(b));', 'a("sizeof(b)"); /* sizeof(b) */', "a(sizeof(b->c[1]) - 1);"), ["2", "4"])

    def test_null(self):
        self.assertEqual(self.body("if (a && !b)", "return c != NULL;", "d = e->f == NULL;", "while ((a = b()) != NULL)", "c();"), [])
        self.assertEqual(self.body("ck_assert((a != NULL) == b);", "f(a != NULL, b);", 'f("if (a == NULL)");'), [])
        self.assertEqual(self.body("if (a == NULL)", "b();", "c = d[1] != NULL && e;", "f = g(h) != NULL ? 1 : 2;"), ["2", "4", "5"])
        self.assertEqual(self.body("while (a ||", "b->c != NULL)", "d();", "for (; a != NULL; b++)", "c();", "ck_assert(a != NULL);"), ["3", "5", "7"])

    def test_banners(self):
        self.assertEqual(self.wrong("a.c", "/* ---- one thing */", "/* - a list */", "/* a -- b */", "/*", " * text", " */"), [])
        self.assertEqual(len(self.wrong("a.c", "/* --- a */", "/* ---- a ---- */", "/* ==== a */", "/***** a */", "/" + "* ---- a")), 5)

    def test_includes(self):
        rest = ['#include "b.h"', "#include <stdio.h>", "", "int c;"]
        self.assertEqual(self.wrong("x/a.c", "/* What it is. */", '#include "a.h"', "", *rest), [])
        self.assertEqual(self.wrong("x/a.c", "#include <x/a.h>", "", *rest), [])
        self.assertEqual(self.wrong("a.h", "/* What. */", "#ifndef A_H", "#define A_H", "", *rest), [])
        self.assertEqual(self.wrong("a.c", *rest, "#ifdef D", "#include <d.h>", "#endif"), [])
        self.assertEqual(len(self.wrong("a.c", '#include "a.h"', *rest)), 1)
        self.assertEqual(len(self.wrong("a.c", "#include <assert.h>", "", *rest)), 1)
        self.assertEqual(len(self.wrong("a.c", *rest[:1], '#include "a.h"', *rest[1:])), 1)
        self.assertEqual(len(self.wrong("a.h", "#ifndef A_H", "#define A_H", "", "#include <stdio.h>", "", '#include "b.h"', "int a;")), 1)

    def test_names(self):
        self.put("server/a.c", "static int find(int a)\n{\n}\nstatic void find_room(void);\nstatic bool (*const all[])(int) = {find};\n")
        self.put("server/b.c", '/* static int run(int a); */\nstatic int size = sizeof("static int run(int a);");\nstatic int find(void);\n')
        self.put("tests/a.c", "static int find(void);\nstatic int run(void);\n")
        self.assertEqual(list(names.findings(self.top)), [])
        attribute = "__attribute__((format(printf, 1, 2))) "
        self.put("clients/c.c", f"static int find(void);\n{attribute}static struct a *const say(const char *text,\n    ...)\n{{\n}}\n")
        found = [finding.split(":")[:3] for finding in names.findings(self.top)]
        self.assertEqual(found, [["clients/c.c", "1", " find"], ["clients/c.c", "2", " say"]])

    def sql(self, *lines):
        try:
            return sql_header.header_of(sql_header.texts_of(lines))
        except sql_header.Wrong as wrong:
            return str(wrong)

    def test_sql_header(self):
        self.assertEqual(self.sql("-- why", "", "-- name: A", "-- why", "SELECT '\\', \"b\"", "", "  FROM c;  ", "", "-- name: B1", "D;", "E;"),
            '#define SQL_A \\\n    "SELECT \'\\\\\', \\"b\\"\\n" \\\n    "  FROM c"\n\n#define SQL_B1 \\\n    "D;\\n" \\\n    "E"\n')
        self.assertEqual(self.sql("SELECT 1;"), "1: SQL without a name")
        self.assertEqual(self.sql("-- name: a", "B;"), "1: a name is in capitals")
        self.assertEqual(self.sql("-- name: A", "B;", "-- name: A", "C;"), "3: A is there twice")
        self.assertEqual(self.sql("-- name: A", "-- name: B", "C;"), "A is empty")

    def test_links(self):
        self.put("b/c.md", "# One `two`\n\n## One two\n")
        self.put("a.md", "[x](b/c.md) [x](b/c.md#one-two-1) [x](#here) <img src=\"b/c.md\">\n\n    [x](no)\n\n# Here\n")
        self.assertEqual(list(links.findings(self.top)), [])
        self.put("b/d.md", "[x](c.md#three)\n[x](../b)\n![x](no.png)\n[x](/c.md) `[x](no)` [x](https://example.org/)\n")
        found = [finding.split()[-1] for finding in links.findings(self.top)]
        self.assertEqual(found, ["c.md#three", "no.png", "/c.md"])

    def test_page(self):
        js = "clients/web/js/"
        self.put(js + "games/game.js", "/** @typedef {import('../wire.js').Message} Message */\n")
        self.put(js + "games/registry.js", "import { el } from '../dom.js';\nconst all = [() => import('./taluva/game.js')];\n")
        self.put(js + "games/taluva/game.js", "import { el } from '../../dom.js';\nimport { Island } from './island.js';\n")
        self.put(js + "table.js", "import { gameOf } from './games/registry.js';\n/** @type {import('./games/game.js').Game} */\n")
        self.assertEqual(list(page.findings(self.top)), [])
        self.put(js + "home.js", "import {\n  Island,\n} from './games/taluva/island.js';\n")
        self.put(js + "log.js", "const it = await import('./games/taluva/words.js');\n")
        self.put(js + "games/registry.js", "import('./taluva/view.js');\n")
        self.put(js + "games/other/game.js", "import { t } from '../taluva/words.js';\nimport { Table } from '../../table.js';\n")
        self.put("clients/web/css/table.css", ".table { margin: 0; }\n.held-tile { margin: 0; }\n")
        self.put("clients/web/i18n/fr.js", "a: 'titre',\nb: 'une TUILE',\n")
        found = sorted(finding.removeprefix("clients/web/") for finding in page.findings(self.top))
        self.assertEqual(
            found,
            [
                "css/table.css:2: speaks of a game's tile",
                "i18n/fr.js:2: speaks of a game's TUILE",
                "js/games/other/game.js: must not import js/games/taluva/words.js",
                "js/games/other/game.js: must not import js/table.js",
                "js/games/registry.js: must not import js/games/taluva/view.js",
                "js/home.js: must not import js/games/taluva/island.js",
                "js/home.js:2: speaks of a game's Island",
                "js/home.js:3: speaks of a game's island",
                "js/log.js: must not import js/games/taluva/words.js",
            ],
        )

    def test_preloads_of_somebody_new(self):
        js = "clients/web/js/"
        self.put(js + "games/game.js", "")
        self.put(js + "app.js", "import './wire.js';\nimport './dom.js';\n")
        self.put(js + "first.js", "import './dom.js';\n")
        self.put(js + "games/registry.js", "const all = [() => import('./first/first.js'), () => import('./first/game.js')];\n")
        for name in ("wire.js", "dom.js", "games/first/first.js", "games/first/game.js"):
            self.put(js + name, "export {};\n")
        names = ("js/wire.js", "js/dom.js", "js/games/first/first.js", "js/games/first/game.js")
        for order, found in ((names, ["preloads js/wire.js before what somebody new sees first"]), (names[1:] + names[:1], [])):
            links = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in order)
            self.put("clients/web/index.html", links)
            self.assertEqual([finding.removeprefix("clients/web/index.html: ") for finding in page.findings(self.top)], found)

    def test_preloads(self):
        js = "clients/web/js/"
        self.put(js + "games/game.js", "")
        self.put(js + "app.js", "import { el } from './dom.js';\n/** @type {import('./table.js').Table} */\nconst all = [import('./late.js')];\n")
        self.put(js + "dom.js", "import words from '../i18n/en.js';\n")
        self.put(js + "games/registry.js", "const all = [() => import('./first/game.js'), () => import('./second/game.js')];\n")
        for name in ("../i18n/en.js", "table.js", "late.js", "games/first/art.js", "games/second/game.js"):
            self.put(js + name, "export {};\n")
        self.put(js + "games/first/game.js", "export { art } from './art.js';\n")
        links = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in ("js/dom.js", "js/games/first/art.js", "js/late.js"))
        self.put("clients/web/index.html", f'<script type="module" src="js/app.js"></script>\n{links}')
        self.assertEqual(
            [finding.removeprefix("clients/web/index.html: ") for finding in page.findings(self.top)],
            [
                "must preload i18n/en.js",
                "must preload js/games/first/game.js",
                "preloads js/late.js, which the first page does without",
            ],
        )

    @unittest.skipUnless(layout.shutil.which("clang-format"), "no clang-format")
    def test_format(self):
        self.put(".clang-format", "BasedOnStyle: LLVM\n")
        self.put("a.c", "int a;\n")
        self.assertEqual(layout.findings(self.top, ["a.c"]), [])
        self.put("b.c", "int  b;\n")
        self.assertEqual(layout.findings(self.top, ["a.c", "b.c"]), ["b.c: run clang-format -i on it"])

    @unittest.skipUnless(layout.shutil.which("clang-format"), "no clang-format")
    def test_format_again(self):
        """Only what is another file than the one that was well, or held against another file or program."""
        looked_at = []
        whole, kept = layout.findings, os.path.join(self.top, "kept")
        self.addCleanup(setattr, layout, "findings", whole)
        layout.findings = lambda top, paths: looked_at.append(paths) or whole(top, paths)

        def changed(version="14"):
            wrong = layout.changed(self.top, ["a.c", "b.c"], version, kept)
            return looked_at.pop(), wrong

        self.put(".clang-format", "BasedOnStyle: LLVM\n")
        self.put("a.c", "int a;\n")
        self.put("b.c", "int  b;\n")
        bad = ["b.c: run clang-format -i on it"]
        self.assertEqual(changed(), (["a.c", "b.c"], bad))
        self.assertEqual(changed(), (["a.c", "b.c"], bad))  # of what is wrong nothing is kept
        self.put("b.c", "int b;\n")
        self.assertEqual(changed(), (["a.c", "b.c"], []))
        self.assertEqual(changed(), ([], []))
        self.put("b.c", "int  b;\n")
        self.assertEqual(changed(), (["b.c"], bad))
        self.put("b.c", "int b;\n")
        self.assertEqual(changed("15"), (["a.c", "b.c"], []))
        self.put(".clang-format", "BasedOnStyle: Google\n")
        self.assertEqual(changed("15"), (["a.c", "b.c"], []))

    @unittest.skipUnless(shell.shutil.which("shellcheck"), "no shellcheck")
    def test_shell(self):
        self.put("run", "#!/bin/sh\necho \"$1\"\n")
        self.assertEqual(shell.findings(self.top), [])
        self.put("walk", "#!/usr/bin/env bash\necho $1\n")
        self.assertEqual(len(shell.findings(self.top)), 1)

    @unittest.skipUnless(shell.shutil.which("shellcheck"), "no shellcheck")
    def test_usage_of_a_script(self):
        self.put("deploy/walk", '#!/usr/bin/env bash\n[ $# -gt 0 ] || exit 64\necho "$1"\n')
        self.assertEqual(shell.findings(self.top), [])
        self.put("deploy/walk", '#!/usr/bin/env bash\n[ $# -gt 0 ] || exit 2\necho "$1"\n')
        self.assertEqual(len(shell.findings(self.top)), 1)

    def test_usage_of_a_program(self):
        said = {
            "a.py": ("usage.Parser()", "argparse.ArgumentParser()"),
            "b.py": ("sys.exit(os.EX_USAGE)", "sys.exit(__doc__)"),
            "c.mjs": ("console.error('usage: c');\nprocess.exit(64);", "console.error('usage: c');\nprocess.exit(1);"),
            "d.c": ('fputs("usage: d\\n", stderr);\nreturn EX_USAGE;', 'fputs("usage: d\\n", stderr);\nreturn EXIT_FAILURE;'),
            "e.c": ('printf("usage: e\\n");\nreturn 0;', "exit(2);"),
        }
        for name, (right, wrong) in said.items():
            self.put(name, right)
            self.assertEqual(shell.findings(self.top), [])
            self.put(name, wrong)
            self.assertEqual(len(shell.findings(self.top)), 1, name)
            self.put(name, right)

    @unittest.skipUnless(tidy.shutil.which("clang-tidy"), "no clang-tidy")
    def test_tidy(self):
        source, build = os.path.join(self.top, "a.c"), os.path.join(self.top, "build")
        entry = {"directory": build, "command": "cc -Wno-nonsense -c ../a.c", "file": "../a.c", "output": "a.o"}
        self.put("build/compile_commands.json", json.dumps([entry]))
        self.put(".clang-tidy", "Checks: '-*,bugprone-sizeof-expression'\nWarningsAsErrors: '*'\n")
        self.put("a.c", "int a[3];\nunsigned long b(void);\nunsigned long b(void)\n{\n    return sizeof(a);\n}\n")
        self.assertEqual(tidy.commands(build), {os.path.realpath(source): entry["command"]})
        self.assertEqual(tidy.look(build, source)[0], 0)
        self.put("a.c", "unsigned long b(int *a);\nunsigned long b(int *a)\n{\n    return sizeof(sizeof(a));\n}\n")
        status, said = tidy.look(build, source)
        self.assertNotEqual(status, 0)
        self.assertIn("bugprone-sizeof-expression", said)

    def symbols(self, *rows):
        """What nm prints of (name, class, section)."""
        listing = "\n".join(f"{name:20}|0| {kind} | OBJECT|4| |{section}" for name, kind, section in rows)
        return list(symbols.findings("Symbols from librules.a[a.o]:\nName|Value|Class|Type|Size|Line|Section\n" + listing))

    def test_symbols(self):
        good = [("place", "T", ".text"), ("memcpy", "U", "*UND*"), ("place", "U", "*UND*"), ("names", "d", ".data.rel.ro.local")]
        self.assertEqual(self.symbols(*good), [])
        self.assertEqual(self.symbols(*good, ("malloc", "U", "*UND*")), ["the library calls malloc"])
        self.assertEqual(self.symbols(), ["the archive defines nothing"])
        self.assertEqual(self.symbols(*good, ("seed.0", "b", ".bss.seed.0")), ["the library keeps a variable: seed.0"])
        self.assertEqual(self.symbols(*good, ("seed", "D", ".data")), ["the library keeps a variable: seed"])

    def nm(self, **objects):
        """What nm prints of an archive: for each object the functions that it defines and those that it calls."""
        return "".join(
            f"x.a[x.p/{name}.c.o]:\n" + "".join(f"{symbol} T 0 1\n" for symbol in own) + "".join(f"{symbol} U  \n" for symbol in calls)
            for name, (own, calls) in objects.items()
        )

    def test_cycles(self):
        self.put("server/x/a.c", '#include "a.h"\n#include "b.h"\n#include "all.h"\n')
        self.put("server/x/a.h", "int a_get(void);\n")
        self.put("server/x/b.c", '#include "b.h"\n#include "all.h"\n')
        self.put("server/x/b.h", "int b_get(void);\n")
        self.put("server/x/all.h", '#include "a.h"\n#include "b.h"\n')
        good = {"server/x": self.nm(a=(["a_get"], ["b_get", "malloc"]), b=(["b_get"], []))}
        self.assertEqual(list(cycles.findings(self.top, good)), [])
        back = {"server/x": self.nm(a=(["a_get"], ["b_get"]), b=(["b_get"], ["a_get"]))}
        self.assertEqual(
            list(cycles.findings(self.top, back)),
            [
                "server/x/b.c: calls functions of a.c without including a.h",
                "server/x: modules depend on each other in a circle: a b",
            ],
        )
        moved = {"server/x": self.nm(a=(["a_get", "b_get"], []), b=(["b_more"], []))}
        self.assertEqual(list(cycles.findings(self.top, moved)), ["server/x/b.h: b_get is defined in a.c"])
        self.assertEqual(list(cycles.findings(self.top, {"server/x": ""})), ["server/x: the archive lacks a b"])

    def test_cycles_by_calls(self):
        self.put("server/x/a.c", '#include "all.h"\n')
        self.put("server/x/b.c", '#include "all.h"\n')
        self.put("server/x/all.h", "int a_get(void);\nint b_get(void);\n")
        one_way = {"server/x": self.nm(a=(["a_get"], ["b_get"]), src_b=(["b_get"], ["free"]))}
        both_ways = {"server/x": self.nm(a=(["a_get"], ["b_get"]), src_b=(["b_get"], ["a_get"]))}
        circle = "server/x: modules depend on each other in a circle: a b"
        self.assertEqual(list(cycles.findings(self.top, {}, one_way)), [])
        self.assertEqual(list(cycles.findings(self.top, {}, both_ways)), [circle])

    def test_cycles_of_rooms(self):
        self.put("server/x/all.c", '#include "low/a.h"\n')
        self.put("server/x/all.h", "int all_get(void);\n")
        self.put("server/x/low/a.c", '#include "a.h"\n#include "high/b.h"\n')
        self.put("server/x/low/a.h", "int a_get(void);\n")
        self.put("server/x/low/c.c", '#include "c.h"\n#include "base.h"\n')
        self.put("server/x/base.c", '#include "base.h"\n')
        self.put("server/x/base.h", "int base_get(void);\n")
        self.put("server/x/low/c.h", "int c_get(void);\n")
        self.put("server/x/high/b.c", '#include "b.h"\n')
        self.put("server/x/high/b.h", "int b_get(void);\n")
        rooms = {"low_a": (["a_get"], ["b_get"]), "high_b": (["b_get"], []), "low_c": (["c_get"], ["base_get"])}
        listing = {"server/x": self.nm(all=(["all_get"], ["a_get"]), base=(["base_get"], []), **rooms)}
        self.assertEqual(list(cycles.findings(self.top, listing)), [])
        self.put("server/x/high/b.c", '#include "b.h"\n#include "low/c.h"\n')
        self.assertEqual(list(cycles.findings(self.top, listing)), ["server/x: rooms depend on each other in a circle: high low"])
        self.put("server/x/high/meson.build", "")
        self.assertNotIn("rooms depend", str(list(cycles.findings(self.top, listing))))
        os.remove(os.path.join(self.top, "server/x/high/meson.build"))
        self.put("server/x/high/b.c", '#include "b.h"\n')
        self.put("server/x/high/a.c", "")
        self.assertIn("server/x/low/a.c: there is server/x/high/a.c already", list(cycles.findings(self.top, listing)))

    def test_cycles_layers(self):
        drawing = " * Layers.\n *\n *     a  high\n *     b  c  low, and more\n *\n"
        self.assertEqual(list(cycles.layer_findings("x.h", drawing, {"a": {"b", "c"}, "b": {"c"}, "c": set()})), [])
        self.assertEqual(
            list(cycles.layer_findings("x.h", drawing, {"a": set(), "b": {"a"}, "c": set(), "d": set()})),
            ["x.h: a is drawn above b, which depends on it", "x.h: d is drawn 0 times"],
        )

    def test_cycles_of_includes(self):
        self.put("clients/x/a.c", '#include "b.h"\n')
        self.put("clients/x/b.c", '#include <x/a.h>\n')
        self.put("clients/x/include/x/a.h", "")
        self.put("clients/x/b.h", '#include "c.h"\n')
        self.put("clients/x/c.h", '#include "b.h"\n')
        self.assertEqual(
            list(cycles.findings(self.top, {})),
            [
                "clients/x: modules depend on each other in a circle: a b",
                "clients/x: headers depend on each other in a circle: b c",
            ],
        )

    def test_node(self):
        self.put("tests/a/package.json", '{"engines": {"node": ">=18"}}')
        self.put("tests/b/package.json", "{}")
        self.put("tests/a/good.mjs", "import { crypto } from './x.mjs';\nimport WebSocket from 'ws';\ncrypto.subtle; new WebSocket('x'); sort(a);\n")
        self.put("tests/a/new.mjs", "a;\nb.toSorted();\nt.mock.timers.enable({});\ncrypto.randomUUID();\nnew WebSocket(u);\n")
        self.put("tests/browser/page.mjs", "page.evaluate(() => new WebSocket(crypto.randomUUID()));\nObject.groupBy(a);\n")
        self.assertEqual(
            sorted(finding.rpartition(": ")[0] for finding in node.findings(self.top)),
            ["tests/a/new.mjs:2: .toSorted(", "tests/a/new.mjs:3: mock.timers.", "tests/a/new.mjs:4: crypto.randomUUID",
             "tests/a/new.mjs:5: new WebSocket(", "tests/b/package.json", "tests/browser/page.mjs:2: Object.groupBy("],
        )

    def test_programs_of_python(self):
        source = (
            "import subprocess\ngit = ['git', '-C']\nmade = make()\nmark = ['not', 'called']\n"
            "subprocess.run([*git, 'init'])\nsubprocess.Popen(('sh', '-c', 'ls'))\nsubprocess.run(made)\n"
            "subprocess.run([sys.executable])\nsubprocess.run(['/bin/x'])\nshutil.which('ss')\n"
        )
        self.assertEqual(sorted(programs.called_in_python(source)), ["git", "sh", "ss"])

    def test_programs_of_a_shell(self):
        source = """#!/bin/sh
# no: comment
a=$(first --x "$(second 'not')" | third) || { fourth && exec fifth; }
list=(not this "$(sixth)")
X=1 Y="not; this" if seventh; then env A=b eighth; fi
cat <<EOF | ninth
not this; nor this
EOF
case $a in
not | this) tenth ;;
esac
if ! mine || \\
    eleventh; then as_root "${list[@]}" not; fi
echo "not; this ${a:-not}" <(twelfth)
mine() {
    return 0
}
as_root() {
    return 0
}
"""
        found = set(programs.called_in_shell(source, programs.functions_of(source)))
        self.assertEqual(
            found,
            {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "cat", "ninth", "tenth", "eleventh", "twelfth"},
        )

    def test_programs_have_a_package(self):
        for name in programs.LISTS:
            self.put(f"deploy/packages.{name}", "# a list\n")
        self.put("deploy/packages.test", "some-package other # why\n")
        self.put("tests/x.py", "import subprocess\nsubprocess.run(['sh'])\nsubprocess.run(['other'])\n")
        self.put("tests/x.mjs", "spawnSync('nowhere', []); spawn(program); execFile(`other`)\n")
        self.put("tests/meson.build", "find_program('script')\nfind_program('anywhere', required: false)\n")
        self.put("tests/script", "")
        self.assertEqual(
            [finding.partition(" is ")[0] for finding in programs.findings(self.top)],
            ["tests/meson.build: anywhere", "tests/x.mjs: nowhere"],
        )

    def lasting(self, path, *lines):
        return [finding.split(": ")[0].removeprefix(path + ":") for finding in durations.findings_in(path, "\n".join([*lines, ""]))]

    def test_privacy(self):
        tables = privacy.tables_of({
            "server/a.c": 'const struct store_table a_table = {\n    .name = "word",\n',
            "server/b.sql": "CREATE TABLE taluva.node (\n    id\n",
        })
        self.assertEqual(tables, {"word", "node"})
        limits, facts = {"keep_days", "rooms"}, {"push"}
        good = '{?push}<p data-tables="word node">{keep_days|day|days}</p>{.}'

        def found(**templates):
            return list(privacy.findings_in(templates, tables, limits, facts))

        self.assertEqual(found(en=good, fr=good.replace("day", "jour").replace("keep_jours|jour|jours", "keep_days|jour|jours")), [])
        self.assertEqual(found(en=good.replace(" node", "")), ["en: says nothing of the table node"])
        self.assertEqual(found(en=good.replace("word", "word other")), ["en: there is no table other"])
        self.assertEqual(found(en=good.replace("word", "word node")), ["en: tells of the table node twice"])
        self.assertEqual(found(en=good.replace("push", "pull")), ["en: there is no fact pull"])
        self.assertEqual(found(en=good.replace("{keep_days|day|days}", "")), ["en: does not say keep_days"])
        self.assertEqual(found(en=good, fr=good.replace("</p>", " {rooms}</p>")), ["fr: other facts than in en"])

    def test_promises(self):
        texts = {"unit/a.c": "START_TEST(one)\n", "e2e/e.py": "def one(world):\n    one_more()\n", "wire/b.mjs": "test('one of all', () => {});\natNight(\"another's\", f);\n", "sim/c.c": 'return "one";\n'}

        def found(*rows):
            table = "\n".join(["| promise | test |", "|---|---|", *rows, ""])
            return [finding.split(": ", 2)[-1] for finding in promises.findings_in(table, texts.get)]

        self.assertEqual(found("| it is | `unit/a.c` `one`, `wire/b.mjs` `one of`, `sim/c.c` `one` |", "| so | `wire/b.mjs` `another's` |"), [])
        self.assertEqual(found("| it is | `unit/a.c` `on` |"), ["unit/a.c has no test on"])
        self.assertEqual(found("| it is | `wire/b.mjs` `of all` |"), ["wire/b.mjs has no test of all"])
        self.assertEqual(found("| it is | `sim/c.c` `another` |"), ["sim/c.c has no test another"])
        self.assertEqual(found("| it is | `unit/d.c` `one` |"), ["there is no unit/d.c"])
        self.assertEqual(found("| it is | `e2e/e.py` `one`, `e2e/e.py` `one_more` |"), ["e2e/e.py has no test one_more"])
        self.assertEqual(found("| it is | |"), ["not written as `PATH` `NAME`, ..."])
        self.assertEqual(found("| it is | `unit/a.c` `one`; it is not |"), ["not written as `PATH` `NAME`, ..."])
        self.assertEqual(found(), ["no promises"])

    def test_durations(self):
        self.assertEqual(self.lasting("a.mjs", "const end = Date.now() + 9;", "assert.ok(Date.now() < end, `no - ${text}`);"), [])
        self.assertEqual(self.lasting("a.mjs", "const begun = Date.now();", "assert.ok(", "  performance.now() - begun < 9,", ");"), ["2"])
        self.assertEqual(self.lasting("a.mjs", "assert.equal(end - Date.now(), 9);"), ["1"])
        self.assertEqual(self.lasting("a.mjs", "const took = (Date.now() - begun) / 1000;", "assert.ok(took < 9);", "assert.ok(its.took < took_at);"), ["2"])
        self.assertEqual(self.lasting("a.py", "took = time.monotonic() - begun", "check(took < 9, 'late')", "check(time.monotonic() < end, 'no')"), ["2"])
        self.assertEqual(self.lasting("a.c", "ck_assert_int_lt(now_ms() - begun_ms, 9);", "ck_assert_int_ge(now_ms() - begun_ms, 9);"), ["1"])
        self.assertEqual(self.lasting("a.c", "ck_assert((uv_hrtime() - begun) / 1000 < 9);", "ck_assert(now_ms() - begun_ms >= 9);"), ["1"])

    def test_waits_for_nothing(self):
        self.assertEqual(self.lasting("a.mjs", "await page.waitForFunction(() => 1);", "await page.waitForFunction(async () => 0);"), ["2"])
        self.assertEqual(self.lasting("a.mjs", "await until(() => page.evaluate(async () => 0));", "page.waitForFunction(", "  async (a) => a);"), ["2"])

    def test_bounds_of_all_tests(self):
        start = "const {} = await Server.start(['--rooms', '1', '--{}-ms', '{}']);"
        self.assertEqual(self.lasting("a.mjs", start.format("server", "hello-timeout", 9000)), ["1"])
        self.assertEqual(self.lasting("a.mjs", start.format("server", "hello-timeout", 60000), start.format("server", "ping-interval", 9)), [])
        self.assertEqual(self.lasting("a.mjs", start.format("hasty", "probe", 9), "  " + start.format("server", "probe", 9)), [])

    def test_arrows_read_ninja(self):
        listing = "a.o: #deps 3, deps mtime 1 (VALID)\n    /asan.txt\n    ../server/a b.c\n    ../x.h\n\nb.o: deps not found\n\n"
        self.assertEqual(list(arrows.included(listing)), [("../server/a b.c", ["../x.h"])])

    def arrow(self, source, *headers):
        return [finding.split(": ")[1] for finding in arrows.object_findings(source, headers)]

    def test_arrows_of_objects(self):
        self.assertEqual(self.arrow("server/games/taluva/a.c", "server/games/taluva/rules/include/rules/taluva.h", "/usr/include/stdio.h"), [])
        self.assertEqual(self.arrow("server/net/a.c", "server/room/include/room/event.h", "/usr/include/uv.h"), [])
        self.assertEqual(self.arrow("tests/unit/a.c", "server/games/taluva/rules/private.h"), [])
        self.assertEqual(self.arrow("server/games/taluva/a.c", "server/games/taluva/rules/b.h"), ["server/games/taluva/rules/b.h is private to rules"])
        self.assertEqual(
            self.arrow("server/hub/a.c", "server/games/taluva/rules/include/rules/taluva.h"),
            ["hub must not see rules (server/games/taluva/rules/include/rules/taluva.h)"],
        )
        self.assertEqual(
            self.arrow("clients/cli/play.c", "server/games/taluva/rules/include/rules/taluva.h", "clients/cli/games/taluva/map.h"),
            [
                "cli must not see rules (server/games/taluva/rules/include/rules/taluva.h)",
                "cli must not see cli_taluva (clients/cli/games/taluva/map.h)",
            ],
        )
        self.assertEqual(self.arrow("clients/cli/games/taluva/a.c", "clients/cli/include/cli/game.h"), [])
        self.assertEqual(self.arrow("clients/cli/games/taluva/a.c", "clients/cli/play.h"), ["clients/cli/play.h is private to cli"])
        self.assertEqual(self.arrow("server/hub/a.c", "/usr/include/uv.h"), ["hub must not see /usr/include/uv.h"])
        self.assertEqual(self.arrow("server/room/a.c", "/usr/include/sqlite3.h"), ["room must not see /usr/include/sqlite3.h"])
        self.assertEqual(len(self.arrow("server/new/a.c")), 1)

    def test_arrows_of_files(self):
        self.put("server/net/a.c", "#include <hub/hub.h>\n#include <uv.h>\n")
        self.assertEqual(list(arrows.findings(self.top, [("server/net/a.c", [])])), [])
        self.assertEqual(list(arrows.findings(self.top, [])), ["server/net/a.c: not built, so nothing is known of it"])
        self.put("server/net/b.h", "# include <room/room.h>\n")
        found = list(arrows.findings(self.top, [("server/net/a.c", [])]))
        self.assertEqual(found, ["server/net/b.h: net has no arrow to room"])

    def test_arrows_that_are_told(self):
        lines = [f"    {name} -> {', '.join(sorted(known - {'base'}))}\n" for name, known in arrows.ARROWS.items() if known - {"base"}]
        self.assertEqual(list(arrows.told_findings("".join(lines))), [])
        found = [finding.split(": ")[1] for finding in arrows.told_findings("".join(lines) + "    pairing, rules -> hub\n")]
        self.assertEqual(found, ["the arrows of pairing are none", "the arrows of rules are none"])
        kept = [line for line in lines if not line.startswith("    keeper ")]
        self.assertEqual(list(arrows.told_findings("".join(kept))), ["ARCHITECTURE.md: the arrows of keeper are hub, postgres"])

    def test_arrows_of_features(self):
        self.put("server/features/others/a.c", "")
        self.put("server/hub/a.c", '#include "others.h"\nint feature_othersome;\n')
        self.put("server/hub/b.c", "extern int feature_others;\n")
        self.put("server/store/c.c", 'const char *kind = "others.block";\n')
        self.put("server/programs/d.c", "extern int feature_others;\n")
        features = arrows.feature_names(self.top)
        paths = ("server/hub/a.c", "server/hub/b.c", "server/store/c.c", "server/programs/d.c")
        found = [finding.split(":")[0] for path in paths for finding in arrows.named_findings(self.top, path, features)]
        self.assertEqual(found, ["server/hub/b.c", "server/store/c.c"])

    def test_what_a_feature_changes_is_listed(self):
        steps = "".join(f"1. `{path}` — its limits\n" for path in sorted(arrows.LISTED))
        begins = "text\n**a feature** (what a server keeps)\n1. `server/features/NAME/` — all of it\n"
        self.assertEqual(list(arrows.listed_findings(begins + steps + "\n`server/hub/hub.c`\n")), [])
        self.assertEqual(len(list(arrows.listed_findings(begins))), 1)
        self.assertEqual(len(list(arrows.listed_findings(begins + steps + "2. `server/net/net.c` — too\n"))), 1)
        self.assertEqual(len(list(arrows.listed_findings(steps))), 1)

    def test_words_of_features(self):
        self.put("server/features/ratings/a.c", "")
        self.put("server/hub/a.c", "/* others, migrating and ratings_of are no words of a feature */\n")
        self.put("server/hub/b.c", "/* Ratings wait for it. */\n")
        self.put("server/hub/include/hub/config.h", "/* ratings: its limits are here */\n")
        features = arrows.feature_names(self.top) | {"others"}
        paths = ("server/hub/a.c", "server/hub/b.c", "server/hub/include/hub/config.h")
        found = [finding.split(":")[0] for path in paths for finding in arrows.named_findings(self.top, path, features)]
        self.assertEqual(found, ["server/hub/b.c"])


if __name__ == "__main__":
    unittest.main()

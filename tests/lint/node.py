"""What runs in node runs in Debian 12's, which is the version that each package.json of the tests asks for (`engines`).

Continuous integration has that node (.ci/run); whoever has a newer one is told here. What is found is what is newer by its name: the modules,
functions and globals of the table below, where a file is for node and not for the page. How a function is called is not known here.

usage: node.py TOP
"""

import json
import os
import re
import sys

import tree

WANTED = ">=18"
# What there is only in a newer one: in node's modules, of the process, and in the language.
NEWER = {
    r"from 'node:(?:sqlite|sea)'": "no such module",
    r"\bmock\.timers\.": "other arguments before 20",
    r"\bimport\.meta\.(?:dirname|filename|main)\b": "20.11",
    r"\bprocess\.(?:loadEnvFile|getBuiltinModule|features\.typescript)\b": "20.12",
    r"\b(?:styleText|parseEnv|getCallSites?|MIMEType)\b(?=[^'\"]*from 'node:util')": "20.12",
    r"\b(?:globSync|cpSync\w+|openAsBlob)\b(?=[^'\"]*from 'node:fs)": "19.8",
    r"\b(?:Object|Map)\.groupBy\(": "21",
    r"\bPromise\.(?:withResolvers|try)\(": "22",
    r"\bArray\.fromAsync\(": "22",
    r"\.to(?:Sorted|Reversed|Spliced)\(": "20",
    r"\.(?:isWellFormed|toWellFormed)\(": "20",
    r"\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(": "22",
    r"\bAtomics\.waitAsync\b|\bRegExp\.escape\(": "22",
    r"\bAbortSignal\.any\(": "20.3",
    r"\bnew (?:WebSocket|EventSource|CloseEvent|CustomEvent|File)\(": "19 as a global",
    r"\bnavigator\.": "21 as a global",
    r"(?<![\w.'])crypto\.(?:subtle|getRandomValues|randomUUID)\b": "19 as a global",
}
PATTERNS = {re.compile(pattern): since for pattern, since in NEWER.items()}
# In these files functions are handed to the page, where a browser's globals are.
OF_THE_PAGE = re.compile(r"\b(?:WebSocket|EventSource|CloseEvent|CustomEvent|File)\b|\bnavigator\.|\bcrypto\.")
IN_A_PAGE = "tests/browser/"


def findings_in(path, source):
    """A name that is imported or declared is the file's own."""
    for pattern, since in PATTERNS.items():
        for match in pattern.finditer(source):
            name = re.sub(r"^new |[.(].*", "", match[0])
            of_page = path.startswith(IN_A_PAGE) and OF_THE_PAGE.match(match[0].removeprefix("new "))
            own = re.search(rf"^(?:import\b[^;]*|(?:export )?(?:class|const|let|function) ){re.escape(name)}\b", source, re.MULTILINE)
            if not of_page and not (own and name):
                yield f"{path}:{source.count(chr(10), 0, match.start()) + 1}: {match[0].strip()}: node {since}"


def findings(top):
    for path in tree.files(top, ".json"):
        if path.startswith("tests/") and os.path.basename(path) == "package.json":
            wants = json.loads(tree.read(top, path)).get("engines", {}).get("node")
            if wants != WANTED:
                yield f"{path}: engines.node is {wants}, not {WANTED}"
    for path in tree.files(top, ".mjs"):
        yield from findings_in(path, tree.read(top, path))


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

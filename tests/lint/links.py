"""Links in Markdown resolve: relative ones to files of the tree, #anchors to headings.

usage: links.py TOP
"""

import os
import re
import sys

import tree

LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
FENCED = re.compile(r"^( *)(```|~~~).*?^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:\A|\n[ \t]*\n)(?:(?: {4}|\t).*(?:\n|\Z))+")
CODE = re.compile(r"`[^`\n]*`")


def anchors(text):
    """The anchors that the common renderers give to a page's headings."""
    seen = {}
    for heading in HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        yield slug if count == 0 else f"{slug}-{count}"


def links(text):
    for pattern in (FENCED, INDENTED, CODE):
        text = pattern.sub("\n", text)
    for match in LINK.finditer(text):
        yield match.group(1) or match.group(2)


def findings(top):
    for path in tree.files(top, ".md"):
        for link in links(tree.read(top, path)):
            if re.match(r"[a-z][a-z0-9+.-]*:", link):
                continue
            target, _, anchor = link.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if not os.path.exists(os.path.join(top, file)):
                yield f"{path}: nothing at {link}"
            elif anchor and file.endswith(".md") and anchor not in anchors(tree.read(top, file)):
                yield f"{path}: no heading for {link}"


if __name__ == "__main__":
    sys.exit(tree.report(list(findings(sys.argv[1]))))

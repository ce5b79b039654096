"""Makes a header of C of a template: the bytes of LANGUAGE.html as template_LANGUAGE, with a 0 behind them.

usage: template_header.py LANGUAGE.html LANGUAGE.html.h
"""

import pathlib
import sys

IN_LINE = 16


def main(source, target):
    path = pathlib.Path(source)
    data = [*path.read_bytes(), 0]
    lines = [", ".join(map(str, data[at : at + IN_LINE])) for at in range(0, len(data), IN_LINE)]
    text = f"static const unsigned char template_{path.stem}[] = {{\n    " + ",\n    ".join(lines) + ",\n};\n"
    pathlib.Path(target).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

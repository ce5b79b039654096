#!/usr/bin/env python3
"""The memory that an idle server has of its own: anonymous pages, which do not depend on who else maps the same libraries, of a server
with a fresh store, the limits by default, no page and no socket of the operator, SETTLED_S after it listens.

usage: idle.py BUILD [BUILD ...]
"""

import re
import subprocess
import sys
import tempfile
import time

from programs import end_all_at_exit, running

SETTLED_S = 2


def anonymous_kib(text):
    """Of a file smaps or smaps_rollup: all of it, and of the heap, which the former alone tells."""
    whole = heap = 0
    here = ""
    for line in text.splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            here = line.split()[-1]
        elif line.startswith("Anonymous:"):
            whole += int(line.split()[1])
            heap += int(line.split()[1]) if here == "[heap]" else 0
    return whole, heap


def measure(build):
    with tempfile.TemporaryDirectory(prefix="taluva-idle-") as folder:
        command = [f"{build}/server/taluvad", "--listen=127.0.0.1:0", f"--data={folder}", "--log-level=error"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(server)
        if "listening" not in server.stdout.readline():
            sys.exit("taluvad did not start")
        time.sleep(SETTLED_S)
        with open(f"/proc/{server.pid}/smaps", encoding="ascii") as smaps:
            kib = anonymous_kib(smaps.read())
        server.terminate()
        server.wait(60)
    return kib


if __name__ == "__main__":
    end_all_at_exit()
    for each in sys.argv[1:]:
        print("{}: {} kB, {} of it heap".format(each, *measure(each)))

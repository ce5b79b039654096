"""systemd finds nothing wrong with the service's unit, alone and as that of a node of a site, nor with how little of the machine it leaves open.

usage: unit.py TOP
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree

UNIT = "deploy/systemd/taluvad.service"
MORE = "deploy/cluster/taluvad.service.d/cluster.conf"
MOST = 15  # tenths of systemd's measure of exposure: 12 are left to who serves the network and keeps a store


def analyze(*arguments):
    return subprocess.run(["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True, check=False)


def analyzed(top, *more):
    """The unit with a program that is there, as it is not installed where the sources are looked through; and with more for it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(UNIT))
        with open(copy, "w", encoding="utf-8") as file:
            file.write(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", tree.read(top, UNIT)))
        os.mkdir(f"{copy}.d")
        for path in more:
            shutil.copy(os.path.join(top, path), f"{copy}.d")
        verified = analyze("verify", "--man=no", copy)
        found = (verified.stdout + verified.stderr).splitlines()
        if verified.returncode and not found:
            found = [f"verify: status {verified.returncode}"]
        secure = analyze("security", "--offline=true", f"--threshold={MOST}", copy)
        if secure.returncode:
            found += [line for line in secure.stdout.splitlines() if line.startswith(("✗", "→"))] or [secure.stderr]
    return found


def findings(top):
    found = analyzed(top) + analyzed(top, MORE)
    if not re.search(r"(?m)^StartLimitIntervalSec=0$", tree.read(top, UNIT).split("[Service]")[0]):
        found.append("StartLimitIntervalSec=0 is not in [Unit]: a few quick failures would keep the service down")
    return found


if __name__ == "__main__":
    if not shutil.which("systemd-analyze"):
        tree.skip("systemd-analyze is not installed")
    sys.exit(tree.report(findings(sys.argv[1])))

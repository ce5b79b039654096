"""Certificates for links between nodes: by the commands of the operators' documentation, and some that are wrong.

usage: relay_certificates.py README PROGRAM [ARGUMENT...]

Runs the program with one more argument, a folder that has `good` and `other`, each with a CA and certificates for a, b and c; in `good` also `late`, expired, and `open`, whose
key everybody may read, both for a, and `rsa`, a key of another kind for b.
"""

import os
import re
import subprocess
import sys
import tempfile

HEADING = "## Certificates for the links between nodes\n"
SECTION = re.compile(rf"^{HEADING}(.*?)^## ", re.MULTILINE | re.DOTALL)
OTHERS = """
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=a -addext subjectAltName=DNS:a -keyout late-key.pem -out late.csr
openssl x509 -req -in late.csr -CA ca.pem -CAkey ca-key.pem -days -1 -copy_extensions copy -out late.pem
cp a.pem open.pem
cp a-key.pem open-key.pem
chmod 644 open-key.pem
openssl req -x509 -CA ca.pem -CAkey ca-key.pem -newkey rsa:2048 -noenc -days 1 -subj /CN=b -addext subjectAltName=DNS:b \\
    -addext basicConstraints=critical,CA:false -keyout rsa-key.pem -out rsa.pem
"""


def commands(readme):
    with open(readme, encoding="utf-8") as file:
        section = SECTION.search(file.read()).group(1)
    return "".join(line[4:] for line in section.splitlines(keepends=True) if line.startswith("    "))


def run(script, folder):
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run(["sh", "-euc", script], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)


def make(readme, folder):
    made = commands(readme)
    for name in ("good", "other"):
        run(made, os.path.join(folder, name))
    run(OTHERS, os.path.join(folder, "good"))


def main(readme, *program):
    with tempfile.TemporaryDirectory() as folder:
        make(readme, folder)
        return subprocess.run([*program, folder], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""deploy/cluster/certificates given again, after a kill: no file is lost.

usage: set_up.py
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy" / "cluster"


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.site = self.folder / "site"

    def put(self, name, text, mode):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def run_script(self, script, *words, status=0, **environment):
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        command = [DEPLOY / script, *words]
        done = subprocess.run(
            command, env={**os.environ, **environment, "PATH": path}, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stderr

    def verify(self, *nodes):
        relays = self.site / "relays"
        pems = [relays / f"{node}.pem" for node in nodes]
        subprocess.run(["openssl", "verify", "-CAfile", relays / "ca.pem", *pems], check=True, capture_output=True)

    def test_certificates_after_a_kill(self):
        relays = self.site / "relays"
        self.run_script("certificates", relays, "node1", "node2")
        self.verify("node1", "node2")
        first = (relays / "node1.pem").read_bytes()
        (relays / "ca.pem").unlink()  # between the key and it
        (relays / "node2.pem").write_bytes(b"")
        self.run_script("certificates", relays, "node1", "node2")
        self.verify("node1", "node2")
        self.assertEqual((relays / "node1.pem").read_bytes(), first)

    def test_a_key_that_is_not_of_the_certificate(self):
        relays = self.site / "relays"
        self.run_script("certificates", relays, "node1")
        ca = (relays / "ca.pem").read_bytes()
        (relays / "ca-key.pem").unlink()
        self.assertIn("ca-key.pem is not the key", self.run_script("certificates", relays, "node1", "node2", status=78))
        self.assertEqual((relays / "ca.pem").read_bytes(), ca)

    def test_what_openssl_says_is_told(self):
        self.put("bin/openssl", "#!/bin/sh\necho no entropy >&2; exit 1\n", 0o755)
        self.assertIn("no entropy", self.run_script("certificates", self.site / "relays", "node1", status=70))
        self.assertFalse((self.site / "relays" / "ca.pem").exists())


if __name__ == "__main__":
    unittest.main()

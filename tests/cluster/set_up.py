"""deploy/cluster/setup and certificates given again: after a kill, after an operator's hand, after another certificate. No file is lost. And
deploy/container/health with servers that answer, and with one that does not.

usage: set_up.py
"""

import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import unittest

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.site = self.folder / "site"
        self.root = self.folder / "root"
        self.settings = self.root / "etc" / "default" / "taluvad"
        self.put("bin/taluvad", "#!/bin/sh\n", 0o755)
        self.put("bin/haproxy", "#!/bin/sh\n", 0o755)
        self.put("site/store", "postgres://taluva@db/taluva\n", 0o600)

    def put(self, name, text, mode):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def run_script(self, script, *words, status=0, **environment):
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        command = [DEPLOY / "cluster" / script, *words]
        done = subprocess.run(
            command, env={**os.environ, **environment, "PATH": path}, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stderr

    def make_site(self, address="192.0.2.21"):
        self.run_script("setup", "site", self.site, "-", f"node1={address}", PROXY="192.0.2.20")

    def make_node(self):
        self.run_script("setup", "node", self.site / "node1", ROOT=str(self.root))

    def test_settings_of_the_operator_stay(self):
        self.put("root/etc/default/taluvad", "# ours\nTALUVA_PUSH_CONTACT=mailto:you@club.example\n", 0o640)
        self.make_site()
        self.make_node()
        with self.settings.open("a", encoding="utf-8") as file:
            file.write("TALUVA_ORIGIN=https://club.example")
        self.make_site("192.0.2.31")
        self.make_node()
        lines = self.settings.read_text(encoding="utf-8").splitlines()
        for line in ("# ours", "TALUVA_PUSH_CONTACT=mailto:you@club.example", "TALUVA_ORIGIN=https://club.example"):
            self.assertEqual(lines.count(line), 1, lines)
        self.assertEqual([line for line in lines if line.startswith("TALUVA_RELAY")], ["TALUVA_RELAY=192.0.2.31:7410"])
        self.assertIn("# before: TALUVA_RELAY=192.0.2.21:7410", lines)
        self.assertEqual(self.settings.stat().st_mode & 0o777, 0o640)

    def test_settings_given_again_are_the_same(self):
        self.make_site()
        self.make_node()
        first = self.settings.read_text(encoding="utf-8")
        self.make_site()
        self.make_node()
        self.assertEqual(self.settings.read_text(encoding="utf-8"), first)

    def test_settings_twice_in_the_file_hold_once(self):
        self.put("root/etc/default/taluvad", "TALUVA_NODE=a\nTALUVA_NODE=b\n", 0o644)
        self.make_site()
        self.make_node()
        lines = self.settings.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[:3], ["# before: TALUVA_NODE=a", "TALUVA_NODE=node1", "# before: TALUVA_NODE=b"])

    def test_keys_that_were_there_stay_beside(self):
        self.make_site()
        self.make_node()
        key = self.root / "etc" / "taluva" / "site-key"
        before = key.read_text(encoding="utf-8")
        self.make_node()
        self.assertEqual(list(key.parent.glob("*~")), [], "the same files leave nothing")
        self.put("site/node1/site-key", "another\n", 0o600)
        self.make_node()
        self.assertEqual(key.read_text(encoding="utf-8"), "another\n")
        self.assertEqual((key.parent / "site-key.~1~").read_text(encoding="utf-8"), before)

    def test_every_configuration_of_the_proxy_is_kept(self):
        self.make_site()
        self.put("root/etc/haproxy/taluva.pem", "certificate\n", 0o600)
        self.put("root/etc/haproxy/haproxy.cfg", "# of somebody\n", 0o644)
        for address in ("192.0.2.21", "192.0.2.21", "192.0.2.31", "192.0.2.41"):
            self.put("site/nodes", f"node1 {address}:7400\n", 0o600)
            self.run_script("setup", "proxy", self.site, ROOT=str(self.root))
        kept = [path.read_text(encoding="utf-8") for path in (self.root / "etc" / "haproxy").glob("haproxy.cfg*")]
        self.assertEqual(len(kept), 4)
        self.assertIn("# of somebody\n", kept)

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

    def health(self, answer, *seconds):
        """Its status with a server that says that; with None with one that never answers."""
        def serve():
            with server.accept()[0] as one:
                asked = b""
                # it comes line by line, and whoever is cut off while they ask ends
                while not asked.endswith(b"\r\n\r\n") and (more := one.recv(1024)):
                    asked += more
                one.sendall(answer)

        with socket.create_server(("127.0.0.1", 0)) as server:
            serving = threading.Thread(target=serve)
            if answer:
                serving.start()
            command = [DEPLOY / "container" / "health", str(server.getsockname()[1]), *seconds]
            status = subprocess.run(command, capture_output=True, check=False, timeout=300).returncode
            if answer:
                serving.join()
            return status

    def test_health(self):
        self.assertEqual(self.health(b"HTTP/1.1 200 OK\r\n\r\n", "200"), 0)
        self.assertEqual(self.health(b"HTTP/1.1 503 Service Unavailable\r\n\r\n", "200"), 1)
        self.assertEqual(self.health(None, "0.1"), 124)


if __name__ == "__main__":
    unittest.main()

"""Two nodes of a site on one database, for the benchmark: each pinned as a server is, linked by certificates of their own."""

import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from programs import SERVER_CORE, Server, free_port, scheduled

CERTIFICATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../deploy/cluster/certificates")
PATIENCE_S = 120
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def until(what, true):
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not after {PATIENCE_S} s")
        time.sleep(0.02)


def is_ready(server):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{server.port}/readyz").status == 200
    except urllib.error.HTTPError:
        return False


def divide(build, url, parts):
    with tempfile.NamedTemporaryFile("w", prefix="taluva-bench-", suffix=".store") as file:
        file.write(url + "\n")
        file.flush()
        command = [f"{build}/server/taluvad", f"--store-file={file.name}", "parts", str(parts)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Site:
    """Nodes on the database at `url`; for some seconds the first one has all parts, and of a site of one part for good."""

    def __init__(self, build, url, count=2, **how):
        self.folder = tempfile.mkdtemp(prefix="taluva-bench-site-")
        self.nodes = []
        names = [f"node{number}" for number in range(1, count + 1)]
        try:
            subprocess.run([CERTIFICATES, self.folder, *names], check=True)
            for name in names:
                self.add(build, url, name, **how)
        except BaseException:
            self.__exit__()
            raise

    def add(self, build, url, name, more=(), core=SERVER_CORE):
        paths = {of: os.path.join(self.folder, file) for of, file in
                 {"cert": f"{name}.pem", "key": f"{name}-key.pem", "ca": "ca.pem"}.items()}
        relay = free_port()
        options = [f"--node={name}", f"--relay=127.0.0.1:{relay}"] + [f"--relay-{of}={path}" for of, path in paths.items()]
        node = Server(build, store=url, more=[*options, *more], core=core)
        node.relay = relay
        self.nodes.append(node)
        until(f"{name} is ready", lambda: is_ready(node))

    def relays(self):
        return [node.relay for node in self.nodes]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.__exit__()
        shutil.rmtree(self.folder)


def ran_us(pids):
    """Microseconds of processor of these processes, and of the children of theirs that are gone."""
    total = 0
    for pid in pids:
        try:
            total += scheduled(pid)["ran_ns"] / 1000
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                gone = stat.read().rsplit(")", 1)[1].split()[13:15]
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        total += sum(int(field) for field in gone) * TICK_S * 1e6
    return total


def socket_bytes(ports):
    """What has been sent both ways over the connections that there are to these ports of this machine; None: nobody can say."""
    if not shutil.which("ss"):
        return None
    total = 0
    for port in ports:
        command = ["ss", "-tinH", "state", "established", f"( sport = :{port} or dport = :{port} )"]
        seen = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        total += sum(int(count) for count in re.findall(r"bytes_sent:(\d+)", seen))
    return total

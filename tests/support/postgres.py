"""A PostgreSQL of one's own for as long as a command runs.

usage: postgres.py COMMAND [ARGUMENT]...

The command finds TALUVA_TEST_POSTGRES in its environment: the URL of a database that its user may do everything with; the
password of that user is in it. It listens on a free port of the loopback and on a Unix socket, in a folder that is removed at the
end, or by contained.py if there is no end. On SIGUSR1 to this program, TALUVA_TEST_POSTGRES_HELPER, it crashes and starts again. It makes nothing durable, so it is no measure of speed. PostgreSQL refuses to run as root: then it runs as its own
user `postgres`, or as `nobody`.

Making a cluster takes most of what a short test takes. So the first of those that find the same TALUVA_TEST_CLUSTER in their environment, the
path of a folder that need not be there, keeps its own there as it was made, and the others begin with a copy.
"""

import fcntl
import glob
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import contained

PASSWORD = "taluva: a/secret@%"
IN_URL = "taluva%3A%20a%2Fsecret%40%25"
PATIENCE_S = 120
CLUSTER = "TALUVA_TEST_CLUSTER"


def programs():
    """The folder of the newest one installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"), key=lambda path: float(path.split("/")[4]))
    if found:
        return os.path.dirname(found[-1])
    path = shutil.which("postgres")
    if not path:
        sys.exit("postgres.py: PostgreSQL is not installed (deploy/packages.test)")
    return os.path.dirname(path)


def unprivileged():
    """Somebody to run it as, if we are root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    sys.exit("postgres.py: as root there has to be a user postgres or nobody")


def free_port():
    """One that the system gives nobody: while the database is down, a connection of another program could have it."""
    while True:
        port = random.randrange(10000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def copied(source, target):
    """With its owner."""
    subprocess.run(["cp", "-a", "--", source, target], check=True)


class Postgres:
    def __init__(self, durable=False, connections=40):
        """Durable: as PostgreSQL is by itself, on the disk that holds the temporary files."""
        self.connections = connections
        self.bin = programs()
        self.user = unprivileged()
        self.durable = durable
        self.folder = tempfile.mkdtemp(prefix="taluva-pg-", dir=None if durable else os.environ[contained.MEMORY])
        self.process = None

    def as_user(self):
        if not self.user:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def make(self, data):
        secret = os.path.join(self.folder, "secret")
        with open(secret, "w", encoding="utf-8") as file:
            file.write(PASSWORD + "\n")
        if self.user:
            for path in (self.folder, secret):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        subprocess.run(
            [os.path.join(self.bin, "initdb"), "-D", data, "-U", "taluva", "--auth=scram-sha-256", f"--pwfile={secret}", "-E", "UTF8",
             "--locale=C.UTF-8", "--no-sync", "--data-checksums"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.as_user())

    def copy(self, data, kept):
        """From one that was kept; whoever comes while that is made waits for it."""
        with open(kept + ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(kept):
                self.make(data)
                shutil.rmtree(kept + ".new", ignore_errors=True)  # of whoever was ended in the middle of this
                copied(data, kept + ".new")
                os.rename(kept + ".new", kept)
                return
        copied(kept, data)
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)

    def start(self):
        data, kept = os.path.join(self.folder, "data"), os.environ.get(CLUSTER)
        if kept:
            self.copy(data, kept)
        else:
            self.make(data)
        port = self.port = free_port()
        self.settings = {
            "listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": self.folder, "fsync": "off", "full_page_writes": "off",
            "max_connections": self.connections, "shared_buffers": "16MB", "autovacuum": "off", "log_min_messages": "fatal", "dynamic_shared_memory_type": "mmap",
        }
        if self.durable:
            self.settings.update({"fsync": "on", "full_page_writes": "on", "autovacuum": "on", "shared_buffers": "128MB"})
        self.run()
        return {
            "TALUVA_TEST_POSTGRES": f"postgresql://taluva:{IN_URL}@127.0.0.1:{port}/postgres",
            "TALUVA_TEST_POSTGRES_BIN": self.bin,
            "TALUVA_TEST_POSTGRES_HELPER": str(os.getpid()),
        }

    def run(self):
        data = os.path.join(self.folder, "data")
        words = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(
                [os.path.join(self.bin, "postgres"), "-D", data, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, start_new_session=True, **self.as_user())
        self.wait(self.port)

    def crash(self):
        self.process.send_signal(signal.SIGQUIT)  # at once, as if its machine had failed
        self.process.wait()
        self.run()

    def wait(self, port):
        end = time.monotonic() + PATIENCE_S
        ready = [os.path.join(self.bin, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        while subprocess.run(ready, check=False).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
                    sys.exit(f"postgres.py: it does not start: {log.read()}")
            time.sleep(0.02)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # at once
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def main(command):
    postgres = Postgres()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGUSR1, lambda *_: postgres.crash())
    try:
        environment = postgres.start()
        return subprocess.run(command, check=False, env={**os.environ, **environment}).returncode
    finally:
        postgres.stop()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(os.EX_USAGE)
    contained.enter()
    sys.exit(main(sys.argv[1:]))

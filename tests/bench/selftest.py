"""The benchmark itself, without a network and without figures: that it starts, says why a peer is left out, goes on, and leaves
nothing behind.

usage: selftest.py BUILD_DIR
"""

import contextlib
import http.server
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import bench
import beside
import idle
import lines
import peer_servers
import programs
import walk

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = ""
RUN = {
    "moves_per_s": 1,
    "delivered_us": {"p50": 1, "p99": 2},
    "push_bytes": {"mean": 270},
    "driver": {"core_percent": 1},
    "server": {"core_percent": 1, "cpu_us_per_move": 1, "resident_kib": 1},
}


class Refusing(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        pass


def printed(function, *arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return out.getvalue()


class Walk(unittest.TestCase):
    def test_reads_what_callgrind_writes(self):
        lines = ["fn=(1) main", "0 5", "cfn=(2) room_apply.isra.0", "calls=3 0", "0 70", "cfn=(3) room_apply'2", "calls=4 0", "0 1",
                 "fn=(2)", "0 9", "cfn=(1)", "calls=1 0", "0 1", "totals: 85"]
        self.assertEqual(walk.read_counts(lines), (85, {"room_apply": 7, "main": 1}))

    def test_a_move_is_what_more_games_take(self):
        first = {"moves": 10, "commits": 2, "instructions": 1000, "calls": {"a": 10}}
        all_games = {"moves": 30, "commits": 7, "instructions": 4000, "calls": {"a": 70, "b": 20}}
        figures, calls = walk.less(all_games, {**first, "calls": walk.collections.Counter(first["calls"])})
        self.assertEqual(figures, {"moves": 20, "moves in a commit": 4, "instructions": 150, "calls": 4})
        self.assertEqual(calls, {"a": 3, "b": 1})

    def test_calls_by_kind(self):
        calls = {"request_decode": 1, "request_decode_kept": 0.5, "__memcpy_avx_unaligned_erms": 20, "memcpy": 2, "copy_text": 3, "__strlen_avx2": 4}
        kinds = walk.kinds_of(calls)
        self.assertEqual((kinds["requests decoded"], kinds["copies"], kinds["scans of text"]), (1.5, 25, 4))


class Idle(unittest.TestCase):
    def test_anonymous_memory(self):
        smaps = "55-56 rw-p 00 00:00 0   [heap]\nRss: 9 kB\nAnonymous:  8 kB\n7f-80 r--p 00 08:01 2 /lib/a b.so\nAnonymous: 4 kB\nAnonHugePages: 2 kB\n"
        self.assertEqual(idle.anonymous_kib(smaps), (12, 8))


class Lines(unittest.TestCase):
    def test_what_was_moved_counts_where_it_is(self):
        paths = ("server/hub/a.c", "server/{hub => features/notify}/a.c", "server/{ => programs}/main.c", "a/b.c => server/net/ws/b.c")
        folders = [lines.folder_of(lines.path_now(path)) for path in paths]
        self.assertEqual(folders, ["server/hub", "server/features/notify", "server/programs", "server/net"])


class Floors(unittest.TestCase):
    def test_moves_the_bytes_it_is_told_to(self):
        for durable in (False, True):
            with programs.Floor(BUILD, 33, 270, durable) as floor:
                seen = programs.load_floor(BUILD, floor, 2, 100, 1, 33)
            self.assertGreater(seen["moves"], 0)
            self.assertEqual(seen["push_bytes"]["mean"], 270)
            self.assertEqual(seen["request_bytes"]["mean"], programs.REQUEST_BYTES)


class Peers(unittest.TestCase):
    def turn(self, load_peer):
        """One load in which only the peers are asked; what is printed, and who is left."""
        table = beside.Beside(mock.Mock(runs=2, rows=[]))
        with mock.patch.object(table, "ours", return_value=RUN), mock.patch.object(table, "floor", return_value=RUN):
            with mock.patch.object(peer_servers, "load_peer", side_effect=load_peer):
                return printed(table.load, "lone"), table.peers

    def test_one_that_does_not_start_is_named_and_left_out(self):
        def load_peer(_, name, *__):
            if name == "Colyseus":
                raise peer_servers.Unavailable("it did not start: no such module")
            return RUN

        said, left = self.turn(load_peer)
        self.assertEqual(said.count("Colyseus is not measured: it did not start: no such module"), 1)
        self.assertEqual(left, ["socket.io", "boardgame.io"])
        self.assertIn("ours / socket.io", said)

    def test_without_npm_ours_and_the_floors_are_measured(self):
        table = beside.Beside(mock.Mock(runs=1, rows=[]))
        with tempfile.TemporaryDirectory() as empty, mock.patch.object(peer_servers, "FOLDER", empty):
            with mock.patch.dict(os.environ, PATH=empty):
                said = printed(table.install)
        self.assertIn("socket.io is not measured: node and npm are not installed", said)
        self.assertEqual(table.peers, [])

    def test_the_driver_says_what_is_wrong_with_a_server(self):
        with http.server.HTTPServer(("127.0.0.1", 0), Refusing) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            command = [f"{BUILD}/tests/bench/taluva-peer-load", "socketio", str(server.server_port)]
            done = subprocess.run(
                command + ["1", "10", "1", "1", "75", str(os.getpid())], capture_output=True, text=True, check=False
            )
            server.shutdown()
        self.assertEqual(done.returncode, 69)
        self.assertIn("a web server answers, but not as a WebSocket (HTTP 400)", done.stderr)


class Ends(unittest.TestCase):
    def test_what_was_started_ends_with_it(self):
        started = (
            "import programs, time; programs.end_all_at_exit();"
            " print(programs.pinned(0, ['sleep', '1000']).pid, flush=True); time.sleep(1000)"
        )
        parent = subprocess.Popen([sys.executable, "-B", "-c", started], cwd=HERE, stdout=subprocess.PIPE, text=True)
        child = int(parent.stdout.readline())
        parent.send_signal(signal.SIGTERM)
        parent.wait()
        parent.stdout.close()
        left = os.path.exists(f"/proc/{child}")
        if left:
            os.kill(child, signal.SIGKILL)
        self.assertFalse(left)


class Compare(unittest.TestCase):
    def test_figures_of_the_same_name_stand_side_by_side(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("before", "after")]
            for path, median in zip(paths, (4, 3)):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"rows": [{"name": "a", "median": median}, {"name": path, "median": 1}]}, file)
            said = printed(bench.compare_files, *paths).splitlines()
        self.assertEqual(len(said), 2)
        self.assertEqual(said[1].split(), ["a", "4", "3", "0.75"])


if __name__ == "__main__":
    BUILD = os.path.abspath(sys.argv.pop(1))
    unittest.main()

"""What a move asks of the system at several rates: counted, so that it is the same on a busy machine and on a quiet one."""

import statistics
import time

from programs import Server, load_begin, load_end, pace

RATES = {
    "20/s": ("--rooms=20", "--rate=20"),
    "200/s": ("--rooms=100", "--rate=200"),
    "2,000/s": ("--rooms=500", "--rate=2000"),
    "saturated": ("--rooms=100", *pace(0)),
}
MOVES_BEFORE = 2  # in each room
SETTLE_S = 2
CALLS = ("epoll_wait", "epoll_ctl", "recv", "send", "sendmsg", "writev", "read", "write")
CALLS += ("pread", "pwrite", "fdatasync", "fsync", "fcntl", "ftruncate")
FIGURES = {
    "system calls": lambda run: sum(run[call] for call in CALLS),
    "  epoll_wait, epoll_ctl": lambda run: run["epoll_wait"] + run["epoll_ctl"],
    "  recv, read": lambda run: run["recv"] + run["read"],
    "  send, sendmsg": lambda run: run["send"] + run["sendmsg"],
    "  write, writev": lambda run: run["write"] + run["writev"],
    "  pwrite": lambda run: run["pwrite"],
    "  fdatasync, fsync": lambda run: run["fdatasync"] + run["fsync"],
    "  fcntl": lambda run: run["fcntl"],
    "goes to sleep": lambda run: run["sleeps"],
    "allocations": lambda run: run["allocations"],
    "bytes to sockets": lambda run: run["send_bytes"],
    "bytes to the disk": lambda run: run["pwrite_bytes"],
    "processor, us": lambda run: run["ran_ns"] / 1000,
}


def counted(build, flags, seconds):
    """For as many seconds of play, once every room has been made: on a busy machine that takes long."""
    rooms = int(flags[0].split("=")[1])
    with Server(build, count=True) as server:
        driver = load_begin(build, server, *flags, f"--duration={seconds + SETTLE_S}")
        while driver.poll() is None and server.moves() < MOVES_BEFORE * rooms:
            time.sleep(0.2)
        time.sleep(SETTLE_S / 2)
        before = server.counted()
        time.sleep(seconds)
        after = server.counted()
        load_end(driver)
    return {key: after[key] - before[key] for key in after}


def show(bench):
    medians = {}
    for rate, flags in RATES.items():
        runs = [counted(bench.build, flags, bench.seconds) for _ in range(bench.runs)]
        for figure, of in FIGURES.items():
            values = [of(run) / run["moves"] for run in runs]
            medians[figure, rate] = statistics.median(values)
            entry = {"name": f"a move, {rate}: {figure.strip()}", "unit": "", "median": medians[figure, rate]}
            bench.rows.append(dict(entry, min=min(values), max=max(values)))
    print(f"{'a move, at':24}" + "".join(f"{rate:>12}" for rate in RATES))
    for figure in FIGURES:
        print(f"{figure:24}" + "".join(f"{medians[figure, rate]:12.4g}" for rate in RATES), flush=True)

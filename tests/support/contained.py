"""Runs a command of which nothing is left behind.

usage: contained.py COMMAND [ARGUMENT]...    with the command's exit status, or 1 if something of it was still there
       contained.py --leftovers              names what runs left that were ended with all that looked after them, removes it,
                                             and fails if there was any

However the command ends, by itself, by a signal, because this program is ended (by SIGKILL as well) or whoever started it: all that it
has started ends too, and its temporary files are removed: those in TMPDIR, and what is to be in memory in TALUVA_TEST_MEMORY. Both are
folders of its own. A command that says that all is well must have cleaned up by itself: what it left is named, and it has failed.

With TALUVA_TEST_USAGE in the environment it also says on standard error what all of that took of a processor: "processor: 1.25 s".

This program is three. The first one waits. The second has a session of its own, so that nobody ends it by mistake; it is the parent of
whatever in the command loses its own (PR_SET_CHILD_SUBREAPER), and cleans up when the command or the first one ends. The third becomes
the command. If the second is killed, the first one is the next such parent. If both are, nobody has the folders locked any more:
--leftovers finds them so, and the processes by TALUVA_TEST_RUN in their environment.
"""

import ctypes
import fcntl
import os
import resource
import select
import signal
import stat
import sys
import time

PREFIX = "taluva-run-"
RUN, MEMORY, USAGE = "TALUVA_TEST_RUN", "TALUVA_TEST_MEMORY", "TALUVA_TEST_USAGE"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
IPC_RMID = 0
# What ends by itself may take so long after the command.
PATIENCE_S = 10
SKIPPED = 77
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


# ---- processes


def processes():
    """{process: its parent} of all that have not ended."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state not in "ZX":
            found[int(name)] = int(parent)
    return found


def descendants():
    """Those of this process."""
    parents, found = processes(), []
    mine = {os.getpid()}
    while below := {process for process, parent in parents.items() if parent in mine}:
        found += below
        mine = below
    return found


def words_of(process):
    try:
        with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as file:
            return file.read().replace("\0", " ").strip()[:200] or "?"
    except OSError:
        return "?"


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def reap():
    """{process: status} of the children that have ended; None: there are no children."""
    ended = {}
    try:
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = os.waitstatus_to_exitcode(found[1])
    except ChildProcessError:
        return ended or None
    return ended


def end_all():
    """Every descendant; what loses its parent meanwhile is a child of this process."""
    while reap() is not None:
        for process in descendants():
            kill(process)
        time.sleep(0.01)


# ---- folders


def places():
    """Where the folders are: on the disk, and in memory if there is such a place."""
    memory = "/dev/shm"
    inside = os.environ.get(MEMORY) or (memory if os.access(memory, os.W_OK | os.X_OK) else None)
    return [place for place in (os.environ.get("TMPDIR") or "/tmp", inside) if place]


def make_folder(place):
    """A folder, and the lock that it is held by."""
    name = os.urandom(5).hex()
    new, path = os.path.join(place, f"taluva-new-{name}"), os.path.join(place, PREFIX + name)
    os.mkdir(new, 0o700)
    lock = os.open(new, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.rename(new, path)
    os.chmod(path, 0o1777)  # as the folder that it stands in for
    return path, lock


def shared_memory_in(folder):
    """What of it the system keeps if a PostgreSQL is killed, by its data folder."""
    for path, _, names in os.walk(folder):
        if "postmaster.pid" in names:
            with open(os.path.join(path, "postmaster.pid"), encoding="utf-8", errors="replace") as file:
                words = "".join(file.readlines()[6:7]).split()
            if len(words) == 2:
                yield int(words[1])


def remove(folder):
    try:
        os.rmdir(folder)
        return
    except OSError:
        import shutil  # takes time, and is seldom needed

    def again(function, path, _):
        try:
            os.chmod(os.path.dirname(path), stat.S_IRWXU)
            os.chmod(path, stat.S_IRWXU)
            function(path)
        except OSError:
            pass

    for segment in shared_memory_in(folder):
        ctypes.CDLL(None).shmctl(segment, IPC_RMID, None)
    shutil.rmtree(folder, onerror=again)


def forsaken():
    """The folders of runs that nobody looks after any more."""
    for place in places():
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if not name.startswith(PREFIX) or os.stat(path).st_uid != os.getuid():
                continue
            try:
                lock = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                continue
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield path
            except BlockingIOError:
                pass
            finally:
                os.close(lock)


def belongs_to(process, folders):
    try:
        with open(f"/proc/{process}/environ", encoding="utf-8", errors="replace") as file:
            named = [word for word in file.read().split("\0") if word.startswith(f"{RUN}=")]
    except OSError:
        return False
    return any(f"{word}/".startswith(f"{RUN}={folder}/") for word in named for folder in folders)


def sweep():
    """Ends and removes what forsaken runs have left, and says what that was."""
    folders = list(forsaken())
    for process in processes() if folders else ():
        if belongs_to(process, folders):
            yield f"process {process} of an earlier run: {words_of(process)}"
            kill(process)
    for folder in folders:
        yield f"folder {folder}"
        remove(folder)


# ---- the three


def become(command):
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.set_wakeup_fd(-1)
    for number in (*ENDING, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores the last two
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os._exit(127)


def await_end(child, above, woken):
    """The status of the command; None: the first process has ended before."""
    while True:
        ready = select.select([above, woken], [], [])[0]
        if above in ready:
            return None
        os.read(woken, 4096)
        ended = reap() or {}
        if child in ended:
            return ended[child]


def await_others(above, woken):
    """What still runs after a while."""
    until = time.monotonic() + PATIENCE_S
    while found := descendants():
        left = until - time.monotonic()
        if left <= 0 or above in select.select([above, woken], [], [], min(left, 0.1))[0]:
            return found
        reap()
    return []


def files_in(folders):
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if not name.startswith(PREFIX):
                yield os.path.join(folder, name)


def look_after(command, above, folders):
    """The second process. The status of the command, or 1 if it left something."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        become(command)
    status = await_end(child, above, woken)
    if status in (0, SKIPPED):
        left = [f"process {process}: {words_of(process)}" for process in await_others(above, woken)]
        left += files_in(folders)
        for what in left:
            print(f"left behind: {what}", file=sys.stderr, flush=True)
        status = 1 if left else status
    return status


def shell_status(status):
    """As a shell says it; 1 if there is none."""
    return 1 if status is None else 128 - status if status < 0 else status


def say_usage():
    """Of all that has ended and was waited for below this process."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor: {used.ru_utime + used.ru_stime:.2f} s", file=sys.stderr, flush=True)


def second(command, above, folders):
    measured = os.environ.pop(USAGE, None)  # what is contained in this is part of it
    os.setsid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    status = None
    try:
        status = look_after(command, above, folders)
    finally:
        clean_up(folders)
        if measured:
            say_usage()
        os._exit(shell_status(status))


def clean_up(folders):
    end_all()
    for folder in folders:
        remove(folder)


def run(command):
    held = [make_folder(place) for place in places()]
    folders = [path for path, _ in held]
    os.environ.update({"TMPDIR": folders[0], MEMORY: folders[-1], RUN: folders[0]})
    above, watched = os.pipe()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        os.close(watched)
        second(command, above, folders)

    def end(number, _):
        for other in ENDING:
            signal.signal(other, signal.SIG_IGN)
        os.close(watched)  # the second one sees it, and is waited for
        os.waitpid(child, 0)
        os._exit(128 + number)

    for number in ENDING:
        signal.signal(number, end)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:  # it was killed: what it looked after is this one's now
        clean_up(folders)
    return shell_status(status)


def enter():
    """Whoever calls this first of all goes on contained."""
    if RUN not in os.environ:
        os.execv(sys.executable, [sys.executable, "-SB", __file__, sys.executable, "-B", *sys.argv])


def main(words):
    if words != ["--leftovers"]:
        return run(words)
    left = list(sweep())
    print(*left, f"{len(left)} left behind", sep="\n")
    return 1 if left else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(os.EX_USAGE)
    sys.exit(main(sys.argv[1:]))

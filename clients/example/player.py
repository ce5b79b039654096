"""The smallest player of its own: any legal move. A beginning for a better one.

It speaks the lines of `taluva join ROOM --ready --json`: each line that it reads is a message of the server
(protocol/README.md) or, with "local", of the client; each line that it writes is a request without its id.

    mkfifo lines
    taluva join ROOM --ready --json < lines | python3 player.py > lines

    taluva-contest run:"python3 player.py" simple          (tests/strength/README.md)
"""

import json
import os
import random
import sys


def merge(target, patch):
    """RFC 7396, as protocol/README.md has it."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result


def ask(**request):
    print(json.dumps(request), flush=True)


def choose(legal):
    """A move of those that the server lists, and whether it has to be confirmed. Put your own thoughts here."""
    good = [move for move in legal["moves"] if move not in legal.get("eliminating", [])]
    return (random.choice(good), False) if good else (random.choice(legal["moves"]), True)


def main():
    room, seat, state, asked = None, None, {}, None
    for line in sys.stdin:
        message = json.loads(line)
        ok = message.get("ok", {})
        if message.get("local") == "over":
            os.close(sys.stdout.fileno())  # nothing more is asked, so the client ends
            sys.stdin.read()  # what it says until then
            return
        if "state" in ok:  # a view: the whole state, and which seat is ours
            room, seat, state = ok["room"], ok.get("you", {}).get("seat"), ok["state"]
        elif message.get("push") == "event" and message["room"] == room:
            state = merge(state, message["patch"])
        elif "moves" in ok and ok["seq"] == asked:
            move, confirm = choose(ok)
            ask(op="move", room=room, move=move, confirm=confirm)
        seq = message.get("seq", ok.get("seq"))
        if ("patch" in message or "state" in ok) and seat in state.get("acting", []) and seq != asked:
            asked = seq
            ask(op="moves", room=room)


if __name__ == "__main__":
    main()

"""Looking back at matches: the same analysis each time, missed wins found, annotated records, bad records.

usage: analysis.py TALUVA RECORDS GOLDEN [--write | --briefly]

RECORDS: one JSON object a line, {"name", "kind": "game" or "missed", "record"}. In those that missed a win the last turn does.
GOLDEN: a line for each game: name, turns that were rated, turning points, SHA-256 of the JSON. --write makes it anew, which every
change of the computer's net or search needs. --briefly looks at every tenth record only.
"""

import gzip
import hashlib
import json
import re
import subprocess
import sys

FEW = "3"  # simulations: the same code runs, and a sanitizer is patient
SOME = "12"


def taluva(program, *arguments, given=""):
    done = subprocess.run([program, *arguments], input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def analysed(program, record, simulations, *options):
    code, out, err = taluva(program, "analyse", "--simulations", simulations, *options, "-", given=record)
    assert code == 0 and err == "", err
    return out


def line_of(name, text):
    found = json.loads(text)
    points = ",".join(map(str, found["turning_points"])) or "-"
    return f"{name} {len(found['turns'])} {points} {hashlib.sha256(text.encode()).hexdigest()}\n"


def is_sound(found):
    """What follows from the numbers alone."""
    totals = [{"luck": 0, "loss": 0, "good": 0, "mistakes": 0, "blunders": 0} for _ in found["seats"]]
    words = {"good": "good", "mistake": "mistakes", "blunder": "blunders"}
    for turn in found["turns"]:
        seat = turn["seat"]
        totals[seat]["luck"] += turn["luck"]
        totals[seat]["loss"] += turn["loss"]
        if turn["mark"]:
            totals[seat][words[turn["mark"]]] += 1
        assert (turn["mark"] == "blunder") == (turn["loss"] >= 100), turn
        assert ("better" in turn) == (turn["mark"] in ("mistake", "blunder")), turn
    assert totals == found["seats"]


# ---- missed wins


def won(program, record, turn):
    """The record with the better turn in place of the last one is a match that its player has won, by the rules."""
    lines = [line for line in record.split("\n") if line != "- called_off"]
    at = max(i for i, line in enumerate(lines) if re.match(r"\d+\. ", line))
    lines[at] = f"{turn['turn']}. {turn['seat']} {' '.join(turn['better'])}"
    changed = "\n".join(lines).replace('[Result.why "called-off"]', f'[Result.why "two-kinds"]\n[Result.winners "{turn["seat"]}"]')
    said = taluva(program, "replay", "-", given=changed)[1]
    return "result why" not in said and "result winners" not in said


def missed_wins(program, records):
    count = 0
    for one in records:
        turn = json.loads(analysed(program, one["record"], SOME, "--json"))["turns"][-1]
        assert turn["mark"] == "blunder", (one["name"], turn)
        assert turn["best"][turn["seat"]] == 1000, (one["name"], turn)
        assert won(program, one["record"], turn), (one["name"], turn)
        assert not won(program, one["record"], {**turn, "better": turn["moves"]}), one["name"]
        count += 1
    return count


# ---- records


def without_annotations(text):
    lines = text.split("\n")
    return "\n".join(line for line in lines if not re.match(r"\[Result\.analysis|- \d (good|mistake|blunder)$", line))


def annotations(program, one):
    record = one["record"]
    annotated = analysed(program, record, "0", "--annotate")
    found = json.loads(analysed(program, record, "0", "--json"))
    assert annotated != record and without_annotations(annotated) == record, one["name"]
    assert taluva(program, "replay", "-", given=annotated)[1].endswith(" 0 differences\n"), one["name"]
    assert analysed(program, annotated, "0", "--annotate") == annotated, one["name"]
    values = dict(re.findall(r'^\[Result\.analysis_(\w+) "(.*)"\]$', annotated, re.M))
    for turn in found["turns"]:
        at = turn["turn"] - 1
        for seat, chance in enumerate(turn["played"]):
            assert values[f"chances_{seat}"].split(" ")[at] == str(chance)
        assert values["luck"].split(" ")[at] == str(turn["luck"]) and values["loss"].split(" ")[at] == str(turn["loss"])
        assert values.get(f"better_{turn['turn']}") == (" ".join(turn["better"]) if "better" in turn else None)
        mark = re.search(rf"^{turn['turn']}\. .*\n(?:- \d (good|mistake|blunder)$)?", annotated, re.M).group(1)
        assert (mark or "") == turn["mark"], (one["name"], turn)


def bad_records(program, record):
    cases = [
        (["-"], "", 65, "line"),
        (["-"], record[:300], 65, "cut"),
        (["-"], record.replace("[Room ", "[Boom "), 65, "there is no such header"),
        (["-"], record.replace('[Game "taluva"]', '[Game "totem"]'), 1, ""),
        (["-"], record.replace('[Game "taluva"]', '[Game "chess"]'), 1, "does not know the game"),
        (["-"], record.replace('[Rules "1"]', '[Rules "2"]'), 1, "version 2"),
        (["-"], re.sub(r"\n2\. (\d) \S+", r"\n2. \1 JJ@9,9:0", record), 1, "turn 2"),
        (["-"], re.sub(r'(Deal.deck ")..', r"\1XX", record), 1, "cannot be read"),
        (["-"], re.sub(r"\[Secret.*\n|\[Deal.*\n|\[Result.*\n", "", record), 1, "not over"),
        (["/nonexistent"], "", 74, "/nonexistent"),
        ([], "", 64, "missing"),
        (["--simulations", "5001", "-"], record, 64, "simulations"),
        (["--simulations", "-1", "-"], record, 64, "simulations"),
        (["--json", "--annotate", "-"], record, 64, "exclude"),
    ]
    for arguments, given, code, says in cases:
        got, out, err = taluva(program, "analyse", *arguments, given=given)
        assert (got, out) == (code, "") and says in err, (arguments, given[:80], got, out, err)
    return len(cases)


def text_for_people(program, one):
    text = analysed(program, one["record"], "0")
    found = json.loads(analysed(program, one["record"], "0", "--json"))
    assert f"{len(found['turns'])} turns, 0 simulations" in text
    for turn in found["turns"]:
        assert re.search(rf"^ *{turn['turn']} +{turn['seat']}  [0-4]{{30}} .*{turn['mark']}$", text, re.M), turn
        assert ("    better  " + " ".join(turn["better"]) + "\n" in text) if "better" in turn else True


def levels(program, record):
    """A computer's level is shown by its word, also by one that this version does not have."""
    for word in ("strong", "hesitant"):
        given = record.replace('[Seat.1.name "Bo"]\n', f'[Seat.1.name "Bo"]\n[Seat.1.bot "yes"]\n[Seat.1.level "{word}"]\n', 1)
        assert f"  Bo (computer, {word})\n" in analysed(program, given, "0"), word
        assert f'[Seat.1.level "{word}"]\n' in analysed(program, given, "0", "--annotate"), word
    given = record.replace('[Seat.1.name "Bo"]\n', '[Seat.1.name "Bo"]\n[Seat.1.bot "yes"]\n', 1)
    assert "  Bo (computer)\n" in analysed(program, given, "0")


def main(program, records_path, golden_path, *options):
    with gzip.open(records_path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    games = [one for one in records if one["kind"] == "game"]
    misses = [one for one in records if one["kind"] == "missed"]
    assert (len(games), len(misses)) == (20, 10)
    if "--briefly" in options:
        games, misses = games[::10], misses[::10]
    texts = {one["name"]: analysed(program, one["record"], FEW, "--json") for one in games}
    lines = "".join(line_of(name, text) for name, text in texts.items())
    if "--write" in options:
        with open(golden_path, "w", encoding="utf-8") as file:
            file.write(lines)
        return
    with open(golden_path, encoding="utf-8") as file:
        golden = {line.split(" ")[0]: line for line in file.read().splitlines()}
    assert len(golden) == 20
    for name, is_now in zip(texts, lines.splitlines(), strict=True):
        was = golden[name]
        assert was == is_now, f"\n{was}\n{is_now}\nafter a change of the net or the search: analysis.py ... --write"
    for one in games[: 1 + len(games) // 10]:
        assert analysed(program, one["record"], FEW, "--json") == texts[one["name"]]
    for one in games:
        is_sound(json.loads(texts[one["name"]]))
    for one in games[::4]:
        annotations(program, one)
    text_for_people(program, games[0])
    levels(program, games[0]["record"])
    bad = bad_records(program, games[0]["record"])
    missed = missed_wins(program, misses)
    print(f"{len(games)} games, {missed} missed wins, {bad} bad records")


main(*sys.argv[1:])

// Changes the store of a server that is not running, as a fault of a disk or of a program would.
import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const change = `
import hashlib, sqlite3, struct, sys
path, room, chain, assignment, kind = sys.argv[1:]
number = lambda n: struct.pack('<Q', n & (2 ** 64 - 1))
block = lambda b: number(len(b)) + b
db = sqlite3.connect(path)
key, last = db.execute("SELECT key, hash FROM room WHERE id = ?", [room]).fetchone()
kind = int(kind) if kind else db.execute("SELECT kind FROM event ORDER BY n DESC LIMIT 1").fetchone()[0]
db.execute("UPDATE event SET " + assignment + " WHERE kind = ? AND room = ?", [kind, key])
if chain:
  for n, *columns, text in db.execute("SELECT n, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text"
      " FROM event WHERE room = ? ORDER BY n", [key]).fetchall():
    columns = number(4) + block(last) + b''.join(map(number, columns)) + block(text.encode())
    last = hashlib.blake2b(columns, digest_size=16).digest()
    db.execute("UPDATE event SET hash = ? WHERE n = ?", [last, n])
db.commit()
`;

/** Sets columns of a room's events (of the kind of the last one stored); with `chain` their hashes as well. */
export function changeLog(data, room, {chain = false, set = "text = 'no move'", kind = ''} = {}) {
  execFileSync('python3', ['-Ic', change, join(data, 'taluva.db'), room, chain ? '1' : '', set, `${kind}`]);
}

const ahead = `
import sqlite3, sys
sql = open(sys.argv[1]).read().replace('1790000000', str(1790000000 + 2 * 365 * 86400))
sql += 'DELETE FROM guest; DELETE FROM event; DELETE FROM archived_event; DELETE FROM room;'
sqlite3.connect(sys.argv[2]).executescript(sql)
`;

/** A store without rooms in a new folder, whose sessions were seen two years from when they were. */
export function makeAhead(data) {
  mkdirSync(data);
  execFileSync('python3', ['-Ic', ahead, fileURLToPath(new URL('../../unit/store/version2.sql', import.meta.url)), join(data, 'taluva.db')]);
}

const letter = `
import hashlib, sqlite3, struct, sys
path, addressee, id, state, kind, text = sys.argv[1:]
number = lambda n: struct.pack('<Q', int(n) & (2 ** 64 - 1))
block = lambda b: number(len(b)) + b
columns = number(9) + number(addressee) + number(id) + number(state) + number(1000) + block(kind.encode()) + block(text.encode())
db = sqlite3.connect(path)
db.execute("INSERT INTO letter (addressee, id, state, at_ms, kind, text, hash) VALUES (?, ?, ?, 1000, ?, ?, ?)",
    [int(addressee), int(id), int(state), kind, text, hashlib.blake2b(columns, digest_size=16).digest()])
db.commit()
`;

/** A letter that was set aside, of which the state says why (hub/store.h). */
export function setAside(data, {addressee, id, state, kind, text}) {
  execFileSync('python3', ['-Ic', letter, join(data, 'taluva.db'), ...[addressee, id, state].map(String), kind, text]);
}

/** Statements of SQL. */
export function changeStore(data, sql) {
  execFileSync('python3', ['-Ic', 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.executescript(sys.argv[2]); db.commit()', join(data, 'taluva.db'), sql]);
}

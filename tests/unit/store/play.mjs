// Plays matches on a real server and prints its store as SQL: what `versionN-played.sql` is made with when the store gets
// a new version. Usage: TALUVAD=build/server/taluvad node tests/unit/store/play.mjs > tests/unit/store/version7-played.sql
// A database's: TALUVAD=... python3 tests/cluster/beneath.py postgres node tests/unit/store/play.mjs
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {Match} from '../../wire/lib/match.mjs';
import {databaseOf, Server} from '../../wire/lib/server.mjs';
import {player} from '../../wire/lib/socket.mjs';

const dump = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for name in ('application_id', 'user_version'): print(f"PRAGMA {name} = {db.execute('PRAGMA ' + name).fetchone()[0]};")
print('\\n'.join(db.iterdump()))
`;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const server = await Server.start(['--requests-per-s', '1000', '--requests-burst', '1000', '--over-idle-ms', '1000']);
const over = await Match.start(server.port);
while (!over.over) await over.step();
over.end();
while (!/^taluva_rooms\{phase="over"\} 0$/m.test((await server.get('/metrics')).body)) await pause(100); // it is archived
const going = await Match.start(server.port, {access: 'code', clock: {kind: 'move', move_s: 3600, on_timeout: 'eliminate'}});
const guest = await player(server.port, 'Chi');
await guest.must('watch', {room: going.room, code: going.code});
for (let moves = 0; moves < 21; moves++) await going.step();
await guest.must('create', {title: 'a lobby', options: {players: 3}});
guest.destroy();
going.end();
const {data} = server;
await server.stop();
const url = databaseOf(data);
if (url) {
  const words = ['--schema=taluva', '--inserts', '--no-owner', '--no-privileges', url];
  const text = execFileSync(join(process.env.TALUVA_TEST_POSTGRES_BIN, 'pg_dump'), words, {encoding: 'utf8'});
  process.stdout.write(text.replace(/^(--|\\|SET (?!check_function)|SELECT pg_catalog.set_config).*\n/gm, '').replace(/\n{2,}/g, '\n').trimStart());
} else {
  process.stdout.write(execFileSync('python3', ['-Ic', dump, join(data, 'taluva.db')]));
}

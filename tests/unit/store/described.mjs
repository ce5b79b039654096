// Makes accounts, a rated match and whatever else features keep on a real server, and prints its store as SQL: what `versionN-described.sql`
// is made with. Usage: TALUVAD=build/server/taluvad TALUVA_ADMIN_PROGRAM=build/clients/admin/taluva-admin node tests/unit/store/described.mjs
import {execFileSync, spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {setAside} from '../../wire/lib/damage.mjs';
import {account, playRated} from '../../wire/lib/rated.mjs';
import {Server} from '../../wire/lib/server.mjs';
import {player} from '../../wire/lib/socket.mjs';

const dump = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for name in ('application_id', 'user_version'): print(f"PRAGMA {name} = {db.execute('PRAGMA ' + name).fetchone()[0]};")
print('\\n'.join(db.iterdump()))
`;

const server = await Server.start(['--accounts', 'open', '--requests-per-s', '1000', '--requests-burst', '1000']);
const admin = (...words) => {
  const {status, stderr} = spawnSync(process.env.TALUVA_ADMIN_PROGRAM, ['--socket', join(server.data, 'admin.sock'), ...words], {encoding: 'utf8'});
  if (status !== 0) throw new Error(stderr);
};
const players = [await account(server, 'Ana', 'ana-1903'), await account(server, 'Bo', 'bo-1904')];
await playRated(players);
await account(server, 'Cy', 'cy-1905');
await players[0].must('block', {handle: 'cy-1905'});
await players[0].must('profile_show', {hidden: true});
await players[0].must('bot_account', {handle: 'ana-bot'});
await players[0].must('token_add', {handle: 'ana-bot', name: 'evening', scope: 'play room', days: 365});
await players[1].must('seek', {game: 'taluva', options: {sizes: [2]}});
const guest = await player(server.port, 'Di');
await guest.must('create', {title: 'a lobby'});
admin('ban', '203.0.113.7', '--for', '100d');
for (const who of [...players, guest]) who.destroy();
await server.stop();
setAside(server.data, {addressee: 77, id: 1, state: 2, kind: 'history.match', text: 'no match'});
process.stdout.write(execFileSync('python3', ['-Ic', dump, join(server.data, 'taluva.db')]));

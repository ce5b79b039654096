// A connection pooler in transaction mode, as PgBouncer is one: clients log in at the database, and from then on each transaction has
// whichever of the connections to the database is free, the one that was used last first.
import net from 'node:net';

const READY = 'Z'.charCodeAt(0), KEY = 'K'.charCodeAt(0), IDLE = 'I'.charCodeAt(0);
const ENCRYPTION = 1234; // is asked for, of whatever kind: there is none

/** Calls `each` with whole messages of the database. */
function messages(each) {
  let held = Buffer.alloc(0);
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 5 && held.length > held.readUInt32BE(1)) {
      const end = 1 + held.readUInt32BE(1), message = held.subarray(0, end);
      held = held.subarray(end);
      each(message);
    }
  };
}

/** Resolves to a server of TCP, to be ended, in front of the database at that port. */
export async function pooler(port) {
  const free = []; // as many as there are clients at least
  const connected = (client) => {
    let uses = net.connect(port, '127.0.0.1'), loggedIn = false;
    const own = uses;
    own.tell = (message) => {
      if (message[0] === KEY) message.writeUInt32BE(0x7fff0001, 5); // a number of its own, not that of the process
      client.write(message);
      if (message[0] !== READY || message[5] !== IDLE) return;
      if (loggedIn) free.push(uses);
      else free.unshift(uses);
      loggedIn = true;
      uses = null;
    };
    const {tell} = own;
    own.on('error', () => {});
    own.on('data', messages((message) => own.tell(message)));
    client.on('error', () => {});
    client.on('close', () => uses?.destroy()); // in the midst of a transaction
    client.on('data', (bytes) => {
      if (!loggedIn && bytes.length === 8 && bytes.readUInt16BE(4) === ENCRYPTION) return client.write('N');
      uses ??= free.pop();
      uses.tell = tell;
      uses.write(bytes);
    });
  };
  const server = net.createServer(connected);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  server.end = () => {
    for (const one of free) one.destroy();
    server.close();
  };
  return server;
}

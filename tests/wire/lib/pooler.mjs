// A connection pooler in transaction mode, as PgBouncer is one: clients log in at the database, and from then on each transaction has
// whichever of the connections to the database is free, the one that was used last first.
import net from 'node:net';

const READY = 'Z'.charCodeAt(0), KEY = 'K'.charCodeAt(0);
const ENCRYPTION = 1234; // is asked for, of whatever kind: there is none

/** Calls `each` with whole messages of the database, [type, bytes]. */
function messages(each) {
  let held = Buffer.alloc(0);
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 5 && held.length > held.readUInt32BE(1)) {
      const end = 1 + held.readUInt32BE(1);
      const message = held.subarray(0, end);
      held = held.subarray(end);
      each(message);
    }
  };
}

/** Resolves to a server of TCP, to be closed, in front of the database at that port. */
export async function pooler(database) {
  const free = [];
  const take = (client) => {
    const server = free.pop() ?? client.own;
    client.own = server === client.own ? null : client.own;
    server.client = client;
    client.uses = server;
  };
  const give = (client) => {
    free.push(client.uses);
    client.uses.client = client.uses = null;
  };
  const connected = (client) => {
    const own = net.connect(database, '127.0.0.1');
    client.own = own;
    own.client = client;
    let began = false;
    own.on('error', () => {});
    own.on('close', () => own.client?.destroy());
    own.on('data', messages((message) => {
      const to = own.client;
      if (message[0] === KEY) message.writeUInt32BE(0x7fff0001, 5); // its own number for the client, not that of the process
      if (to && !to.destroyed) to.write(message);
      if (message[0] !== READY || message[5] !== 'I'.charCodeAt(0)) return;
      if (began && to?.uses === own) give(to);
      else if (!began) own.client = null;
      if (!began) client.ready = true;
      began = true;
    }));
    client.on('data', (bytes) => {
      if (!client.ready && bytes.length === 8 && bytes.readUInt16BE(4) === ENCRYPTION) return client.write('N');
      if (!client.ready) return own.write(bytes);
      if (!client.uses) take(client);
      client.uses.write(bytes);
    });
    client.on('error', () => {});
    client.on('close', () => {
      client.uses?.destroy(); // in the midst of a transaction
      client.own?.destroy();
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

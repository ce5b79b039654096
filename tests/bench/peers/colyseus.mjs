/*
 * A turn-based game as one writes it with Colyseus: the state is a schema, and a patch goes out at once after each move, not
 * every 50 ms, so that nobody waits for a tick. In memory, nothing checked. Prints "ready" when it listens.
 *
 *     node colyseus.mjs PORT PUSH_BYTES
 */
import * as core from "@colyseus/core";
import * as schema from "@colyseus/schema";
import * as transport from "@colyseus/ws-transport";

const [port, pushBytes] = process.argv.slice(2).map(Number);
const BOARD_SIZE = 40;
const PATCH_BYTES = 84; /* of a patch beside `more`, measured */

const Field = schema.schema({ seat: "uint8", move: "string" });
const Game = schema.schema({ seq: "uint32", board: [Field], more: "string" });

class GameRoom extends core.Room {
    onCreate() {
        this.maxClients = 2;
        this.patchRate = null;
        this.setSeatReservationTime(120); /* all seats are taken before anybody connects */
        this.setState(new Game({ seq: 0, more: "" }));
        for (let i = 0; i < BOARD_SIZE; i++)
            this.state.board.push(new Field({ seat: 0, move: "" }));
        this.onMessage("move", (client, move) => {
            const field = this.state.board[this.state.seq % BOARD_SIZE];
            field.seat = this.clients.indexOf(client);
            field.move = move;
            this.state.seq++;
            /* Fills the patch up to the bytes that our own server pushes; only what differs is sent. */
            this.state.more = String(this.state.seq % 10).repeat(Math.max(1, pushBytes - PATCH_BYTES));
            this.broadcastPatch();
        });
    }
}

const server = new core.Server({ greet: false, transport: new transport.WebSocketTransport() });
server.define("game", GameRoom);
await server.listen(port, "127.0.0.1");
console.log("ready");

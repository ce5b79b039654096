/*
 * A turn-based game as one writes it with socket.io: rooms of two, in memory, nothing checked. Prints "ready" when it listens.
 *
 *     node socketio.mjs PORT PUSH_BYTES
 */
import { createServer } from "node:http";
import { Server } from "socket.io";

const [port, pushBytes] = process.argv.slice(2).map(Number);
const BOARD_SIZE = 40;
const games = new Map();

const http = createServer();
const io = new Server(http);

function gameOf(room) {
    if (!games.has(room))
        games.set(room, { seq: 0, players: 0, board: [] });
    return games.get(room);
}

/* What changed, filled up to the bytes that our own server pushes for a move. */
function pushOf(game, seat, move) {
    const push = { seq: game.seq, seat, move, more: "" };
    const bytes = JSON.stringify(["moved", push]).length + 2; /* "42", which stands in front of an event */
    push.more = "x".repeat(Math.max(0, pushBytes - bytes));
    return push;
}

io.on("connection", (socket) => {
    let game, room, seat;
    socket.on("join", (name) => {
        room = name;
        game = gameOf(room);
        seat = game.players++;
        socket.join(room);
        socket.emit("joined", { seat, board: game.board });
    });
    socket.on("move", (move) => {
        game.board[game.seq % BOARD_SIZE] = { seat, move };
        game.seq++;
        io.to(room).emit("moved", pushOf(game, seat, move));
    });
});

http.listen(port, "127.0.0.1", () => console.log("ready"));

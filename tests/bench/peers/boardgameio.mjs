/*
 * A turn-based game as one writes it with boardgame.io: two moves a turn, nothing checked, its store in memory. It pushes the
 * whole state with each move, so it is not for us to say how many bytes that is. Prints "ready" when it listens.
 *
 *     node boardgameio.mjs PORT
 */
import boardgame from "boardgame.io/dist/cjs/server.js";

const port = Number(process.argv[2]);

const game = {
    name: "game",
    setup: () => ({ seq: 0, seat: 0, move: "" }),
    turn: { minMoves: 2, maxMoves: 2 },
    disableUndo: true,
    moves: {
        move: ({ G, playerID }, move) => {
            G.seq++;
            G.seat = Number(playerID);
            G.move = move;
        },
    },
};

const server = boardgame.Server({ games: [game], origins: [boardgame.Origins.LOCALHOST] });
await server.run({ port: { port, host: "127.0.0.1" } });
console.log("ready");

// The tap reads messages in any framing, passes on every byte, and validates.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { Tap } from "./tap.mjs";

const request = "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n";
const agreed = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

function frame(text, { opcode = 1, final = true, mask = null } = {}) {
    const payload = Buffer.from(text);
    const length = payload.length < 126 ? [payload.length]
        : payload.length < 65536 ? [126, payload.length >> 8, payload.length & 255]
            : [127, 0, 0, 0, 0, 0, payload.length >> 16, (payload.length >> 8) & 255, payload.length & 255];
    if (mask) length[0] |= 128;
    if (mask) for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i % 4];
    return Buffer.concat([Buffer.from([(final ? 128 : 0) | opcode, ...length]), Buffer.from(mask ?? []), payload]);
}

// Sends `up` through a tap to a server that answers with `down`, one byte at a time if `slowly`. The first item of each is the
// handshake; the rest is sent after it. The bytes that arrive must be those that were sent.
async function converse(up, down, { hostile = false, slowly = false } = {}) {
    const write = (socket, list) => {
        for (const piece of slowly ? [...Buffer.concat(list)].map((byte) => Buffer.from([byte])) : list) socket.write(piece);
    };
    // Collects what a socket receives; resolves when a given number of bytes has arrived.
    const collect = (socket, marks) => {
        const got = { bytes: Buffer.alloc(0) };
        socket.on("data", (bytes) => {
            got.bytes = Buffer.concat([got.bytes, bytes]);
            while (marks.length > 0 && got.bytes.length >= marks[0].length) marks.shift().then();
        });
        return got;
    };
    const all = (list) => Buffer.concat(list).length;
    let atServer;
    const server = createServer((socket) => {
        atServer = collect(socket, [
            { length: up[0].length, then: () => write(socket, down.slice(0, 1)) },
            { length: all(up), then: () => write(socket, down.slice(1)) },
        ]);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const tap = new Tap({ hostile });
    const client = connect(await tap.listen(0, server.address().port), "127.0.0.1");
    client.setNoDelay(true);
    write(client, up.slice(0, 1));
    const atClient = await new Promise((resolve) => {
        const got = collect(client, [
            { length: down[0].length, then: () => write(client, up.slice(1)) },
            { length: all(down), then: () => resolve(got) },
        ]);
    });
    await tap.close();
    server.close();
    assert.deepEqual(atServer.bytes, Buffer.concat(up));
    assert.deepEqual(atClient.bytes, Buffer.concat(down));
    return tap;
}

const mask = [1, 2, 3, 200];
const ping = '{"id":1,"op":"ping"}';
const pong = '{"id":1,"ok":{"time":1790000000000}}';
const said = JSON.stringify({ push: "said", room: "k3m9x0aq", name: "Bo", text: "\u706b".repeat(200) });

test("a question and its answer, in one piece and byte by byte", async () => {
    for (const slowly of [false, true]) {
        const up = [Buffer.from(request), frame(ping, { mask })];
        const down = [Buffer.from(agreed), frame(said), frame(pong)];
        const tap = await converse(up, down, { slowly });
        assert.deepEqual(tap.problems, []);
        assert.equal(tap.check.messages, 3);
        assert.equal(tap.check.unanswered(), 0);
    }
});

test("fragments, with a ping between them", async () => {
    const up = [Buffer.from(request), frame(ping.slice(0, 5), { mask, final: false }), frame("", { opcode: 9, mask }),
        frame(ping.slice(5), { opcode: 0, mask })];
    const tap = await converse(up, [Buffer.from(agreed), frame(pong)]);
    assert.deepEqual(tap.problems, []);
    assert.equal(tap.check.messages, 2);
});

test("a message of more than 65535 bytes", async () => {
    const long = `{"id":1,"error":{"code":"full","message":"${"x".repeat(70000)}"}}`;
    const tap = await converse([Buffer.from(request), frame(ping, { mask })], [Buffer.from(agreed), frame(long)]);
    assert.deepEqual(tap.problems, []);
    assert.equal(tap.check.messages, 2);
});

test("what is wrong is found, on both sides", async () => {
    const bad = '{"id":1,"op":"ping","x":1}';
    const down = [Buffer.from(agreed), frame('{"id":1,"ok":{"time":"now"}}'), frame("nonsense")];
    const tap = await converse([Buffer.from(request), frame(bad, { mask })], down);
    assert.equal(tap.problems.length, 3);
});

test("messages of hostile clients are not validated, those of servers are", async () => {
    const refusal = '{"id":null,"error":{"code":"bad_json","message":"This is not one JSON object."}}';
    const up = [Buffer.from(request), frame("nonsense", { mask })];
    assert.deepEqual((await converse(up, [Buffer.from(agreed), frame(refusal)], { hostile: true })).problems, []);
    assert.equal((await converse(up, [Buffer.from(agreed), frame("{}")], { hostile: true })).problems.length, 1);
});

test("plain HTTP is passed on unchecked", async () => {
    const tap = await converse([Buffer.from("GET / HTTP/1.1\r\n\r\n")], [Buffer.from("HTTP/1.1 200 OK\r\n\r\nhello")]);
    assert.equal(tap.check.messages, 0);
    assert.deepEqual(tap.problems, []);
});

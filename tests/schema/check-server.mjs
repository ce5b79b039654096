#!/usr/bin/env node
// The real server over real sockets: the load tester plays whole games through a tap, which validates every message in both
// directions; the HTTP API is checked too.
//
//     node check-server.mjs TALUVAD TALUVA_LOAD
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadSchemas, problems } from "./schemas.mjs";
import { Tap } from "./tap.mjs";

const [taluvad, taluvaLoad] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "taluva-schema-"));
const unlimited = ["--requests-per-s=100000", "--requests-burst=100000", "--requests-per-address-per-s=100000", "--requests-per-address-burst=100000", "--work-per-s=100000", "--work-burst=100000",
  "--rooms-per-session=1000"];
// High limits: a slow answer of a busy machine is not an error.
const patient = ["--hello-timeout-ms=600000", "--http-timeout-ms=600000", "--ping-timeout-ms=7200000"];
const games = [
    ["--players=2"],
    ["--players=4", "--teams", "--boats"],
    ["--players=5", "--boats", "--two-hex", "--zone=beginner", "--watchers=1"],
    ["--game=totem", "--mix", "--rounds=3", "--watchers=1"],
];

async function startServer() {
    const server = spawn(taluvad, ["--listen", "127.0.0.1:0", "--data", join(folder, "store"), ...unlimited, ...patient],
        { stdio: ["ignore", "pipe", "pipe"] });
    const listening = new Promise((resolve, reject) => {
        for (const stream of [server.stdout, server.stderr])
            createInterface({ input: stream }).on("line", (line) => {
                const found = /listening on http:\/\/\S+:(\d+)/.exec(line);
                if (found) resolve(Number(found[1]));
            });
        server.on("exit", () => reject(new Error("the server ended")));
    });
    return { server, port: await listening };
}

async function play(port, options) {
    const load = spawn(taluvaLoad, [`--server=ws://127.0.0.1:${port}/ws`, "--quiet", "--json", "--rooms=2", "--games=1", ...options],
        { stdio: ["ignore", "ignore", "inherit"] });
    const [status] = await once(load, "close");
    assert.equal(status, 0, `taluva-load ${options.join(" ")}`);
}

// The record is signed with the first of the keys, as node's own crypto reads record.md.
async function lookAtKeys(ajv, base, record) {
    const answer = await fetch(`${base}/.well-known/taluva-keys.json`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "application/jwk-set+json");
    assert.equal(answer.headers.get("cache-control"), "public, max-age=3600");
    const { keys } = await answer.json();
    assert.deepEqual(problems(ajv, "common.json#/$defs/keys", keys), []);
    const { kty, crv, x, kid } = keys[0];
    assert.equal(createHash("sha256").update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`).digest("base64url"), kid);
    const line = /^\[Result\.signature "(\S+) (\S+)"\]\n/m;
    const [, id, signature] = line.exec(record);
    assert.equal(id, kid);
    const message = `taluva-record-signature 1\n${record.replace(line, "")}`;
    const key = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
    assert.ok(verify(null, Buffer.from(message), key, Buffer.from(signature, "base64url")));
}

// The list of rooms while they are played, and the record of one of them afterwards.
async function lookAtHttp(base, playing) {
    const ajv = loadSchemas();
    let rooms = [];
    let over = false;
    playing.then(() => { over = true; }, () => { over = true; });
    while (rooms.length === 0 && !over) {
        const answer = await fetch(`${base}/api/rooms`);
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get("content-type"), /^application\/json/);
        const body = await answer.json();
        assert.deepEqual(problems(ajv, "replies.json#/$defs/rooms_ok", body), []);
        rooms = body.rooms;
    }
    assert.notEqual(rooms.length, 0, "no room was ever listed");
    await playing;
    const record = await fetch(`${base}/api/records/${rooms[0].room}`);
    assert.equal(record.status, 200);
    assert.equal(record.headers.get("content-type"), "text/plain; charset=utf-8");
    const text = await record.text();
    assert.match(text, /^\[Format "taluva-record 1"\]\n/);
    await lookAtKeys(ajv, base, text);
    assert.equal((await fetch(`${base}/api/records/00000000`)).status, 404);
    assert.equal(await (await fetch(`${base}/healthz`)).text(), "ok\n");
    assert.equal((await fetch(`${base}/readyz`)).status, 200);
}

const { server, port } = await startServer();
try {
    const tap = new Tap();
    const tapPort = await tap.listen(0, port);
    for (const options of games) {
        const playing = play(tapPort, options);
        await lookAtHttp(`http://127.0.0.1:${port}`, playing);
    }
    await tap.close();
    for (const problem of tap.problems.slice(0, 20)) console.log(problem);
    console.log(`${tap.check.messages} messages on ${tap.connections} connections, ${tap.problems.length} problems`);
    assert.equal(tap.problems.length, 0);
    assert.ok(tap.check.messages > 1000);
} finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
    rmSync(folder, { recursive: true });
}
assert.equal(server.exitCode, 0, "the server ended well");

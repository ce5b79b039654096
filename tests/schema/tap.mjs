#!/usr/bin/env node
// A proxy for WebSockets between clients and a server: passes every byte on, and validates all messages.
//
//     node tap.mjs [--hostile] [--log FILE] LISTEN_PORT SERVER_PORT
//         LISTEN_PORT 0 is any free one. Prints {"port": N} when it listens; on SIGTERM or SIGINT the errors, one line each,
//         and a total; the exit status is 1 if there were errors, or no messages at all.
//         --hostile: clients may send anything; only the server is checked
//         --log: writes every message on a line, as validate.mjs reads them
//
// As a module: const tap = new Tap(options); const port = await tap.listen(port, serverPort); ... await tap.close();
// tap.problems is the list of errors. Both ends are on 127.0.0.1; traffic other than WebSockets is passed on unchecked.
import { appendFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { pathToFileURL } from "node:url";
import { TrafficCheck } from "./validate.mjs";

const emptyBuffer = Buffer.alloc(0);

// One direction of a connection: first HTTP, and after the upgrade frames.
class Ear {
    bytes = emptyBuffer;
    upgraded = false;
    fragments = [];

    constructor(onHead, onText) {
        this.onHead = onHead;
        this.onText = onText;
    }

    hear(bytes) {
        this.bytes = Buffer.concat([this.bytes, bytes]);
        if (!this.upgraded && !this.head()) return;
        while (this.frame());
    }

    // True once the HTTP head was read and frames follow.
    head() {
        const end = this.bytes.indexOf("\r\n\r\n");
        if (end < 0) return false;
        this.upgraded = this.onHead(this.bytes.subarray(0, end).toString("latin1"));
        this.bytes = this.upgraded ? this.bytes.subarray(end + 4) : emptyBuffer;
        return this.upgraded;
    }

    // Reads one complete frame from the buffer; false if there is none yet.
    frame() {
        const bytes = this.bytes;
        if (bytes.length < 2) return false;
        const short = bytes[1] & 127;
        const extra = { 126: 2, 127: 8 }[short] ?? 0;
        const masked = (bytes[1] & 128) !== 0;
        const start = 2 + extra + (masked ? 4 : 0);
        if (bytes.length < start) return false;
        const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
        if (bytes.length < start + length) return false;
        const payload = Buffer.from(bytes.subarray(start, start + length));
        if (masked) for (let i = 0; i < length; i++) payload[i] ^= bytes[start - 4 + (i % 4)];
        this.bytes = bytes.subarray(start + length);
        this.take(bytes[0], payload);
        return true;
    }

    take(first, payload) {
        const opcode = first & 15;
        if (opcode > 2) return; // close, ping, pong
        if (opcode === 1) this.fragments = [];
        this.fragments.push(payload);
        if (first & 128) this.onText(Buffer.concat(this.fragments).toString("utf8"));
    }
}

export class Tap {
    check = new TrafficCheck();
    problems = [];
    connections = 0;
    sockets = new Set();

    constructor({ hostile = false, log = null } = {}) {
        this.hostile = hostile;
        this.log = log;
    }

    async listen(port, serverPort) {
        this.server = createServer((client) => this.join(client, connect(serverPort, "127.0.0.1"), ++this.connections));
        await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
        return this.server.address().port;
    }

    async close() {
        for (const socket of this.sockets) socket.destroy();
        await new Promise((resolve) => this.server.close(resolve));
    }

    join(client, server, conn) {
        let agreed = false;
        const down = new Ear((head) => (agreed = /^HTTP\/1\.1 101 /.test(head)), (text) => this.say("out", String(conn), text));
        const up = new Ear(() => true, (text) => agreed && this.say("in", String(conn), text));
        this.pass(client, server, up);
        this.pass(server, client, down);
    }

    pass(from, to, ear) {
        this.sockets.add(from);
        from.on("data", (bytes) => {
            try {
                ear.hear(bytes);
            } catch (error) {
                this.problems.push(`not understood: ${error.message}`);
            }
            to.write(bytes);
        });
        from.on("end", () => to.end());
        from.on("error", () => to.destroy());
        from.on("close", () => this.sockets.delete(from));
    }

    say(dir, conn, text) {
        let msg;
        try {
            msg = JSON.parse(text);
        } catch {
            msg = null;
        }
        const line = dir === "in" && this.hostile ? { conn, dir, ok: false, msg } : { conn, dir, msg };
        if (this.log) appendFileSync(this.log, JSON.stringify(line) + "\n");
        for (const problem of this.judge(line))
            this.problems.push(`connection ${conn} ${dir}: ${problem}\n    ${text.slice(0, 1000)}`);
    }

    judge(line) {
        if (line.msg === null && !(line.dir === "in" && this.hostile)) return ["this is not JSON"];
        return this.check.message(line);
    }
}

async function main(words) {
    const options = {};
    const ports = [];
    while (words.length > 0) {
        const word = words.shift();
        if (word === "--hostile") options.hostile = true;
        else if (word === "--log") options.log = words.shift();
        else ports.push(Number(word));
    }
    const tap = new Tap(options);
    console.log(JSON.stringify({ port: await tap.listen(...ports) }));
    await new Promise((resolve) => { process.once("SIGTERM", resolve); process.once("SIGINT", resolve); });
    await tap.close();
    for (const problem of tap.problems) console.log(problem);
    console.log(`${tap.check.messages} messages on ${tap.connections} connections, ${tap.problems.length} problems`);
    process.exitCode = tap.problems.length === 0 && tap.check.messages > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));

#!/usr/bin/env node
// Validates traffic between clients and servers against protocol/schemas.
//
// As a program: node validate.mjs [FILE]...   (or standard input)
//   Each line is {"dir": "in" | "out", "msg": MESSAGE}: "in" is what a client sent to the server, "out" what the server
//   sent. "conn" may name a connection, so that one file may hold many: replies are matched to requests within it. "ok":
//   false marks a deliberately invalid request; only its answer is validated.
//   Prints the errors, one line each, and a total; the exit status is 1 if there were errors, or if nothing was read.
//
// As a module: const check = new TrafficCheck(); check.message({dir, msg, conn}) returns a list of problems.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { applyPatch, equal } from "./merge-patch.mjs";
import { loadSchemas, problems, readJson, protocolFolder } from "./schemas.mjs";

const ajv = loadSchemas();
const errorCodes = new Set(readJson(protocolFolder + "errors.json").errors.map((error) => error.code));

// The errors of a value by the schema of its game, which describes only the game's own part.
function gameProblems(game, definition, value) {
    return value === undefined ? [] : problems(ajv, `${game}.json#/$defs/${definition}`, value);
}

// The members that its game adds to an event.
function gameEvent({ kind, seat, over, ...rest }) {
    return rest;
}

// The state of one connection: unanswered requests, and the rooms to which it is subscribed.
class Connection {
    asked = new Map(); // id -> list of requests that wait for an answer
    wrong = []; // unanswered requests that are deliberately invalid; the answer's id may be anything
    rooms = new Map(); // room -> {seq, state}
}

export class TrafficCheck {
    connections = new Map();
    messages = 0;
    seen = new Set(); // "request move", "reply move", "error bad_json", "push event", "event sat"

    connection(name) {
        if (!this.connections.has(name)) this.connections.set(name, new Connection());
        return this.connections.get(name);
    }

    message({ dir, msg, conn = "", ok = true }) {
        this.messages++;
        if (dir === "in") return this.request(this.connection(conn), msg, ok);
        if (dir !== "out") return [`dir is ${JSON.stringify(dir)}, neither "in" nor "out"`];
        if (msg === null || typeof msg !== "object") return ["what was sent is no object"];
        if ("push" in msg) return this.push(this.connection(conn), msg);
        return this.reply(this.connection(conn), msg);
    }

    request(connection, msg, ok) {
        if (!ok) {
            connection.wrong.push({ wrong: msg });
            return [];
        }
        if (!connection.asked.has(msg.id)) connection.asked.set(msg.id, []);
        connection.asked.get(msg.id).push(msg);
        this.seen.add(`request ${msg.op}`);
        const known = ajv.getSchema(`requests.json#/$defs/${msg.op}`);
        return known ? problems(ajv, `requests.json#/$defs/${msg.op}`, msg) : [`unknown op ${msg.op}`];
    }

    // The request that this message answers; it is removed from those that wait.
    answered(connection, msg) {
        const request = connection.asked.get(msg.id)?.shift();
        return request ?? ("error" in msg ? connection.wrong.shift() : undefined);
    }

    reply(connection, msg) {
        const request = this.answered(connection, msg);
        if (request === undefined) return [`an answer that nobody asked for: ${JSON.stringify(msg)}`];
        if ("error" in msg) return this.refusal(msg);
        const found = problems(ajv, `replies.json#/$defs/${request.op}`, msg);
        this.seen.add(`reply ${request.op}`);
        if (found.length === 0 && (request.op === "join" || request.op === "watch")) {
            found.push(...this.view(connection, request, msg.ok));
        }
        const game = connection.rooms.get(request.room)?.state?.game;
        if (found.length === 0 && game && request.op === "moves") found.push(...gameProblems(game, "moves", msg.ok));
        if (found.length === 0 && request.op === "leave") connection.rooms.delete(request.room);
        const room = connection.rooms.get(request.room);
        if (room && msg.ok.seq > room.seq && !["watch", "join", "past"].includes(request.op))
            found.push(`the reply comes before the push of its event ${msg.ok.seq}`);
        return found;
    }

    refusal(msg) {
        const found = problems(ajv, "replies.json#/$defs/error", msg);
        this.seen.add(`error ${msg.error?.code}`);
        const code = msg.error?.code;
        if (!errorCodes.has(code) && gameProblems("cards", "refusal", code).length > 0)
            found.push(`the code ${code} is not in errors.json`);
        return found;
    }

    // A view without a state: the pushes from `have` + 1 must follow.
    view(connection, request, ok) {
        if (ok.state) {
            connection.rooms.set(ok.room, { seq: ok.seq, state: ok.state });
            return this.gameState(ok.state);
        }
        if (!Number.isInteger(request.have)) return ["a view without state to somebody who has nothing"];
        const held = connection.rooms.get(ok.room);
        connection.rooms.set(ok.room, { seq: request.have, state: held?.seq === request.have ? held.state : undefined });
        return [];
    }

    gameState(state) {
        this.seen.add(`game ${state.game}`);
        return ["options", "table", "result"].flatMap((part) => gameProblems(state.game, part, state[part]));
    }

    gamePush({ game }, { event, patch }) {
        const found = [...gameProblems(game, "tablePatch", patch.table), ...gameProblems(game, "why", event.over)];
        const definition = { move: "event", resigned: "forfeit", timed_out: "forfeit" }[event.kind];
        if (definition) found.push(...gameProblems(game, definition, gameEvent(event)));
        return found;
    }

    push(connection, msg) {
        const found = problems(ajv, `pushes.json#/$defs/${msg.push}`, msg);
        this.seen.add(`push ${msg.push}`);
        if (msg.push !== "event" || found.length > 0) return found;
        this.seen.add(`event ${msg.event.kind}`);
        const room = connection.rooms.get(msg.room);
        if (!room) return ["an event of a room that this connection does not follow"];
        if (msg.seq !== room.seq + 1) found.push(`seq ${msg.seq} follows ${room.seq}`);
        room.seq = msg.seq;
        if (!room.state) return found;
        found.push(...this.gamePush(room.state, msg));
        const before = room.state;
        room.state = applyPatch(room.state, msg.patch);
        const after = [...problems(ajv, "state.json", room.state), ...this.gameState(room.state)];
        found.push(...after.map((problem) => `patched state: ${problem}`));
        if (idle(before, msg.patch)) found.push("the patch says something that was so already");
        return found;
    }

    // The requests that were never answered; for connections that were closed in an orderly way.
    unanswered() {
        let count = 0;
        for (const connection of this.connections.values())
            for (const waiting of [connection.wrong, ...connection.asked.values()]) count += waiting.length;
        return count;
    }
}

// Does the patch have a member that changes nothing? Patches must not.
function idle(before, patch) {
    return Object.entries(patch).some(([key, value]) => {
        const was = before?.[key];
        if (value === null) return was === undefined;
        if (typeof value !== "object" || typeof was !== "object" || Array.isArray(value)) return equal(was, value);
        return idle(was, value);
    });
}

async function main(files) {
    const check = new TrafficCheck();
    let bad = 0;
    for (const file of files.length > 0 ? files : ["-"]) {
        const input = file === "-" ? process.stdin : createReadStream(file);
        let number = 0;
        for await (const line of createInterface({ input, crlfDelay: Infinity })) {
            number++;
            if (line.trim() === "") continue;
            for (const problem of check.message(JSON.parse(line))) {
                console.log(`${file}:${number}: ${problem}`);
                bad++;
            }
        }
    }
    console.log(`${check.messages} messages, ${bad} problems`);
    return bad === 0 && check.messages > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
    process.exitCode = await main(process.argv.slice(2));

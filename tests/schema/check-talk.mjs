#!/usr/bin/env node
// Runs a program that prints traffic, validates every line, and checks that every kind of message occurred.
//
//     node check-talk.mjs PROGRAM [ARGUMENT]...
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { protocolFolder, readJson } from "./schemas.mjs";
import { TrafficCheck } from "./validate.mjs";

const definitions = (file) => Object.keys(readJson(`${protocolFolder}schemas/${file}`).$defs);

// Error codes that cannot occur here: size and speed are limits of a connection, the rest need a server that is full or broken, several nodes, its operator,
// other accounts, a server without passkeys, or a passkey that signs; nobody joins the table of two who were paired, or sits where somebody is who is blocked.
const notHere = new Set(["too_long", "slow_down", "full", "internal", "too_many_connections", "too_many_devices", "too_many_rooms",
    "too_many_seats", "room_damaged", "too_many_watchers", "too_many_changes", "time_is_up", "busy", "banned", "silenced", "part_away", "accounts_off",
    "account_needed", "handle_taken", "invite_needed", "invite_invalid", "already_invited", "too_many_invites", "external_needed", "external_unknown", "external_taken", "already_signed_in", "voucher_refused", "passkeys_off", "proof_needed", "too_many_passkeys", "seats_given",
    "too_many_blocks", "too_many_follows", "too_many_tokens", "account_closing", "too_many_bots", "too_many_reports", "name_refused", "unknown_case", "own_case", "too_many_judgements", "already_appealed", "seek_paused", "seat_refused", "chat_off", "chat_young", "too_many_events"]);

// Nor what a passkey that signs is answered, or who is invited or signs in elsewhere, or of whom an operator has decided, who has made nobody a moderator, or two who have played a rated match to its end, or get something of it back, are told.
const notMade = new Set(["reply adopt", "push adopted", "reply passkey_add", "reply passkey_drop", "reply prove", "reply invite", "reply redeem", "reply sign_in", "push rated", "push refunded", "push judged", "reply cases", "reply judge", "reply appeal"]);

// `created` is never pushed: nobody can be subscribed to a room before it exists.
function missing(seen) {
    const ops = definitions("requests.json");
    const codes = readJson(protocolFolder + "errors.json").errors
        .filter((error) => error.from.includes("protocol") && !notHere.has(error.code));
    return [
        "game taluva", "game totem", "game cards",
        ...ops.flatMap((op) => [`request ${op}`, `reply ${op}`]),
        ...definitions("pushes.json").map((push) => `push ${push}`),
        ...definitions("events.json").filter((kind) => kind !== "created").map((kind) => `event ${kind}`),
        ...codes.map((error) => `error ${error.code}`),
    ].filter((wanted) => !seen.has(wanted) && !notMade.has(wanted));
}

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
const check = new TrafficCheck();
let bad = 0;
let number = 0;
for await (const line of createInterface({ input: child.stdout })) {
    number++;
    for (const problem of check.message(JSON.parse(line))) {
        if (bad++ < 20) console.log(`${number}: ${problem}\n    ${line.slice(0, 1000)}`);
    }
}
const status = await ended;
const lacking = missing(check.seen);
for (const what of lacking) console.log(`never came up: ${what}`);
if (check.unanswered() > 0) console.log(`${check.unanswered()} requests without an answer`);
console.log(`${check.messages} messages, ${bad} problems, exit status ${status}`);
process.exitCode = bad + lacking.length + check.unanswered() === 0 && status === 0 && number > 0 ? 0 : 1;

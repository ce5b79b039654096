#!/usr/bin/env node
// Tests the programs and the example of a patch in protocol/README.md.
//
//     node check-readme.mjs PROGRAM [ARGUMENT]...      a program that prints traffic with finished records in it
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch } from "./merge-patch.mjs";
import { protocolFolder } from "./schemas.mjs";

const page = readFileSync(protocolFolder + "README.md", "utf8");
const blocks = (language) => [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map((match) => match[1]);

const [before, patch, after] = blocks("json").map((text) => JSON.parse(text));
assert.deepEqual(applyPatch(before, patch), after);

const [merge, verify, verifyBirths] = blocks("python");
const python = (program, ...args) => spawnSync("python3", ["-c", program, ...args], { encoding: "utf8" });

// The cases of RFC 7396, appendix A, that both JSON and Python can express.
const cases = [
    [{ a: "b" }, { a: "c" }], [{ a: "b" }, { b: "c" }], [{ a: "b" }, { a: null }], [{ a: ["b"] }, { a: "c" }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }], [["a"], ["c"]], [{ a: "b" }, ["c"]], [{ a: "foo" }, "bar"],
    [[1, 2], { a: "b", c: null }], [{}, { a: { bb: { ccc: null } } }], [before, patch],
];
const merged = python(`${merge}\nimport json, sys\nprint(json.dumps([merge(*case) for case in json.loads(sys.argv[1])]))`,
    JSON.stringify(cases));
assert.equal(merged.status, 0, merged.stderr);
assert.deepEqual(JSON.parse(merged.stdout), cases.map(([target, change]) => applyPatch(target, change)));

const [program, ...args] = process.argv.slice(2);
const traffic = execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n").map((line) => JSON.parse(line));
const allRecords = traffic.map(({ msg }) => msg?.ok?.record).filter((record) => record?.includes("\n[Secret "));
const records = allRecords.filter((record) => record.includes("\n[Deal.deck "));
assert.ok(records.length >= 5, `${records.length} finished records`);
/** The events of the room as the connection that heard most of them was told. @param {string} room */
function eventsOf(room) {
    const told = {};
    for (const { conn, msg } of traffic)
        if (msg?.push === "event" && msg.room === room) (told[conn] ??= []).push(JSON.stringify(msg));
    return Object.values(told).sort((a, b) => b.length - a.length)[0];
}

let totem = 0;

/** Births that are said to be others, a secret or a first family that is another. @param {string} file @param {string} eventsFile */
function verifyTotem(file, eventsFile) {
    let births = 0;
    const run = (record, events) => {
        writeFileSync(file, record);
        writeFileSync(eventsFile, events.join("\n") + "\n");
        return python(verifyBirths, file, eventsFile);
    };
    const finished = new Map(allRecords.filter((record) => record.includes('\n[Game "totem"]\n')).map((record) => [/^\[Room "(.*)"/m.exec(record)[1], record]));
    for (const [room, record] of finished) {
        const events = eventsOf(room);
        const verified = run(record, events);
        assert.match(verified.stdout, /^\d+ births are fair\.\n$/, verified.stderr + record);
        const born = parseInt(verified.stdout);
        births += born;
        const other = events.map((line) => line.replace(/"born@(\w\d)=(g*)(b*)"/g, (_, hut, girls, boys) => `"born@${hut}=${"g".repeat(boys.length)}${"b".repeat(girls.length)}"`));
        if (other.join() !== events.join()) assert.notEqual(run(record, other).status, 0, "other births");
        const first = record.replace(/^\[Deal\.first "(.)"/m, (_, letter) => `[Deal.first "${letter === "R" ? "G" : "R"}"`);
        assert.notEqual(run(first, events).status, 0, "another first family");
        const nonce = record.replace(/^\[Seat\.0\.nonce "/m, (start) => `${start}00`);
        if (born > 20) assert.notEqual(run(nonce, events).status, 0, "another nonce");
        totem++;
    }
    assert.ok(totem >= 1 && births >= 10, `${births} births in ${totem} matches of Totem`);
}

const folder = mkdtempSync(join(tmpdir(), "records-"));
try {
    const file = join(folder, "record");
    for (const record of records) {
        writeFileSync(file, record);
        const run = python(verify, file);
        assert.equal(run.stdout, "The deal is fair.\n", run.stderr + record);
    }
    const [record] = records;
    for (const [name, change] of [
        ["another deck", record.replace(/^\[Deal\.deck "(\S+) (\S+) (\S+)/m, '[Deal.deck "$3 $1 $2')],
        ["another secret", record.replace(/^\[Secret "./m, (start) => start.slice(0, -1) + (start.endsWith("0") ? "1" : "0"))],
        ["another nonce", record.replace(/^\[Seat\.0\.nonce "/m, (start) => `${start}00`)],
    ]) {
        writeFileSync(file, change);
        assert.notEqual(change, record, name);
        assert.notEqual(python(verify, file).status, 0, name);
    }
    verifyTotem(file, join(folder, "events"));
} finally {
    rmSync(folder, { recursive: true });
}
console.log(`${records.length} records and ${totem} of Totem verified`);

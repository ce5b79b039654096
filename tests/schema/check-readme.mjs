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

const [merge, verify] = blocks("python");
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
const records = execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n")
    .map((line) => JSON.parse(line).msg?.ok?.record)
    .filter((record) => record?.includes("\n[Deal.deck "));
assert.ok(records.length >= 5, `${records.length} finished records`);
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
} finally {
    rmSync(folder, { recursive: true });
}
console.log(`${records.length} records verified`);

#!/usr/bin/env node
// Validates analyses of recorded matches against protocol/schemas/taluva.json.
//
//     node check-analysis.mjs TALUVA RECORDS      packed records as tests/vectors/analysis.py reads them
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { loadSchemas, problems } from "./schemas.mjs";

const [program, packed] = process.argv.slice(2);
const ajv = loadSchemas();
const reference = "taluva.json#/$defs/analysis";
const records = gunzipSync(readFileSync(packed)).toString("utf8").trim().split("\n").map((line) => JSON.parse(line));

let turns = 0, better = 0;
for (const { name, record } of records) {
    const text = execFileSync(program, ["analyse", "--json", "--simulations", "0", "-"], { input: record, encoding: "utf8" });
    assert.ok(text.endsWith("}\n") && !text.slice(0, -1).includes("\n"), `${name}: one line`);
    assert.ok(!/[0-9]\.[0-9]|[eE][-+]?[0-9]/.test(text.replaceAll(/"[^"]*"/g, "")), `${name}: whole numbers`);
    const analysis = JSON.parse(text);
    assert.deepEqual(problems(ajv, reference, analysis), [], name);
    turns += analysis.turns.length;
    better += analysis.turns.filter((turn) => turn.better).length;
    for (const break_ of [
        (broken) => delete broken.turns[0].start,
        (broken) => (broken.turns[0].mark = "bad"),
        (broken) => (broken.turns[0].moves = ["hut@0,0"]),
        (broken) => (broken.turns[0].best[0] = 0.5),
        (broken) => (broken.more = 1),
    ]) {
        const broken = structuredClone(analysis);
        break_(broken);
        assert.notDeepEqual(problems(ajv, reference, broken), [], `${name}: ${break_}`);
    }
}
assert.ok(turns > 500 && better > 50, `${turns} turns, ${better} better ones`);
console.log(`${records.length} analyses, ${turns} turns`);

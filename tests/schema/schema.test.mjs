// The schemas are schemas, every example is valid and every kind of message has an example, the schemas refuse what
// they should, and the AsyncAPI document is one and refers to what is there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { parse as parseYaml } from "yaml";
import { applyPatch, equal } from "./merge-patch.mjs";
import { loadSchemas, problems, protocolFolder, readJson } from "./schemas.mjs";

const ajv = loadSchemas();
const examples = protocolFolder + "examples/";
const files = (folder) => readdirSync(examples + folder).filter((name) => name.endsWith(".json")).sort();
const example = (path) => readJson(`${examples}${path}`);
const schemaFiles = readdirSync(protocolFolder + "schemas/");
const definitions = (file) => Object.keys(readJson(`${protocolFolder}schemas/${file}`).$defs);

const ops = definitions("requests.json");
const repliesThatAreNone = ["error", "view", "summary", "rooms_ok"];

function valid(reference, value) {
    assert.deepEqual(problems(ajv, reference, value), [], reference);
}

function invalid(reference, value, why) {
    assert.notDeepEqual(problems(ajv, reference, value), [], why);
}

test("every schema is a schema, and all its references lead somewhere", () => {
    const meta = new Ajv2020({ strict: false });
    for (const file of schemaFiles) {
        const schema = readJson(`${protocolFolder}schemas/${file}`);
        assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema", file);
        assert.ok(schema.title && schema.description, `${file} says what it is`);
        assert.ok(meta.validateSchema(schema), `${file}: ${JSON.stringify(meta.errors)}`);
        ajv.getSchema(file); // compiles, or throws
        for (const name of Object.keys(schema.$defs ?? {})) ajv.getSchema(`${file}#/$defs/${name}`);
    }
});

test("no object schema leaves room for members that it does not know", () => {
    const walk = (schema, path) => {
        if (schema === null || typeof schema !== "object") return;
        if (schema.properties && schema.type === "object")
            assert.equal(schema.additionalProperties, false, `${path} has additionalProperties`);
        for (const [key, value] of Object.entries(schema)) walk(value, `${path}/${key}`);
    };
    for (const file of schemaFiles) walk(readJson(`${protocolFolder}schemas/${file}`), file);
});

test("the example of each request", () => {
    const seen = new Set();
    for (const file of files("requests")) {
        const request = example(`requests/${file}`);
        valid(`requests.json#/$defs/${request.op}`, request);
        valid("requests.json", request);
        assert.ok(file === `${request.op}.json` || file.startsWith(`${request.op}-`), file);
        seen.add(request.op);
    }
    assert.deepEqual([...seen].sort(), [...ops].sort());
});

test("the example of each reply", () => {
    const seen = new Set();
    const codes = new Set(readJson(protocolFolder + "errors.json").errors.map((error) => error.code));
    for (const file of files("replies")) {
        const reply = example(`replies/${file}`);
        valid("replies.json", reply);
        const name = file.replace(/(-.*)?\.json$/, "");
        valid(`replies.json#/$defs/${name}`, reply);
        if (name === "error") assert.ok(codes.has(reply.error.code), file);
        seen.add(name);
    }
    const all = definitions("replies.json").filter((name) => !repliesThatAreNone.includes(name));
    assert.deepEqual([...seen].sort(), [...all, "error"].sort());
    assert.deepEqual(all.sort(), [...ops].sort());
});

test("the reply to each example of a request has its id", () => {
    for (const op of ops)
        assert.equal(example(`replies/${op}.json`).id, example(`requests/${op}.json`).id, op);
});

test("the example of each push and each event", () => {
    const pushes = new Set();
    const events = new Set();
    for (const file of files("pushes")) {
        const push = example(`pushes/${file}`);
        valid(`pushes.json#/$defs/${push.push}`, push);
        valid("pushes.json", push);
        pushes.add(push.push);
        if (push.push === "event") events.add(push.event.kind);
    }
    assert.deepEqual([...pushes].sort(), definitions("pushes.json").sort());
    assert.deepEqual([...events].sort(), definitions("events.json").sort());
});

test("the example states, and every state as a patch from nothing", () => {
    const phases = new Set();
    for (const file of files("states")) {
        const state = example(`states/${file}`);
        valid("state.json", state);
        valid("patch.json", state);
        assert.deepEqual(applyPatch(undefined, state), state);
        phases.add(state.phase);
    }
    assert.deepEqual([...phases].sort(), ["lobby", "over", "paused", "playing"]);
});

test("a patch may take away whatever a state need not have", () => {
    // every path of every example state that is optional, or a key of a map
    let count = 0;
    const walk = (state, value, path) => {
        for (const [key, member] of Object.entries(value)) {
            const here = [...path, key];
            const patch = here.reduceRight((inside, name) => ({ [name]: inside }), null);
            if (problems(ajv, "state.json", applyPatch(state, patch)).length === 0) {
                if (!["title", "rematch"].includes(key)) valid("patch.json", patch); // never taken away
                if (path[0] === "table") valid("taluva.json#/$defs/tablePatch", patch.table);
                count++;
            }
            if (typeof member === "object" && key !== "options" && key !== "result") walk(state, member, here);
        }
    };
    for (const file of files("states")) {
        const state = example(`states/${file}`);
        walk(state, state, []);
    }
    assert.ok(count > 100, `${count} paths`);
});

// One change to a valid message, each of which makes it invalid.
const broken = [
    ["requests.json#/$defs/move", "requests/move.json", { extra: 1 }],
    ["requests.json#/$defs/move", "requests/move.json", { move: null }],
    ["requests.json#/$defs/move", "requests/move.json", { move: "" }],
    ["requests.json#/$defs/move", "requests/move.json", { move: "x".repeat(1025) }],
    ["requests.json#/$defs/move", "requests/move.json", { id: -1 }],
    ["requests.json#/$defs/move", "requests/move.json", { id: 1.5 }],
    ["requests.json#/$defs/move", "requests/move.json", { id: 2 ** 53 }],
    ["requests.json#/$defs/move", "requests/move.json", { room: "k3m9x0ai" }],
    ["requests.json#/$defs/join", "requests/join.json", { seat: 16 }],
    ["requests.json#/$defs/join", "requests/join.json", { colour: "Pink" }],
    ["requests.json#/$defs/ready", "requests/ready.json", { ready: false }],
    ["requests.json#/$defs/ready", "requests/ready.json", { nonce: "00" }],
    ["requests.json#/$defs/create", "requests/create.json", { options: { players: 6 } }],
    ["requests.json#/$defs/create", "requests/create.json", { options: { colour: "red" } }],
    ["requests.json#/$defs/create", "requests/create.json", { clock: { kind: "days", bank_s: 3 } }],
    ["requests.json#/$defs/create", "requests/create.json", { clock: { move_s: 3 } }],
    ["state.json", "states/playing.json", { extra: {} }],
    ["state.json", "states/playing.json", { table: { deck: "JC" } }],
    ["state.json", "states/playing.json", { table: { hexes: { "0, 0": "1J" } } }],
    ["state.json", "states/playing.json", { table: { hexes: { "0,0": "0J" } } }],
    ["state.json", "states/playing.json", { table: { hexes: { "0,0": "1V6" } } }],
    ["state.json", "states/playing.json", { table: { turn: { step: "over" } } }],
    ["state.json", "states/playing.json", { table: { turn: null, players: null } }],
    ["state.json", "states/playing.json", { acting: [] }],
    ["state.json", "states/playing.json", { acting: [0, 0] }],
    ["state.json", "states/playing.json", { acting: ["0"] }],
    ["state.json", "states/playing.json", { acting: { 0: true } }],
    ["state.json", "states/playing.json", { offers: {} }],
    ["state.json", "states/playing.json", { seats: { 0: { token: "x" } } }],
    ["state.json", "states/playing.json", { seats: { 0: { colour: "pink" } } }], // of no use in Taluva
    ["state.json", "states/playing.json", { fair: { secret: "00".repeat(32) } }],
    ["state.json", "states/playing.json", { result: { why: "exhausted" } }],
    ["state.json", "states/playing.json", { phase: "lobby" }],
    ["state.json", "states/over.json", { fair: { secret: null } }],
    ["state.json", "states/over.json", { result: null }],
    ["state.json", "states/over.json", { result: { why: "boredom" } }],
    ["pushes.json#/$defs/event", "pushes/event-move.json", { patch: { table: "x" } }],
    ["pushes.json#/$defs/event", "pushes/event-move.json", { event: { over: "boredom" } }],
    ["pushes.json#/$defs/event", "pushes/event-move.json", { seq: 0 }],
    ["pushes.json#/$defs/event", "pushes/event-move.json", { at: null }],
    ["pushes.json#/$defs/said", "pushes/said.json", { text: "two\nlines" }],
    ["pushes.json#/$defs/notice", "pushes/notice-draining.json", { code: "hello" }],
    ["replies.json#/$defs/join", "replies/join.json", { ok: { token: "x" } }],
    ["replies.json#/$defs/move", "replies/move.json", { ok: { state: {} } }],
    ["replies.json#/$defs/leave", "replies/leave.json", { ok: { seq: 1 } }],
    ["replies.json#/$defs/error", "replies/error-bad_json.json", { error: { code: null } }],
    ["replies.json#/$defs/error", "replies/error-bad_json.json", { ok: {} }],
];

test("what the schemas must refuse", () => {
    for (const [reference, file, change] of broken) {
        const message = example(file);
        valid(reference, message);
        invalid(reference, applyPatch(message, change), `${file} with ${JSON.stringify(change)}`);
    }
});

test("what the schema of a game must refuse in a push", () => {
    const { event, patch } = example("pushes/event-move.json");
    const { kind, seat, over, ...added } = event;
    valid("taluva.json#/$defs/event", added);
    invalid("taluva.json#/$defs/event", { ...added, tile: "LS" });
    invalid("taluva.json#/$defs/event", { eliminated: true });
    valid("taluva.json#/$defs/tablePatch", patch.table);
    invalid("taluva.json#/$defs/tablePatch", { ...patch.table, deck: "JC" });
});

test("merge patches: a few cases of RFC 7396", () => {
    assert.deepEqual(applyPatch({ a: "b" }, { a: null, c: { d: null } }), { c: {} });
    assert.deepEqual(applyPatch({ a: [1] }, { a: { b: 1 } }), { a: { b: 1 } });
    assert.deepEqual(applyPatch([1, 2], { a: "b", c: null }), { a: "b" });
    assert.ok(equal({ a: 1, b: [{}] }, { b: [{}], a: 1 }));
    assert.ok(!equal({ a: 1 }, { a: 1, b: undefined }));
    assert.ok(!equal([1], { 0: 1 }));
});

// ---- AsyncAPI

const asyncapi = parseYaml(readFileSync(protocolFolder + "asyncapi.yaml", "utf8"));

test("the AsyncAPI document is one", () => {
    const require = createRequire(import.meta.url);
    const schema = require("@asyncapi/specs/schemas/3.0.0.json");
    // it brings a copy of the meta-schema along
    const draft7 = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false });
    const validate = draft7.compile(schema);
    assert.ok(validate(asyncapi), JSON.stringify(validate.errors?.slice(0, 5), null, 1));
});

test("every reference of the AsyncAPI document leads somewhere", () => {
    let count = 0;
    const follow = (document, pointer, from) => {
        let value = document;
        for (const part of pointer.split("/").slice(1)) {
            value = value?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
            assert.notEqual(value, undefined, `${from}: ${pointer}`);
        }
    };
    const walk = (value) => {
        if (value === null || typeof value !== "object") return;
        if (typeof value.$ref === "string") {
            const [file, pointer = ""] = value.$ref.split("#");
            if (file === "") follow(asyncapi, pointer, value.$ref);
            else {
                assert.ok(existsSync(protocolFolder + file), value.$ref);
                follow(readJson(protocolFolder + file), pointer, value.$ref);
            }
            count++;
        }
        Object.values(value).forEach(walk);
    };
    walk(asyncapi);
    assert.ok(count > 50, `${count} references`);
});

test("the AsyncAPI document has every message", () => {
    const names = Object.keys(asyncapi.components.messages);
    const wanted = [
        ...ops.map((op) => `request.${op}`),
        ...ops.map((op) => `reply.${op}`),
        "reply.error",
        ...definitions("pushes.json").map((push) => `push.${push}`),
    ];
    assert.deepEqual([...names].sort(), wanted.sort());
    for (const [name, message] of Object.entries(asyncapi.components.messages)) {
        const [kind, which] = name.split(".");
        const file = { request: "requests", reply: "replies", push: "pushes" }[kind];
        assert.equal(message.payload.schema.$ref, `schemas/${file}.json#/$defs/${which}`, name);
        assert.ok(message.summary, `${name} says what it is`);
    }
    const channel = asyncapi.channels.socket;
    assert.deepEqual(Object.keys(channel.messages).sort(), [...names].sort());
});

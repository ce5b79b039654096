// The schemas compile, every example is valid, every kind of message has an example, the schemas refuse invalid messages,
// and the AsyncAPI document is valid and all its references resolve.
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
const repliesThatAreNone = ["error", "view", "summary", "rooms_ok", "listedSeats", "ended", "games_ok"];

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
    // every optional member, and every key of a map, of every example state
    let count = 0;
    const walk = (state, value, path) => {
        const { game } = state;
        for (const [key, member] of Object.entries(value)) {
            const here = [...path, key];
            const patch = here.reduceRight((inside, name) => ({ [name]: inside }), null);
            if (problems(ajv, "state.json", applyPatch(state, patch)).length === 0) {
                if (!["title", "rematch", "hints", "rated"].includes(here.join("."))) valid("patch.json", patch); // never taken away
                if (path[0] === "table") valid(`${game}.json#/$defs/tablePatch`, patch.table);
                count++;
            }
            if (typeof member === "object" && !Array.isArray(member) && key !== "options" && key !== "result")
                walk(state, member, here);
        }
    };
    for (const file of files("states")) {
        const state = example(`states/${file}`);
        walk(state, state, []);
    }
    assert.ok(count > 100, `${count} paths`);
});

// Changes to valid messages. Each makes its message invalid.
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
    ["state.json", "states/playing.json", { seats: { 0: { colour: "pink" } } }], // not a colour of Taluva
    ["state.json", "states/playing.json", { fair: { secret: "00".repeat(32) } }],
    ["state.json", "states/playing.json", { result: { why: "exhausted" } }],
    ["state.json", "states/playing.json", { phase: "lobby" }],
    ["state.json", "states/over.json", { fair: { secret: null } }],
    ["state.json", "states/over.json", { result: null }],
    ["state.json", "states/over.json", { result: { why: "boredom" } }],
    ["state.json", "states/totem.json", { table: { births: "gb" } }],
    ["state.json", "states/totem.json", { table: { huts: { R1: { people: "mw" } } } }],
    ["state.json", "states/totem.json", { table: { huts: { R1: { people: "" } } } }],
    ["state.json", "states/totem.json", { table: { huts: { R1: { up: {} } } } }],
    ["state.json", "states/totem.json", { table: { huts: { R4: {} } } }],
    ["state.json", "states/totem.json", { table: { families: { R: { chosen: 0 } } } }],
    ["state.json", "states/totem.json", { table: { families: { R: { barred: false } } } }],
    ["state.json", "states/totem.json", { table: { families: { R: { hand: "GT" } } } }],
    ["state.json", "states/totem.json", { table: { families: { R: { out: true } } } }], // and yet it has birds
    ["state.json", "states/totem.json", { table: { mine: { R: { births: "gb" } } } }],
    ["state.json", "states/totem.json", { table: { acting: [0] } }],
    ["state.json", "states/totem.json", { table: { acting: [] } }],
    ["state.json", "states/totem.json", { table: { step: "over" } }],
    ["state.json", "states/totem.json", { table: { step: "reveal" } }],
    ["state.json", "states/totem.json", { table: { supply: 37 } }],
    ["state.json", "states/totem.json", { seats: { 0: { colour: "green" } } }], // seat 0 is red
    ["state.json", "states/totem.json", { seats: { 4: { name: "E", colour: "red", ready: true } } }],
    ["state.json", "states/totem.json", { options: { tiles: 48 } }],
    ["state.json", "states/totem-over.json", { result: { why: "two-kinds" } }],
    ["requests.json#/$defs/create", "requests/create-totem.json", { options: { players: 5 } }],
    ["requests.json#/$defs/create", "requests/create-totem.json", { options: { teams: true } }],
    ["requests.json#/$defs/create", "requests/create-totem.json", { game: null }], // then it is Taluva
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

test("pushes of Totem by the schema of the game", () => {
    for (const name of ["event-move-totem", "event-move-totem-hidden", "event-timed_out-totem"]) {
        const { event, patch } = example(`pushes/${name}.json`);
        const { kind, seat, over, ...added } = event;
        valid(`totem.json#/$defs/${kind === "move" ? "event" : "forfeit"}`, added);
        valid("totem.json#/$defs/tablePatch", patch.table);
    }
    const moves = example("replies/moves-totem.json");
    valid("totem.json#/$defs/moves", moves.ok);
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

// Of Totem: [definition, values that it allows, values that it forbids].
const people = { R1: "wwm", R2: "gb" };
const lines = (allowed, forbidden) => [allowed.map((move) => ({ move, effects: [] })), forbidden.map((move) => ({ move, effects: [] }))];
const told = (allowed, forbidden) => [allowed.map((word) => ({ effects: [word] })), forbidden.map((word) => ({ effects: [word] }))];
const totem = [
    ["optionsGiven", [{}, { players: 2, first: "Y", rounds: 1, village: true, spells: "A", meals: "B", totem_a: true, totem_b: false }],
        [{ players: 5 }, { first: 0 }, { first: "X" }, { rounds: 0 }, { rounds: 100 }, { spells: "owner" }, { meals: "turns" }, { tiles: 48 }]],
    ["event", ...lines(
        ["settle@R=wwm/WM/me", "choose@G=-", "choose@G=GTH", "choose@R=*0", "choose@R=*10", "cast@G=T:G1", "cast@R=?:R1", "pass@Y",
            "write@B=-", "write@B=I:R2,H:B1", "write@B=*", "reveal@G=T", "reveal@Y=-", "starve@R=b/-/m", "take@B=R:-/e/-", "take@R=G:*"],
        ["settle@R=wwm/WM", "settle@R=mw/-/-", "settle@X=-/-/-", "choose@G=TG", "choose@R=*11", "choose@R=*", "cast@G=T:G4", "cast@R=?", "cast@G=?:?",
            "pass", "write@B=?:R1", "reveal@R=*1", "reveal@R=GG", "starve@R=b/-", "take@R=*", "jump@R=1"])],
    ["event", [], [{ move: "pass@R" }, { effects: [] }, { move: "pass@R", effects: [], spell: "G" }]],
    ["forfeit", ...told(
        ["burn@R=2", "put@R=G:Y2,T:R1", "put@R=?:R1,?:Y2", "show@R=T:R1", "born@R1=ggb", "catch@R=2", "eat@R=3", "spill@R=1", "lack@R=2", "took@G=b/-/-",
            "gone@R=b/-/-", "ill@R1=gW", "age", "mourn@R=0", "fall@R", "build@R=3", "bird@R=1", "round@4=G", "new@R=wmWMe", "out@R", "over@totem=R", "over@rounds=-"],
        ["burn@R=0", "put@R=G:?", "show@R=?:R1", "born@R=g", "born@R1=-", "age@R", "over@boredom=R", "over@totem=", "wins@R"])],
    ["forfeit", [], [{}, { effects: [], move: "pass@R" }]],
    ["moves", [
        { seq: 9, moves: [], asked: { R: { kind: "settle", people: "wwmmWMe", stay: 7 } } },
        { seq: 9, moves: [], asked: { R: { kind: "write", spells: "GBTIAFMPHL", most: 3, free: 1, huts: ["R1", "R2", "R3"] } } },
        { seq: 9, moves: ["choose@R=-"], asked: { R: { kind: "choose", spells: "GBTIAFMPHL", most: 3, free: 1 } } },
        { seq: 9, moves: ["cast@R=G:R1"], asked: { R: { kind: "cast", spells: "GT", huts: ["R1", "R2", "R3"], free: 1 } } },
        { seq: 9, moves: ["reveal@R=-"], asked: { R: { kind: "reveal", spells: "" }, B: { kind: "reveal", spells: "GT" } } },
        { seq: 9, moves: ["starve@R=g/-/-"], asked: { R: { kind: "starve", from: "R", people, count: 2 } } },
        { seq: 9, moves: ["take@B=R:e/-/-"], asked: { B: { kind: "take", from: "R", people: { R1: "e" }, count: 1 } } },
    ], [
        { seq: 9, moves: [] },
        { seq: 9, moves: [], asked: {} },
        { seq: 9, moves: ["cast@R=?:R1"], asked: { R: { kind: "reveal", spells: "" } } },
        { seq: 9, moves: [], asked: { R: { kind: "choose", spells: "", most: 3, free: 1 } } },
        { seq: 9, moves: [], asked: { R: { kind: "choose", spells: "G", most: 3, free: 1, huts: ["R1", "R2", "R3"] } } },
        { seq: 9, moves: [], asked: { R: { kind: "starve", from: "R", people: { R1: "we" }, count: 1 } } },
        { seq: 9, moves: [], asked: { R: { kind: "starve", from: "R", people, count: 0 } } },
        { seq: 9, moves: [], asked: { R: { kind: "born", people } } },
    ]],
    ["result", [{ why: "totem", winners: { 0: true }, ranks: { 0: 1, 1: 2 }, families: ["R"] }, { why: "called-off" },
        { why: "rounds", winners: {}, ranks: { 0: 1, 1: 1, 2: 3 }, families: [] }],
        [{ why: "two-kinds" }, { why: "totem", families: [0] }, { families: ["R"] }, { why: "rounds", ranks: { 0: 5, 1: 1 } }]],
    ["tablePatch", [{}, { acting: null, hungry: null, mine: null }, { huts: { R1: { down: { G: null }, up: null } } }, { families: { R: { out: true, pieces: null, birds: null } } },
        { huts: { R1: null } }, { mine: { R: { hand: null, down: { H: "R1" } }, B: null } }],
        [{ step: null }, { supply: null }, { mine: { R: { hand: "" } } }, { mine: { 0: {} } }, { huts: { R1: { down: { G: "T" } } } }, { seats: {} }, { births: "gb" }]],
];

test("what the schema of Totem allows and what it forbids", () => {
    for (const [definition, allowed, forbidden] of totem) {
        for (const value of allowed) assert.deepEqual(problems(ajv, `totem.json#/$defs/${definition}`, value), [], JSON.stringify(value));
        for (const value of forbidden) invalid(`totem.json#/$defs/${definition}`, value, `${definition}: ${JSON.stringify(value)}`);
    }
});

test("each game's schema has what a game adds to the protocol", () => {
    for (const game of ["taluva", "totem", "cards"])
        for (const part of ["options", "optionsGiven", "table", "tablePatch", "event", "forfeit", "result", "why", "moves"])
            assert.ok(ajv.getSchema(`${game}.json#/$defs/${part}`), `${game}: ${part}`);
    const own = ["taluva", "totem"].flatMap((game) => readJson(`${protocolFolder}schemas/${game}.json`).$defs.why.enum);
    assert.deepEqual([...new Set(own)].sort(), [...readJson(protocolFolder + "schemas/common.json").$defs.why.enum].sort());
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
    // it includes a copy of the meta-schema
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

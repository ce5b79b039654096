// Tests the validation of traffic that other suites use: it accepts valid traffic and finds each kind of error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { protocolFolder, readJson } from "./schemas.mjs";
import { TrafficCheck } from "./validate.mjs";

const example = (path) => readJson(`${protocolFolder}examples/${path}.json`);
const lobby = example("states/lobby");

// A watcher gets a state at 4, then an event, sends a chat line that is refused, and leaves.
function session() {
    return [
        { dir: "in", msg: { id: 1, op: "hello" } },
        { dir: "out", msg: { ...example("replies/hello"), id: 1 } },
        { dir: "in", msg: { id: 2, op: "watch", room: "k3m9x0aq" } },
        { dir: "out", msg: { ...example("replies/join"), id: 2 } },
        {
            dir: "out",
            msg: {
                push: "event", room: "k3m9x0aq", seq: 5, at: 1790000000000,
                event: { kind: "readied", seat: 1, ready: true }, patch: { seats: { 1: { ready: true } } },
            },
        },
        { dir: "in", msg: { id: 3, op: "jump" }, ok: false },
        { dir: "out", msg: { id: 3, error: { code: "unknown_op", message: "There is no such operation.", field: "op" } } },
        { dir: "in", msg: "{", ok: false },
        { dir: "out", msg: { id: null, error: { code: "bad_json", message: "This is not one JSON object." } } },
        { dir: "in", msg: { id: 4, op: "leave", room: "k3m9x0aq" } },
        { dir: "out", msg: { id: 4, ok: {} } },
    ];
}

function run(lines) {
    const check = new TrafficCheck();
    return { found: lines.flatMap((line) => check.message(line)), check };
}

test("a good session", () => {
    const { found, check } = run(session());
    assert.deepEqual(found, []);
    assert.equal(check.unanswered(), 0);
    assert.equal(check.messages, 11);
    for (const seen of ["request watch", "reply watch", "push event", "event readied", "error unknown_op"])
        assert.ok(check.seen.has(seen), seen);
});

test("two connections do not mix", () => {
    const lines = session();
    const both = lines.flatMap((line) => [{ ...line, conn: "a" }, { ...line, conn: "b" }]);
    assert.deepEqual(run(both).found, []);
    assert.ok(run([...lines, { ...lines[4], conn: "c" }]).found.length > 0);
});

// [what, the number of the line, how it is changed]
const faults = [
    ["a request that is not valid", 2, (line) => { line.msg.room = "?"; }],
    ["an unknown request", 2, (line) => { line.msg.op = "look"; }],
    ["a reply of another op", 3, (line) => { line.msg.ok = { seq: 3 }; }],
    ["a reply to nobody", 3, (line) => { line.msg.id = 99; }],
    ["a reply with an extra member", 1, (line) => { line.msg.ok.extra = 1; }],
    ["a state with an extra member", 3, (line) => { line.msg.ok.state = { ...lobby, extra: 1 }; }],
    ["a view without state for nothing", 3, (line) => { delete line.msg.ok.state; }],
    ["a gap", 4, (line) => { line.msg.seq = 6; }],
    ["an event twice", 4, (line) => { line.msg.seq = 4; }],
    ["an event of another room", 4, (line) => { line.msg.room = "7c2k0v5n"; }],
    ["a patch that leads nowhere", 4, (line) => { line.msg.patch = { phase: "over" }; }],
    ["a patch that changes nothing", 4, (line) => { line.msg.patch = { phase: "lobby" }; }],
    ["a patch that removes nothing", 4, (line) => { line.msg.patch = { acting: null }; }],
    ["an unknown push", 4, (line) => { line.msg.push = "news"; }],
    ["an unknown event", 4, (line) => { line.msg.event.kind = "danced"; }],
    ["an unknown code", 6, (line) => { line.msg.error.code = "no_idea"; }],
    ["a push that is no object", 4, (line) => { line.msg = 7; }],
    ["neither in nor out", 4, (line) => { line.dir = "up"; }],
];

test("each fault is found", () => {
    for (const [what, at, change] of faults) {
        const lines = structuredClone(session());
        change(lines[at]);
        assert.notDeepEqual(run(lines).found, [], what);
    }
});

test("a resume goes on from what was held", () => {
    const again = { room: "k3m9x0aq", seq: 5, you: { host: false }, online: {}, time: 1790000000000 };
    const lines = [
        ...session().slice(0, 4),
        { dir: "in", msg: { id: 9, op: "watch", room: "k3m9x0aq", have: 4 } },
        { dir: "out", msg: { id: 9, ok: again } },
        session()[4],
    ];
    assert.deepEqual(run(lines).found, []);
    lines[4].msg.have = 3;
    assert.notDeepEqual(run(lines).found, []);
});

test("what is not answered is counted", () => {
    assert.equal(run(session().slice(0, 3)).check.unanswered(), 1);
});

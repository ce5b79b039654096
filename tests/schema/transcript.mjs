#!/usr/bin/env node
// Makes protocol/transcript.md of what the program `transcript` says, after checking every message.
//
//     node transcript.mjs PROGRAM            is the page still what the program says? (exit status 1: no)
//     node transcript.mjs PROGRAM --write    write the page
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { protocolFolder } from "./schemas.mjs";
import { TrafficCheck } from "./validate.mjs";

const page = protocolFolder + "transcript.md";
const width = 116;
const head = `# A short match, word for word

What three clients and the server say to each other in a match of a few turns. \`→\` goes to the server, \`←\` comes from it; where
several clients get the same message it stands here once. Messages are broken into lines for reading, and what is long or was shown before
is cut to \`…\`; on the wire each message is one line.

This page is made by a program that talks to the real server (\`tests/schema/transcript.c\`), and a test sees to it that it stays true.
`;

const shownOnce = new Set(["limits", "options"]); // the same every time
const shown = new Set();

// One line if it fits, else a member a line.
function layOut(value, indent, room) {
    const flat = oneLine(value);
    if (flat.length <= room || value === null || typeof value !== "object") return flat;
    const inner = indent + "  ";
    if (Array.isArray(value) && typeof value[0] !== "object")
        return `[${value.slice(0, 4).map(oneLine).join(", ")}, … ${value.length - 4} more]`;
    if (Array.isArray(value))
        return `[\n${value.map((item) => inner + layOut(item, inner, width - inner.length)).join(",\n")}\n${indent}]`;
    const members = Object.entries(value).map(([key, member]) => {
        const start = `${inner}${JSON.stringify(key)}: `;
        if (shown.has(key)) return `${start}…`;
        if (shownOnce.has(key)) shown.add(key);
        return start + layOut(member, inner, width - start.length);
    });
    return `{\n${members.join(",\n")}\n${indent}}`;
}

// A paragraph in lines that are not too long.
function wrap(text) {
    const lines = [""];
    for (const word of text.split(" ")) {
        const last = lines.length - 1;
        if (lines[last] === "") lines[last] = word;
        else if (lines[last].length + 1 + word.length <= width) lines[last] += ` ${word}`;
        else lines.push(word);
    }
    return lines.join("\n");
}

function oneLine(value) {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
    return `{${Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`).join(", ")}}`;
}

// The record is text: shown as such.
function render({ who, arrow, msg }) {
    const start = `${who.join(", ")} ${arrow} `;
    if (msg.ok?.record === undefined) return start + layOut(msg, "", width - start.length);
    const text = msg.ok.record.split("\n").map((line) => `    ${line}`.trimEnd()).join("\n");
    return `${start}{"id": ${msg.id}, "ok": {"record": …}}, which is\n\n${text}`.trimEnd();
}

// Messages between two requests; the same one to several clients is put together where nobody's order suffers.
function put(block, who, arrow, msg) {
    const text = JSON.stringify(msg);
    const at = block.findIndex((entry) => entry.arrow === arrow && entry.text === text);
    const later = block.slice(at + 1).some((entry) => entry.who.includes(who));
    if (at >= 0 && !later && !block[at].who.includes(who)) block[at].who.push(who);
    else block.push({ who: [who], arrow, msg, text });
}

function make(lines) {
    const check = new TrafficCheck();
    const names = new Map(); // connection -> who
    const parts = [head];
    let block = [];
    const flush = () => {
        if (block.length > 0) parts.push("```\n" + block.map(render).join("\n") + "\n```\n");
        block = [];
    };
    let group = [];
    const join = () => { block.push(...group); group = []; };
    for (const line of lines) {
        if (line.note !== undefined) {
            join();
            flush();
            parts.push(wrap(line.note) + "\n");
            continue;
        }
        const problems = check.message(line);
        if (problems.length > 0) throw new Error(`${problems.join("\n")}\n${JSON.stringify(line)}`);
        if (line.msg.op === "hello") names.set(line.conn, line.msg.name ?? "Bo");
        if (line.dir === "in") join();
        put(group, names.get(line.conn), line.dir === "in" ? "→" : "←", line.msg);
    }
    join();
    flush();
    return parts.join("\n");
}

const [program, mode] = process.argv.slice(2);
const lines = execFileSync(program, { encoding: "utf8", maxBuffer: 1 << 24 }).trim().split("\n").map((line) => JSON.parse(line));
const made = make(lines);
if (mode === "--write") {
    writeFileSync(page, made);
} else if (readFileSync(page, "utf8") !== made) {
    console.log(`protocol/transcript.md is not what the server says now. If that is meant:`);
    console.log(`    node tests/schema/transcript.mjs ${program} --write`);
    process.exitCode = 1;
}

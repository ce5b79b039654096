// The protocol's schemas, compiled: protocol/schemas/*.json under their file names, so that the
// relative references in them are found.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";

export const protocolFolder = fileURLToPath(new URL("../../protocol/", import.meta.url));

export function readJson(path) {
    return JSON.parse(readFileSync(path, "utf8"));
}

const ownFolder = fileURLToPath(new URL("./", import.meta.url));

// The protocol's schemas, and that of the card game that exists only in the tests.
export function loadSchemas(folder = protocolFolder + "schemas/") {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
    for (const file of readdirSync(folder).sort())
        ajv.addSchema(readJson(folder + file), file);
    ajv.addSchema(readJson(ownFolder + "cards.json"), "cards.json");
    return ajv;
}

// The errors of `value`, one line each; empty if it is valid.
export function problems(ajv, reference, value) {
    const validate = ajv.getSchema(reference);
    if (!validate) return [`there is no schema ${reference}`];
    if (validate(value)) return [];
    return validate.errors.map(
        (error) => `${error.instancePath || "(message)"} ${error.message} ${JSON.stringify(error.params)}`);
}

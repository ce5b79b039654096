// What a file tests at night only: whole games, every screen, every language. At every change its other tests go through the same code.

import { test } from 'node:test';

/** Whether it is night: `, everything` is tested (meson.build), or the page with something else beneath its server (cluster/suites.py). */
export const NIGHT = Boolean(process.env.EVERYTHING || process.env.NIGHT);

/** A test of the night. @param {string} name @param {(t: import('node:test').TestContext) => any} body */
export const atNight = (name, body) => (NIGHT ? test(name, body) : undefined);

/** These of a table at every change, all of it at night. @template T @param {Record<string, T>} all @param {string[]} names @returns {Record<string, T>} */
export const someOf = (all, ...names) => (NIGHT ? all : Object.fromEntries(names.map((name) => [name, all[name]])));

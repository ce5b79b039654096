// Plays Totem at the page as a person would: looks at what is asked, chooses among what is offered, confirms. Everything goes
// through pointer, finger or keys; the page's objects are only looked at.

import { after, seqOf, still } from './player.mjs';

/** @template T @param {T[]} list @param {() => number} random @returns {T} */
const pick = (list, random) => list[Math.floor(random() * list.length)];

/** What is asked: settle, choose, cast, write, reveal, starve, take; or "over". @param {any} page */
export async function asked(page) {
  const handle = await page.waitForFunction(
    () => {
      const { taluva } = window;
      const table = taluva?.page();
      if (!table?.view?.draft && taluva?.room()?.state.phase !== 'over') return '';
      if (taluva.room().state.phase === 'over') return 'over';
      const { draft, beforehand } = table.view;
      if (draft.kind === 'reveal' && beforehand.isOn(table.view.state)) return ''; // the page answers
      return !table.busy && table.mayAct && table.legal.current && table.moves ? draft.kind : '';
    },
    undefined,
    { polling: 30 },
  );
  return handle.jsonValue();
}

/** The middle of what is drawn; found and measured at once, as what others do draws it anew. @param {any} page @param {string} selector */
export async function middle(page, selector) {
  const found = await page.waitForFunction((wanted) => {
    const { x, y, width, height } = document.querySelector(wanted)?.getBoundingClientRect() ?? new DOMRect();
    return width > 0 && height > 0 && { x: x + width / 2, y: y + height / 2 };
  }, selector);
  return found.jsonValue();
}

/** The middle of somebody, once nothing lies over it: a panel may still be on its way. @param {any} page @param {{from: string, kind: string}} who */
async function graspable(page, { from, kind }) {
  const found = await page.waitForFunction((wanted) => {
    const reach = document.querySelector(`${wanted} .reach`);
    const { x, y, width, height } = reach?.getBoundingClientRect() ?? new DOMRect();
    const at = { x: x + width / 2, y: y + height / 2 };
    return width > 0 && document.elementFromPoint(at.x, at.y)?.closest('.person')?.matches(wanted) && at;
  }, `.person[data-hut=${from}][data-kind=${kind}]`);
  return found.jsonValue();
}

/** How a person presses things. @typedef {{press: (selector: string) => Promise<unknown>, hut: (hut: string) => Promise<unknown>, move: () => Promise<unknown>}} Way */

/** @param {any} page @returns {Way} */
export const byMouse = (page) => ({
  press: (selector) => page.click(selector),
  hut: async (hut) => {
    const { x, y } = await middle(page, `.hut[data-hut=${hut}] .hut-picture`);
    await page.mouse.click(x, y);
  },
  move: async () => {
    const ways = await possible(page);
    if (!ways) return;
    await still(page);
    const from = await graspable(page, ways);
    const to = await middle(page, `.hut[data-hut=${ways.to}] .hut-picture`);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.waitForSelector(`.hut[data-hut=${ways.to}].is-under`); // who is carried is there
    await page.mouse.up();
    await moved(page, ways);
  },
});

/** @param {any} page @returns {Way} */
export const byFinger = (page) => ({
  press: (selector) => page.tap(selector),
  hut: async (hut) => {
    const { x, y } = await middle(page, `.hut[data-hut=${hut}] .hut-picture`);
    await page.touchscreen.tap(x, y);
  },
  move: async () => {
    const ways = await possible(page);
    if (!ways) return;
    const from = await middle(page, `.person[data-hut=${ways.from}][data-kind=${ways.kind}] .reach`);
    await page.touchscreen.tap(from.x, from.y);
    await page.waitForSelector('.person.held');
    const to = await middle(page, `.hut[data-hut=${ways.to}] .hut-picture`);
    await page.touchscreen.tap(to.x, to.y);
    await moved(page, ways);
  },
});

/** Tab until something is reached. @param {any} page @param {string} selector */
export async function tabTo(page, selector) {
  for (let i = 0; i < 120; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by Tab`);
}

/** Walks in the village until the cursor is on a hut. @param {any} page @param {string} hut */
async function walkTo(page, hut) {
  await tabTo(page, '.board');
  await page.keyboard.press('ArrowDown'); // shows the cursor
  for (let i = 0; i < 40; i++) {
    const step = await page.evaluate((wanted) => {
      const { cursor, village } = window.taluva.page().view;
      if (cursor.hut === wanted) return '';
      const [here, there] = [village.areaOf(cursor.hut), village.areaOf(wanted)];
      const dx = there.x - here.x;
      const dy = there.y - here.y;
      if (Math.abs(dy) > 30) return dy > 0 ? 'ArrowDown' : 'ArrowUp';
      return dx > 0 ? 'ArrowRight' : 'ArrowLeft';
    }, hut);
    if (!step) return;
    await page.keyboard.press(step);
  }
  throw new Error(`the cursor does not come to ${hut}`);
}

/** @param {any} page @returns {Way} */
export const byKeys = (page) => ({
  press: async (selector) => {
    await tabTo(page, selector);
    await page.keyboard.press('Enter');
  },
  hut: async (hut) => {
    await walkTo(page, hut);
    await page.keyboard.press('Enter');
  },
  move: async () => {
    const ways = await possible(page);
    if (!ways) return;
    await walkTo(page, ways.from);
    for (let i = 0; i < 8; i++) {
      if (await page.evaluate((kind) => window.taluva.page().view.cursor.kind === kind, ways.kind)) break;
      await page.keyboard.press('n');
    }
    await page.keyboard.press('Enter');
    await walkTo(page, ways.to);
    await page.keyboard.press('Enter');
    await moved(page, ways);
  },
});

/** Somebody who can go to another hut; null if nobody can. @param {any} page */
const possible = (page) =>
  page.evaluate(() => {
    const { draft } = window.taluva.page().view;
    for (const from of draft.huts)
      for (const to of draft.huts)
        if (from !== to && draft.places[from] && draft.places[to].length < 6)
          return { from, to, kind: draft.places[from][0], number: draft.places[to].length };
    return null;
  });

/** @param {any} page @param {any} ways */
const moved = (page, { to, number }) =>
  page.waitForFunction(([hut, n]) => window.taluva.page().view.draft.places[hut].length === n + 1, [to, number]);

/** The spells that can be pressed. @param {any} page */
const spells = (page) =>
  page.$$eval('.totem-body > .totem-spells .spell:not([aria-disabled])', (all) => all.map((one) => one.dataset.spell));

/** The huts that take a spell and can be seen. @param {any} page */
const huts = (page) => page.$$eval('.hut.is-open', (all) => all.map((one) => one.dataset.hut));

/** Lays a spell on a hut. @param {any} page @param {() => number} random @param {Way} way */
async function lay(page, random, way) {
  const spell = pick(await spells(page), random);
  await way.press(`.totem-body > .totem-spells .spell[data-spell=${spell}]`);
  await page.waitForSelector('.hut.is-open');
  await way.hut(pick(await huts(page), random));
  await page.waitForSelector('.totem-puts li');
}

/** @type {{[kind: string]: (page: any, random: () => number, way: Way) => Promise<unknown>}} */
const DECIDE = {
  settle: async (_page, _random, way) => {
    await way.press('.hand [data-focus=arrange]');
    await way.move();
  },
  choose: async (page, random, way) => {
    const free = await page.evaluate(() => window.taluva.page().view.draft.asked.free);
    for (let i = 0; i < Math.min(2, free); i++) {
      const left = await page.$$eval('.totem-spells .spell:not([aria-disabled])[aria-pressed=false]', (all) => all.map((one) => one.dataset.spell));
      const spell = pick(left, random);
      await way.press(`.spell[data-spell=${spell}]`);
      await page.waitForSelector(`.spell[data-spell=${spell}][aria-pressed=true]`);
    }
  },
  cast: lay,
  write: async (page, random, way) => {
    if (await page.evaluate(() => window.taluva.page().view.draft.asked.free > 0)) await lay(page, random, way);
  },
  reveal: async (page, _, way) => {
    const kept = await page.$$eval('.planned .spell[aria-pressed=false]', (all) => all.map((one) => one.dataset.focus));
    for (const one of kept) {
      await way.press(`[data-focus="${one}"]`);
      await page.waitForSelector(`[data-focus="${one}"][aria-pressed=true]`);
    }
  },
  starve: goes,
  take: goes,
};

/** Chooses who goes. @param {any} page @param {() => number} random @param {Way} way */
async function goes(page, random, way) {
  const { count } = await page.evaluate(() => window.taluva.page().view.draft.asked);
  for (let i = 0; i < count; i++) {
    const left = await page.$$eval('.totem-picks [data-pick]:not(:disabled)', (all) => all.map((one) => one.dataset.pick));
    await way.press(`[data-pick=${pick(left, random)}]`);
    await page.waitForFunction((n) => window.taluva.page().view.draft.count === n, i + 1);
  }
}

/** The button that sends what was chosen, or the one for nothing. @param {any} page */
async function sender(page) {
  const found = await page.waitForFunction(() => ['.hand .confirm:not(:disabled)', '.hand [data-focus=none]'].find((one) => document.querySelector(one)));
  return found.jsonValue();
}

/** Decides once. @param {any} page @param {() => number} random @param {Way} way @returns {Promise<string>} what was asked; "over" if nothing */
export async function decide(page, random, way) {
  const kind = await asked(page);
  if (kind === 'over') return kind;
  const seq = await seqOf(page);
  await DECIDE[kind](page, random, way);
  await way.press(await sender(page));
  await after(page, seq);
  return kind;
}

/**
 * Plays to the end, or until it is enough.
 * @param {any} page @param {() => number} random @param {Way} way @param {(done: {[kind: string]: number}) => boolean} [enough]
 * @returns {Promise<{[kind: string]: number}>} how often each was asked
 */
export async function playOut(page, random, way, enough = () => false) {
  /** @type {{[kind: string]: number}} */
  const done = {};
  while (!enough(done)) {
    const kind = await decide(page, random, way);
    if (kind === 'over') break;
    done[kind] = (done[kind] ?? 0) + 1;
  }
  return done;
}

/** What is right in each lesson. @type {((way: Way) => Promise<unknown>)[]} */
const LESSONS = [
  async (way) => {
    await way.move();
    await way.press('.hand [data-focus=arrange]'); // a woman and a man in each hut
  },
  async (way) => {
    for (const spell of 'TL') await way.press(`.spell[data-spell=${spell}]`);
  },
  (way) => layOn(way, 'T', 'R3'),
  (way) => way.press('.spell[data-spell=T]'),
  async (way) => {
    for (const who of ['R1g', 'R3b']) await way.press(`[data-pick=${who}]`);
  },
  (way) => way.press('.spell[data-spell=L]'),
  (way) => layOn(way, 'I', 'G1'),
  (way) => way.press('.spell[data-spell=P]'),
];

/** @param {Way} way @param {string} spell @param {string} hut */
async function layOn(way, spell, hut) {
  await way.press(`.spell[data-spell=${spell}]`);
  await way.hut(hut);
}

/** From the first lesson to the end of the last. @param {any} page @param {Way} way */
export async function learnTotem(page, way) {
  for (const [at, decide] of LESSONS.entries()) {
    await page.waitForFunction((n) => window.taluva.page()?.at === n && window.taluva.page().view?.draft, at);
    if (await page.isVisible('.lesson .try')) await way.press('.lesson .try');
    await decide(way);
    await page.waitForSelector('.hand .confirm:not(:disabled)');
    await way.press('.hand .confirm');
    await page.waitForSelector('.learn.is-done .lesson .confirm');
    await way.press('.lesson .actions .confirm');
  }
}

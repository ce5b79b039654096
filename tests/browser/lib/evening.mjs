// People of an evening: who plays by fingers as player.mjs does, who has a keyboard alone, and who hears the page and sees nothing of it.

import { PATIENCE_MS } from './chromium.mjs';
import { act, seqOf } from './player.mjs';
import { until } from './until.mjs';

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const MOST_TABS = 80;

/** Takes turns until it is over, or for so many moves. @param {any[]} pages @param {() => number} random @param {number} most @returns {Promise<number>} how many */
export async function takeTurns(pages, random, most) {
  for (let moves = 0; moves < most; moves++) {
    const acting = await pages[0].evaluate(() => window.taluva.room().state.acting ?? []);
    const seats = await Promise.all(pages.map((page) => page.evaluate(() => window.taluva.room().seat)));
    const at = seats.findIndex((seat) => acting.includes(seat));
    if (at < 0 || (await act(pages[at], random, { touch: true })).step === 'over') return moves;
    const seq = await seqOf(pages[at]);
    await Promise.all(pages.map((page) => page.waitForFunction((wanted) => window.taluva.room().seq >= wanted, seq)));
  }
  return most;
}

/** @param {any} page @param {string} words */
export async function menu(page, words) {
  await page.tap('.table-bar button[aria-label="Menu"]');
  await page.tap(`.entry:has-text("${words}")`);
}

/** Presses Tab until what matches has the focus. @param {any} page @param {string} selector */
export async function tabTo(page, selector) {
  for (let i = 0; i < MOST_TABS; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by Tab`);
}

/** @param {any} page @param {string} selector */
export async function enterAt(page, selector) {
  await page.waitForSelector(selector);
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** Somebody who knows of a page what a screen reader says: roles, names, where the focus is, what is announced; and who has keys. */
export class Listener {
  /** @param {any} page */
  constructor(page) {
    this.page = page;
  }

  async begin() {
    this.client = await this.page.context().newCDPSession(this.page);
    await this.client.send('Accessibility.enable');
    return this;
  }

  async tree() {
    const { nodes } = await this.client.send('Accessibility.getFullAXTree');
    return nodes;
  }

  /** @param {any[]} nodes @param {any} node @returns {string} its name, or else what is in it */
  wordsIn(nodes, node) {
    if (node.role?.value === 'StaticText' || node.name?.value) return node.name.value;
    return (node.childIds ?? [])
      .map((id) => nodes.find(({ nodeId }) => nodeId === id))
      .map((child) => (child ? this.wordsIn(nodes, child) : ''))
      .filter(Boolean)
      .join(' ');
  }

  /** What is in the live regions. */
  async said() {
    const nodes = await this.tree();
    return nodes
      .filter(({ role, ignored }) => !ignored && ['status', 'alert'].includes(role?.value))
      .map((node) => this.wordsIn(nodes, node))
      .join(' ');
  }

  /** @param {RegExp} words @returns {Promise<string>} all that is said then */
  async hears(words) {
    let all = '';
    await until(async () => words.test((all = await this.said())), () => `heard "${all}"`);
    return all;
  }

  /** What the focus is on, and at a picture where in it. @returns {Promise<{role: string, name: string}>} */
  async here() {
    const nodes = await this.tree();
    const flag = (node, name) => node.properties?.find((one) => one.name === name)?.value;
    const at = nodes.filter((node) => !node.ignored && flag(node, 'focused')?.value).at(-1);
    const [inside] = (at && flag(at, 'activedescendant')?.relatedNodes) ?? [];
    const found = (inside && nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === inside.backendDOMNodeId)) ?? at;
    return { role: found?.role?.value ?? '', name: found?.name?.value ?? '' };
  }

  /** Goes on by Tab to what has such a name, and presses it. @param {string} role @param {RegExp} name */
  async press(role, name) {
    let names = '';
    await until(async () => {
      const all = (await this.tree()).filter((node) => !node.ignored && node.role?.value === role).map((node) => node.name?.value ?? '');
      names = all.join(', ');
      return all.some((one) => name.test(one));
    }, () => `${role}: ${names}`);
    for (let i = 0; i < MOST_TABS; i++) {
      const at = await this.here();
      if (at.role === role && name.test(at.name)) return this.page.keyboard.press('Enter');
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`no ${role} ${name} can be reached within ${PATIENCE_MS} ms`);
  }

  /** Goes to the picture. */
  async toPicture() {
    for (let i = 0; i < MOST_TABS; i++) {
      if (await this.inPicture()) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error('the picture cannot be reached by Tab');
  }

  /** The picture has the focus, or a place in it. */
  async inPicture() {
    const nodes = await this.tree();
    return nodes.some((node) => node.role?.value === 'application' && node.properties?.some(({ name, value }) => name === 'focused' && value.value));
  }

  /** From possibility to possibility until one sounds right, and takes it. @param {RegExp} words */
  async choose(words) {
    let at = { role: '', name: '' };
    let before = '';
    for (let i = 0; i < MOST_TABS; i++) {
      await this.page.keyboard.press('n');
      await until(async () => (at = await this.here()).role !== 'application' && at.name !== '', () => JSON.stringify(at));
      if (words.test(at.name) && !/danger|nothing to build/i.test(at.name)) return at.name;
      before = at.name;
    }
    throw new Error(`nothing sounds like ${words}; the last was "${before}"`);
  }
}

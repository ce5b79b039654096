// The result of a match says the same everywhere: the cards and the table give the same ranks and count the same pieces, the
// reason is what happened, and names stay whole words. What decided it is lit on the island, and one thing to do next stands out.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visitor } from './lib/chromium.mjs';
import { atNight, someOf } from './lib/night.mjs';
import { shown } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { done } from './lib/visit.mjs';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {any} scene @param {any} [options] */
async function table(scene, options = {}) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await playServer(page, scene);
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('.result');
  await shown(page);
  return page;
}

test('cards and table give the same ranks and count the same pieces', async () => {
  const page = await table(scenes.counted());
  const numbers = (/** @type {string} */ text) => text.match(/\d+/g)?.map(Number) ?? [];
  const rows = await page.$$eval('.count tbody tr', (all) =>
    all.map((row) => ({ name: row.querySelector('.who span').textContent, cells: [...row.querySelectorAll('td')].map((cell) => cell.textContent) })),
  );
  assert.equal(rows.length, 5);
  for (const { name, cells } of rows) {
    const card = page.locator('.card', { has: page.locator(`.name:text-is("${name}")`) });
    const [rank, ...built] = cells.map(Number);
    assert.deepEqual(numbers(await card.locator('.place').textContent()), [rank], `${name}: the rank`);
    const shown = await card.locator('.stock b').allTextContents();
    assert.deepEqual(shown.map(Number), built, `${name}: the pieces`);
  }
  assert.match(await page.textContent('.count caption'), /built/);
  assert.ok(await page.locator('.count caption').isVisible());
  await done(page);
});

/** A match that ended because the others went out. @param {(events: any[]) => void} change changes its events */
function ended(change) {
  const scene = scenes.analysed();
  const result = { why: 'last-standing', winners: { 1: true }, ranks: { 1: 1, 0: 2, 2: 3, 3: 4 } };
  scene.state.result = result;
  const { past } = scene;
  scene.past = (/** @type {number} */ have) => {
    const events = past(have);
    events.at(-1).patch.result = result;
    change(events);
    return events;
  };
  return scene;
}

test('the reason names who resigned and who was away for too long', async () => {
  const page = await table(
    ended((events) => {
      events.at(-1).event = { kind: 'timed_out', seat: 0, over: 'last-standing' };
      events.at(-2).event = { kind: 'resigned', seat: 2 };
    }),
  );
  await page.waitForSelector('.result .outcome + .hint:has-text("Ana was away for too long, and is out.")');
  const reason = await page.textContent('.result .outcome + .hint');
  assert.match(reason, /Chi resigns\./);
  assert.match(reason, /Dee is out\./);
  assert.doesNotMatch(reason, /Everybody/);
  const log = await page.locator('.events .event').last().textContent();
  assert.equal(log, 'Ana was away for too long, and is out. Bo wins.');
  await done(page);
});

test('who could build nothing reads that that was why', async () => {
  const page = await table(ended((events) => (events.at(-1).event = { ...events.at(-1).event, kind: 'move', seat: 0, eliminated: true, over: 'last-standing' })));
  await page.waitForSelector('.result .outcome + .hint:has-text("Ana can build nothing and is out.")');
  await done(page);
});

atNight('it is as before where nothing is known of how the others went out', async () => {
  const page = await table(ended(() => undefined));
  assert.equal(await page.textContent('.result .outcome + .hint'), 'Everybody else is out.');
  await done(page);
});

for (const [screen, options] of Object.entries(someOf({
  wide: {},
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'on its side': { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
}, 'phone'))) {
  test(`no word of a name is broken: ${screen}`, async () => {
    const scene = scenes.counted();
    const names = ['Maximiliane Friederike S', 'Eli Wallach of the Isles', 'Donaudampfschifffahrtska', 'Bartholomew Featherstone', 'Constantinople Gardeners'];
    for (const [seat, name] of Object.entries(names)) scene.state.seats[seat].name = name;
    const page = await table(scene, options);
    const broken = await page.evaluate(() => {
      const found = [];
      for (const name of document.querySelectorAll('.count .who span, .ending')) {
        const { firstChild } = name;
        for (const { index, 0: word } of firstChild.textContent.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(firstChild, index);
          range.setEnd(firstChild, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
        }
      }
      return found;
    });
    assert.deepEqual(broken, []);
    await done(page);
  });
}

atNight('the buttons lie the same way in every language: the ways to look at the match beside each other, the rest below', async () => {
  for (const locale of ['en-GB', 'fr-FR', 'zh-CN', 'zh-TW']) {
    const page = await table({ ...scenes.counted(), state: { ...scenes.counted().state, rematch: 'k3m9x0ar' } }, { locale });
    for (const [width, height] of [[1280, 800], [390, 844], [320, 568]]) {
      await page.setViewportSize({ width, height });
      const rows = await page.$$eval('.result .actions button', (all) => {
        const boxes = all.map((button) => button.getBoundingClientRect()).map(({ top, bottom, width }) => ({ middle: (top + bottom) / 2, width: Math.round(width) }));
        const rows = [...new Set(boxes.map(({ middle }) => middle))];
        return rows.map((row) => boxes.filter(({ middle }) => middle === row).map(({ width }) => width));
      });
      const large = rows[1]?.[3];
      assert.deepEqual(rows, [[rows[0][0], rows[0][0]], [44, 44, 44, large]], `${locale} ${width}`);
      const torn = await page.$$eval('.result .actions button:not(.extra)', (all) => all.filter((button) => button.scrollWidth > button.clientWidth).map((button) => button.textContent));
      assert.deepEqual(torn, [], `${locale} ${width}`);
    }
    await done(page);
  }
});

atNight('a name without spaces does not lead out of the card', async () => {
  const scene = scenes.counted();
  scene.state.seats[4].name = 'W'.repeat(24);
  const page = await table(scene);
  assert.deepEqual(await page.$eval('.result > .hint', (reason) => [reason.textContent.includes('WWW'), reason.scrollWidth <= reason.clientWidth]), [true, true]);
  await done(page);
});

const words = async (page) => [await page.textContent('.result .outcome'), await page.textContent('.result .outcome + .hint')];

/** A match that somebody has won, or nobody. @param {any} result @param {any} [more] of the scene */
function won(result, more = {}) {
  const scene = scenes.counted();
  scene.state.result = result;
  return { ...scene, ...more };
}

atNight('it says “you won” to who has won, to a team, and to who shares it; who won to the others; and what ended it if nobody has', async () => {
  const counted = scenes.counted().state.result;
  for (const [scene, wanted] of [
    [won(counted, { seat: 2 }), 'You won!'],
    [won(counted, { seat: 0 }), 'Chi wins.'],
    [won(counted, { seat: undefined }), 'Chi wins.'],
    [won({ ...counted, winners: { 2: true, 4: true } }, { seat: 4 }), 'You share the win with Chi'],
    [{ ...scenes.over(), seat: 2 }, 'Your team won!'],
    [{ ...scenes.over(), seat: 1 }, 'Ana and Chi win.'],
    [won({ why: 'called-off', winners: {} }), 'The players called it off.'],
    [won({ why: 'abandoned', winners: {} }), 'All players have left.'],
    [won({ ...counted, unrated: 'aborted' }, { seat: 2 }), 'You won!'],
  ]) {
    const page = await table(scene);
    const [outcome, reason] = await words(page);
    assert.equal(outcome, wanted);
    if (!/wins?|won|win\./.test(wanted)) assert.equal(reason, 'Nobody wins.');
    assert.equal(await page.locator('.result .confirm').count(), 1, 'one thing to do next stands out');
    assert.deepEqual(await page.locator('.result .unrated').allTextContents(), scene.state.result.unrated ? ['Not rated: somebody gave up before everybody had ended two turns.'] : []);
    await done(page);
  }
});

for (const [screen, viewport] of Object.entries(someOf({ wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 }, small: { width: 320, height: 568 }, 'on its side': { width: 844, height: 390 } }, 'wide', 'small'))) {
  test(`who has won stands large over the sea, beside the island and all else, and not in the past: ${screen}`, async () => {
    const page = await table({ ...scenes.counted(), seat: 2 }, { viewport });
    assert.equal(await page.textContent('.ending'), 'You won!');
    await page.waitForFunction(() => {
      const { left, right, top, bottom } = document.querySelector('.ending').getBoundingClientRect();
      const over = (/** @type {DOMRect} */ box) => box.width > 1 && box.left < right - 1 && box.right > left + 1 && box.top < bottom - 1 && box.bottom > top + 1;
      const parts = document.querySelectorAll('.board .hex .top, .card, .side, .table-bar, .view-tools > *');
      return left >= 0 && right <= innerWidth && ![...parts].some((part) => over(part.getBoundingClientRect()));
    });
    assert.ok((await page.$eval('.ending', (words) => parseFloat(getComputedStyle(words).fontSize))) >= 30);
    await page.click('.result button:has-text("Replay")');
    await page.waitForSelector('.ending', { state: 'detached' });
    await done(page);
  });
}

test('what is said over the sea is whole in the longest language, on the smallest screen', async () => {
  const page = await table(scenes.over(), { viewport: { width: 320, height: 568 }, locale: 'fr-FR' });
  assert.match(await page.textContent('.ending'), /équipe/);
  const { left, right } = await page.$eval('.ending', (words) => words.getBoundingClientRect().toJSON());
  assert.ok(left >= 0 && right <= 320, `from ${left} to ${right}`);
  assert.ok(Math.abs(left + right - 320) < 2, 'in the middle');
  await done(page);
});

/** The hexes that are lit, and what stands there. @param {any} page */
const lit = async (page) => {
  await shown(page);
  return page.evaluate(() => {
    const { island } = window.taluva.page().view.board;
    const places = new Map([...island.hexes].map(([, { cell, element }]) => [element.getAttribute('transform'), `${cell.seat}${cell.kind}`]));
    return [...document.querySelectorAll('.decided .lit')].map((one) => places.get(one.getAttribute('transform')));
  });
};

test('by what it was won: the kind that decided is named with its figures, and lit', async () => {
  const page = await table(scenes.counted());
  assert.equal((await words(page))[1], 'The tiles are used up; the count decides. Temples: Chi 3, Eli 2, Bo 1, and Ana 1.');
  assert.deepEqual(await lit(page), ['2t', '2t', '2t']);
  await page.click('.result button:has-text("Replay")');
  await page.waitForSelector('.replay:not([hidden])');
  assert.deepEqual(await lit(page), [], 'the past is seen as it was');
  await page.click('.replay button >> nth=-1');
  await page.waitForSelector('.decided .lit');
  await done(page);
});

atNight('where the temples are even the towers decide, then the huts', async () => {
  const scene = scenes.counted();
  const { players, hexes } = scene.state.table;
  for (const seat of [2, 4]) Object.assign(players[seat], { temples: 1, towers: seat === 2 ? 0 : 1 });
  hexes[Object.keys(hexes)[0]] = '3J:2w';
  const page = await table(scene);
  assert.match((await words(page))[1], /Even in temples\. Towers: Chi 2, Eli 1, /);
  const places = await lit(page);
  assert.ok(places.includes('2w') && places.every((one) => one === '2w'), places.join());
  await done(page);
});

atNight('all pieces of two kinds: whose and which, of each member of a team', async () => {
  const page = await table(scenes.over());
  assert.equal((await words(page))[1], 'Ana has built all towers. Chi has built all towers and huts.');
  const places = new Set(await lit(page));
  assert.deepEqual([...places].sort(), ['0w', '2h', '2w']);
  await done(page);
});

atNight('nothing is lit where nobody has won', async () => {
  const page = await table(won({ why: 'called-off', winners: {} }));
  assert.deepEqual(await lit(page), []);
  await done(page);
});

atNight('the win moves shortly, and not for who wants no motion; the board stays free', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const page = await visitor(browser, { reducedMotion });
    await page.addInitScript(() => {
      window.moved = [];
      const { animate } = Element.prototype;
      Element.prototype.animate = function (frames, timing) {
        if (this.closest('.decided')) window.moved.push(timing.duration + timing.delay);
        return animate.call(this, frames, timing);
      };
    });
    await playServer(page, scenes.counted());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForSelector('.decided .lit', { state: 'attached' });
    await shown(page);
    const moved = await page.evaluate(() => window.moved);
    assert.equal(moved.length, reducedMotion === 'reduce' ? 0 : 3, 'three temples');
    assert.ok(moved.every((ms) => ms <= 1100), moved.join());
    assert.ok(await page.evaluate(() => document.elementFromPoint(560, 400).closest('.board') !== null));
    await done(page);
  }
});

atNight('the picture is saved, and the link handed on', async () => {
  const page = await table(scenes.counted());
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.result button:has-text("Picture")')]);
  assert.equal(download.suggestedFilename(), 'taluva-k3m9x0aq.png');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'share', { value: async (what) => (window.shared = what), configurable: true });
  });
  await page.click('.result button:has-text("Share")');
  await page.waitForFunction(() => window.shared?.url.endsWith('/r/k3m9x0aq'));
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'share', { value: undefined });
    Object.defineProperty(navigator, 'clipboard', { value: undefined }); // as on a page without TLS
    document.execCommand = (what) => Boolean((window.copied = [what, document.activeElement.value]));
  });
  await page.click('.result button:has-text("Share")');
  await page.waitForSelector('.toast');
  assert.deepEqual(await page.evaluate(() => window.copied), ['copy', `${files.url}r/k3m9x0aq`]);
  await done(page);
});

// A game by keyboard alone, from the first page to the result, and what is announced to a screen reader. At night it is played to
// its end; at every change the player resigns after some moves.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { pageView, Fixture, serverView } from './lib/fixture.mjs';
import { COMPUTERS, after as afterSeq, myMove, pastDanger, seqOf, shown } from './lib/player.mjs';

const fixture = new Fixture();
let page;
before(() => fixture.open());
after(() => fixture.close());

/** Presses Tab until an element that matches has the focus. @param {string} selector */
async function tabTo(selector) {
  for (let i = 0; i < 60; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by Tab`);
}

/** The label of the cursor on the board, when all that has changed is drawn. */
const cursor = async () => {
  await shown(page);
  return page.evaluate(() => {
    const board = document.querySelector('.board');
    const id = board.getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.getAttribute('aria-label')) ?? '';
  });
};

/** The hex where the cursor is. */
const hex = () => page.evaluate(() => window.taluva.page().view.cursor.hex);

/** Everything announced to a screen reader since the page was opened. */
const heard = () => page.evaluate(() => window.heard.join('\n'));

/** Waits until a sentence was announced. @param {string} sentence */
const hears = (sentence) =>
  page.waitForFunction((wanted) => window.heard.some((text) => text.includes(wanted)), sentence);

test('from the first page to the table by Tab and Enter', async () => {
  page = await fixture.visit('');
  await page.evaluate(() => {
    window.pointed = 0;
    window.heard = [];
    for (const kind of ['pointerdown', 'pointermove', 'click']) {
      addEventListener(
        kind,
        (event) => {
          if (event.pointerType) window.pointed++;
        },
        true,
      );
    }
    new MutationObserver(() => window.heard.push(document.querySelector('#live').textContent)).observe(
      document.querySelector('#live'),
      { childList: true, characterData: true, subtree: true },
    );
  });
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await tabTo('#name');
  await page.keyboard.type('Ana');
  await tabTo('#solo');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.table');
  await tabTo('.board');
});

test('the island is read hex by hex', async () => {
  assert.equal(await myMove(page), 'place');
  if (await page.evaluate(() => window.taluva.page().view.board.island.hexes.size === 0)) {
    await page.keyboard.press('Home');
    assert.match(await cursor(), /^open water, in the middle\. The volcano may go here/);
    await page.keyboard.press('Enter'); // the first tile is already in place: this confirms it
  } else {
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
  }
  assert.equal(await myMove(page), 'build');
  await page.keyboard.press('n');
  assert.match(await cursor(), /^level 1, .*\. Here you can: .*1 hut/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  assert.match(await cursor(), /^level 1, volcano, facing east, in the /, 'in words');
  await page.keyboard.press('ArrowRight');
  assert.match(await cursor(), /^level 1, /);
  assert.deepEqual(await hex(), { q: 1, r: 0 });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  assert.deepEqual(await hex(), { q: 1, r: 0 }, 'down and up lead back');
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowRight');
  assert.match(await cursor(), /^open water, in the east/);
  assert.deepEqual(await hex(), { q: 10, r: 0 });
});

test('a tile put down where it may not lie says why, and can be taken back after it lies', async () => {
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await myMove(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight'); // a field: no volcano may go there
  assert.match(await cursor(), /The volcano may not go here/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.verdict.is-illegal');
  await page.waitForFunction(() => !document.querySelector('.verdict').textContent.startsWith('Checking'));
  const why = await page.textContent('.verdict');
  assert.match(why, /volcano|level|settlement|island/i);
  await hears(why);
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  assert.equal(await myMove(page), 'build');
  await page.keyboard.press('u');
  assert.equal(await myMove(page), 'place', 'taken back');
});

test('the game is played without a pointer', async () => {
  let moves = 0;
  for (;;) {
    const step = await myMove(page);
    if (step === 'over') break;
    if (!process.env.EVERYTHING && moves > 12) {
      await page.evaluate(() => window.taluva.room().ask('resign'));
      break;
    }
    const seq = await seqOf(page);
    if (!(await page.evaluate(() => document.activeElement?.matches('.board')))) await page.focus('.board');
    const jumps = 1 + ((moves * 7) % 11);
    for (let i = 0; i < jumps; i++) await page.keyboard.press('n');
    await pastDanger(page);
    await page.keyboard.press('Enter');
    await afterSeq(page, seq);
    moves++;
  }
  assert.ok(moves > 10);
  await page.waitForSelector('.result .outcome');
  const { room, code } = await page.evaluate(() => ({
    room: window.taluva.room().id,
    code: window.taluva.room().code,
  }));
  const { state } = await serverView(fixture, room, code);
  assert.deepEqual((await pageView(page)).state, state);
  assert.equal(await page.evaluate(() => window.pointed), 0, 'no pointer was used');
});

test('every move and the end were announced to screen readers', async () => {
  await page.waitForFunction(() => window.heard.some((text) => /wins?\./.test(text)));
  const text = await heard();
  const { past, moves } = await page.evaluate(() => {
    const { past, seq } = window.taluva.room();
    const played = past.filter(({ event }) => event?.kind === 'move' && event.move !== 'draw');
    return { past: past.length === seq, moves: played.length };
  });
  assert.ok(past, 'the page knows every event');
  const told =
    text.match(new RegExp(`(Ana|${COMPUTERS}) (places|lets|founds|expands|builds)`, 'g'))?.length ?? 0;
  assert.ok(told >= moves, `${told} of ${moves} moves were said`);
  assert.match(text, /Ana takes the tile back/);
});

test('and the replay by its keys', async () => {
  await tabTo('.result button');
  await page.keyboard.press('Enter');
  await tabTo('.replay button');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => window.taluva.page().replay.at), 1);
});

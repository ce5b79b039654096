// The expansion box, played by clicks: 2-Hex tiles, boats on lagoons, the zone of the board, the fifth player.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { neighbours } from '../../clients/web/js/games/taluva/hexes.js';
import { footprint, readPlacement } from '../../clients/web/js/games/taluva/notation.js';
import { keyOf } from '../../clients/web/js/games/taluva/hexes.js';
import { pageView, Fixture, makeTable, ready, start, serverView } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { act, after as afterSeq, dice, myMove, seqOf, shown, still } from './lib/player.mjs';

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** Clicks where a hex is drawn. @param {any} page @param {string} key */
async function clickHex(page, key) {
  await page.evaluate((at) => window.taluva.page().view.board.reveal(at), key);
  await still(page);
  const { x, y } = await page.evaluate(async (at) => {
    const { board } = window.taluva.page().view;
    const { pointOf } = await import('/js/games/taluva/iso.js');
    const { hexOf } = await import('/js/games/taluva/hexes.js');
    const spot = board.camera.toScreen(pointOf(hexOf(at), board.island.levelOf(at), board.camera.turn));
    const box = board.element.getBoundingClientRect();
    return { x: spot.x + box.left, y: spot.y + box.top };
  }, key);
  await page.mouse.click(x, y);
}

/** Places the tile at the given spot, by clicks alone, and confirms. @param {any} page @param {string} move */
async function placeAt(page, move) {
  const { at, k } = readPlacement(move);
  await clickHex(page, keyOf(at));
  await page.waitForFunction((key) => {
    const { placing } = window.taluva.page().view;
    return placing.pinned && `${placing.at.q},${placing.at.r}` === key;
  }, keyOf(at));
  const turned = await page.evaluate(() => window.taluva.page().view.placing.k);
  for (let i = 0; i < (k - turned + 6) % 6; i++) await page.click('.held .round >> nth=1');
  assert.equal(await page.evaluate(() => window.taluva.page().view.placing.placement.text), move);
  const seq = await seqOf(page);
  await page.click('.hand .confirm');
  await afterSeq(page, seq);
}

/** The legal moves that the server lists now. @param {any} page @returns {Promise<string[]>} */
const legal = (page) => page.evaluate(() => window.taluva.page().moves.moves);

/**
 * Returns the legal placement that encloses most of a hex of water. @param {string[]} moves @param {string[]} wanted hexes
 * @param {string} water
 */
function enclosing(moves, wanted, water) {
  const score = (move) => {
    const cover = footprint(readPlacement(move)).map(keyOf);
    return cover.includes(water) ? -1 : cover.filter((key) => wanted.includes(key)).length;
  };
  return moves.filter(readPlacement).sort((a, b) => score(b) - score(a))[0];
}

test('boats and 2-Hex tiles in the beginner’s zone, by two browsers', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, {
    Players: '2',
    boats: true,
    two_hex: true,
    Board: 'beginner',
    'Who starts': '0',
    Tiles: '24',
  });
  const bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.click('.seat.empty button');
  await bo.waitForSelector('.seat.mine');
  await ready(ana);
  await ready(bo);
  await start(ana);
  assert.match(await ana.getAttribute('.zone-edge', 'd'), /^M.*Z$/, 'the edge of the zone is drawn');

  const water = '1,1';
  const took = { ana: '', bo: '' };
  let boat = '';
  for (let turn = 0; turn < 14 && !boat; turn++) {
    const [name, page] = turn % 2 ? ['bo', bo] : ['ana', ana];
    const step = await myMove(page);
    if (step === 'draw') {
      const offered = await page.$$eval('.offer[data-tile]', (buttons) => buttons.map((button) => button.dataset.tile));
      if (offered.length && !took[name] && turn > 0) {
        took[name] = offered[0];
        await page.click(`.offer[data-tile="${offered[0]}"]`);
        await page.click('.hand .plain'); // put it back, and take it again
        await page.waitForSelector('.hand[data-mode=draw]');
        await page.click(`.offer[data-tile="${offered[0]}"]`);
        await page.waitForSelector('.hand[data-mode=place]');
      } else {
        const seq = await seqOf(page);
        await page.click('.offer.primary');
        await afterSeq(page, seq);
        await myMove(page);
      }
    }
    const land = (await pageView(page)).state.table.hexes;
    const tile = await page.evaluate(() => window.taluva.page().view.placing.tile);
    const open = neighbours(water).filter((key) => !(key in land));
    const dangerous = await page.evaluate(() => window.taluva.page().moves.eliminating ?? []);
    const moves = (await legal(page)).filter((move) => move.startsWith(`${tile}@`) && !dangerous.includes(move));
    await placeAt(page, enclosing(moves, open, water));

    assert.equal(await myMove(page), 'build');
    const builds = await legal(page);
    const best =
      builds.find((move) => move.startsWith('boat@')) ??
      builds.find((move) => move.startsWith('hut@') && neighbours(water).includes(move.slice(4))) ??
      builds[0];
    if (best.startsWith('boat@')) {
      boat = best;
      await page.click('.kind[data-verb=boat]');
      const lagoon = await page.evaluate((at) => [...window.taluva.page().view.board.island.lagoons.get(at)], best.slice(5));
      await shown(page);
      if (!(await page.$('.hand .confirm:not(:disabled)'))) await clickHex(page, lagoon[0]);
    } else {
      await page.click(`.choice[data-move="${best}"]`);
    }
    const seq = await seqOf(page);
    await page.click('.hand .confirm:not(:disabled)');
    await afterSeq(page, seq);
  }
  assert.ok(took.ana && took.bo, 'both took a 2-Hex tile');
  assert.ok(boat, 'a boat was placed');
  const view = await serverView(fixture, room);
  assert.ok(Object.keys(view.state.table.boats).length === 1);
  for (const page of [ana, bo]) {
    await page.waitForFunction((seq) => window.taluva.room().seq === seq && window.taluva.drawn(), view.seq);
    assert.equal(await page.locator('.board .boat').count(), 1, 'and floats on the island');
    assert.ok((await page.locator('.board .lagoon').count()) >= 1);
    assert.deepEqual((await pageView(page)).state, view.state);
  }
  assert.ok(
    Object.values(view.state.table.hexes).some((token) => /^\d+v/.test(token)) || Object.values(took).includes('2JJ'),
    'the small volcanoes lie',
  );
});

test('outside the zone is refused with a sentence', async () => {
  const [{ page: ana }, { page: bo }] = fixture.visitors;
  const page = (await ana.evaluate(() => window.taluva.page().mayAct)) ? ana : bo;
  if ((await myMove(page)) === 'draw') {
    const seq = await seqOf(page);
    await page.click('.offer.primary');
    await afterSeq(page, seq);
  }
  assert.equal(await myMove(page), 'place');
  await clickHex(page, '7,0');
  await page.waitForSelector('.verdict.is-illegal');
  await page.waitForFunction(() => !document.querySelector('.verdict').textContent.startsWith('Checking'));
  assert.match(await page.textContent('.verdict'), /board|island/);
  assert.ok(await page.isDisabled('.hand .confirm'));
});

atNight('five players with everything in the box, one of them in a browser', async () => {
  const page = await fixture.visit('Eli');
  const room = await makeTable(page, { Players: '5', boats: true, two_hex: true, Board: 'player', 'Who starts': '0' });
  for (let seat = 1; seat < 5; seat++) {
    await page.click(`.seat[data-seat="${seat}"] [data-focus^=bot]`);
    await page.waitForFunction((taken) => Object.keys(window.taluva.room().state.seats).length === taken, seat + 1);
  }
  await ready(page);
  await start(page);
  assert.equal(await page.locator('.card.p-black').count(), 1, 'somebody plays black');
  const random = dice(9);
  const verbs = new Set();
  for (;;) {
    const { step, move } = await act(page, random, { take: true, prefer: ['boat', 'temple', 'tower', 'expand'] });
    if (step === 'over') break;
    verbs.add(move.split('@')[0]);
  }
  assert.ok(verbs.size > 3, [...verbs].join(' '));
  const view = await serverView(fixture, room);
  assert.deepEqual((await pageView(page)).state, view.state);
  assert.equal(view.state.options.tiles, 60);
});

// How high a hex lies is seen at a glance: higher hexes cast shadows, have lighter tops and darker walls, and numbers can be made
// large.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visitor } from './lib/chromium.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { done } from './lib/visit.mjs';

let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

async function table() {
  const page = await visitor(browser, { reducedMotion: 'reduce' });
  await playServer(page, scenes.late());
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('.hand[data-mode=place]');
  return page;
}

test('a higher hex casts its shadow to the right, and only while it is higher', async () => {
  const page = await table();
  const lengths = await page.evaluate(async () => {
    const { Island } = await import('/js/games/taluva/island.js');
    const island = new Island();
    /** @param {{[key: string]: string}} hexes @param {number} [turn] */
    const shade = (hexes, turn = 0) => {
      island.show({ hexes }, {}, 'none', turn);
      return Object.fromEntries([...island.hexes].map(([key, hex]) => [key, hex.shade.getAttribute('d').split('Z').length - 1]));
    };
    return [
      shade({ '0,0': '1J', '1,0': '1C', '0,1': '1S' }),
      shade({ '0,0': '3J', '1,0': '1C', '0,1': '1S' }), // east of it, and in front of its right wall
      shade({ '0,0': '3J', '1,0': '3C', '0,1': '1S' }),
      shade({ '0,0': '1J', '1,0': '1C', '0,1': '1S' }),
      shade({ '0,0': '3J', '1,0': '1C', '0,1': '1S' }, 3),
    ];
  });
  assert.deepEqual(lengths, [
    { '0,0': 0, '1,0': 0, '0,1': 0 },
    { '0,0': 0, '1,0': 1, '0,1': 1 },
    { '0,0': 0, '1,0': 0, '0,1': 1 },
    { '0,0': 0, '1,0': 0, '0,1': 0 },
    { '0,0': 0, '1,0': 0, '0,1': 0 }, // seen from the other side they lie to the left
  ]);
  await done(page);
});

test('the higher, the lighter the top and the darker the walls', async () => {
  const page = await table();
  const looks = await page.evaluate(() => {
    const light = (element) => {
      const [r, g, b] = getComputedStyle(element).fill.match(/[\d.]+/g).map(Number);
      return r + g + b;
    };
    return [1, 2, 3, 4].map((level) => {
      const hex = [...document.querySelectorAll(`.layer .hex.level-${level}`)].find((one) => one.querySelector('.wall-right'));
      const lift = hex.querySelector('.lift');
      return { wall: light(hex.querySelector('.wall-right')), lift: lift ? Number(getComputedStyle(lift).fillOpacity) : 0 };
    });
  });
  for (let i = 1; i < looks.length; i++) {
    assert.ok(looks[i].wall < looks[i - 1].wall, JSON.stringify(looks));
    assert.ok(looks[i].lift > looks[i - 1].lift, JSON.stringify(looks));
  }
  await done(page);
});

test('the numbers are large on request, and stay so', async () => {
  const page = await table();
  const size = () => page.$eval('.level-disc', (disc) => disc.getBBox().width);
  const before = await size();
  await page.click('.masthead button[aria-label="Settings"]');
  await page.click('.dialog .tick:has-text("Large numbers")');
  assert.ok((await size()) > before * 1.5);
  await page.reload();
  await page.waitForSelector('.level-disc');
  assert.ok((await size()) > before * 1.5, 'after a reload too');
  await done(page);
});

// A picture of the island to save: the SVG shows what the table shows without its style sheets, and the PNG, which is painted shape by
// shape, looks as the SVG does.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { launch, visitor } from './lib/chromium.mjs';
import { someOf } from './lib/night.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {any} page @param {string} kind */
async function saved(page, kind) {
  await page.click('.table-bar button[aria-label="Menu"]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`.entry:has-text("(${kind})")`)]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** How large two pictures are, how many colours they have, and which part of them differs, as Chromium draws them. @param {string[]} urls */
async function compared(urls) {
  const page = await browser.newPage();
  const found = await page.evaluate(async (addresses) => {
    const pixels = [];
    for (const url of addresses) {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      pixels.push({ width: canvas.width, height: canvas.height, data: context.getImageData(0, 0, canvas.width, canvas.height).data });
    }
    const [a, b] = pixels.map(({ data }) => data);
    const colours = new Set();
    let different = 0;
    for (let i = 0; i < a.length; i += 4) {
      colours.add((a[i] >> 4) * 256 + (a[i + 1] >> 4) * 16 + (a[i + 2] >> 4));
      if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 90) different++;
    }
    return { sizes: pixels.map(({ width, height }) => [width, height]), colours: colours.size, different: (4 * different) / a.length };
  }, urls);
  await page.close();
  return found;
}

for (const [look, options] of Object.entries(someOf({ light: {}, dark: { colorScheme: 'dark' } }, 'dark'))) {
  test(`the island as SVG and as PNG, ${look}`, async () => {
    const page = await visitor(browser, { reducedMotion: 'reduce', acceptDownloads: true, ...options });
    await playServer(page, scenes.box());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForSelector('.hand[data-mode=place]');
    const vector = await saved(page, 'SVG');
    const raster = await saved(page, 'PNG');
    assert.equal(vector.name, 'taluva-k3m9x0aq.svg');
    assert.equal(raster.name, 'taluva-k3m9x0aq.png');
    assert.equal(raster.bytes.subarray(1, 4).toString(), 'PNG');
    assert.doesNotMatch(vector.bytes.toString(), /class=|var\(/, 'no style sheet is needed');
    const { sizes, colours, different } = await compared([
      `data:image/png;base64,${raster.bytes.toString('base64')}`,
      `data:image/svg+xml;base64,${vector.bytes.toString('base64')}`,
    ]);
    assert.equal(Math.max(...sizes[0]), 2000);
    assert.deepEqual(sizes[0], sizes[1]);
    assert.ok(colours > 40, `${colours} colours`);
    assert.ok(different < 0.02, `${different} of the pixels differ`);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

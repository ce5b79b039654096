// Lessons and rules in a page whose server is played: opens them, and looks whether they fit and whether everybody can use them.

import assert from 'node:assert/strict';

import { findings } from './axe.mjs';
import { launch, visitor } from './chromium.mjs';
import { faults } from './fits.mjs';
import { NIGHT, atNight } from './night.mjs';
import { still } from './player.mjs';
import { scenes } from './scenes.mjs';
import { playServer, serveFiles } from './stage.mjs';

const EVERYTHING = Boolean(process.env.EVERYTHING);
const SCREENS = {
  wide: { viewport: { width: 1440, height: 900 } },
  'wide and dark': { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' },
  sideways: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
  small: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
};
export const LOCALES = ['en-GB', 'fr-FR', 'zh-CN', 'zh-TW'];

/** A browser, and the page's files, for the tests of one file. */
export class School {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
  }

  async open() {
    this.files = await serveFiles();
    this.browser = await launch();
  }

  async close() {
    await this.browser?.close();
    this.files?.close();
  }

  /** @param {any} [options] @param {string} [kind] "learn" or "rules" */
  async visit(options = {}, kind = 'learn') {
    const page = await visitor(this.browser, { reducedMotion: 'reduce', ...options });
    await playServer(page, scenes.rooms());
    await page.goto(`${this.files.url}#/${kind}/${this.game}`);
    await page.waitForSelector(kind === 'rules' ? '.rules' : '.lesson h2');
    return page;
  }

  /** Tests of every screen, at night. @param {string[]} ids of the lessons @param {string[]} [locales] */
  testScreens(ids, locales = LOCALES) {
    for (const [index, [screen, options]] of Object.entries(SCREENS).entries())
      for (const locale of EVERYTHING || (NIGHT && screen === 'small') ? locales : [locales[index % locales.length]])
        atNight(`the lessons fit, and everybody can use them: ${screen}, ${locale}`, () => this.look(ids, index, { ...options, locale }));
  }

  /** @param {string[]} ids @param {number} index of the screen @param {any} options */
  async look(ids, index, options) {
    const page = await this.visit(options);
    const wrong = [];
    for (const [at, id] of ids.entries()) {
      await still(page);
      wrong.push(...(await faults(page, 44)).map((fault) => `${id}: ${fault}`));
      if (EVERYTHING || at % 3 === index % 3) wrong.push(...(await findings(page)).map((fault) => `${id}: ${fault}`));
      const small = await page.isVisible('.lesson .try');
      if (small) await page.click('.lesson .try');
      if (small) await still(page);
      if (small) wrong.push(...(await faults(page, 44)).map((fault) => `${id}, tried: ${fault}`));
      const board = await page.$eval('.learn .board', ({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
      const below = await page.$$eval('.hand .confirm', (all) => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight).length);
      if (below) wrong.push(`${id}: the button that confirms is out of sight`);
      if (Math.min(...board) < 150) wrong.push(`${id}: the picture has ${board.join(' × ')} pixels`);
      if (small) await page.click('.lesson .read-again');
      await page.click('[data-focus=lesson_skip]');
    }
    await page.waitForSelector('#first-game');
    const seen = await page.$eval('#first-game', (button) => button.getBoundingClientRect().top >= 0 && button.getBoundingClientRect().bottom <= innerHeight);
    if (!seen) wrong.push('the way to the first game is out of sight');
    wrong.push(...(await faults(page, 44)), ...(await findings(page)));
    await page.click(`.lesson a[href="#/rules/${this.game}"]`);
    await page.waitForSelector('.rules figure');
    wrong.push(...[...(await faults(page, 44)), ...(await findings(page))].map((fault) => `rules: ${fault}`), ...page.troubles);
    assert.deepEqual(wrong, []);
    await page.context().close();
  }
}

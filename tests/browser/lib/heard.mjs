// Which sounds a page asks for: what makes them is replaced by a list, `window.sounds`.

const LIST = `window.sounds = [];
export const VOICES = { move: [] };
export class Player {
  async play(name) { window.sounds.push(name); }
  hush() { window.sounds.push('hush'); }
}`;

/** Before the page is opened. @param {any} page */
export const listen = (page) =>
  page.route('**/js/synth.js', (route) => route.fulfill({ contentType: 'text/javascript', body: LIST }));

/** What was asked for since the last time. @param {any} page @returns {Promise<string[]>} */
export const heard = (page) => page.evaluate(() => window.sounds?.splice(0) ?? []);

/** Waits for a sound, and says what was heard up to it. @param {any} page @param {string} name @returns {Promise<string[]>} */
export async function until(page, name) {
  await page.waitForFunction((wanted) => window.sounds?.includes(wanted), name);
  return heard(page);
}

// Totem's table against a server that is played: each decision by mouse, by keys and by finger, what is greyed and why, what
// is never sent, and that everything can be read, reached and seen.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { launch, PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { atNight } from './lib/night.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { ROOM, scenes } from './lib/totem.mjs';
import { frames, stillBox } from './lib/until.mjs';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
after(async () => {
  await browser?.close();
  files?.close();
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** @param {any} scene @param {any} [options] @param {(page: any) => Promise<unknown>} [prepare] */
async function open(scene, options = {}, prepare = async () => undefined) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await prepare(page);
  const server = await playServer(page, scene);
  await page.goto(files.url + ROOM);
  await page.waitForSelector('.quarter');
  await page.waitForFunction(() => window.taluva?.wire.pending.size === 0 && window.taluva.drawn()); // what was asked is answered and seen
  return { page, ...server };
}

/** The commands that were sent. @param {any[]} asked */
const moves = (asked) => asked.filter(({ op }) => op === 'move').map(({ move }) => move);

/** @param {() => boolean} holds */
async function until(holds) {
  for (const end = Date.now() + PATIENCE_MS; !holds(); await new Promise((resolve) => setTimeout(resolve, 20)))
    assert.ok(Date.now() < end, 'it never came to this');
}

/** The middle of what is drawn. @param {any} page @param {string} selector */
async function middle(page, selector) {
  const { x, y, width, height } = await stillBox(page, selector);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Where a hut's house is, rather than its people. @param {any} page @param {string} hut */
const house = (page, hut) => middle(page, `.hut[data-hut=${hut}] .hut-picture`);

/** In the order of the rules, not as they stand. @param {any} page @param {string} hut */
const peopleIn = (page, hut) =>
  page.$$eval(`.person[data-hut=${hut}]`, (all) => all.map((one) => one.getAttribute('data-kind')).sort((a, b) => 'gbwmWMe'.indexOf(a) - 'gbwmWMe'.indexOf(b)).join(''));

test('people are dragged to another hut, and a full hut says why it takes no more', async () => {
  const { page, asked } = await open(scenes.settle());
  await page.waitForSelector('.hand[data-mode=settle]');
  assert.equal(await page.getAttribute('.hand .confirm', 'disabled'), '', 'seven in the third hut');
  assert.match(await page.textContent('.totem-verdict'), /Hut 3 has 1 too many/);
  const drag = async (who, hut) => {
    const from = await middle(page, `.person${who}`);
    const to = await house(page, hut);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  await drag('[data-hut=R3][data-kind=M]', 'R1');
  assert.equal(await peopleIn(page, 'R1'), 'wwmmmM');
  assert.equal(await peopleIn(page, 'R3'), 'wwwmmW');
  await drag('[data-hut=R2][data-kind=e]', 'R1');
  assert.match(await page.textContent('.totem-verdict'), /The hut is full: six at most/);
  assert.equal(await peopleIn(page, 'R1'), 'wwmmmM', 'nobody moved');
  await drag('[data-hut=R2][data-kind=e]', 'G1');
  assert.match(await page.textContent('.totem-verdict'), /their own family/);
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['settle@R=wwmmmM/WWMee/wwwmmW']);
  assert.deepEqual(page.troubles, []);
});

test('a tap picks up and a tap puts down, on a phone where one quarter is shown large', async () => {
  const { page, asked } = await open(scenes.crowd(), PHONE);
  await page.waitForSelector('.village.is-alone');
  assert.equal(await page.locator('.quarter').count(), 1);
  const tap = async (at) => page.touchscreen.tap(at.x, at.y);
  await tap(await middle(page, '.person[data-hut=R3][data-kind=m] .reach'));
  await page.waitForSelector('.person.held');
  await tap(await house(page, 'R2'));
  await page.waitForSelector('.person.held', { state: 'detached' });
  assert.equal(await peopleIn(page, 'R2'), 'mWWMee');
  await tap(await middle(page, '.person[data-hut=R3][data-kind=M] .reach'));
  await page.waitForSelector('.person.held');
  await tap(await middle(page, '.leaving .leaving-name'));
  await page.waitForFunction(() => document.querySelectorAll('.person[data-hut=R0]').length === 1);
  await page.tap('.whole-village');
  await page.waitForFunction(() => document.querySelectorAll('.quarter').length === 4);
  await page.tap('.hand [data-focus=arrange]');
  await page.waitForSelector('.hand .confirm:not(:disabled)');
  await page.tap('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.match(moves(asked)[0], /^settle@R=[a-zA-Z]{6}\/[a-zA-Z]{6}\/[a-zA-Z]{6}$/);
  assert.deepEqual(page.troubles, []);
});

atNight('by keys alone: a person is taken to another hut, heard, and confirmed', async () => {
  const { page, asked } = await open(scenes.start());
  await page.waitForSelector('.hand[data-mode=settle]');
  await page.focus('.board');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  const label = () => page.$eval('.village .cursor [role=img]', (at) => at.getAttribute('aria-label'));
  assert.match(await label(), /^Red hut 1: 2 young women, 2 young men.*Enter takes: young woman/);
  await page.keyboard.press('n');
  assert.match(await label(), /Enter takes: young man/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  assert.match(await label(), /^Red hut 2: nobody\. Holding: young man/);
  await page.keyboard.press('Enter');
  assert.match(await label(), /^Red hut 2: 1 young man/);
  await page.keyboard.press('c');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['settle@R=wwmWMe/m/-']);
  assert.deepEqual(page.troubles, []);
});

test('spells are laid aside up to what is allowed, with what it costs', async () => {
  const { page, asked } = await open(scenes.choose());
  await page.waitForSelector('.hand[data-mode=choose]');
  for (const spell of 'GTH') await page.click(`.spell[data-spell=${spell}]`);
  assert.equal(await page.textContent('.totem-verdict'), 'Costs 1 bird.');
  assert.equal(await page.getAttribute('.spell[data-spell=L]', 'aria-disabled'), 'true');
  await page.click('.spell[data-spell=L]', { force: true }); // it is greyed, and says why
  assert.match(await page.textContent('.totem-verdict'), /At most 3 spells/);
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['choose@R=GTH']);
});

atNight('a spell is placed on a hut that is tapped', async () => {
  const { page, asked } = await open(scenes.cast());
  await page.click('.spell[data-spell=A]');
  await page.waitForSelector('.hut.is-open');
  const { x, y } = await house(page, 'B2');
  await page.mouse.click(x, y);
  await page.waitForSelector('.hut.is-aim[data-hut=B2]');
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['cast@R=A:B2']);
});

test('two families write, each with what it has chosen, and what is written can be taken back', async () => {
  const { page, asked } = await open(scenes.write());
  await page.click('.spell[data-spell=I]');
  await page.selectOption('.hand select', 'G2');
  await page.click('.totem-tabs [data-focus=family-B]');
  assert.equal(await page.locator('.totem-puts li').count(), 0);
  await page.click('.totem-tabs [data-focus=family-R]');
  assert.equal(await page.locator('.totem-puts li').count(), 1, 'it is still there');
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['write@R=I:G2']);
  const written = await open(scenes.written());
  await written.page.click('.hand [data-focus=undo]');
  await until(() => written.asked.some(({ op }) => op === 'undo'));
});

test('who starves is chosen in the village or in the list', async () => {
  const { page, asked } = await open(scenes.starve());
  const tap = async (who) => {
    const { x, y } = await middle(page, `.person${who} .reach`);
    await page.mouse.click(x, y);
  };
  await tap('[data-hut=R2][data-kind=e]');
  assert.match(await page.textContent('.totem-verdict'), /Elders cannot be chosen/);
  await tap('[data-hut=R1][data-kind=b]');
  await page.click('[data-pick=R3g]');
  await page.click('[data-pick=R3g]');
  assert.equal(await page.locator('.person.taken').count(), 3);
  assert.equal(await page.isDisabled('[data-pick=R1w]'), true, 'three are enough');
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['starve@R=b/-/gg']);
});

test('nothing is uncovered, and nothing answered, before the visitor has said so', async () => {
  const { page, asked } = await open(scenes.reveal(), {}, (fresh) => fresh.clock.install());
  await page.waitForSelector('.hand[data-mode=reveal]');
  await page.clock.runFor(30_000);
  await page.clock.fastForward(600_000);
  assert.deepEqual(moves(asked), []);
  assert.equal(await page.textContent('.hand .confirm'), 'Uncover 3', 'what is worth it is proposed');
  assert.equal(await page.getAttribute('.spell[data-spell=H]', 'aria-pressed'), 'false', 'health for somebody else is not');
  assert.equal(await page.textContent('.totem-verdict'), '1 spell stays hidden, and does nothing.');
  await page.click('.spell[data-spell=G]');
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  assert.deepEqual(moves(asked), ['reveal@R=T']);
});

/** Another family has been asked: now it is the visitor, in a later phase. */
const later = (step) => ({
  push: 'event',
  room: 'k3m9x0aq',
  seq: 101,
  at: 0,
  event: { kind: 'move', seat: 3, move: 'reveal@Y=-', effects: [] },
  patch: { table: { step, acting: ['R'] }, acting: [0] },
});

test('what to uncover is asked once a round, and the other phases are answered by it', async () => {
  const { page, asked, tell } = await open(scenes.reveal(), {}, (fresh) => fresh.clock.install());
  await page.waitForSelector('.hand[data-mode=reveal]');
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.click('.hand .confirm');
  await until(() => moves(asked).length === 1);
  tell(later('reveal4'));
  await page.waitForFunction(() => window.taluva?.room().seq === 101);
  await frames(page);
  await page.clock.runFor(1500);
  assert.deepEqual(moves(asked), ['reveal@R=GT']);
  await page.clock.runFor(1500);
  await until(() => moves(asked).length === 2);
  assert.deepEqual(moves(asked), ['reveal@R=GT', 'reveal@R=A']);
});

atNight('to uncover nothing is never the large button', async () => {
  for (const [name, plain, sent] of [
    ['reveal', 'plan_none', 'reveal@R=-'],
    ['choose', 'none', 'choose@R=-'],
    ['write', 'none', 'write@R=-'],
  ]) {
    const { page, asked } = await open(scenes[name]());
    await page.waitForSelector(`.hand[data-mode=${name}]`);
    for (const on of await page.$$('.planned [aria-pressed=true]')) await page.click(`[data-focus="${await on.getAttribute('data-focus')}"]`);
    await page.waitForSelector('.hand .confirm:disabled');
    await page.focus('.board');
    await page.keyboard.press('c');
    await frames(page);
    assert.deepEqual(moves(asked), [], 'nor is it by C');
    await page.click(`.hand [data-focus=${plain}]`);
    await until(() => moves(asked).length === 1);
    assert.deepEqual(moves(asked), [sent]);
    await page.context().close();
  }
});

atNight('a newcomer reads what is asked, who is who, and what a spell does', async () => {
  const none = scenes.reveal();
  none.moves.asked.R.spells = '';
  const asked = await open(none);
  await asked.page.check('.hand input[name=each]');
  await asked.page.waitForSelector('.totem-verdict:has-text("None of your spells belongs to this phase")');
  assert.equal(await asked.page.textContent('.hand [data-focus=none]'), 'Nothing to uncover');

  const settling = await open(scenes.start(), PHONE);
  await settling.page.waitForSelector('.hand[data-mode=settle]');
  const person = await middle(settling.page, '.person[data-kind=W] .reach');
  await settling.page.touchscreen.tap(person.x, person.y);
  await settling.page.waitForSelector('.totem-verdict:has-text("Holding: mature woman. Now choose a hut.")');
  const to = await house(settling.page, 'R2');
  await settling.page.touchscreen.tap(to.x, to.y);
  await settling.page.waitForSelector('.totem-verdict:has-text("2 of 3 women live with a man.")');
  assert.equal(await settling.page.textContent('.person[data-kind=e] title'), 'elder');

  const choosing = await open(scenes.choose(), PHONE);
  await choosing.page.tap('.spell[data-spell=L]');
  assert.equal(await choosing.page.textContent('.totem-does'), 'long life: the elders of the hut stay for another round');

  const only = scenes.cast();
  only.moves.asked.R.spells = 'A';
  const { page } = await open(only);
  await page.waitForSelector('.hut.is-open'); // the only spell is in the hand
  const { x, y } = await house(page, 'R2');
  await page.mouse.click(x, y);
  await page.waitForSelector('.hand .confirm:not(:disabled)');

  const since = await page.evaluate(async () => {
    const { sinceWords } = await import('/js/games/totem/describe.js');
    const move = (seat, ...effects) => ({ event: { kind: 'move', seat, effects } });
    const past = [move(0, 'born@R1=g'), move(0, 'born@R2=bb', 'born@G1=g'), move(1, 'show@G=P:R2', 'show@B=T:B1'), move(2, 'catch@R=2', 'catch@B=1', 'age', 'build@G=3', 'round@2=G')];
    return [sinceWords(past, 0, ['R']), sinceWords(past, 3, ['Y'])];
  });
  assert.deepEqual(since, [
    ['Born in Red hut 2: 2 boys.', 'Uncovered: Green: fever on Red hut 2.', 'Birds caught: Red 2.', 'The generations change.', 'Totems grow: Green 3.'],
    [],
  ]);
});

/**
 * Asks for answers beforehand while another family is asked, then is asked.
 * @param {(page: any) => Promise<unknown>} choose @param {string[]} down @param {(page: any) => Promise<unknown>} [leave] before the answer is due
 */
async function beforehand(choose, down, leave) {
  const scene = scenes.wait();
  scene.state.table.mine.R.down = Object.fromEntries(down.map((spell) => [spell, 'R1']));
  const { page, asked, tell } = await open(scene, {}, (fresh) => fresh.clock.install());
  await page.check('.hand input[name=beforehand]');
  await choose(page);
  await page.clock.pauseAt(Date.now() + 60_000); // from here on time passes only when it is told to
  scene.moves = scenes.reveal().moves;
  tell({
    push: 'event',
    room: 'k3m9x0aq',
    seq: 101,
    at: 0,
    event: { kind: 'move', seat: 3, move: 'reveal@Y=-', effects: [] },
    patch: { table: { acting: ['R'] }, acting: [0] },
  });
  await page.waitForFunction(() => window.taluva?.room().seq === 101);
  await frames(page);
  await page.waitForSelector('.hand[data-mode=reveal]');
  await page.clock.runFor(1500);
  const early = moves(asked);
  await leave?.(page);
  await page.clock.runFor(1500);
  if (leave) await page.evaluate(() => window.taluva.wire.ask('ping')); // what was sent before it has arrived
  else await until(() => moves(asked).length > 0);
  await page.context().close();
  return { early, late: moves(asked) };
}

atNight('an answer beforehand goes out after the same pause, whatever it is', async () => {
  const some = await beforehand(async () => undefined, ['T', 'H']);
  assert.deepEqual(some, { early: [], late: ['reveal@R=T'] });
  const none = await beforehand(async () => undefined, ['H']);
  assert.deepEqual(none, { early: [], late: ['reveal@R=-'] });
  const kept = await beforehand((page) => page.click('.beforehand .spell[data-spell=T]'), ['T', 'H']);
  assert.deepEqual(kept, { early: [], late: ['reveal@R=-'] });
});

atNight('an answer beforehand does not go out of a table that was left', async () => {
  const sent = await beforehand(async () => undefined, ['T', 'H'], async (page) => {
    await page.evaluate(() => void (location.hash = '#/'));
    await page.waitForSelector('.home');
  });
  assert.deepEqual(sent, { early: [], late: [] });
});

atNight('an event is told in words, and shown as numbers in the village', async () => {
  const { page, tell } = await open(scenes.wait());
  await page.evaluate(() => {
    window.heard = [];
    const live = document.querySelector('#live');
    new MutationObserver(() => window.heard.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
  });
  tell({
    push: 'event',
    room: 'k3m9x0aq',
    seq: 101,
    at: 0,
    event: {
      kind: 'move',
      seat: 3,
      move: 'reveal@Y=-',
      effects: ['born@R1=ggb', 'born@B2=g', 'catch@R=2', 'catch@G=1', 'eat@R=3', 'lack@R=1'],
    },
    patch: { table: { step: 'starve', acting: ['R'], hungry: [{ family: 'R', count: 1 }] }, acting: [0] },
  });
  await page.waitForSelector('.badge');
  const told = await page.textContent('.events li:last-child');
  assert.equal(
    told.trim(),
    'Di uncovers nothing of Yellow. Born in Red hut 1: 2 girls and 1 boy; Blue hut 2: 1 girl. Birds caught: Red 2 and Green 1. Birds eaten: Red 3. Birds missing: Red 1.',
  );
  assert.equal(await page.textContent('.events .chapter h3'), 'Round 3 · births', 'the log has chapters');
  assert.equal(await page.textContent('.hut[data-hut=R1] .badge'), '+3');
  await page.waitForFunction(() => window.heard.some((text) => text.includes('Born in Red hut 1')));
  await page.waitForFunction(() => window.heard.some((text) => text.includes('who of Red goes')));
});

atNight('scenes move where motion is wanted, and leave nothing behind', async () => {
  const { page, tell } = await open(scenes.wait(), { reducedMotion: 'no-preference' });
  const effects = ['show@B=F:R1', 'born@R1=ggb', 'catch@R=2', 'eat@R=3', 'gone@R=b/-/-', 'ill@R1=g', 'age', 'build@R=4', 'mourn@G=2'];
  tell({ push: 'event', room: 'k3m9x0aq', seq: 101, at: 0, event: { kind: 'move', seat: 3, move: 'reveal@Y=-', effects }, patch: { table: { round: 4 } } });
  await page.waitForSelector('.over > *', { state: 'attached' });
  assert.ok(await page.$$eval('.over > *', (all) => all.every((one) => one.getAnimations().length > 0)));
  await page.evaluate(() => {
    for (const motion of document.getAnimations()) if (motion.effect.getTiming().iterations === 1) motion.finish();
  });
  await page.waitForSelector('.over > *', { state: 'detached' });
  assert.deepEqual(page.troubles, []);
});

atNight('the result names the families in the order of their ranks', async () => {
  const { page } = await open(scenes.over());
  await page.waitForSelector('.result .totem-result');
  assert.equal(await page.textContent('.outcome'), 'You won!');
  const rows = await page.$$eval('.totem-result tbody tr', (lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent.trim()).join(' ')));
  assert.deepEqual(rows, ['1 Ana 6 10 4', '2 Cy 5 9 2', '3 Di 3 7 5', '4 Bo 2 8 4']);
});

atNight('the winner is seen in the village, which can be saved as a picture', async () => {
  const { page } = await open(scenes.over());
  await page.waitForSelector('.quarter.won[data-family=R] .lamp');
  assert.equal(await page.locator('.quarter.won').count(), 1);
  await page.click('.table-bar button[aria-label="Menu"]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.entry:has-text("(SVG)")')]);
  assert.equal(download.suggestedFilename(), 'totem-k3m9x0aq.svg');
  const drawing = await readFile(await download.path(), 'utf8');
  for (const words of ['Red · Ana · 10', 'Yellow · Di · 7']) assert.ok(drawing.includes(words), words);
  assert.ok(!drawing.includes('class='), 'it has its colours in it');
});

test('the first page turns to the game that is chosen', async () => {
  const page = await visitor(browser, { reducedMotion: 'reduce' });
  await playServer(page, { rooms: [] });
  await page.goto(`${files.url}#/`);
  await page.selectOption('#solo-game', 'totem');
  await page.waitForSelector('.hero .totem-hero');
  assert.equal(await page.textContent('.hero h1'), 'Totem');
  assert.equal(await page.getAttribute('#learn', 'href'), '#/learn/totem');
  assert.equal(await page.locator('#solo.confirm').count(), 1);
  assert.deepEqual(await findings(page), []);
  await page.selectOption('#solo-game', 'taluva');
  await page.waitForSelector('.hero .totem-hero', { state: 'detached' });
  assert.equal(await page.textContent('.hero h1'), 'Taluva');
  assert.deepEqual(page.troubles, []);
});

test('the form for a new table has its options, and the help says what is text and what is ruling', async () => {
  const page = await visitor(browser, { reducedMotion: 'reduce' });
  const { asked } = await playServer(page, { rooms: [] });
  await page.goto(`${files.url}#/`);
  await page.click('#new-table');
  await page.selectOption('.create .game-choice select', 'totem');
  await page.waitForSelector('.create input[name=totem_a]', { state: 'attached' });
  await page.click('.create summary');
  await page.selectOption('.create label:has-text("Players") select', '2');
  await page.selectOption('.create label:has-text("Who goes hungry") select', 'B');
  await page.selectOption('.create label:has-text("Last round") select', '12');
  await page.check('.create input[name=totem_b]');
  await page.click('.create button[type=submit]');
  await until(() => asked.some(({ op }) => op === 'create'));
  const { game, options } = asked.find(({ op }) => op === 'create');
  assert.deepEqual({ game, options }, { game: 'totem', options: { players: 2, meals: 'B', rounds: 12, totem_b: true } });
  await page.waitForURL(/k3m9x0aq/); // before that, leaving the room is no change of address
  await page.goto(`${files.url}#/`);
  await page.selectOption('#solo-game', 'totem');
  await page.click('.masthead button >> nth=0');
  const sources = await page.$$eval('.dialog li .source', (all) => all.map((one) => one.textContent));
  assert.ok(sources.filter((one) => one === 'T').length > 10 && sources.filter((one) => one === 'R').length > 5);
  assert.deepEqual(await findings(page), []);
});

const SCREENS = {
  small: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
  phone: PHONE,
  sideways: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  wide: { viewport: { width: 1280, height: 800 } },
};
const LOOKS = [
  ['en-GB', 'light'],
  ['fr-FR', 'dark'],
  ['zh-CN', 'light'],
];
for (const [at, [screen, options]] of Object.entries(SCREENS).entries())
  for (const [locale, colorScheme] of process.env.EVERYTHING ? LOOKS : [LOOKS[at % LOOKS.length]])
    atNight(`everything fits and can be reached: ${screen}, ${locale}, ${colorScheme}`, async () => {
      const all = [];
      const page = await visitor(browser, { reducedMotion: 'reduce', locale, colorScheme, ...options });
      for (const [index, name] of ['settle', 'choose', 'cast', 'write', 'reveal', 'take', 'over'].entries()) {
        await page.goto('about:blank');
        await playServer(page, scenes[name]());
        await page.goto(files.url + ROOM);
        await page.waitForSelector(name === 'over' ? '.result' : `.hand[data-mode=${name}] .confirm`);
        await page.waitForSelector('.quarter');
        const outside = await page.evaluate(() => {
          const { bottom } = document.querySelector('.side').getBoundingClientRect();
          const shown = [...document.querySelectorAll('.side .actions button:last-child')].filter((one) => one.checkVisibility());
          const button = shown[0].getBoundingClientRect();
          return button.bottom > Math.min(bottom, innerHeight) + 1 || button.height === 0;
        });
        if (outside) all.push(`${name}: the last button is not seen`);
        all.push(...(await faults(page, 44)).map((fault) => `${name}: ${fault}`));
        if (process.env.EVERYTHING || (at + index) % 2 === 0)
          all.push(...(await findings(page)).map((finding) => `${name}: ${finding}`));
      }
      all.push(...page.troubles);
      await page.context().close();
      assert.deepEqual(all, []);
    });

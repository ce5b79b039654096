// What has changed is drawn part by part, in the next frames: once, however many changes come together, and without a frame as well.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerFirst, drawn, Part } from '../../clients/web/js/frames.js';
import { launch } from './lib/chromium.mjs';
import { scenes } from './lib/scenes.mjs';
import { serveFiles } from './lib/stage.mjs';
import { done, openTable } from './lib/visit.mjs';

/** A browser in which the test says when there is a frame, and how late it is. @param {boolean} hidden whether its page is */
function browserOf(hidden) {
  const frames = [];
  const tasks = [];
  const clock = { now: 0 };
  const { requestAnimationFrame, setTimeout, clearTimeout, performance, document } = globalThis;
  Object.assign(globalThis, {
    requestAnimationFrame: (run) => frames.push(run),
    setTimeout: (run, ms = 0) => tasks.push({ run, at: clock.now + ms }),
    clearTimeout: (task) => void (tasks[task - 1].run = () => undefined),
    document: { hidden },
  });
  Object.defineProperty(globalThis, 'performance', { value: { now: () => clock.now }, configurable: true });
  /** Time without a frame. @param {number} ms */
  const passes = (ms) => {
    clock.now += ms;
    const due = tasks.filter(({ at }) => at <= clock.now);
    for (const task of due) task.at = Infinity;
    for (const { run } of due) run();
  };
  return {
    clock,
    /** @param {() => void} [meanwhile] what comes between the frame and the tasks behind it */
    frame: (meanwhile) => {
      for (const run of frames.splice(0)) run();
      meanwhile?.();
      passes(0);
    },
    passes,
    close: () => {
      Object.assign(globalThis, { requestAnimationFrame, setTimeout, clearTimeout, document });
      Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true });
    },
  };
}

test('what has changed is drawn once, part by part, and after a while in the next frame', () => {
  const { clock, frame, close } = browserOf(false);
  try {
    const done = [];
    const slow = new Part(() => {
      done.push('slow');
      clock.now += 20;
      if (done.length === 1) last.ask();
    });
    const quick = new Part(() => done.push('quick'));
    const last = new Part(() => done.push('last'));
    for (const part of [slow, quick, slow, quick]) part.ask();
    assert.deepEqual(done, [], 'not in the task that changed it');
    frame();
    assert.deepEqual(done, ['slow'], 'the others wait for the next frame');
    assert.ok(quick.due && !slow.due && !drawn());
    frame();
    assert.deepEqual(done, ['slow', 'quick', 'last']);
    assert.ok(drawn());
    quick.ask();
    quick.now();
    last.ask();
    last.drop();
    frame();
    assert.deepEqual(done.slice(3), ['quick'], 'neither again nor what was dropped');
  } finally {
    close();
  }
});

test('what is pressed before the parts are drawn has a frame first, and one alone', () => {
  const { frame, passes, close } = browserOf(false);
  try {
    let times = 0;
    const part = new Part(() => times++);
    answerFirst(); // what the part is drawn for
    part.ask();
    frame(answerFirst);
    assert.equal(times, 0, 'the frame is that of the release');
    frame(answerFirst);
    assert.equal(times, 1, 'keys that are held down do not keep it for ever');
    part.ask();
    frame();
    assert.equal(times, 2, 'at once if nothing came');
    part.ask();
    answerFirst();
    passes(250);
    passes(250);
    assert.equal(times, 3, 'without a frame, too');
    frame();
  } finally {
    close();
  }
});

test('a page that is not seen has no frames, and is drawn all the same', () => {
  for (const hidden of [false, true]) {
    const { passes, close } = browserOf(hidden); // hidden only after something was due, too
    try {
      let times = 0;
      new Part(() => times++).ask();
      assert.equal(times, 0);
      passes(hidden ? 0 : 250);
      assert.equal(times, 1, String(hidden));
    } finally {
      close();
    }
  }
});

test('a part that fails does not hold up the others', () => {
  const { frame, close } = browserOf(false);
  try {
    let times = 0;
    new Part(() => {
      throw new Error('no picture');
    }).ask();
    new Part(() => times++).ask();
    assert.throws(frame, /no picture/);
    frame();
    assert.equal(times, 1);
  } finally {
    close();
  }
});

test('pushes that come together are drawn once, the moves are asked for and the turn is named at once', async () => {
  const files = await serveFiles();
  const browser = await launch();
  try {
    const page = await openTable(browser, files.url, { ...scenes.middle(), seat: 2 });
    const found = await page.evaluate(async () => {
      const { taluva } = window;
      const { view } = taluva.page();
      const room = taluva.room();
      const { show } = view;
      const found = { shows: 0, atOnce: 0, titles: [], asked: 0 };
      view.show = (one) => {
        found.shows++;
        show.call(view, one);
      };
      const { ask } = room;
      room.ask = (op, fields) => {
        if (op === 'moves') found.asked++;
        return ask.call(room, op, fields);
      };
      for (const acting of [[1], [2], [3]]) {
        const event = { kind: 'move', seat: 0, move: 'draw' };
        room.receive({ push: 'event', room: room.id, seq: room.seq + 1, at: 0, event, patch: { acting, table: { stack: 10 + acting[0] } } });
        await new Promise((resolve) => queueMicrotask(resolve));
        found.titles.push(document.title);
      }
      found.atOnce = found.shows;
      while (!taluva.drawn()) await new Promise(requestAnimationFrame);
      return { ...found, acts: document.querySelectorAll('.card.acts').length, words: document.querySelector('.turn-line').textContent.trim() };
    });
    assert.deepEqual([found.atOnce, found.shows], [0, 1]);
    assert.equal(found.asked, 1, 'when it was the visitor’s turn');
    assert.match(found.titles[1], /^● Your turn/);
    assert.ok(!found.titles[2].startsWith('●'), found.titles[2]);
    assert.equal(found.acts, 1);
    assert.ok(found.titles[2].startsWith(found.words), found.words);
    await done(page);
  } finally {
    await browser.close();
    files.close();
  }
});

test('a field that is filled in again tells what is chosen in the one that is seen', async () => {
  const files = await serveFiles();
  const browser = await launch();
  try {
    const page = await openTable(browser, files.url, scenes.middle());
    await page.evaluate(async () => {
      const [{ fill }, { choice, slider, tick }] = await Promise.all(['dom', 'fields'].map((name) => import(`/js/${name}.js`)));
      const fields = document.body.appendChild(document.createElement('form'));
      window.told = [];
      const tell = (value) => void window.told.push(value);
      for (let i = 0; i < 2; i++) fill(fields, choice('Which', 'a', [['a', 'A'], ['b', 'B']], tell), tick('Whether', false, tell), slider('How much', 50, tell));
    });
    await page.selectOption('form:last-child select', 'b');
    await page.check('form:last-child [type=checkbox]');
    await page.fill('form:last-child [type=range]', '20');
    assert.deepEqual(await page.evaluate(() => window.told), ['b', true, 20]);
    await done(page);
  } finally {
    await browser.close();
    files.close();
  }
});

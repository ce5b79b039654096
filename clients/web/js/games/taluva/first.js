// Islands for the first page, which need nothing else of the game. One grows: the beginning of a real match, played once; whoever wants no motion sees its end. On the other
// somebody new plays a first turn: a tile and a hut of the same match.

import { svg } from '../../dom.js';
import { Part } from '../../frames.js';
import { hexOf } from './hexes.js';
import { Island } from './island.js';
import { pointOf } from './iso.js';
import { t } from './words.js';

export const styles = [new URL('./taluva.css', import.meta.url).href];

const STEP_MS = 1500;
const FIRST = 12; // so many steps are there from the beginning
const AT_ONCE = 3; // of them are drawn together
const COLOURS = { 0: 'red', 1: 'yellow', 2: 'white', 3: 'brown' };

/** What each tile and each building changes, as hex=token. */
const STEPS = [
  '0,0=1V0 1,0=1J 0,1=1C',
  '0,1=1C:0h1',
  '1,1=1V1 1,2=1C 0,2=1J',
  '0,2=1J:1h1',
  '2,1=1V4 2,0=1C 3,0=1S',
  '1,0=1J:2h1',
  '2,-1=1V3 1,-1=1L 2,-2=1S',
  '3,0=1S:3h1',
  '1,1=2J 2,1=2V3 2,0=2S',
  '1,1=2J:0h2',
  '4,-2=1V2 3,-1=1R 3,-2=1C',
  '1,2=1C:1h1',
  '2,-1=2V4 2,-2=2J 3,-2=2S',
  '2,0=2S:2h2',
  '3,-3=1V5 4,-4=1R 4,-3=1S',
  '3,-1=1R:3h1',
  '0,0=2V5 1,0=2C 1,-1=2J',
  '1,0=2C:0h2',
  '-2,2=1V5 -1,1=1S -1,2=1S',
  '-1,2=1S:1h1',
  '-1,-1=1V0 0,-1=1C -1,0=1S',
  '4,-4=1R:2h1',
  '2,-1=3V3 1,-1=3S 2,-2=3J',
  '3,-2=2S:3h2',
  '-3,1=1V0 -2,1=1C -3,2=1C',
  '1,-1=3S:0t',
  '1,-3=1V1 1,-2=1S 0,-2=1R',
  '-1,1=1S:1t',
  '-2,2=2V3 -2,1=2J -3,2=2R',
  '4,-3=1S:2h1',
  '-1,-1=2V5 0,-1=2C 0,-2=2S',
  '2,-2=3J:3t',
  '2,-4=1V0 3,-4=1J 2,-3=1J',
  '1,-2=1S:0h1',
  '1,-3=2J 2,-4=2V1 2,-3=2L',
  '-2,1=2J:1h2',
  '3,-3=2V4 4,-4=2R 3,-4=2C',
  '4,-4=2R:2h2',
  '-2,4=1V4 -2,3=1S -1,3=1J',
  '2,-3=2L:3h2',
  '-4,4=1V5 -3,3=1L -3,4=1J',
  '0,-1=2C:0h2',
  '-2,-1=1V1 -2,0=1J -3,0=1C',
  '-1,0=1S:1h1 -2,3=1S:1h1',
];

/** @param {Island} island @param {string} viewBox */
const picture = (island, viewBox) => svg('svg', { viewBox, class: 'living', 'aria-hidden': 'true', focusable: 'false' }, island.root);

/** What a step changes, by hex. @param {string} step @returns {string[][]} */
const changes = (step) => step.split(' ').map((word) => word.split('='));

export function livingIsland() {
  const island = new Island();
  const root = picture(island, '-262 -226 524 424');
  /** @type {{[key: string]: string}} */
  const hexes = {};
  let at = 0;
  /** @param {number} upTo @param {boolean} seen it happens before one's eyes */
  const grow = (upTo, seen) => {
    /** @type {string[]} */
    const changed = [];
    for (; at < upTo; at++) {
      for (const [key, token] of changes(STEPS[at])) {
        hexes[key] = token;
        changed.push(key);
      }
    }
    island.show({ hexes }, COLOURS);
    if (seen) for (const key of changed) island.hexes.get(key)?.element.classList.add('fresh');
  };
  const begin = matchMedia('(prefers-reduced-motion: reduce)').matches ? STEPS.length : FIRST;
  const beginning = new Part(() => {
    grow(Math.min(begin, at + AT_ONCE), false);
    if (at < begin && root.isConnected) beginning.ask();
  });
  beginning.ask();
  const timer = setInterval(() => {
    if (!root.isConnected || at === STEPS.length) clearInterval(timer);
    else if (!document.hidden && at >= begin) grow(at + 1, true);
  }, STEP_MS);
  return root;
}

/** The turn that somebody new plays: what was there before it, its tile, and the hut on it. */
const FIRST_TURN = { before: 10, tile: '4,-2=1V2 3,-1=1R 3,-2=1C', hut: '3,-1=1R:1h1' };
const SEA = { left: -90, top: -150, width: 390, height: 300 }; // what is seen of the drawing

/** @returns {import('../game.js').FirstTurn} */
export function firstTurn() {
  const island = new Island();
  const hexes = Object.fromEntries(STEPS.slice(0, FIRST_TURN.before).flatMap(changes));
  island.show({ hexes }, COLOURS);
  const [[volcano], [land]] = changes(FIRST_TURN.tile);
  const keys = changes(FIRST_TURN.tile).map(([key]) => key);
  const place = (/** @type {string} */ key, up = 0) => {
    const { x, y } = pointOf(hexOf(key), 1, 0);
    return { x: (x - SEA.left) / SEA.width, y: (y - up - SEA.top) / SEA.height };
  };
  const lay = (/** @type {string} */ step) => {
    Object.assign(hexes, Object.fromEntries(changes(step)));
    island.show({ hexes }, COLOURS);
    for (const [key] of changes(step)) island.hexes.get(key)?.element.classList.add('fresh');
  };
  const held = (/** @type {boolean} */ on) => {
    for (const key of keys) island.hexes.get(key)?.element.classList.toggle('held', on);
  };
  return {
    picture: picture(island, `${SEA.left} ${SEA.top} ${SEA.width} ${SEA.height}`),
    ratio: SEA.width / SEA.height,
    steps: [
      { words: t('first_put'), ...place(volcano), act: () => (lay(FIRST_TURN.tile), held(true)) },
      { words: t('first_lay'), ...place(volcano), act: () => held(false) },
      { words: t('first_hut'), ...place(land), act: () => lay(FIRST_TURN.hut) },
    ],
    done: t('first_done'),
  };
}

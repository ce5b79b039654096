// The village by itself, as a drawing of its own: for pictures to save.

import { svg } from '../../dom.js';
import { layOut } from './layout.js';
import { hutsOf } from './notation.js';
import { homeOf, householdOf } from './scenery.js';
import { familiesOf } from './table.js';
import { Village } from './village.js';

const WIDTH = 1080,
  HEIGHT = 860,
  SEA = 60; // around the village

/** The village of a table on its island. @param {import('../game.js').Message} state */
export function portrait(state) {
  const families = familiesOf(state);
  const area = { x: SEA, y: SEA, width: WIDTH - 2 * SEA, height: HEIGHT - 2 * SEA };
  const village = new Village();
  village.area = area;
  village.plan = layOut(area, families);
  village.drawLand(WIDTH, HEIGHT);
  const scene = {
    families: Object.fromEntries(families.map((family) => [family, householdOf(state, family, {})])),
    huts: Object.fromEntries(families.flatMap(hutsOf).map((hut) => [hut, homeOf(state, hut, {}, -1)])),
    held: null,
    movable: () => false,
    supply: state.table.supply ?? 0,
    name: () => '',
    away: '',
  };
  const { middle } = village.plan;
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    svg(
      'g',
      { class: 'village still' },
      svg('rect', { class: 'open-sea', x: 0, y: 0, width: WIDTH, height: HEIGHT }),
      village.land,
      ...families.map((family) => village.quarter(scene, family)),
      middle && village.middle(scene, middle),
    ),
  );
}

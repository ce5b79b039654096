// Which parts of a table's picture lie under its panels.

const PANELS = '.table-bar, .cards, .side, .view-buttons, .replay, .log, .ending, .ask-bar.tip, .ask-bar.away'; // they may lie over the picture
const SIDE_HEIGHT = 310; // at least this is kept clear for the side panel, so that the picture does not move with it

/** @param {Element} picture @param {Element} table @param {Element} side its panel @returns {import('./games/game.js').Box[]} in pixels of the picture */
export function panelsOver(picture, table, side) {
  const stage = picture.getBoundingClientRect();
  const panels = [];
  for (const panel of table.querySelectorAll(PANELS)) {
    const box = panel.getBoundingClientRect();
    const high = panel === side && box.height ? Math.max(box.height, SIDE_HEIGHT) : box.height;
    if (!high || box.bottom <= stage.top || box.top >= stage.bottom) continue;
    panels.push({ left: box.left - stage.left, right: box.right - stage.left, top: box.bottom - high - stage.top, bottom: box.bottom - stage.top });
  }
  return panels;
}

// Where everything of the village lies, in pixels of the picture: four quarters around the middle, or in a row, or one alone.

/** @typedef {import('../game.js').Box} Box */
/** @typedef {{x: number, y: number, width: number, height: number}} Area */
/**
 * A family's quarter.
 * @typedef {object} Quarter
 * @property {Area} area
 * @property {Area[]} huts
 * @property {Area} pole
 * @property {Area} pen
 * @property {Area} title
 */

/** How much of their height people need beside each other, and behind each other. */
export const ASIDE = 0.42,
  BEHIND = 0.62;

const GAP = 10,
  MIDDLE_HIGH = 46,
  TALL = 1.15, // height of the huts' field to its width from which they stand in two rows
  NARROW = 190, // pixels of a quarter whose title needs all of its width
  SMALLEST = 8, // pixels of a person
  LOW = 160; // a quarter that is less high has its birds beside its title

/** @param {Box} box @returns {number} */
const sizeOf = (box) => Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);

/** What panels leave of a picture: each cuts off the side that costs least. @param {number} width @param {number} height @param {Box[]} panels @returns {Area} */
export function freeArea(width, height, panels) {
  let free = { left: 0, top: 0, right: width, bottom: height };
  for (const panel of [...panels].sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const apart =
      panel.right <= free.left || panel.left >= free.right || panel.bottom <= free.top || panel.top >= free.bottom;
    if (apart) continue;
    const cuts = [
      { ...free, left: panel.right },
      { ...free, right: panel.left },
      { ...free, top: panel.bottom },
      { ...free, bottom: panel.top },
    ];
    free = cuts.reduce((best, cut) => (sizeOf(cut) > sizeOf(best) ? cut : best));
  }
  return { x: free.left, y: free.top, width: free.right - free.left, height: free.bottom - free.top };
}

/** How many quarters stand beside each other, so that huts are as large as can be. @param {Area} area @param {number} families */
export function columnsFor(area, families) {
  const room = (/** @type {number} */ columns) => {
    const rows = Math.ceil(families / columns);
    return Math.min(area.width / columns / 3.4, area.height / rows / 2.3);
  };
  const choices = families > 2 ? [2, families, 1] : [1, 2];
  return choices.reduce((best, columns) => (room(columns) > room(best) + 0.5 ? columns : best));
}

/**
 * @typedef {object} Plan
 * @property {{[family: string]: Quarter}} quarters
 * @property {Area | null} middle between two rows of quarters, where there is room for it
 */
/** @param {Area} area @param {string[]} families that are shown, clockwise @returns {Plan} */
export function layOut(area, families) {
  const columns = columnsFor(area, families.length);
  const rows = Math.ceil(families.length / columns);
  const square = columns === 2 && rows === 2;
  const strip = square && area.height > 470 ? MIDDLE_HIGH : 0;
  const width = area.width / columns,
    height = (area.height - strip) / rows;
  const middle = strip ? { x: area.x, y: area.y + height, width: area.width, height: strip } : null;
  const quarters = Object.fromEntries(
    families.map((family, i) => {
      const row = Math.floor(i / columns);
      const inRow = Math.min(columns, families.length - row * columns);
      const column = square && row === 1 ? inRow - 1 - (i % columns) : i % columns; // clockwise
      const indent = ((columns - inRow) * width) / 2;
      return [
        family,
        quarterOf({
          x: area.x + indent + column * width + GAP / 2,
          y: area.y + row * (height + strip) + GAP / 2,
          width: width - GAP,
          height: height - GAP,
        }),
      ];
    }),
  );
  return { quarters, middle };
}

/** @param {Area} area @returns {Quarter} */
export function quarterOf(area) {
  const { x, y, width, height } = area;
  const low = height < LOW;
  const pole = { x: x + 9, y: y + 26, width: Math.max(20, Math.min(52, width * 0.13)), height: height - 34 };
  const edge = width < NARROW ? 10 : 20;
  const title = { x: x + edge, y: y + 9, width: width - 2 * edge, height: 18 };
  const penHeight = Math.max(28, Math.min(70, height * 0.18));
  const left = pole.x + pole.width + 6;
  const inner = x + width - 8 - left;
  const pen = low
    ? { x: x + width - edge - 40, y: y + 8, width: 40, height: 20 }
    : { x: left + 2, y: y + height - penHeight - 9, width: inner - 8, height: penHeight };
  const top = title.y + title.height;
  const high = (low ? y + height - 6 : pen.y) - top - 3;
  return { area, huts: hutsIn({ x: left, y: top, width: inner, height: high }), pole, pen, title };
}

/** Three huts beside each other; where it is high, two, and one before them. @param {Area} field @returns {Area[]} */
function hutsIn({ x, y, width, height }) {
  if (height < width * TALL) return [0, 1, 2].map((n) => ({ x: x + (n * width) / 3, y, width: width / 3, height }));
  const cell = { width: width / 2, height: height / 2 };
  return [
    { x, y, ...cell },
    { x: x + cell.width, y, ...cell },
    { x: x + cell.width / 2, y: y + cell.height, ...cell },
  ];
}

/**
 * How people stand in a field: as large as they fit, in rows, the last of which is the nearest.
 * @param {number} people @param {Area} field @param {number} most the height of a grown-up
 * @returns {{size: number, rows: number, perRow: number}} `size`: the height of a grown-up; `perRow`: at most
 */
export function crowd(people, field, most) {
  const standing = (/** @type {number} */ size) => {
    const fit = Math.max(1, Math.floor(field.width / (size * ASIDE)));
    const rows = Math.ceil(people / fit);
    return { size, rows, perRow: Math.ceil(people / rows) };
  };
  for (let size = most; size > SMALLEST; size -= 0.5) {
    const all = standing(size);
    if (size + (all.rows - 1) * size * BEHIND <= field.height) return all;
  }
  return standing(SMALLEST);
}

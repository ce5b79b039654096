// What Taluva's moves sound like: tiles of stone, houses of wood, and the volcano.

/** @type {import('../game.js').Voices} */
export default {
  tile: [
    { at: 0, of: 'stone', pitch: 430, force: 0.8, last: 0.16 },
    { at: 0.012, of: 'wood', pitch: 120, force: 0.8, last: 0.22 },
  ],
  hut: [
    { at: 0, of: 'wood', pitch: 820, force: 0.8, last: 0.1 },
    { at: 0.045, of: 'wood', pitch: 430, force: 0.7, last: 0.14 },
  ],
  tower: [480, 600, 720].map((pitch, i) => ({ at: i * 0.09, of: 'stone', pitch, force: 0.8, last: 0.16 })),
  temple: [
    { at: 0, of: 'stone', pitch: 240, force: 0.8, last: 0.24 },
    { at: 0.12, of: 'stone', pitch: 300, force: 0.7, last: 0.24 },
    { at: 0.24, of: 'bar', pitch: 196, force: 0.6, last: 0.6 },
    { at: 0.24, of: 'bar', pitch: 294, force: 0.45, last: 0.6 },
  ],
  boat: [260, 310].map((pitch, i) => ({ at: i * 0.14, of: 'wood', pitch, force: 0.8, last: 0.24 })),
  eruption: [
    { at: 0, of: 'rumble', pitch: 170, force: 1, last: 0.9 },
    ...[0.02, 0.11, 0.17, 0.28, 0.36].map((at, i) => ({ at, of: 'stone', pitch: 330 + 90 * ((i * 3) % 5), force: 0.42 - 0.05 * i, last: 0.12 })),
    { at: 0.03, of: 'wood', pitch: 95, force: 0.7, last: 0.3 },
  ],
};

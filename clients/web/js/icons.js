// The small pictures on buttons, each one path in a box of 24.

import { el, svg } from './dom.js';

/** @type {{[name: string]: string}} */
const PATHS = {
  left: 'M7 8a7 7 0 1 1-1.5 8M7 3v5h5',
  right: 'M17 8a7 7 0 1 0 1.5 8M17 3v5h-5',
  viewLeft: 'M20 12c0 3-3.6 5-8 5-2 0-4-.5-5.5-1.3M4 12c0-3 3.6-5 8-5s8 2 8 5M9.5 13l-3.5 2.5 2 4',
  viewRight: 'M4 12c0 3 3.6 5 8 5 2 0 4-.5 5.5-1.3M20 12c0-3-3.6-5-8-5s-8 2-8 5M14.5 13l3.5 2.5-2 4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  gear: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4',
  sound: 'M4 10v4h4l5 4V6l-5 4zM16 9.5a4 4 0 0 1 0 5M18.5 7a8 8 0 0 1 0 10',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  mute: 'M4 10v4h4l5 4V6l-5 4zM16.5 9.5l5 5M21.5 9.5l-5 5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  chat: 'M4 5h16v11H11l-5 4v-4H4z',
  check: 'M4 13l5 5L20 6',
  undo: 'M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-3',
  first: 'M6 5v14M18 5l-9 7 9 7z',
  back: 'M16 5l-9 7 9 7z',
  play: 'M8 5l10 7-10 7z',
  pause: 'M8 5v14M16 5v14',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M6 5l9 7-9 7z',
  share: 'M12 15V3M8 7l4-4 4 4M6 11H4v10h16V11h-2',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20c1-4 4-6 8-6s7 2 8 6',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
  home: 'M4 11l8-7 8 7M6 10v10h12V10',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M12 4v12M7 11l5 5 5-5M5 20h14',
  lamp: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z',
  curve: 'M4 4v16h16M7 15l4-6 4 4 5-8',
  dots: 'M6 7h.010M12 5h.010M18 7h.010M5 13h.010M19 13h.010M8 19h.010M15 19h.010',
  wave: 'M7 13V6.5a1.5 1.5 0 0 1 3 0V11 4.5a1.5 1.5 0 0 1 3 0V11 5.5a1.5 1.5 0 0 1 3 0V14c0 4-2 7-5.5 7-3 0-4.5-1.5-6.5-5l-1-2a1.5 1.5 0 0 1 2.6-1.4z',
  good: 'M7 11v9H4v-9zM7 11l4-8c1.7 0 2.5 1 2.2 2.7L12.5 10H19c1.3 0 2 1 1.7 2.2l-1.7 6.3c-.3 1-1 1.5-2 1.5H7',
  laugh: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 9.5v.01M15.5 9.5v.01M7.5 13.5c1 3 2.5 4 4.5 4s3.5-1 4.5-4z',
  think: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 9.5v.01M15.5 9.5v.01M9 16.5l6-1.5',
  wow: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 9.5v.01M15.5 9.5v.01M12 14a1.8 2 0 1 0 0 4 1.8 2 0 0 0 0-4z',
  thanks: 'M12 20C5 15 3 11.5 3 8.5a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 3-2 6.5-9 11.5z',
  friends: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 2.8-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.3M18 14.5c2.3.8 3.5 2.7 3.5 5.5',
  device: 'M7 3h10v18H7zM11 18h2',
  book: 'M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14',
  robot: 'M6 9h12v9H6zM12 9V5M9 13h.010M15 13h.010M4 12v4M20 12v4',
};

/** @param {string} name */
export function glyph(name) {
  return svg(
    'svg',
    { class: 'glyph', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name] }),
  );
}

/**
 * A button with a picture and, unless `label` is only for screen readers, a word.
 * @param {string} name @param {string} label @param {() => void} onclick @param {{[name: string]: any}} [more] `bare`: picture alone
 */
export function iconButton(name, label, onclick, { bare = false, ...more } = {}) {
  return el(
    'button',
    { type: 'button', 'aria-label': bare ? label : null, title: bare ? label : null, onclick, ...more },
    glyph(name),
    !bare && el('span', {}, label),
  );
}

// What this browser remembers: name, session, theme, language, sound. Where nothing may be stored, it lasts for the visit.

/** @type {Map<string, string>} */
const passing = new Map();

/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(`taluva.${name}`) ?? passing.get(name) ?? '';
  } catch {
    return passing.get(name) ?? '';
  }
}

/** @param {string} name @param {string} value */
function write(name, value) {
  passing.set(name, value);
  try {
    if (value === '') localStorage.removeItem(`taluva.${name}`);
    else localStorage.setItem(`taluva.${name}`, value);
  } catch {
    // private browsing: `passing` has it
  }
}

function drawNumber() {
  return crypto.getRandomValues(new Uint32Array(1))[0].toString(16).padStart(8, '0');
}

export const prefs = {
  get name() {
    return read('name');
  },
  set name(value) {
    write('name', value);
  },
  get token() {
    return read('token');
  },
  set token(value) {
    write('token', value);
  },
  /** A number of this browser's, whoever enters in it; drawn when it is asked for first. */
  get device() {
    if (!read('device')) write('device', drawNumber());
    return read('device');
  },
  /** Tokens that the server did not know, as aside.js writes them. */
  get aside() {
    return read('aside');
  },
  set aside(value) {
    write('aside', value);
  },
  /** Who plays at this device besides the visitor, as guests.js writes it. */
  get guests() {
    return read('guests');
  },
  set guests(value) {
    write('guests', value);
  },
  /** Of anybody's, also what a match has made of the visitor's own. */
  get hideRatings() {
    return read('hide-ratings') === 'yes';
  },
  set hideRatings(value) {
    write('hide-ratings', value ? 'yes' : '');
  },
  /** "" follows the browser */
  get language() {
    return read('language');
  },
  set language(value) {
    write('language', value);
  },
  /** "" follows the system, else "light" or "dark" */
  get theme() {
    return read('theme');
  },
  set theme(value) {
    write('theme', value);
  },
  get sound() {
    return read('sound') === 'on';
  },
  set sound(on) {
    write('sound', on ? 'on' : 'off');
  },
  /** Whether sounds were ever switched on. */
  get soundChosen() {
    return read('sound') !== '';
  },
  /** How loud sounds are, 1 to 100. */
  get volume() {
    return Number(read('volume')) || 60;
  },
  set volume(value) {
    write('volume', String(value));
  },
  /** The word for the computer's level that was chosen last, "" for none. @param {string} game */
  level(game) {
    return read(`level.${game}`);
  },
  /** @param {string} game @param {string} word */
  setLevel(game, word) {
    write(`level.${game}`, word);
  },
  /** What was looked for by quick match the last time, as quick.js writes it. */
  get quick() {
    return read('quick');
  },
  set quick(value) {
    write('quick', value);
  },
  /** Is talk in the lobby not folded away? */
  get chatOpen() {
    return read('chat') === 'open';
  },
  set chatOpen(open) {
    write('chat', open ? 'open' : '');
  },
  /** In which room, "" in that of the page's language. */
  get chatLang() {
    return read('chat-lang');
  },
  set chatLang(lang) {
    write('chat-lang', lang);
  },
  /** The last line of it that was seen. */
  get chatSeen() {
    return Number(read('chat-seen')) || 0;
  },
  set chatSeen(line) {
    write('chat-seen', String(line));
  },
  /** The lesson of the tutorial to go on with, from 0. @param {string} game */
  lesson(game) {
    return Number(read(`lesson.${game}`)) || 0;
  },
  /** @param {string} game @param {number} at */
  setLesson(game, at) {
    write(`lesson.${game}`, at ? String(at) : '');
  },
  /** The tips of a first game that were not given yet. @param {string} game */
  tips(game) {
    return read(`tips.${game}`).split(' ').filter(Boolean);
  },
  /** @param {string} game @param {string[]} names */
  setTips(game, names) {
    write(`tips.${game}`, names.join(' '));
  },
  /** Whether somebody has played in this browser. */
  get begun() {
    return read('begun') !== '';
  },
  set begun(yes) {
    write('begun', yes ? 'yes' : '');
  },
  /** Large numbers on the board. */
  get numerals() {
    return read('numerals') === 'large';
  },
  set numerals(large) {
    write('numerals', large ? 'large' : '');
  },
  get notify() {
    return read('notify') === 'on';
  },
  set notify(on) {
    write('notify', on ? 'on' : '');
  },
  /** Where the server was told to send messages for this browser; "": nowhere. */
  get endpoint() {
    return read('endpoint');
  },
  set endpoint(value) {
    write('endpoint', value);
  },
  /** The room in which the player was asked whether to be told of turns; "no": has answered. */
  get askedIn() {
    return read('askedin');
  },
  set askedIn(value) {
    write('askedin', value);
  },
};

/** @param {boolean} large */
export function applyNumerals(large) {
  document.documentElement.classList.toggle('large-numerals', large);
}

/** @param {string} theme */
export function applyTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

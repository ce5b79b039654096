// What is said of other people, and for them: whom this player has blocked, whom they follow and who of them is there, who somebody is, who is
// best, what was decided of oneself; and programs of one's own.

import { endWords, openArchive } from './archive.js';
import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { tick } from './fields.js';
import { addStyle, entryOf } from './games/registry.js';
import { t } from './latewords.js';
import { Passkeys } from './passkeys.js';
import { peopleOf } from './played.js';
import { CLASSES, classWords, fetchLines, ratingsOf, ratingWords } from './rating.js';
import { searchOf } from './search.js';
import { copyField } from './share.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const REFRESH_MS = 20_000; // who is there is asked again, as long as it is shown

/** Somebody by the handle, and one button. */
class HandleForm {
  /** @param {string} word of the button @param {(handle: string) => void} act */
  constructor(word, act) {
    this.wrong = el('p', { class: 'hint', role: 'alert' });
    this.input = el('input', {
      type: 'text',
      minlength: 3,
      maxlength: 21,
      required: true,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    });
    this.element = el(
      'form',
      { class: `${word}-form` },
      el('label', { class: 'field' }, el('span', {}, t('handle')), this.input),
      this.wrong,
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm' }, t(word))),
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      act(this.input.value.trim().replace(/^@/, ''));
    });
  }

  /** What fails is said here. @param {() => Promise<void>} ask */
  async attempt(ask) {
    this.wrong.textContent = '';
    try {
      await ask();
      this.input.value = '';
    } catch (error) {
      this.wrong.textContent = errorText(error);
      this.input.focus();
    }
  }
}

class Blocked {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.wire = shell.wire;
    this.list = el('ul', { class: 'devices blocked', 'aria-live': 'polite' });
    this.form = new HandleForm('block', (handle) => void this.change('block', handle));
    openDialog(t('blocked'), el('p', { class: 'hint' }, t('blocked_hint')), this.list, this.form.element);
  }

  async refresh() {
    const { blocks } = await this.wire.askPatiently('blocks');
    fill(this.list, ...blocks.map((/** @type {Message} */ block) => this.line(block)));
  }

  /** @param {Message} block */
  line({ handle, since }) {
    return el(
      'li',
      {},
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), el('small', {}, agoText(this.wire.now() - since))),
      el('button', { type: 'button', class: 'plain', onclick: () => void this.change('unblock', handle) }, t('unblock')),
    );
  }

  /** @param {string} op @param {string} handle */
  async change(op, handle) {
    await this.form.attempt(async () => {
      await this.wire.askPatiently(op, { handle });
      await this.refresh();
    });
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openBlocked(shell) {
  await addStyle(new URL('../css/devices.css', import.meta.url).href);
  await new Blocked(shell).refresh();
}

class Friends {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    /** @type {Message[]} */
    this.friends = [];
    /** @type {ReturnType<typeof peopleOf>} */
    this.met = [];
    this.list = el('ul', { class: 'devices friends-list', 'aria-live': 'polite' });
    this.played = el('ul', { class: 'devices friends-met' });
    this.metTitle = el('h3', { hidden: true }, t('follows_met'));
    this.form = new HandleForm('follow', (handle) => void this.change('follow', handle));
    this.note = el('p', { class: 'hint' });
    this.seen = el('div');
    this.dialog = openDialog(t('follows'), el('p', { class: 'hint' }, t('follows_hint')), this.list, this.note, this.form.element, this.metTitle, this.played, this.seen);
    const timer = setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS);
    this.dialog.addEventListener('close', () => clearInterval(timer));
  }

  async open() {
    await this.refresh();
    const { games } = await this.wire.askPatiently('games');
    this.met = peopleOf(games);
    this.draw();
  }

  async refresh() {
    const { friends, hidden, incomplete } = await this.wire.askPatiently('friends');
    this.friends = friends;
    this.note.textContent = incomplete ? t('follows_incomplete') : '';
    if (!this.seen.firstChild || this.hidden !== !!hidden) {
      this.hidden = !!hidden;
      fill(this.seen, tick(t('presence_shown'), !hidden, (on) => this.show(on)));
    }
    this.draw();
  }

  draw() {
    const followed = new Set(this.friends.map(({ handle }) => handle));
    const others = this.met.filter(({ handle }) => !followed.has(handle));
    fill(this.list, ...[...this.friends].sort((a, b) => Number(!!b.online) - Number(!!a.online)).map((one) => this.friendLine(one)));
    fill(this.played, ...others.map((one) => this.metLine(one)));
    this.metTitle.hidden = others.length === 0;
  }

  /** @param {string} handle @param {string} word @param {() => unknown} act */
  button(handle, word, act) {
    return el('button', { type: 'button', class: 'plain', 'aria-label': `${t(word)}: @${handle}`, onclick: () => void act() }, t(word));
  }

  /** @param {Message} friend */
  friendLine({ handle, online, playing, room }) {
    const words = t(playing ? 'friend_plays' : 'device_online');
    return el(
      'li',
      { 'data-friend': handle },
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), online && el('small', { class: 'is-there' }, words)),
      room && el('a', { class: 'button friend-watch', href: `#/r/${room}`, 'aria-label': `${t('watch')}: @${handle}`, onclick: () => this.dialog.close() }, t('watch')),
      this.button(handle, 'play_with', () => this.play(handle, this.met.find((one) => one.handle === handle)?.game)),
      this.button(handle, 'unfollow', () => this.change('unfollow', handle)),
    );
  }

  /** @param {{handle: string, game: string, at: number}} one */
  metLine({ handle, game, at }) {
    return el(
      'li',
      { 'data-met': handle },
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), el('small', {}, `${entryOf(game)?.title ?? game} · ${agoText(this.wire.now() - at)}`)),
      this.button(handle, 'play_again', () => this.play(handle, game)),
      this.button(handle, 'follow', () => this.change('follow', handle)),
    );
  }

  /** A match with that one alone: the first page shows how long one has waited. @param {string} handle @param {string} [game] */
  async play(handle, game = this.shell.game.id) {
    this.dialog.close();
    this.shell.go('#/');
    await searchOf(this.shell).begin({ game, sizes: [2], clocks: ['normal'], handle });
  }

  /** What holds afterwards. @param {boolean} shown */
  async show(shown) {
    await this.form.attempt(async () => {
      this.hidden = (await this.wire.askPatiently('presence', { hidden: !shown })).hidden;
    });
    return !this.hidden;
  }

  /** @param {string} op @param {string} handle */
  async change(op, handle) {
    await this.form.attempt(async () => {
      await this.wire.askPatiently(op, { handle });
      await this.refresh();
    });
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openFriends(shell) {
  await addStyle(new URL('../css/devices.css', import.meta.url).href);
  await new Friends(shell).open();
}

// ---- who somebody is

/** @param {string} game */
const gameTitle = (game) => entryOf(game)?.title ?? game;

/** @param {Message} kind */
function kindOf({ game, against, size }) {
  return `${gameTitle(game)} · ${t(against === 'people' ? 'who_people' : 'who_computers', { n: size })}`;
}

/** @param {Message} kind */
function kindLine(kind) {
  const { matches, won, finished } = kind;
  return el('li', {}, el('strong', {}, kindOf(kind)), el('small', {}, t('who_sums', { matches, won, finished })));
}

/** @param {Message} match @param {number} now */
function matchLine(match, now) {
  const how = t(match.won ? 'who_won' : match.left ? 'who_left' : 'who_lost');
  return el(
    'li',
    {},
    el('a', { href: `#/r/${match.room}` }, kindOf(match)),
    el('small', {}, `${how} · ${agoText(now - match.at)}`),
  );
}

/** How the last ones ended, and against which computers. @param {Message} recent */
function recentSums({ of, ends, levels }) {
  const line = (/** @type {Message} */ { game, why, level, size, matches, won }) =>
    el('li', {}, el('strong', {}, `${gameTitle(game)} · ${why ? endWords(why) : `${t(`level_${level}`)} · ${size}`}`), el('small', {}, `${t('who_won')}: ${won} / ${matches}`));
  return el('div', { class: 'recent-sums' }, el('h3', {}, t('recent_of', { n: of })), el('ul', {}, ...[...ends, ...levels].map(line)));
}

class Who {
  /** @param {import('./shell.js').Shell} shell @param {string} handle */
  constructor(shell, handle) {
    this.shell = shell;
    this.wire = shell.wire;
    this.about = el('div', { class: 'who-is', 'aria-live': 'polite' });
    this.dialog = openDialog(t('who_is', { handle }), this.about);
    this.about.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLAnchorElement) this.dialog.close();
    });
    void this.fetch(handle);
  }

  /** @param {string} handle */
  async fetch(handle) {
    try {
      const profile = await this.wire.askPatiently('profile', { handle });
      this.show(profile);
      const ratings = await ratingsOf(profile.account);
      if (ratings) this.about.append(ratings);
    } catch (error) {
      fill(this.about, el('p', { role: 'alert' }, errorText(error)));
    }
  }

  /** A match with that one alone: the first page shows how long one has waited. @param {string} handle */
  async challenge(handle) {
    this.dialog.close();
    this.shell.go('#/');
    await searchOf(this.shell).begin({ game: this.shell.game.id, sizes: [2], clocks: ['normal'], handle });
  }

  /** @param {string} handle @param {HTMLButtonElement} button that says what has come of it */
  async follow(handle, button) {
    button.disabled = true;
    button.textContent = await this.wire.askPatiently('follow', { handle }).then(() => t('followed'), errorText);
  }

  /** @param {Message} profile */
  show({ handle, since, hidden, matches, last, recent }) {
    const now = this.wire.now();
    const own = this.wire.hello.account;
    const button = el('button', { type: 'button', class: 'plain', id: 'follow-person', onclick: () => void this.follow(handle, button) }, t('follow'));
    fill(
      this.about,
      el('p', { class: 'handle' }, `@${handle}`),
      el('p', { class: 'hint' }, t('who_since', { ago: agoText(now - since) })),
      hidden && el('p', { class: 'hint' }, t('who_hidden')),
      matches?.length === 0 && el('p', { class: 'hint' }, t('who_nothing')),
      matches?.length > 0 && el('ul', {}, ...matches.map(kindLine)),
      own && own.handle !== handle && el('button', { type: 'button', class: 'plain', id: 'challenge', onclick: () => void this.challenge(handle) }, t('challenge')),
      own && own.handle !== handle && button,
      recent?.of > 0 && recentSums(recent),
      last?.length > 0 && el('h3', {}, t('who_last')),
      last?.length > 0 && el('ul', {}, ...last.map((/** @type {Message} */ match) => matchLine(match, now))),
      last?.length > 0 && el('button', { type: 'button', class: 'plain', id: 'archive-of', onclick: () => (this.dialog.close(), openArchive(this.shell, handle)) }, t('archive')),
    );
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} handle */
export function openWho(shell, handle) {
  return new Who(shell, handle);
}

// ---- who is best

/** @param {Message} row @param {number} at from 0 */
function leaderRow(row, at) {
  const name = el('button', { type: 'button', class: 'name named', 'data-handle': row.handle, title: t('who_is', { handle: row.handle }) }, `@${row.handle}`);
  return el('tr', {}, el('td', {}, String(at + 1)), el('th', { scope: 'row' }, name), el('td', {}, ratingWords(row)), el('td', {}, String(row.matches)));
}

/** @param {import('./games/game.js').Game} game whose classes come first @param {import('./shell.js').Shell} shell */
export function openLeaders(game, shell) {
  const list = el('div', { class: 'leaders', 'aria-live': 'polite' });
  const mine = (/** @type {string} */ name) => name.startsWith(`${game.id}.`);
  const classes = [...CLASSES.filter(mine), ...CLASSES.filter((name) => !mine(name))];
  const which = el(
    'select',
    { id: 'leaders-class', onchange: () => void show(which.value) },
    ...classes.map((name) => el('option', { value: name }, classWords(name))),
  );
  /** @param {string} name */
  async function show(name) {
    try {
      const rows = await fetchLines(`/api/leaders/${name}`);
      if (which.value !== name) return; // another one was chosen meanwhile
      const head = ['leaders_place', 'leaders_who', 'rating', 'leaders_matches'].map((word) => el('th', { scope: 'col' }, t(word)));
      fill(list, rows.length ? el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows.map(leaderRow))) : el('p', { class: 'hint' }, t('leaders_none')));
    } catch (error) {
      fill(list, el('p', { role: 'alert' }, errorText(error)));
    }
  }
  const lookUp = el('button', { type: 'button', class: 'plain', id: 'archive', onclick: () => openArchive(shell) }, t('archive'));
  openDialog(t('leaders'), el('label', { class: 'field' }, el('span', {}, t('leaders_class')), which), list, el('p', { class: 'hint' }, t('leaders_hint')), lookUp);
  void show(which.value);
}

// ---- what was decided

/** @typedef {{ask: (op: string, fields: Message) => Promise<Message>}} Asking */

/** Why it is wrong, said once. @param {Asking} wire @param {Message} judgement */
function appealing(wire, { judgement }) {
  const text = el('input', { type: 'text', maxlength: 280, required: true, autocomplete: 'off' });
  const wrong = el('p', { class: 'hint', role: 'alert' });
  const send = el('button', { type: 'submit' }, t('appeal_send'));
  const form = el('form', { class: 'report' }, labelled('appeal_why', text), wrong, el('div', { class: 'actions' }, send));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      await wire.ask('appeal', { judgement, text: text.value.trim() });
      form.replaceWith(el('p', { role: 'status' }, t('appealed')));
    } catch (error) {
      wrong.textContent = errorText(error);
      send.disabled = false;
    }
  });
  return el('details', { class: 'appeal' }, el('summary', {}, t('appeal')), form);
}

/** @param {Asking} wire @param {Message} judgement */
export function judgementLine(wire, judgement) {
  const { verdict, why, until, text, appealed, appeal } = judgement;
  const day = until && new Date(until).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  return el('li', {}, el('p', {}, t(`judged_${verdict}`, { why: t(`why_${why}`), day })), text && el('blockquote', {}, text), !appealed && !appeal && appealing(wire, judgement));
}

/** @param {import('./wire.js').Wire} wire @param {Message[]} judgements that were not read yet */
export function openJudged(wire, judgements) {
  document.querySelector('.judged')?.closest('dialog')?.remove(); // what is new has all of it
  const list = el('ul', { class: 'judged' }, ...judgements.map((one) => judgementLine(wire, one)));
  const read = el('button', { type: 'button', class: 'confirm', onclick: () => dialog.close() }, t('judged_read'));
  const dialog = openDialog(t('judged'), list, el('div', { class: 'actions' }, read));
  dialog.addEventListener('close', () => {
    wire.hello.judgements = [];
    void wire.askPatiently('heed').catch(() => undefined); // else it is shown again
  });
  return dialog;
}

// ---- programs of one's own

const SCOPES = ['play', 'room', 'games', 'people'];
const DAYS = [7, 30, 90, 365];

/** A field with its label. @param {string} word @param {HTMLElement} field */
const labelled = (word, field) => el('label', { class: 'field' }, el('span', {}, t(word)), field);

class Programs {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    this.passkeys = new Passkeys(shell);
    this.whose = el('select', { id: 'program', onchange: () => void this.showTokens() });
    this.list = el('ul', { class: 'devices tokens', 'aria-live': 'polite' });
    this.made = el('div', { class: 'device-link', 'aria-live': 'polite' });
    openDialog(
      t('programs'),
      el('p', { class: 'hint' }, t('programs_hint')),
      labelled('program_whose', this.whose),
      this.list,
      this.tokenForm(),
      this.made,
      el('h3', {}, t('program_new')),
      this.accountForm(),
    );
  }

  /** Of whom: nothing is of one's own account. */
  get fields() {
    return this.whose.value ? { handle: this.whose.value } : {};
  }

  /** @param {Message} answer */
  showAccounts({ bots }) {
    const chosen = this.whose.value;
    const own = el('option', { value: '' }, `@${this.wire.hello.account.handle}`);
    fill(this.whose, own, ...bots.map((/** @type {string} */ handle) => el('option', { value: handle }, `@${handle}`)));
    this.whose.value = chosen;
  }

  async refresh() {
    this.showAccounts(await this.wire.askPatiently('bots'));
    await this.showTokens();
  }

  async showTokens() {
    this.show(await this.passkeys.attempt(() => this.wire.askPatiently('tokens', this.fields)));
  }

  /** @param {Message | undefined} answer */
  show(answer) {
    if (answer) fill(this.list, ...answer.tokens.map((/** @type {Message} */ token) => this.line(token)));
  }

  /** @param {Message} token */
  line({ key, name, scope, seen }) {
    const words = scope.split(' ').map((/** @type {string} */ word) => t(`scope_${word}`));
    const drop = async () => this.show(await this.passkeys.attempt(() => this.wire.askPatiently('token_drop', { key, ...this.fields })));
    return el(
      'li',
      {},
      el('span', {}, name),
      el('small', {}, `${words.join(', ')} · ${agoText(this.wire.now() - seen)}`),
      el('button', { type: 'button', class: 'plain', onclick: () => void drop() }, t('token_end')),
    );
  }

  // ---- one more

  tokenForm() {
    const name = el('input', { type: 'text', maxlength: 24, required: true, autocomplete: 'off', id: 'token-name' });
    const ticks = SCOPES.map((scope) => el('input', { type: 'checkbox', value: scope, checked: scope === 'play' }));
    const days = el('select', {}, ...DAYS.map((n) => el('option', { value: String(n) }, t('token_days', { n }))));
    const form = el(
      'form',
      { class: 'token' },
      labelled('token_name', name),
      el('div', { class: 'row' }, ...ticks.map((tick) => el('label', {}, tick, ` ${t(`scope_${tick.value}`)}`))),
      labelled('token_long', days),
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm', id: 'token-make' }, t('token_make'))),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const scope = ticks.flatMap((tick) => (tick.checked ? [tick.value] : [])).join(' ');
      void this.make({ name: name.value.trim(), scope, days: Number(days.value), ...this.fields });
    });
    return form;
  }

  /** @param {Message} wanted */
  async make(wanted) {
    const answer = await this.passkeys.attempt(() => this.passkeys.proven(() => this.wire.ask('token_add', wanted)));
    if (!answer) return;
    this.show(answer);
    fill(this.made, el('p', { class: 'hint' }, t('token_once')), copyField(answer.token, this.shell));
  }

  accountForm() {
    const input = el('input', {
      type: 'text',
      maxlength: 20,
      required: true,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      id: 'program-handle',
      placeholder: 'ana-bot',
      'aria-label': t('handle'),
    });
    const form = el('form', { class: 'row' }, input, el('button', { type: 'submit', id: 'program-make' }, t('program_make')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.makeAccount(input);
    });
    return form;
  }

  /** @param {HTMLInputElement} input */
  async makeAccount(input) {
    const handle = input.value.trim().replace(/^@/, '');
    const answer = await this.passkeys.attempt(() => this.wire.askPatiently('bot_account', { handle }));
    if (!answer) return;
    input.value = '';
    this.showAccounts(answer);
    this.whose.value = handle;
    await this.showTokens();
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openPrograms(shell) {
  await new Programs(shell).refresh();
}

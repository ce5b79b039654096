// The page's entry point: opens the connection and shows what the address asks for.
//   #/              the first page
//   #/r/ROOM[/CODE] a room: its lobby, its table or its result
//   #/learn/GAME    the lessons of a game
//   #/rules/GAME    its rules
//   #link=PASS      becomes one more device of a player; it does not stay in the address
//   #signed=VOUCHER has signed in elsewhere, #sign-in=WORD has not; nor do these

import { agentName } from './agent.js';
import { Aside } from './aside.js';
import { setTitle } from './attention.js';
import { openNamed } from './named.js';
import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { answerFirst, drawn } from './frames.js';
import { addStyle, entryOf, fetchFirst, fetchGame } from './games/registry.js';
import { Home } from './home.js';
import { SharedRoom } from './hotseat.js';
import { watchKeys } from './keys.js';
import { answerWorker, keepLessons, keepOffline } from './offline.js';
import { takeFromAddress } from './pass.js';
import { prefs, applyNumerals, applyTheme } from './prefs.js';
import { keepWords } from './push.js';
import { Shell } from './shell.js';
import { fetchPart, Unfetched } from './unfetched.js';
import { Wire } from './wire.js';
import { errorText, fetchWorded, heedQuiet, learnWords, setLanguage, t, titleOf } from './words.js';

/** @typedef {{close: () => void}} Page */
/**
 * What shows the rooms of a game.
 * @typedef {object} Parts
 * @property {import('./games/game.js').Game} game
 * @property {import('./games/game.js').ViewClass} TableView
 * @property {typeof import('./table.js').Table} Table
 * @property {typeof import('./curtain.js').Curtain} Curtain
 */

const wire = new Wire(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, {
  token: () => prefs.token,
  keepToken: (token) => {
    prefs.token = token;
  },
  aside: new Aside(
    () => prefs.aside,
    (text) => {
      prefs.aside = text;
    },
  ),
  name: () => (prefs.token ? '' : prefs.name), // a session has a name, which another device may have changed since
  client: () => agentName(navigator.userAgent),
});

const ANNOUNCEMENT_MS = 30000; // it may be long

/** @type {Page | null} */
let page = null;
/** @type {SharedRoom | null} */
let room = null;
/** As far as they have been fetched, by the game's id. @type {Map<string, Parts>} */
const partsOf = new Map();
/** The page of a lobby, which a table alone does without; once it has been fetched. @type {typeof import('./seats.js').Seats | undefined} */
let Seats;

applyTheme(prefs.theme);
applyNumerals(prefs.numerals);
const [firstGame] = await Promise.all([fetchFirst(), setLanguage(prefs.language)]);
const shell = new Shell(
  wire,
  () => {
    shell.dress();
    route();
    void keepWords();
    void keepLearnt();
  },
  firstGame,
);
openNamed(shell);

/** A link to a player, in the address: taken out of it before anything is sent. A browser that has a player of its own is asked. */
async function enterByLink() {
  const pass = takeFromAddress();
  if (pass === undefined) return;
  if (!pass) {
    if (!wire.socket) wire.connect();
    openDialog(t(prefs.token ? 'cannot_enter' : 'link_failed'), el('p', {}, t('bad_pass')));
    return;
  }
  try {
    const { askToEnter, enter } = await fetchWorded(() => import('./enter.js'));
    if (prefs.token) askToEnter(shell, pass);
    else await enter(shell, pass);
  } catch (error) {
    shell.toast(errorText(error));
    if (!wire.socket) wire.connect();
  }
}

/** Back from signing in elsewhere: what came of it is taken out of the address at once. */
async function comeBack() {
  const found = /^#(signed|sign-in)=(.*)$/.exec(location.hash);
  if (!found) return;
  history.replaceState(null, '', '#/');
  try {
    await (await fetchWorded(() => import('./signin.js'))).comeBack(shell, found[1], found[2]);
  } catch (error) {
    shell.toast(errorText(error));
    if (!wire.socket) wire.connect();
  }
}

function route() {
  page?.close();
  page = null;
  const [, kind, id, code] = location.hash.split('/');
  const toSchool = kind === 'learn' || kind === 'rules';
  if (room || !toSchool) shell.back = room && toSchool ? room.hash : '';
  leaveRoom();
  if (kind === 'r' && id) {
    openRoom(id, code ?? '');
    return;
  }
  if (toSchool) {
    void openSchool(kind, id || firstGame.id);
    return;
  }
  const home = new Home(wire, shell, firstGame);
  page = home;
  shell.game = firstGame;
  setTitle('');
  shell.show('home', home.element);
}

/**
 * The lessons or the rules of a game: fetched when they are asked for.
 * @param {'learn' | 'rules'} kind @param {string} id
 */
async function openSchool(kind, id) {
  const asked = location.hash;
  shell.show('loading', el('p', { class: 'loading' }, t('loading')));
  try {
    const game = await fetchGame(id);
    const what = kind === 'learn' ? game?.lessons : game?.rules;
    if (!game || !what) throw unknown(game ? '' : id);
    const [school, { default: make }, { TableView }] = await fetchPart(() =>
      Promise.all([import('./learn.js'), what(), game.view(), addStyle(new URL('../css/learn.css', import.meta.url).href)]),
    );
    await fetchPart(learnWords);
    if (location.hash !== asked) return;
    shell.game = game;
    const made = make();
    const shown = made instanceof Array ? new school.Learn(shell, game, TableView, made) : new school.Rules(shell, game, made);
    page = shown;
    shell.show(kind, shown.element);
    shown.opened();
  } catch (error) {
    if (location.hash === asked) showUnfetched(error, () => openSchool(kind, id));
  }
}

/** There is no such game here, or it could not be fetched. @param {string} id */
const unknown = (id) => (entryOf(id) ? new Unfetched() : new Error(t('unknown_game')));

const fetchPages = () => Promise.all([import('./table.js'), import('./curtain.js')]);
const fetchSeats = () => fetchWorded(() => import('./seats.js'));

/** @param {import('./games/game.js').Game} game */
async function fetchParts(game) {
  const [[{ Table }, { Curtain }], { TableView }] = await fetchPart(() => Promise.all([fetchPages(), game.view()]));
  const parts = { game, Table, Curtain, TableView };
  partsOf.set(game.id, parts);
  return parts;
}

/** Without a network there are the lessons of the first game in the language that is spoken. */
const keepLearnt = () => keepLessons(firstGame.learnt?.() ?? []).catch(() => undefined);

/** What a first table needs, and what is to be there without a network, is fetched when the first page is there, and has nothing else to do. */
function fetchAhead() {
  wire.readies.delete(fetchAhead);
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run)); // Safari has none
  const all = () => fetchParts(firstGame).then(keepLearnt);
  idle(() => void all().catch(() => undefined)); // a table asks again
}

function leaveRoom() {
  if (!room) return;
  const left = room;
  room = null;
  shell.others = () => [];
  shell.showStore(false, true);
  left.close();
  const inLobby = left.state.phase === 'lobby' && left.own >= 0; // leaving now would give up the seat
  if (left.known && !inLobby && wire.status === 'open') wire.ask('leave', { room: left.id }).catch(() => undefined);
}

/** A rated match does not count, and something is given back. @param {import('./wire.js').Message} push */
function hearRefund(push) {
  if (push.push === 'refunded' && !prefs.hideRatings) shell.toast(t('refunded', push), ANNOUNCEMENT_MS);
}

/** What has become of a guest that was to be taken over. @param {import('./wire.js').Message} push */
async function hearAdopted(push) {
  if (push.push !== 'adopted') return;
  const { adopted } = await fetchWorded(() => import('./adopt.js'));
  adopted(shell, push);
}

/** What the operator says to everybody, or to those in a room that is closed; a lobby is gone then. @param {import('./wire.js').Message} message */
function hearOperator(message) {
  if (message.push !== 'notice' || (message.code !== 'announcement' && message.code !== 'closed')) return;
  if (message.room !== undefined && message.room !== room?.id) return;
  shell.toast(t('operator_says', { text: message.message }), ANNOUNCEMENT_MS);
  if (message.code === 'closed' && room?.state.phase === 'lobby') shell.go('#/');
}

/** What was decided about this player and was not read yet: now, or while they were away. @param {import('./wire.js').Message} [push] */
async function tellJudged(push) {
  if (push && push.push !== 'judged') return;
  const unread = (wire.hello.judgements ?? []).filter((/** @type {import('./wire.js').Message} */ judgement) => !judgement.read);
  if (!push && !unread.length) return;
  const { openJudged } = await fetchWorded(() => import('./others.js'));
  openJudged(wire, push ? [...unread, push] : unread);
}

/** @param {string} id @param {string} code */
function openRoom(id, code) {
  const opened = new SharedRoom(wire, id, code);
  room = opened;
  shell.others = () => opened.guests.map((guest) => guest.wire);
  shell.show('loading', el('p', { class: 'loading' }, t('loading')));
  opened.listeners.add((news, from) => showRoom(opened, news, from));
  opened.open();
  void fetchPages().catch(() => undefined); // beside the server's answer; what is missing is asked for again
}

/** @param {SharedRoom} opened @param {import('./wire.js').Message[]} news @param {import('./room.js').Room} [from] whom they were told to */
function showRoom(opened, news, from = opened) {
  if (opened.refused) {
    showRefused(opened);
    return;
  }
  shell.showStore(opened.storeFailing);
  if (!opened.known) return;
  const parts = partsOf.get(opened.state.game);
  const inLobby = opened.state.phase === 'lobby';
  if (!parts || (inLobby && !Seats)) {
    void fetchPartsOf(opened);
    return;
  }
  shell.game = parts.game;
  if (inLobby && Seats) showLobby(opened, parts.game, Seats, news);
  else showTable(opened, parts, news, from);
}

/**
 * @param {SharedRoom} opened @param {import('./games/game.js').Game} game
 * @param {typeof import('./seats.js').Seats} Lobby @param {import('./wire.js').Message[]} news
 */
function showLobby(opened, game, Lobby, news) {
  if (!(page instanceof Lobby)) {
    page?.close();
    const seats = new Lobby(opened, game, shell);
    page = seats;
    setTitle(titleOf(opened.state) || t('table'), game.title);
    shell.show('lobby', seats.element);
  }
  if (page instanceof Lobby) page.show(news);
}

/**
 * Shows the table of whoever is at the device, or the curtain.
 * @param {SharedRoom} opened @param {Parts} parts @param {import('./wire.js').Message[]} news
 * @param {import('./room.js').Room} from whom they were told to
 */
function showTable(opened, { game, Table, Curtain, TableView }, news, from) {
  const seen = opened.shown(game.hidden);
  if (!seen) {
    if (!(page instanceof Curtain)) {
      page?.close();
      const curtain = new Curtain(opened, game);
      page = curtain;
      shell.hush();
      shell.show('curtain', curtain.element);
    }
    if (page instanceof Curtain) page.show();
    return;
  }
  if (!(page instanceof Table) || page.room !== seen) {
    page?.close();
    const table = new Table(seen, game, TableView, shell);
    page = table;
    shell.show('table', table.element);
    table.enter();
    if (seen.own >= 0) prefs.begun = true;
  }
  if (page instanceof Table) page.show(from === seen ? news : []);
}

/** Shows the room when its parts are there. @param {SharedRoom} opened */
async function fetchPartsOf(opened) {
  try {
    const game = await fetchGame(opened.state.game);
    if (!game) throw unknown(opened.state.game);
    const lobby = opened.state.phase === 'lobby';
    const [, fetched] = await Promise.all([fetchParts(game), lobby ? fetchSeats() : undefined]);
    Seats ??= fetched?.Seats;
    if (room === opened) showRoom(opened, []);
  } catch (error) {
    if (room === opened) showUnfetched(error, () => fetchPartsOf(opened));
  }
}

/** Whether files were asked for again since some could not be fetched. */
let again = false;

/**
 * Something could not be opened; what could not be fetched can be asked for again. There are browsers that remember such a failure: if the server is
 * there and it fails a second time, the whole page is asked for.
 * @param {unknown} error @param {() => unknown} retry
 */
function showUnfetched(error, retry) {
  if (!(error instanceof Unfetched)) {
    showProblem(errorText(error));
    return;
  }
  const press = () => {
    if (again && wire.status === 'open') location.reload();
    again = true;
    void retry();
  };
  showProblem(errorText(error), el('button', { type: 'button', class: 'confirm', onclick: press }, t('try_again')));
}

/** @param {SharedRoom} refused */
function showRefused(refused) {
  const needsCode = ['code_needed', 'wrong_code'].includes(refused.refused?.code ?? '');
  const field = el('input', {
    type: 'text',
    id: 'code',
    'aria-label': t('code'),
    placeholder: t('code'),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const form = el('form', { class: 'row' }, field, el('button', { type: 'submit', class: 'confirm' }, t('open')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    shell.go(`#/r/${refused.id}/${field.value.trim()}`);
  });
  showProblem(errorText(refused.refused), ...(needsCode ? [form] : []));
}

/** The room cannot be shown. @param {string} why @param {...Node} more */
function showProblem(why, ...more) {
  page?.close();
  page = null;
  const home = el('a', { class: 'button', href: '#/' }, t('home'));
  const parts = [el('h1', {}, t('cannot_open')), el('p', {}, why), ...more, el('p', {}, home)];
  shell.show('refused', el('section', { class: 'panel narrow' }, ...parts));
}

watchKeys();
for (const kind of ['keydown', 'keyup', 'pointerdown', 'pointerup']) window.addEventListener(kind, answerFirst, { capture: true, passive: true });
window.addEventListener('hashchange', () => {
  void enterByLink();
  void comeBack();
  route();
});
wire.endings.add(() => {
  if (!prefs.token) prefs.name = prefs.guests = prefs.aside = ''; // else another tab has begun anew
  shell.hush();
  shell.toast(t('e_device_ended'), ANNOUNCEMENT_MS);
  shell.go('#/');
  shell.again(); // it may be there already
});
wire.listeners.add(hearOperator);
wire.listeners.add(hearRefund);
wire.listeners.add((message) => void hearAdopted(message).catch(() => undefined)); // else they see by their seats
wire.listeners.add((message) => void tellJudged(message).catch(() => undefined)); // else with the next hello
/** Who wants to play with the visitor is told wherever the page is. */
wire.readies.add(() => wire.hello.account && void fetchPart(() => import('./search.js')).then(({ searchOf }) => searchOf(shell)).catch(() => undefined));
wire.readies.add(() => void tellJudged().catch(() => undefined));
wire.readies.add(fetchAhead);
wire.readies.add(() => heedQuiet(wire.hello));
wire.listeners.add(() => heedQuiet(wire.hello)); // an account may become so on another device
const wake = () => [wire, ...shell.others()].forEach((one) => one.wake());
window.addEventListener('online', wake);
window.addEventListener('storage', () => wire.keptElsewhere());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) wake();
});
answerWorker(
  () => room?.id ?? '',
  (hash) => shell.go(hash),
);
if (prefs.token || !/^#(link|signed)=/.test(location.hash)) wire.connect(); // else by that, so that no player is made for nothing
void enterByLink();
void comeBack();
route();
if (room) void fetchSeats().catch(() => undefined); // whoever was sent a link comes to a lobby as a rule
void keepOffline();
// For the tests, which compare what the page holds with what the server says.
Object.assign(window, { taluva: { wire, room: () => room, page: () => page, drawn } });

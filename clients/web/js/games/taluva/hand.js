// The panel of the player's hand: the tile to place with its buttons, the builds to choose from, or whose turn it is.
// It shows what Placing and Building hold and passes on what is pressed.

import { el, fill, icon, svg } from '../../dom.js';
import { Part } from '../../frames.js';
import { glyph, iconButton } from '../../icons.js';
import { nameOf } from '../../words.js';
import { stamp } from './art.js';
import { VERBS } from './building.js';
import { choiceWhere, costWords, choiceWords, tileWords } from './describe.js';
import { keyOf } from './hexes.js';
import { footprint } from './notation.js';
import { tileShape } from './overlay.js';
import { pieceIcon } from './pieces.js';
import { compass, crushedWords, nearWords } from './where.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/**
 * What the hand may do; the table does it.
 * @typedef {object} Doer
 * @property {(move: string, confirm?: boolean) => void} play
 * @property {() => void} undo
 * @property {(tile: string) => void} take a 2-Hex tile; "" puts it back
 */
/**
 * @typedef {object} HandView
 * @property {'wait' | 'draw' | 'place' | 'build' | 'ask'} mode
 * @property {Message} state
 * @property {number} seat mine, -1 for a watcher
 * @property {boolean} busy a move is under way
 * @property {string} trouble why the last move was refused
 * @property {boolean} canDraw
 * @property {string[]} offers 2-Hex tiles that I may take
 * @property {boolean} taken the tile in hand is a 2-Hex tile that can be put back
 * @property {boolean} canUndo
 */

const AT_ONCE = 8; // builds that are added to the list together
const PICTURE = '-84 -70 168 147';

/** A tile by itself. @param {string} tile @param {number} k @param {number} turn @param {string} [name] */
function tilePicture(tile, k, turn, name = 'tile-picture') {
  const shape = tileShape({ text: '', tile, at: { q: 0, r: 0 }, k }, turn);
  const angle = ((((k + turn) % 6) + (tile[0] === '2' ? 0 : 0.5)) * Math.PI) / 3;
  const reach = tile[0] === '2' ? 34 : 40;
  shape.setAttribute('transform', `translate(${-Math.cos(angle) * reach} ${12 - Math.sin(angle) * reach * 0.72})`);
  return svg('svg', { class: name, viewBox: PICTURE, 'aria-hidden': 'true', focusable: 'false' }, shape);
}

export class Hand {
  /**
   * @param {import('./placing.js').Placing} placing @param {import('./building.js').Building} building
   * @param {import('./board.js').Board} board @param {Doer} doer
   */
  constructor(placing, building, board, doer) {
    this.placing = placing;
    this.building = building;
    this.board = board;
    this.doer = doer;
    this.element = el('section', { class: 'hand', 'aria-label': t('your_hand') });
    this.filling = new Part(() => this.addChoices());
    /** @type {HandView | null} */
    this.shown = null;
    this.part = new Part(() => this.follow());
    this.dueWhole = false;
    /** The builds to choose from, and what they were made of: made anew at each choice they would take most of its time. */
    this.list = el('ul', { class: 'choices', 'aria-label': t('choices') });
    /** @type {unknown[]} */
    this.listed = [];
    /** The tile to place, between its arrows, and what it was made of: it takes longer than all else in the hand, and most keys do not turn it. */
    this.turner = el('div', { class: 'turner held' });
    this.turned = '';
    /** Where the light of the island was when it was shown in the list. */
    this.litAt = '';
    const light = (/** @type {Event} */ event, /** @type {boolean} */ on) => {
      const button = event.target instanceof Element && event.target.closest('.choice');
      if (button) this.building.light(on ? this.choiceOf(button) : null);
    };
    for (const kind of ['pointerover', 'focusin']) this.element.addEventListener(kind, (event) => light(event, true));
    for (const kind of ['pointerout', 'focusout']) this.element.addEventListener(kind, (event) => light(event, false));
  }

  /** @param {Element} button */
  choiceOf(button) {
    const move = button instanceof HTMLElement ? button.dataset.move : '';
    return this.building.choices.find(({ text }) => text === move) ?? null;
  }

  /** @param {HandView} view */
  show(view) {
    this.shown = view;
    this.refresh();
  }

  /** Soon, after what has changed on the island is painted: that is looked at. @param {boolean} [whole] false: only what is lit in the list has changed */
  refresh(whole = true) {
    this.dueWhole ||= whole;
    this.part.ask();
  }

  follow() {
    const whole = this.dueWhole;
    this.dueWhole = false;
    if (whole) this.redraw();
    else this.light();
  }

  redraw() {
    const view = this.shown;
    if (!view) return;
    this.element.dataset.mode = view.mode;
    const parts = {
      wait: () => this.waiting(view),
      ask: () => [el('p', { class: 'hint' }, t('asking'))],
      draw: () => this.drawing(view),
      place: () => this.holding(view),
      build: () => this.choosing(view),
    }[view.mode]();
    fill(this.element, ...parts, view.trouble && el('p', { class: 'trouble', role: 'alert' }, view.trouble));
    if (view.mode === 'build') this.light();
    else this.litAt = '';
  }

  /** Shows in the list what is chosen and what is pointed at. */
  light() {
    const { building } = this;
    building.shown().forEach((choice, i) => {
      const button = this.list.children[i]?.firstElementChild;
      button?.setAttribute('aria-pressed', String(choice === building.chosen));
      button?.classList.toggle('is-lit', building.isLit(choice));
    });
    if (building.litAt && building.litAt !== this.litAt) this.showLit();
    this.litAt = building.litAt;
  }

  /** Scrolls the list to what may be built where the island is pointed at. */
  showLit() {
    const { list } = this;
    const lit = list.querySelector('.is-lit');
    if (!(lit instanceof HTMLElement)) return;
    const [box, frame] = [lit.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.top < frame.top) list.scrollTop -= frame.top - box.top;
    if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom;
  }

  /** @param {HandView} view */
  waiting({ state, seat }) {
    const turn = state.table?.turn;
    if (state.phase === 'paused') return [el('h2', {}, t('paused')), el('p', { class: 'hint' }, t('paused_hint'))];
    if (!turn) return [];
    const name = nameOf(state, turn.seat);
    return [
      el('h2', {}, turn.seat === seat ? t('your_turn') : t('turn_of', { name })),
      turn.tile && el('div', { class: 'held' }, tilePicture(turn.tile, 0, this.board.camera.turn)),
      el('p', { class: 'hint' }, t(`wait_${turn.step}`, { name, tile: turn.tile ? tileWords(turn.tile) : '' })),
    ];
  }

  /** @param {HandView} view */
  drawing({ canDraw, offers, busy }) {
    return [
      el('h2', {}, t('draw_title')),
      el('p', { class: 'hint' }, t(canDraw ? 'draw_hint' : 'draw_none_hint')),
      el(
        'div',
        { class: 'offers' },
        canDraw &&
          el(
            'button',
            {
              type: 'button',
              class: 'offer primary',
              disabled: busy,
              'data-focus': 'draw',
              onclick: () => this.doer.play('draw'),
            },
            el('span', { class: 'stack-picture', 'aria-hidden': 'true' }),
            el('span', {}, t('draw_tile')),
          ),
        ...offers.map((tile) =>
          el(
            'button',
            {
              type: 'button',
              class: 'offer',
              disabled: busy,
              'data-focus': tile,
              'data-tile': tile,
              onclick: () => this.doer.take(tile),
            },
            tilePicture(tile, 0, 0),
            el('span', {}, tileWords(tile)),
          ),
        ),
      ),
    ];
  }

  /** @param {HandView} view */
  holding({ busy, taken }) {
    const { placing } = this;
    const { verdict, placement, pinned } = placing;
    const ready = pinned && verdict !== 'illegal' && !busy;
    const danger = pinned && verdict === 'danger';
    this.showTurner();
    return [
      el('h2', {}, t('place_title')),
      this.turner,
      el('p', { class: `verdict is-${pinned ? verdict : 'free'}` }, this.verdictWords()),
      el(
        'div',
        { class: 'actions' },
        (pinned || taken) &&
          el(
            'button',
            {
              type: 'button',
              class: 'plain',
              'data-focus': 'lift',
              onclick: () => (pinned ? placing.lift() : this.doer.take('')),
            },
            t(pinned ? 'lift' : 'put_back'),
          ),
        el(
          'button',
          {
            type: 'button',
            class: `confirm${danger ? ' dangerous' : ''}`,
            disabled: !ready,
            'data-focus': 'confirm',
            onclick: () => placement && this.doer.play(placement.text, danger),
          },
          glyph('check'),
          el('span', {}, t(danger ? 'place_anyway' : 'place')),
        ),
      ),
    ];
  }

  /** The tile between its arrows, if it does not lie there as it is. */
  showTurner() {
    const { tile, k } = this.placing;
    const { turn } = this.board.camera;
    const label = t('rotate_tile', { tile: tileWords(tile) });
    const look = `${tile}:${k}/${turn} ${label}`;
    if (look === this.turned) return;
    this.turned = look;
    const arrow = (/** @type {string} */ name, /** @type {number} */ by) =>
      iconButton(name, t(`rotate_${name}`), () => this.placing.rotate(by), { bare: true, class: 'round', 'data-focus': name });
    const onclick = () => this.placing.rotate(1, true);
    const middle = { type: 'button', class: 'tile-button', 'aria-label': label, 'data-focus': 'tile', onclick };
    fill(this.turner, arrow('left', -1), el('button', middle, tilePicture(tile, k, turn)), arrow('right', 1));
  }

  /** Whether the tile may lie where it is, in words. */
  verdictWords() {
    const { placing } = this;
    if (!this.shown || !placing.pinned || !placing.at)
      return t(placing.at && placing.verdict === 'illegal' ? 'hover_illegal' : 'place_hint');
    if (placing.verdict === 'illegal') {
      const turned = placing.fitsTurned ? t('fits_turned') : '';
      return [turned, placing.reason || (turned ? '' : t('looking'))].filter(Boolean).join(' ');
    }
    if (placing.verdict === 'danger') return t('danger');
    const { state, seat } = /** @type {HandView} */ (this.shown);
    const keys = footprint({ text: '', tile: placing.tile, at: placing.at, k: placing.k }).map(keyOf);
    const crushed = crushedWords(state, keys, seat);
    const words = t(placing.level > 1 ? 'ok_erupt' : 'ok_place', {
      level: placing.level,
      where: nearWords(state, keys, seat),
      direction: compass(placing.k),
    });
    return crushed ? `${words} ${t('crushes', { what: crushed })}` : words;
  }

  /** @param {HandView} view */
  choosing({ busy, canUndo }) {
    const { building } = this;
    const kinds = VERBS.filter((verb) => building.choices.some((choice) => choice.verb === verb));
    const { chosen } = building;
    return [
      el('h2', {}, t('build_title')),
      el(
        'div',
        { class: 'kinds', role: 'group', 'aria-label': t('kinds') },
        ...kinds.map((verb) => this.kindButton(verb)),
      ),
      this.choiceList(),
      el(
        'p',
        { class: `verdict is-${chosen ? 'legal' : building.reason ? 'illegal' : 'free'}` },
        chosen ? this.chosenWords(chosen) : building.reason || t('build_hint'),
      ),
      el(
        'div',
        { class: 'actions' },
        canUndo &&
          el(
            'button',
            { type: 'button', class: 'plain', disabled: busy, 'data-focus': 'undo', onclick: () => this.doer.undo() },
            glyph('undo'),
            el('span', {}, t('undo')),
          ),
        el(
          'button',
          {
            type: 'button',
            class: 'confirm',
            disabled: !chosen || busy,
            'data-focus': 'confirm',
            onclick: () => chosen && this.doer.play(chosen.text),
          },
          glyph('check'),
          el('span', {}, t('build')),
        ),
      ),
    ];
  }

  /** Made anew only for other builds, or if they are called otherwise. */
  choiceList() {
    const shown = this.building.shown();
    const listed = [this.shown?.state, this.board.camera.turn, ...shown];
    if (listed.length !== this.listed.length || listed.some((one, i) => one !== this.listed[i])) {
      const there = this.list.isConnected ? Math.max(AT_ONCE, this.list.childElementCount) : AT_ONCE; // what is scrolled to stays
      fill(this.list, ...shown.slice(0, there).map((choice) => el('li', {}, this.choiceButton(choice))));
      this.filling.ask();
    }
    this.listed = listed;
    return this.list;
  }

  /** Some more builds of the list: all at once take long to lay out. */
  addChoices() {
    const there = this.list.childElementCount;
    const more = this.building.shown().slice(there, there + AT_ONCE);
    if (this.shown?.mode !== 'build' || !more.length) return;
    this.list.append(...more.map((choice) => el('li', {}, this.choiceButton(choice))));
    this.light();
    this.filling.ask();
  }

  /** What is chosen, where and for how much. @param {import('./building.js').Choice} choice */
  chosenWords(choice) {
    const state = this.shown?.state ?? {};
    return `${choiceWords(choice, state)}, ${choiceWhere(choice, state)} · ${costWords(choice)}`;
  }

  /** Chooses; confirms what was chosen already, by a double click or by a key. @param {import('./building.js').Choice} choice @param {Event} event */
  press(choice, event) {
    const { building } = this;
    const times = event instanceof UIEvent ? event.detail : 0; // 0: a key
    if (building.chosen === choice && times !== 1) {
      if (!this.shown?.busy) this.doer.play(choice.text);
      return;
    }
    building.choose(choice);
    this.board.reveal(choice.spots[0]);
  }

  /** @param {string} verb */
  kindButton(verb) {
    const { building } = this;
    const n = building.choices.filter((choice) => choice.verb === verb).length;
    return el(
      'button',
      {
        type: 'button',
        class: 'kind',
        'data-verb': verb,
        'data-focus': `kind-${verb}`,
        'aria-pressed': String(building.filter === verb),
        onclick: () => building.only(verb),
      },
      verb === 'expand'
        ? icon(stamp('huts-3'), '-30 -24 60 44', `piece-icon p-${building.colour}`)
        : pieceIcon(PIECE_OF[verb], building.colour),
      el('span', {}, t(`verb_${verb}`)),
      el('b', {}, n),
    );
  }

  /** @param {import('./building.js').Choice} choice */
  choiceButton(choice) {
    const { building } = this;
    return el(
      'button',
      {
        type: 'button',
        class: `choice verb-${choice.verb}`,
        'data-move': choice.text,
        'data-focus': choice.text,
        onclick: (/** @type {Event} */ event) => this.press(choice, event),
      },
      pieceOfChoice(choice, building.colour),
      el('span', { class: 'what' }, choiceWords(choice, this.shown?.state ?? {}), el('small', {}, ` ${choiceWhere(choice, this.shown?.state ?? {})}`)),
      el('span', { class: 'cost' }, costWords(choice)),
    );
  }
}

/** @param {import('./building.js').Choice} choice @param {string} colour */
export const pieceOfChoice = (choice, colour) =>
  choice.terrain
    ? icon(stamp(`full-${choice.terrain}`), '-34 -30 68 58', `ground-icon ground-${choice.terrain}`)
    : pieceIcon(PIECE_OF[choice.verb], colour);

/** @type {{[verb: string]: import('./pieces.js').Piece}} */
const PIECE_OF = { hut: 'huts', expand: 'huts', tower: 'towers', temple: 'temples', boat: 'boats' };

// The panel beside the village: what a player decides, how it stands, why it cannot be sent yet, and the button that sends it.

import { el, fill } from '../../dom.js';
import { glyph, iconButton } from '../../icons.js';
import { familyName, hutName, noteWords, oldName, peopleWords, phaseName, sinceWords, spellName, spellWords, turnLine, waitingFor } from './describe.js';
import { COLOUR_OF, countOf, HUT_ROOM, PHASE_OF, SPELLS } from './notation.js';
import { backIcon, markIcon, personIcon, spellIcon } from './pieces.js';
import { ledBy, mineOf, openFamilies, revealPhase } from './table.js';
import { laidBy } from './worth.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('../game.js').Shown} Shown */
/** @typedef {import('./draft.js').Draft} Draft */
/**
 * What the panel may do; the view does it.
 * @typedef {object} Doer
 * @property {() => void} send what was chosen
 * @property {() => void} pass nothing is chosen, and that is sent
 * @property {(move: string) => void} play
 * @property {() => void} undo
 * @property {() => void} changed something was chosen
 * @property {(problem: import('./draft.js').Problem | null) => void} tried something that may not be possible
 * @property {(family: string) => void} turnTo of several families that are asked
 */

/** @param {import('./draft.js').Problem | null} problem */
export function problemWords(problem) {
  if (!problem) return '';
  const { phase, ...values } = problem.values ?? {};
  return t(problem.key, phase ? { ...values, phase: t(`phase_${phase}`) } : values);
}

export class Panel {
  /** @param {Doer} doer @param {import('./beforehand.js').Beforehand} beforehand */
  constructor(doer, beforehand) {
    this.doer = doer;
    this.beforehand = beforehand;
    this.element = el('section', { class: 'hand totem-hand', 'aria-label': t('your_hand') });
    /** Why the last thing could not be done. */
    this.reason = '';
    /** The kind of person that is picked up; "" for none. */
    this.held = '';
  }

  /** @param {Shown} shown @param {Draft | null} draft @param {string[]} asked families that may be decided for */
  show(shown, draft, asked) {
    const { mayAct, trouble } = shown;
    this.element.dataset.mode = draft ? draft.kind : mayAct ? 'ask' : 'wait';
    const scroll = this.element.querySelector('.totem-body')?.scrollTop ?? 0;
    const parts = draft
      ? this.deciding(shown, draft, asked)
      : mayAct
        ? [el('p', { class: 'hint' }, t('asking'))]
        : this.waiting(shown);
    fill(this.element, ...parts, trouble && el('p', { class: 'trouble', role: 'alert' }, trouble));
    const body = this.element.querySelector('.totem-body');
    if (body) body.scrollTop = scroll;
  }

  // ---- not asked ----

  /** @param {Shown} shown @returns {(Node | false)[]} */
  waiting({ state, seat, live }) {
    if (state.phase === 'paused') return [el('h2', {}, t('paused')), el('p', { class: 'hint' }, t('paused_hint'))];
    if (!state.table || state.table.step === 'over') return [];
    const own = ledBy(state, seat);
    const written = own.filter((family) => mineOf(state, family).note !== undefined);
    const others = waitingFor(state, seat);
    return [
      el('h2', {}, turnLine(state, seat)),
      el('p', { class: 'hint' }, written.length ? t('written_hint', { families: others || '…' }) : t(`wait_${this.stepOf(state)}`)),
      this.hiddenWords(state),
      live && this.beforehandBox(state, seat),
      live &&
        written.length > 0 &&
        el(
          'div',
          { class: 'actions' },
          el(
            'button',
            { type: 'button', class: 'plain', 'data-focus': 'undo', onclick: () => this.doer.undo() },
            glyph('undo'),
            el('span', {}, t('take_note_back')),
          ),
        ),
    ];
  }

  /** @param {Message} state */
  stepOf = (state) => (revealPhase(state) ? 'reveal' : state.table.step);

  /** What is known of the spells that are laid aside, and of what is written and not read yet. @param {Message} state */
  hiddenWords(state) {
    const sentences = openFamilies(state).flatMap((family) => {
      const { hand, note } = mineOf(state, family);
      const name = familyName(family);
      return [
        hand && t('laid_aside', { family: name, spells: spellWords(hand) }),
        note !== undefined && t('note_says', { family: name, what: noteWords(state, note) }),
      ].filter(Boolean);
    });
    return sentences.length > 0 && el('div', { class: 'totem-body' }, ...sentences.map((sentence) => el('p', { class: 'hint' }, sentence)));
  }

  /** While others are asked: whether the page answers, and with what. @param {Message} state @param {number} seat */
  beforehandBox(state, seat) {
    const phase = revealPhase(state);
    const laid = laidBy(state, seat);
    if (!laid.length || !(phase || ['cast', 'starve', 'take'].includes(state.table.step))) return false;
    this.beforehand.propose(state, seat);
    const on = this.beforehand.isOn(state);
    const turn = (/** @type {Event} */ event) => this.beforehand.turn(state, /** @type {HTMLInputElement} */ (event.target).checked);
    return el('div', { class: 'beforehand' }, this.tick('beforehand', on, t('beforehand'), turn), on && this.planned(laid));
  }

  /** @param {string} name @param {boolean} checked @param {string} words @param {(event: Event) => void} onchange */
  tick(name, checked, words, onchange) {
    return el('label', { class: 'tick' }, el('input', { type: 'checkbox', name, 'data-focus': name, checked, onchange }), el('span', {}, words));
  }

  /** What will be uncovered in its phase, and what will not. @param {import('./worth.js').Laid[]} laid */
  planned(laid) {
    return el(
      'div',
      { class: 'totem-spells planned', role: 'group', 'aria-label': t('beforehand_which') },
      ...laid.map(({ family, spell, hut, touches }) => {
        const up = !this.beforehand.kept.has(family + spell);
        const label = `${spellName(spell)} ${t('plan_where', { hut: hutName(hut), phase: t(`phase_${PHASE_OF[spell]}`) })}${touches ? '' : `, ${t('plan_idle')}`}, ${t(up ? 'will_uncover' : 'will_keep')}`;
        const words = el('span', {}, spellName(spell), ' ', el('small', {}, hutName(hut)));
        return this.chip(spell, words, up, '', () => this.beforehand.toggle(family, spell), { label, at: family });
      }),
    );
  }

  // ---- asked ----

  /** @param {Shown} shown @param {Draft} draft @param {string[]} asked @returns {(Node | false)[]} */
  deciding({ state, seat, busy, past }, draft, asked) {
    const { kind, family } = draft;
    /** @type {{[kind: string]: () => Node[]}} */
    const choices = {
      settle: () => this.settling(draft),
      choose: () => this.spells(draft, draft.asked.spells, (spell) => draft.toggle(spell), draft.spells),
      cast: () => this.casting(draft),
      write: () => this.casting(draft),
      reveal: () => this.revealing(state, draft),
      starve: () => this.picking(draft),
      take: () => this.picking(draft),
    };
    if (kind === 'reveal' && !this.beforehand.each) return this.planning(state, seat, busy, sinceWords(past, seat, ledBy(state, seat)));
    const parts = choices[kind]?.() ?? [];
    const { problem } = draft;
    const from = draft.asked.from ? familyName(draft.asked.from) : '';
    const holding = this.held && `${t('holding', { who: t(`one_${this.held}`) })}. ${t('no_hut_yet')}`;
    const words = this.reason || holding || problemWords(problem) || this.standing(draft);
    const since = sinceWords(past, seat, ledBy(state, seat));
    return [
      asked.length > 1 && this.families(asked, family),
      el('h2', {}, t(`ask_${kind}`, { family: familyName(family), from, phase: phaseName(state) })),
      el('p', { class: 'hint brief' }, t(`brief_${kind}`, { n: draft.asked.count ?? 0, family: familyName(family), from })),
      el('div', { class: 'totem-body' }, ...parts, since.length > 0 && this.since(since)),
      draft.touched && el('p', { class: 'hint totem-does' }, el('b', {}, spellName(draft.touched)), `: ${t(`does_${draft.touched}`)}${oldName(draft.touched)}`),
      el('p', { class: `verdict totem-verdict${problem || this.reason ? ' is-illegal' : ' is-legal'}` }, words),
      el('div', { class: 'actions' }, ...this.buttons(state, draft, busy || Boolean(problem))),
    ];
  }

  /** What to uncover, asked once for all phases of a round; later ones are answered by it. @param {Message} state @param {number} seat @param {boolean} busy @param {string[]} since @returns {(Node | false)[]} */
  planning(state, seat, busy, since) {
    const { beforehand } = this;
    const laid = laidBy(state, seat);
    beforehand.propose(state, seat);
    const on = beforehand.isOn(state);
    const number = beforehand.number(state, seat);
    const plain = (/** @type {string} */ key, /** @type {() => void} */ act) =>
      el('button', { type: 'button', class: 'plain', 'data-focus': key, disabled: busy, onclick: act }, t(key));
    const rest = laid.length - number;
    const words = this.reason || (on ? t('plan_on') : !number ? t('plan_nothing') : rest ? t('plan_rest', { n: rest }) : t('can_confirm'));
    return [
      el('h2', {}, t('plan_title')),
      el('p', { class: 'hint brief' }, t('plan_brief')),
      el(
        'div',
        { class: 'totem-body' },
        this.planned(laid),
        !on && el('div', { class: 'beforehand' }, this.tick('each', false, t('plan_each'), () => beforehand.askInEach(true))),
        since.length > 0 && this.since(since),
      ),
      el('p', { class: `verdict totem-verdict ${this.reason ? 'is-illegal' : 'is-legal'}` }, words),
      el(
        'div',
        { class: 'actions' },
        on ? plain('plan_change', () => beforehand.turn(state, false)) : plain('plan_none', () => this.doer.pass()),
        !on &&
          el(
            'button',
            { type: 'button', class: 'confirm', disabled: busy || !number, 'data-focus': 'confirm', onclick: () => this.doer.send() },
            glyph('check'),
            el('span', {}, number ? t('do_reveal', { n: number }) : t('do_chosen')),
          ),
      ),
    ];
  }

  /** What has happened while others acted. @param {string[]} sentences */
  since(sentences) {
    return el('section', { class: 'totem-since' }, el('h3', {}, t('since')), el('ul', {}, ...sentences.map((sentence) => el('li', {}, sentence))));
  }

  /** How it stands, when it can be sent. @param {Draft} draft */
  standing(draft) {
    if (draft.losesElder) return t('warn_elder');
    if (draft.cost) return t('costs', { n: draft.cost });
    if (draft.kind === 'choose' || draft.kind === 'write') return t('allowed', { n: draft.asked.most, free: draft.asked.free });
    if (draft.kind === 'settle') return t('mothers', draft.women);
    if (draft.kind === 'reveal' && draft.spells.size) return spellWords(draft.spells);
    if (draft.kind === 'reveal') return draft.asked.spells ? t('keep_down', { spells: spellWords(draft.asked.spells) }) : t('ready_reveal_none');
    return t('can_confirm');
  }

  /** @param {Message} state @param {Draft} draft @param {boolean} barred */
  buttons(state, draft, barred) {
    const { kind, family } = draft;
    const number = kind === 'write' ? Object.keys(draft.puts).length : draft.spells.size;
    const keeps = kind === 'reveal' && draft.asked.spells !== '';
    /** @param {string} key @param {string} focus @param {() => void} act */
    const plain = (key, focus, act) =>
      el('button', { type: 'button', class: 'plain', 'data-focus': focus, onclick: act }, t(key));
    return [
      kind === 'settle' &&
        plain('arrange', 'arrange', () => {
          draft.arrange();
          this.doer.changed();
        }),
      (kind === 'settle' || kind === 'starve' || kind === 'take') &&
        iconButton('undo', t('again'), () => {
          draft.reset();
          this.doer.changed();
        }, { bare: true, class: 'round', 'data-focus': 'again' }),
      draft.mayPass && plain(keeps ? 'do_reveal_keep' : `do_${kind}_none`, 'none', () => this.doer.pass()),
      kind === 'cast' && state.options?.spells === 'A' && plain('pass', 'pass', () => this.doer.play(`pass@${family}`)),
      el(
        'button',
        {
          type: 'button',
          class: `confirm${draft.losesElder ? ' dangerous' : ''}`,
          disabled: barred || draft.mayPass,
          'data-focus': 'confirm',
          'data-move': draft.command,
          onclick: () => this.doer.send(),
        },
        glyph('check'),
        el('span', {}, draft.mayPass ? t('do_chosen') : t(`do_${kind}`, { n: number })),
      ),
    ];
  }

  /** To turn to another family of the same seat. @param {string[]} asked @param {string} family */
  families(asked, family) {
    return el(
      'div',
      { class: 'row totem-tabs', role: 'group', 'aria-label': t('which_family') },
      ...asked.map((one) =>
        el(
          'button',
          {
            type: 'button',
            class: 'plain',
            'data-focus': `family-${one}`,
            'aria-pressed': String(one === family),
            onclick: () => this.doer.turnTo(one),
          },
          markIcon(COLOUR_OF[one]),
          el('span', {}, familyName(one)),
        ),
      ),
    );
  }

  /** How many are where. @param {Draft} draft */
  settling(draft) {
    const places = [...draft.huts, ...(draft.leavers ? [draft.away] : [])];
    return [
      el(
        'ul',
        { class: 'totem-places' },
        ...places.map((place) => {
          const people = draft.places[place];
          const most = place === draft.away ? draft.leavers : HUT_ROOM;
          const over = people.length > most;
          return el(
            'li',
            { class: over ? 'is-over' : '' },
            el('span', {}, place === draft.away ? t('leaving') : t('hut_n', { hut: place[1] })),
            el('b', {}, `${people.length}/${most}`),
            el('span', { class: 'visually-hidden' }, peopleWords(people)),
          );
        }),
      ),
    ];
  }

  /**
   * @param {Draft} draft @param {Iterable<string>} spells that are shown @param {(spell: string) => import('./draft.js').Problem | null} act
   * @param {Set<string>} on
   */
  spells(draft, spells, act, on) {
    return [
      el(
        'div',
        { class: 'totem-spells', role: 'group', 'aria-label': t('spells') },
        ...[...spells].map((spell) =>
          this.chip(spell, spellName(spell), on.has(spell), problemWords(draft.barred(spell)), () => this.doer.tried(act(spell))),
        ),
      ),
    ];
  }

  /**
   * A spell as a button; one that is barred stays, greyed, and says why when it is pressed.
   * @param {string} spell @param {string | Node} words @param {boolean} on @param {string} why @param {() => void} act
   * @param {{label?: string, at?: string}} [more] what a screen reader says instead, and the family, of spells of several
   */
  chip(spell, words, on, why, act, { label, at = '' } = {}) {
    return el(
      'button',
      {
        type: 'button',
        class: `spell${why ? ' is-barred' : ''}`,
        'data-spell': spell,
        'data-focus': `spell-${at}${spell}`,
        'aria-pressed': String(on),
        'aria-disabled': why ? 'true' : null,
        'aria-label': label ?? null,
        title: why || t(`does_${spell}`),
        onclick: act,
      },
      spellIcon(spell),
      typeof words === 'string' ? el('span', {}, words) : words,
    );
  }

  /** @param {Draft} draft */
  casting(draft) {
    const { held, puts, asked } = draft;
    const on = new Set([...(held ? [held] : []), ...Object.keys(puts)]);
    const choices = /** @type {string[]} */ (asked.huts).map((hut) => el('option', { value: hut }, hutName(hut)));
    const select = el(
      'select',
      {
        'aria-label': t('on_hut'),
        'data-focus': 'hut',
        disabled: !held,
        onchange: (/** @type {Event} */ event) => {
          const field = /** @type {HTMLSelectElement} */ (event.target); // what is shown, which may be older than `select`
          const hut = field.value;
          field.value = '';
          if (hut) this.doer.tried(draft.put(hut));
        },
      },
      el('option', { value: '' }, t('on_hut')),
      ...choices,
    );
    const laid = SPELLS.filter((spell) => puts[spell]);
    return [
      ...this.spells(draft, asked.spells, (spell) => draft.hold(spell), on),
      el('label', { class: 'field' }, select),
      el(
        'ul',
        { class: 'totem-puts' },
        ...laid.map((spell) =>
          el(
            'li',
            {},
            spellIcon(spell),
            el('span', {}, t('spell_on', { spell: spellName(spell), hut: hutName(puts[spell]) })),
            el(
              'button',
              {
                type: 'button',
                class: 'round quiet',
                'aria-label': t('remove_spell', { spell: spellName(spell) }),
                'data-focus': `remove-${spell}`,
                onclick: () => {
                  draft.takeBack(spell);
                  this.doer.changed();
                },
              },
              glyph('close'),
            ),
          ),
        ),
      ),
    ];
  }

  /** @param {Message} state @param {Draft} draft */
  revealing(state, draft) {
    const { down } = mineOf(state, draft.family);
    const laid = SPELLS.filter((spell) => down[spell] || draft.asked.spells.includes(spell));
    const once = el('div', { class: 'beforehand' }, this.tick('each', true, t('plan_each'), () => this.beforehand.askInEach(false)));
    return laid.length
      ? [...this.spells(draft, laid, (spell) => draft.toggle(spell), draft.spells), once]
      : [el('p', { class: 'hint' }, backIcon(draft.family), t('no_laid'))];
  }

  /** Who goes: kinds in huts, each with a button for one more and one for one less. @param {Draft} draft */
  picking(draft) {
    const { asked, picked } = draft;
    const groups = Object.entries(asked.people).flatMap(([hut, people]) => Object.keys(countOf(people)).map((kind) => ({ hut, kind })));
    return [
      el(
        'ul',
        { class: 'totem-picks' },
        ...groups.map(({ hut, kind }) => {
          const n = (picked[hut] ?? '').split(kind).length - 1;
          const left = draft.leftOf(hut, kind);
          const name = t('kind_in', { kind: t(`one_${kind}`), hut: hut[1] });
          const spared = draft.kind === 'starve' && kind === 'e';
          return el(
            'li',
            { class: spared ? 'is-barred' : '' },
            personIcon(kind, hut[0]),
            el('span', { class: 'what' }, name, el('small', {}, spared ? ` ${t('no_elder')}` : ` ${n}/${n + left}`)),
            el(
              'button',
              {
                type: 'button',
                class: 'round',
                'aria-label': t('less_of', { who: name }),
                'data-focus': `less-${hut}${kind}`,
                disabled: !n,
                onclick: () => {
                  draft.unpick(hut, kind);
                  this.doer.changed();
                },
              },
              glyph('minus'),
            ),
            el(
              'button',
              {
                type: 'button',
                class: 'round',
                'aria-label': t('more_of', { who: name }),
                'data-focus': `more-${hut}${kind}`,
                'data-pick': `${hut}${kind}`,
                disabled: !left || spared || draft.count >= asked.count,
                onclick: () => this.doer.tried(draft.pick(hut, kind)),
              },
              glyph('plus'),
            ),
          );
        }),
      ),
    ];
  }
}

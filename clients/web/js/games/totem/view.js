// What a table shows of Totem: the village and the panel, and what is chosen but not yet sent. What may be done comes from
// the server; nothing is sent before the visitor has said so.

import { iconButton } from '../../icons.js';
import { badgesOf } from './badges.js';
import { Beforehand } from './beforehand.js';
import { Cursor } from './cursor.js';
import { familyName, hutSentence, peopleWords } from './describe.js';
import { Draft } from './draft.js';
import { familyOf, hutsOf, KINDS, numberOf } from './notation.js';
import { Panel, problemWords } from './panel.js';
import { homeOf, householdOf } from './scenery.js';
import { Stories } from './stories.js';
import { actingNow, familiesOf, ledBy, mineOf, peopleIn, placesOf } from './table.js';
import { Village } from './village.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('../game.js').Shown} Shown */
/** @typedef {import('./village.js').Someone} Someone */

const HUT_LEAST = 92; // pixels that a hut must be wide for people to be dragged; else one quarter is shown alone

export class TableView {
  /** @param {import('../game.js').Host} host */
  constructor(host) {
    this.host = host;
    this.village = new Village();
    this.beforehand = new Beforehand(host.kept, (move) => host.play(move), () => this.changed());
    this.panel = new Panel(
      {
        send: () => this.send(),
        pass: () => this.pass(),
        play: host.play,
        undo: host.undo,
        changed: () => this.changed(),
        tried: (problem) => this.tried(problem),
        turnTo: (family) => {
          this.family = family;
          this.redraw();
        },
      },
      this.beforehand,
    );
    this.stories = new Stories(this.village);
    this.cursor = new Cursor(this.village, this);
    /** @type {Shown | null} */
    this.shown = null;
    /** What the server asks, by family; kept while it is asked again because others have written. @type {{[family: string]: Message}} */
    this.asked = {};
    this.askedFor = '';
    /** @type {{[family: string]: {key: string, draft: Draft}}} */
    this.drafts = {};
    this.family = '';
    /** @type {Someone | null} */
    this.held = null;
    /** Which quarter is shown alone: "" for all of them, null for what is best. @type {string | null} */
    this.focus = null;
    this.village.hands = {
      person: (who) => this.touch(who),
      hut: (hut) => this.enterHut(hut),
      quarter: (family) => this.turnView(family),
      dropped: (who, hut) => this.drop(who, hut),
    };
    this.picture.append(
      iconButton('fit', t('whole'), () => this.turnView(''), { bare: true, class: 'round whole-village' }),
    );
    this.picture.setAttribute('role', 'application');
    this.picture.setAttribute('aria-label', t('board_label'));
  }

  get picture() {
    return this.village.element;
  }

  get prompt() {
    return this.panel.element;
  }

  /** None that would lie over the picture all the time: a quarter that is shown alone has a button of its own. @returns {Element[]} */
  get tools() {
    return [];
  }

  /** @param {import('../game.js').Box[]} panels */
  cover(panels) {
    this.village.panels = panels;
    this.drawVillage();
  }

  /** @returns {Message} */
  get state() {
    return this.shown?.state ?? {};
  }

  /** The table is left: nothing is answered any more, before there is another one. */
  closed() {
    this.beforehand.stop();
  }

  /** @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    this.takeAsked(shown);
    this.beforehand.watch(shown.state, shown.seat, shown.mayAct && !shown.busy);
    this.redraw();
    this.stories.follow(shown.past);
  }

  /** @param {Shown} shown */
  takeAsked({ state, mayAct, moves }) {
    const { table } = state;
    const key = `${table?.round} ${table?.step}`;
    if (!mayAct || key !== this.askedFor) this.asked = {};
    if (mayAct && moves?.asked) this.asked = moves.asked;
    if (mayAct && !moves && table?.acting?.length && !['write', 'take'].includes(table.step)) this.asked = {};
    this.askedFor = key;
    this.held = null;
    const acting = actingNow(state);
    for (const family of Object.keys(this.drafts)) if (!acting.includes(family)) delete this.drafts[family];
    if (this.focus !== null && key !== this.lastStep) this.focus = null;
    this.lastStep = key;
  }

  lastStep = '';

  /** The families that are asked now. */
  get askedFamilies() {
    const acting = actingNow(this.state);
    return Object.keys(this.asked).filter(
      (family) => acting.includes(family) && !this.state.table?.families?.[family]?.written,
    );
  }

  /** What is being decided. @returns {Draft | null} */
  get draft() {
    const families = this.askedFamilies;
    const family = families.includes(this.family) ? this.family : families[0];
    if (!family || !this.shown?.mayAct) return null;
    const asked = this.asked[family];
    const key = `${this.askedFor} ${JSON.stringify(asked)}`;
    if (this.drafts[family]?.key !== key)
      this.drafts[family] = { key, draft: new Draft(family, asked, placesOf(this.state, family)) };
    return this.drafts[family].draft;
  }

  redraw() {
    if (!this.shown) return;
    this.panel.held = this.held?.kind ?? '';
    this.panel.show(this.shown, this.draft, this.askedFamilies);
    this.drawVillage();
  }

  changed() {
    this.panel.reason = '';
    this.held = null;
    this.redraw();
  }

  /** @param {import('./draft.js').Problem | null} problem */
  tried(problem) {
    this.panel.reason = problemWords(problem);
    this.held = null;
    this.redraw();
    if (this.panel.reason) this.host.say(this.panel.reason, true);
  }

  /** What is chosen; nothing is only sent by the button that says so. */
  send() {
    const { draft, shown } = this;
    if (!draft || !shown || draft.problem || shown.busy) return;
    this.panel.reason = '';
    const nothing = this.plans(draft) ? !this.beforehand.number(shown.state, shown.seat) : draft.mayPass;
    if (nothing) this.tried({ key: 'no_spell_yet' });
    else if (this.plans(draft)) this.answer();
    else this.host.play(draft.command, draft.losesElder);
  }

  pass() {
    const { draft, shown } = this;
    if (!draft || !shown || shown.busy) return;
    if (this.plans(draft)) {
      this.beforehand.keepAll(shown.state, shown.seat);
      this.answer();
    } else if (draft.mayPass) this.host.play(draft.command);
  }

  /** Is what to uncover asked once for all phases? @param {Draft} draft */
  plans = (draft) => draft.kind === 'reveal' && !this.beforehand.each;

  /** Uncovers what is planned of this phase; the other phases are answered by themselves. */
  answer() {
    const { draft, state, beforehand } = this;
    if (!draft || beforehand.isOn(state)) return;
    beforehand.turn(state, true);
    this.host.play(beforehand.answer(state, draft.family));
  }

  /** Takes back what was written and is not read yet. */
  takeNoteBack() {
    const own = ledBy(this.state, this.shown?.seat ?? -1);
    if (own.some((family) => mineOf(this.state, family).note !== undefined)) this.host.undo();
  }

  // ---- what is seen ----

  /** The quarter in which people are moved or chosen. */
  workplace() {
    const { draft } = this;
    if (!draft) return '';
    if (draft.kind === 'settle') return draft.family;
    return draft.asked.from ?? '';
  }

  /** The quarter that is shown alone; "" for all. */
  shownAlone() {
    if (this.focus !== null) return this.focus;
    const place = this.workplace();
    if (!place) return '';
    return this.village.roomFor(familiesOf(this.state).length) < HUT_LEAST ? place : '';
  }

  /** @param {string | null} family */
  turnView(family) {
    this.focus = family === this.shownAlone() && family ? '' : family;
    this.drawVillage();
  }

  drawVillage() {
    const { state } = this;
    if (!state.table) return;
    const all = familiesOf(state);
    const alone = this.shownAlone();
    const shown = all.includes(alone) ? [alone] : all;
    const { draft } = this;
    const badges = badgesOf(this.shown?.past ?? []);
    this.village.show({
      families: Object.fromEntries(shown.map((family) => [family, this.household(family, badges)])),
      huts: Object.fromEntries(
        shown.flatMap((family) => [...hutsOf(family), `${family}0`]).map((hut) => [hut, this.home(hut, badges)]),
      ),
      held: this.held,
      movable: (who) => this.movable(who),
      supply: state.table.supply ?? 0,
      name: (kind) => t(`one_${kind}`),
      away: draft ? t('leaving') : '',
    });
    this.picture.classList.toggle('is-alone', shown.length === 1 && all.length > 1);
  }

  /** @param {string} family @param {{[place: string]: string}} badges @returns {import('./village.js').Household} */
  household(family, badges) {
    const { draft } = this;
    const settling = draft?.kind === 'settle' && draft.family === family && draft.leavers > 0;
    return { ...householdOf(this.state, family, badges), away: settling ? (draft.places[draft.away] ?? '') : null };
  }

  /** @param {string} hut @param {{[place: string]: string}} badges @returns {import('./village.js').Home} */
  home(hut, badges) {
    const { state, draft } = this;
    const home = homeOf(state, hut, badges, this.shown?.seat ?? -1);
    const settling = draft?.kind === 'settle' && draft.family === familyOf(hut);
    return {
      ...home,
      people: settling ? (draft.places[hut] ?? '') : home.people,
      chosen: draft?.picked[hut] ?? '',
      look: this.look(hut),
      label: this.label(hut),
    };
  }

  /** @param {string} hut @returns {'' | 'open' | 'full' | 'aim'} */
  look(hut) {
    const { draft, held } = this;
    if (!draft) return '';
    if (draft.kind === 'settle' && familyOf(hut) === draft.family && held && held.hut !== hut)
      return draft.closed(hut) ? 'full' : 'open';
    if (draft.kind === 'starve' || draft.kind === 'take') return draft.count < draft.asked.count && draft.asked.people[hut] ? 'open' : '';
    if (Object.values(draft.puts).includes(hut)) return 'aim';
    if ((draft.kind === 'cast' || draft.kind === 'write') && draft.held && draft.asked.huts.includes(hut)) return 'open';
    return '';
  }

  /** What a screen reader says of a hut. @param {string} hut */
  label(hut) {
    const { draft, state, held } = this;
    const settling = draft?.kind === 'settle' && draft.family === familyOf(hut);
    const place = hut[1] === '0' ? t('leaving') : '';
    const words = settling
      ? `${place || t('hut_name', { family: familyName(draft.family), hut: hut[1] })}: ${peopleWords(draft.places[hut] ?? '')}`
      : hutSentence(state, hut);
    const parts = [words];
    const kind = this.cursor?.kind;
    if (held) parts.push(t('holding', { who: t(`one_${held.kind}`) }));
    else if (kind && this.movable({ hut, kind })) parts.push(t('would_take', { who: t(`one_${kind}`) }));
    if (draft?.kind === 'cast' || draft?.kind === 'write') parts.push(t(draft.asked.huts.includes(hut) ? 'may_cast' : 'no_hut'));
    return parts.join('. ');
  }

  // ---- what is touched ----

  /** @param {Someone} who */
  movable({ hut, kind }) {
    const { draft } = this;
    if (!draft) return false;
    if (draft.kind === 'settle') return familyOf(hut) === draft.family && Boolean(draft.places[hut]?.includes(kind));
    if (draft.kind === 'starve' || draft.kind === 'take')
      return familyOf(hut) === draft.asked.from && peopleIn(this.state, hut).includes(kind);
    return false;
  }

  /** Somebody is tapped: picked up, or chosen. @param {Someone} who */
  touch(who) {
    const { draft, held } = this;
    if (!draft) return;
    if (draft.kind !== 'settle') {
      this.choose(who);
      return;
    }
    if (held && held.hut !== who.hut) {
      this.enterHut(who.hut);
      return;
    }
    const again = held?.hut === who.hut && held.kind === who.kind;
    this.held = again ? null : who;
    this.panel.reason = '';
    this.redraw();
    this.host.say(this.held ? t('holding', { who: t(`one_${who.kind}`) }) : t('put_down'), true);
  }

  /** @param {Someone} who */
  choose({ hut, kind }) {
    const { draft } = this;
    if (!draft) return;
    const number = numberOf(draft.picked[hut] ?? '', kind);
    if (!number || (draft.leftOf(hut, kind) > 0 && draft.count < draft.asked.count)) this.tried(draft.pick(hut, kind));
    else {
      while (numberOf(draft.picked[hut] ?? '', kind)) draft.unpick(hut, kind);
      this.tried(null);
    }
  }

  /** A hut is tapped: whoever is held goes there, or the spell. @param {string} hut */
  enterHut(hut) {
    const { draft, held } = this;
    if (!draft) return;
    if (draft.kind === 'settle' && held) this.drop(held, hut);
    else if (draft.kind === 'cast' || draft.kind === 'write') this.tried(draft.put(hut));
  }

  /** @param {Someone} who @param {string} hut */
  drop({ hut: from, kind }, hut) {
    const { draft } = this;
    if (draft?.kind !== 'settle') return;
    const problem = draft.move(kind, from, hut);
    this.tried(problem);
    if (!problem && from !== hut) this.host.say(this.label(hut), true);
  }

  /** The kinds that the keyboard can take in a hut. @param {string} hut */
  takeable = (hut) => KINDS.filter((kind) => this.movable({ hut, kind }));
}

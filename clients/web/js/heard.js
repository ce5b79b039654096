// What is heard at a table: moves, whose turn it is, the last seconds, the end, messages. Only what happens now: what came while the
// visitor was away, and what a replay shows, is silent.

import { glyph, iconButton } from './icons.js';
import { prefs } from './prefs.js';
import { play, prepare, setSound, switched } from './sound.js';
import { t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const MOVES_MOST = 2; // that come together and are heard: a turn of one player
const APART_MS = 260; // between them
const TURN_MS = 420; // after the move that makes it the visitor's turn

/** Messages of others among what has just come. @param {Message[]} news @param {number} seat the visitor's, -1 for a watcher */
export function hearTalk(news, seat) {
  if (news.some(({ push, seat: by }) => push === 'said' && (by === undefined || by !== seat))) play('message');
}

export class Heard {
  /** @param {import('./room.js').Room} room @param {import('./games/game.js').Game} game @param {(text: string) => void} say */
  constructor(room, game, say) {
    this.room = room;
    this.game = game;
    this.say = say;
    const words = t('sound');
    this.button = iconButton('sound', words, () => this.toggle(), { bare: true, class: 'round sound', 'aria-keyshortcuts': 'm' });
    this.button.title = `${words} (M)`;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
    this.onSwitch = () => this.dress();
    document.addEventListener('keydown', this.onKey);
    switched.add(this.onSwitch);
    this.dress();
    prepare(game.voices);
  }

  close() {
    document.removeEventListener('keydown', this.onKey);
    switched.delete(this.onSwitch);
  }

  dress() {
    this.button.replaceChildren(glyph(prefs.sound ? 'sound' : 'mute'));
    this.button.setAttribute('aria-pressed', String(prefs.sound));
    this.button.classList.toggle('unused', !prefs.soundChosen);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { key, target, ctrlKey, metaKey, altKey, repeat } = event;
    if (key?.toLowerCase() !== 'm' || ctrlKey || metaKey || altKey || repeat) return;
    if (target instanceof Element && target.matches('input:not([type=range], [type=checkbox]), select, textarea')) return;
    this.toggle();
  }

  toggle() {
    setSound(!prefs.sound);
    this.say(t(prefs.sound ? 'sound_on' : 'sound_off'));
  }

  /** @param {Message[]} news pushes that have just come */
  hear(news) {
    const { room, game } = this;
    hearTalk(news, room.seat);
    const moves = news.filter(({ push, seq, event }) => push === 'event' && event.kind === 'move' && seq > room.caughtUpAt);
    if (moves.length > MOVES_MOST) return;
    moves.forEach(({ seq }, i) => {
      const at = room.past.findIndex((moment) => moment.seq === seq);
      const sounds = game.sounds && at > 0 ? game.sounds(room.past[at], room.past[at - 1].state) : [{ name: 'move', after: 0 }];
      for (const { name, after } of sounds) play(name, after + i * APART_MS, game.voices);
    });
  }

  /** It has become the visitor's turn. */
  turn() {
    play('turn', TURN_MS);
  }

  /** The visitor's time runs out. */
  hurry() {
    play('hurry');
  }

  /** The match has ended. @param {Message} state */
  end(state) {
    const winners = this.game.winners(state);
    const { seat, shared } = this.room;
    const sound = !winners.length || seat < 0 || shared ? 'over' : winners.includes(seat) ? 'won' : 'lost'; // at a shared device it is both
    play(sound, TURN_MS);
  }
}

// Sounds of wood and stone, made here: a sound is a few strikes, and a strike is the tones of a struck body, which fade at their own
// pace, with the noise of the blow. Each sound is rendered once, away from the page's own work, and then only played.

/** @typedef {import('./games/game.js').Strike} Strike */
/** @typedef {import('./games/game.js').Voices} Voices */

const RATE = 44_100;
const QUIET = 0.0005; // of full loudness
const ATTACK_S = 0.004;
const AT_ONCE_MOST = 8; // sounds that are heard together

/**
 * What bodies sound like. `tones`: how often the pitch, how loud, and for how much of the strike; `noise`: the kind of filter, how
 * often the pitch, how loud, how many seconds (0: as long as the strike).
 * @type {{[body: string]: {tones: number[][], noise: [BiquadFilterType, number, number, number]}}}
 */
const BODIES = {
  wood: { tones: [[1, 0.5, 1], [2.4, 0.22, 0.5], [4.1, 0.1, 0.3]], noise: ['bandpass', 3, 0.5, 0.03] },
  bar: { tones: [[1, 0.5, 1], [3.93, 0.15, 0.4], [9.2, 0.05, 0.15]], noise: ['bandpass', 4, 0.12, 0.015] },
  stone: { tones: [[1, 0.3, 1], [1.71, 0.24, 0.7], [2.93, 0.2, 0.5], [4.6, 0.1, 0.3]], noise: ['highpass', 5, 0.3, 0.04] },
  rumble: { tones: [], noise: ['lowpass', 1, 1.6, 0] },
};

/** What the page itself says by sound. @type {Voices} */
export const VOICES = {
  move: [{ at: 0, of: 'wood', pitch: 390, force: 0.7, last: 0.16 }],
  turn: [
    { at: 0, of: 'bar', pitch: 523, force: 0.8, last: 0.4 },
    { at: 0.13, of: 'bar', pitch: 784, force: 0.8, last: 0.5 },
  ],
  hurry: [0, 0.2, 0.4, 0.6].map((at, i) => ({ at, of: 'wood', pitch: i % 2 ? 940 : 1250, force: 0.8, last: 0.1 })),
  message: [0, 0.09].map((at) => ({ at, of: 'wood', pitch: 700, force: 0.45, last: 0.12 })),
  won: [523, 659, 784, 1047].map((pitch, i) => ({ at: i * 0.11, of: 'bar', pitch, force: 0.75, last: 0.55 })),
  lost: [392, 330, 262].map((pitch, i) => ({ at: i * 0.16, of: 'bar', pitch, force: 0.7, last: 0.5 })),
  over: [523, 392].map((pitch, i) => ({ at: i * 0.18, of: 'bar', pitch, force: 0.7, last: 0.6 })),
};

/** Noise that is the same each time. @param {BaseAudioContext} context */
function noise(context) {
  const buffer = context.createBuffer(1, RATE, RATE);
  const samples = buffer.getChannelData(0);
  let state = 20_061;
  for (let i = 0; i < samples.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    samples[i] = state / 2 ** 31 - 1;
  }
  return buffer;
}

/** Something that is loud at once, and then fades. @param {AudioNode} source @param {number} at @param {number} loud @param {number} seconds */
function fading(source, at, loud, seconds) {
  const node = source.context.createGain();
  node.gain.setValueAtTime(0, at);
  node.gain.linearRampToValueAtTime(loud, at + ATTACK_S);
  node.gain.exponentialRampToValueAtTime(QUIET, at + seconds);
  return source.connect(node);
}

/** @param {OfflineAudioContext} context @param {AudioBuffer} hiss @param {Strike} strike */
function strike(context, hiss, { at, of, pitch, force, last }) {
  const { tones, noise: [type, often, loud, short] } = BODIES[of];
  for (const [ratio, loudness, share] of tones) {
    const tone = context.createOscillator();
    tone.frequency.value = pitch * ratio;
    fading(tone, at, force * loudness, last * share).connect(context.destination);
    tone.start(at);
    tone.stop(at + last * share);
  }
  const blow = context.createBufferSource();
  const filter = context.createBiquadFilter();
  blow.buffer = hiss;
  filter.type = type;
  filter.frequency.value = pitch * often;
  fading(blow.connect(filter), at, force * loud, short || last).connect(context.destination);
  blow.start(at, at % 0.5); // another part of the noise for each
  blow.stop(at + (short || last));
}

/** @param {Strike[]} strikes @returns {Promise<AudioBuffer>} */
export function render(strikes) {
  const seconds = Math.max(...strikes.map(({ at, last }) => at + last));
  const context = new OfflineAudioContext(1, Math.ceil(seconds * RATE), RATE);
  const hiss = noise(context);
  for (const one of strikes) strike(context, hiss, one);
  return context.startRendering();
}

/** Plays sounds. To be made after the visitor has pressed something: browsers allow none before. */
export class Player {
  constructor() {
    this.context = new AudioContext();
    this.loudness = this.context.createGain();
    const limit = this.context.createDynamicsCompressor(); // for several at once
    this.loudness.connect(limit).connect(this.context.destination);
    /** @type {Map<Strike[], Promise<AudioBuffer>>} */
    this.rendered = new Map();
    /** @type {Set<AudioBufferSourceNode>} */
    this.sounding = new Set();
  }

  /** Makes it ready to be played at once. @param {Strike[]} strikes */
  ready(strikes) {
    const known = this.rendered.get(strikes) ?? render(strikes);
    this.rendered.set(strikes, known);
    return known;
  }

  /**
   * @param {string} _name @param {Strike[]} strikes @param {number} volume 0 to 1
   * @param {() => number} wait in ms, asked when it is ready; negative: it is too late
   */
  async play(_name, strikes, volume, wait) {
    const buffer = await this.ready(strikes);
    if (this.context.state !== 'running') await this.context.resume();
    const seconds = wait() / 1000;
    if (seconds < 0 || this.sounding.size >= AT_ONCE_MOST) return;
    this.loudness.gain.value = volume;
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.loudness);
    source.onended = () => this.sounding.delete(source);
    this.sounding.add(source);
    source.start(this.context.currentTime + seconds);
  }

  /** Nothing is heard any more, at once. */
  hush() {
    for (const source of this.sounding) source.stop();
  }
}

// Second by second: of newcomers that come all the time, which share is served, and of the matches that are under way, which share plays on.
import {setTimeout as pause} from 'node:timers/promises';
import {Client} from './client.mjs';

const [EVERY_MS, SERVED_MS] = [200, 1000]; // a newcomer each; who has no answer by then is not served

/** Comes once, as somebody who has never been there; whether it is served in time. */
async function newcomer(url, ca) {
  let client;
  try {
    client = await Client.open(url, {ca, patience_ms: SERVED_MS});
    const late = pause(SERVED_MS, undefined, {ref: false}).then(() => Promise.reject(new Error('late')));
    await Promise.race([client.must('hello', {name: 'New'}), late]);
    return true;
  } catch {
    return false;
  } finally {
    client?.destroy();
  }
}

export class Seconds {
  /** `where()` and `crowd` as those who play have it. */
  constructor({where, crowd, ca}) {
    Object.assign(this, {where, crowd, ca, over: false, came: [], moved: [], fault_ms: performance.now()});
    this.coming = this.come();
  }

  get second() {
    return Math.floor((performance.now() - this.fault_ms) / 1000);
  }

  /** Counts from here. */
  begin() {
    Object.assign(this, {came: [], moved: [], fault_ms: performance.now()});
  }

  async come() {
    while (!this.over) {
      const {came, second} = this;
      const url = this.where();
      void (url ? newcomer(url, this.ca) : Promise.resolve(false)).then((served) => (came[second] ??= []).push(served));
      await pause(EVERY_MS);
    }
  }

  /** A move of that match was acknowledged. */
  told({match}) {
    (this.moved[this.second] ??= new Set()).add(match);
  }

  /** Shares of each whole second, in per cent: {newcomers, matches, bad}; bad: so many seconds less than 90 of either. */
  shares() {
    const under = this.crowd.matches.filter(({begun}) => begun).length || 1;
    const seconds = Array.from({length: this.second}, (_, second) => second);
    const newcomers = seconds.map((second) => Math.round((100 * (this.came[second] ?? []).filter(Boolean).length) / (this.came[second]?.length || 1)));
    const matches = seconds.map((second) => Math.round((100 * (this.moved[second]?.size ?? 0)) / under));
    return {newcomers, matches, bad: {newcomers: newcomers.filter((share) => share < 90).length, matches: matches.filter((share) => share < 90).length}};
  }

  stop() {
    this.over = true;
  }
}

// The queue of those who look after the server: who was reported, what the server knows of it, and what is decided.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { choice } from './fields.js';
import { t } from './latewords.js';
import { agoText, errorText, nameText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const WHYS = ['talk', 'name', 'cheating', 'stalling', 'other'];
const DAYS = [1, 7, 30, 365];
const LASTING = ['silence', 'ban'];

/** @param {Message} who */
const whoText = ({ handle, name, session }) => [handle && `@${handle}`, name && nameText(name)].filter(Boolean).join(' ') || session;

/** @param {string} word @param {HTMLElement} field */
const labelled = (word, field) => el('label', { class: 'field' }, el('span', {}, t(word)), field);

class Cases {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.wire = shell.wire;
    this.body = el('div', { class: 'cases', 'aria-live': 'polite' });
    this.dialog = openDialog(t('cases'), this.body);
    void this.list('');
  }

  /** @param {() => Promise<any>} show */
  async attempt(show) {
    try {
      await show();
    } catch (error) {
      fill(this.body, el('p', { role: 'alert' }, errorText(error)), this.back());
    }
  }

  back() {
    return el('div', { class: 'actions' }, el('button', { type: 'button', onclick: () => void this.list('') }, t('cases_back')));
  }

  /** @param {string} said of what was decided just now */
  list(said) {
    return this.attempt(async () => {
      const { reports } = await this.wire.askPatiently('cases');
      const entries = reports.map((/** @type {Message} */ one) => this.entry(one));
      fill(this.body, said && el('p', { role: 'status' }, said), reports.length ? el('ul', { class: 'choices' }, ...entries) : el('p', { class: 'hint' }, t('cases_none')));
    });
  }

  /** @param {Message} one */
  entry(one) {
    const ago = agoText(this.wire.now() - one.last);
    const about = t('case_about', { why: t(`why_${one.why}`), reports: one.reports, sources: one.sources, ago });
    const open = el('button', { type: 'button', onclick: () => void this.open(one) }, whoText(one));
    return el('li', {}, open, el('p', { class: 'hint' }, one.appeal ? `${t('case_appeal')} ${about}` : about));
  }

  /** @param {Message} one */
  open(one) {
    return this.attempt(async () => {
      const found = await this.wire.askPatiently('cases', { case: one.report });
      fill(
        this.body,
        el('h3', {}, whoText(found)),
        ...this.reports(found),
        found.against && el('h4', {}, t('case_against', { verdict: t(`verdict_${found.against.verdict}`), why: t(`why_${found.against.why}`) })),
        found.against?.text && el('blockquote', {}, found.against.text),
        ...(found.against ? this.reports(found.against) : []),
        this.form(one),
        this.back(),
      );
    });
  }

  /** @param {Message} of */
  reports(of) {
    return of.reports.map((/** @type {Message} */ report) =>
      el(
        'div',
        { class: 'case-report' },
        el('p', { class: 'hint' }, t(`why_${report.why}`), report.room && el('a', { href: `#/replay/${report.room}` }, ` ${report.room}`), report.lobby && ` · ${t('chat_title')}`),
        report.gave_up && el('p', {}, t('case_gave_up', { count: report.gave_up, of: report.of })),
        report.text && el('blockquote', {}, report.text),
        report.talk?.length > 0 && el('ul', {}, ...report.talk.map((/** @type {Message} */ line) => this.talk(line, report))),
      ),
    );
  }

  /** Of the lobby the line that was reported stands out. @param {Message} line @param {Message} report */
  talk(line, report) {
    const words = `${nameText(line.name)}: ${line.text}`;
    return el('li', {}, report.lobby && line.line === report.line ? el('strong', {}, words) : words);
  }

  /** @param {Message} one */
  form(one) {
    const verdicts = ['dismiss', 'warn', ...LASTING, ...(one.appeal ? ['uphold'] : [])];
    const sent = { verdict: 'dismiss', why: one.why, days: 1 };
    const wrong = el('p', { class: 'hint', role: 'alert' });
    const text = el('input', { type: 'text', maxlength: 280, autocomplete: 'off' });
    const days = choice(t('case_days'), '1', DAYS.map((n) => [String(n), t('case_for', { n })]), (value) => (sent.days = Number(value)));
    const decide = el('button', { type: 'submit', class: 'confirm' }, t('case_decide'));
    days.hidden = true;
    const form = el(
      'form',
      { class: 'report' },
      choice(t('case_verdict'), sent.verdict, verdicts.map((word) => [word, t(`verdict_${word}`)]), (word) => {
        sent.verdict = word;
        days.hidden = !LASTING.includes(word);
      }),
      days,
      choice(t('report_why'), sent.why, WHYS.map((word) => [word, t(`why_${word}`)]), (word) => (sent.why = word)),
      labelled('case_text', text),
      wrong,
      el('div', { class: 'actions' }, decide),
    );
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      decide.disabled = true;
      try {
        await this.judge(one, sent, text.value.trim());
      } catch (error) {
        wrong.textContent = errorText(error);
        decide.disabled = false;
      }
    });
    return form;
  }

  /** @param {Message} one @param {{verdict: string, why: string, days: number}} sent @param {string} text */
  async judge(one, { verdict, why, days }, text) {
    const lasts = LASTING.includes(verdict);
    await this.wire.ask('judge', { case: one.report, verdict, why, ...(lasts && { for_s: days * 86400 }), ...(text && { text }) });
    await this.list(t('case_decided', { who: whoText(one) }));
  }
}

/** @param {import('./shell.js').Shell} shell */
export function openCases(shell) {
  return new Cases(shell);
}

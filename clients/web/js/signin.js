// Signing in elsewhere: the way there, and what is done with what the browser comes back with (protocol/README.md, section 2.14). The
// secret that the way there begins with stays in this tab: without it nobody enters by what stands in an address.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { askToLeave, becomes } from './enter.js';
import { t } from './latewords.js';
import { prefs } from './prefs.js';
import { Refusal } from './wire.js';
import { errorText, fetchWorded } from './words.js';

/** @typedef {import('./shell.js').Shell} Shell */

const KEPT = 'taluva.sign-in';

/** @param {Uint8Array | ArrayBuffer} bytes */
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** The words of the server for what is wrong, which are in the address. */
const WRONG = ['untrusted', 'expired', 'denied', 'refused', 'away', 'busy'];

/** Whether one can sign in elsewhere, on this page. @param {import('./wire.js').Message} hello */
export const signsInElsewhere = (hello) => hello.site?.accounts === 'external' && window.isSecureContext;

/** What its button says. @param {import('./wire.js').Message} hello */
export const signInWords = (hello) => (hello.site.external ? t('sign_in_at', { name: hello.site.external }) : t('sign_in'));

export async function goAndSignIn() {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const bound = await crypto.subtle.digest('SHA-256', secret);
  sessionStorage.setItem(KEPT, encode(secret));
  location.assign(`/enter?bound=${encode(bound)}`);
}

/** @param {string} signed what the server has signed; "" if this tab has not begun it */
function takeVoucher(signed) {
  try {
    const secret = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return secret ? `${signed}.${secret}` : '';
  } catch {
    return ''; // there is no storage here
  }
}

/** @param {string} why */
const say = (why) => openDialog(t('sign_in_failed'), el('p', {}, why));

/** As the player who has signed in before. @param {Shell} shell @param {string} voucher */
const enter = (shell, voucher) => becomes(shell, () => shell.wire.enterWith({ who: { voucher } }));

/** This browser's player is who has signed in, from now on. @param {Shell} shell @param {string} voucher */
async function signIn(shell, voucher) {
  const { wire } = shell;
  await wire.askPatiently('sign_in', { voucher });
  wire.hello.site.signed_in = true;
  shell.toast(t('signed_in'));
  if (!wire.hello.account) (await fetchWorded(() => import('./you.js'))).openYou(shell);
}

/** @param {unknown} error @param {string} code */
const isRefused = (error, code) => error instanceof Refusal && error.code === code;

/** @param {Shell} shell @param {string} voucher */
async function useVoucher(shell, voucher) {
  if (!prefs.token) {
    try {
      await enter(shell, voucher);
      return;
    } catch (error) {
      if (!isRefused(error, 'external_unknown')) throw error; // else somebody new, who is let in as a guest meanwhile
    }
  }
  try {
    await signIn(shell, voucher);
  } catch (error) {
    if (!isRefused(error, 'external_taken')) throw error;
    askToLeave(shell, () => enter(shell, voucher).catch((error) => void say(errorText(error))));
  }
}

/** @param {Shell} shell @param {string} kind @param {string} text of the address: `signed` and a voucher, or `sign-in` and what is wrong */
export async function comeBack(shell, kind, text) {
  const taken = takeVoucher(text); // also if it went wrong: what was begun is over
  const voucher = kind === 'signed' ? taken : '';
  const wrong = kind === 'signed' ? 'expired' : WRONG.includes(text) ? text : 'refused';
  if (voucher) await useVoucher(shell, voucher).catch((error) => say(errorText(error)));
  else say(t(`sign_in_${wrong}`));
  if (!shell.wire.socket) shell.wire.connect();
}

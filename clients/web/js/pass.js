// What makes this browser one more device of a player: the secret of a link or a recovery phrase. 28 digits of base 32, of which
// the last two check the others (protocol/README.md, section 2.12).

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const MODULUS = 1021;

/** As it is sent, of what somebody has typed or scanned; "" if it is none, or has a slip in it. @param {string} text */
export function readPass(text) {
  const typed = text
    .slice(text.lastIndexOf('=') + 1)
    .toLowerCase()
    .replace(/[\s-]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1');
  const values = [...typed].map((digit) => DIGITS.indexOf(digit));
  if (values.length !== 28 || values.includes(-1)) return '';
  const rest = values.slice(0, 26).reduce((sum, value) => (sum * 32 + value) % MODULUS, 0);
  return rest === values[26] * 32 + values[27] ? typed : '';
}

/** Whether somebody meant one: so much is no code of a table. @param {string} text */
export const looksLikePass = (text) => text.includes('#link=') || /^[0-9a-z]{4}([\s-]?[0-9a-z]{4}){6}$/i.test(text.trim());

/** To be read by people. @param {string} pass */
export const grouped = (pass) => pass.replace(/(.{4})(?=.)/g, '$1 ');

/** The secret in the page's address, which is taken out of it at once; undefined: there is none. @returns {string | undefined} */
export function takeFromAddress() {
  const found = /^#link=(.*)$/.exec(location.hash);
  if (!found) return undefined;
  history.replaceState(null, '', '#/');
  return readPass(found[1]);
}

/** Whether the server takes passkeys, and this browser has them on this page. @param {import('./wire.js').Message} hello */
export const takesPasskeys = (hello) => Boolean(hello.passkeys && window.PublicKeyCredential && window.isSecureContext);

// Passkeys: what the browser makes and shows of them, in the form of the protocol (protocol/README.md, section 2.15).

/** @typedef {import('./wire.js').Message} Message */

const WAIT_MS = 300_000;
/** ES256, EdDSA, and RS256 for older Windows. */
const KINDS = [-7, -8, -257];

/** @param {ArrayBuffer} bytes */
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** @param {string} text */
const decode = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));

/** @param {string[]} ids */
const known = (ids) => ids.map((id) => ({ type: /** @type {const} */ ('public-key'), id: decode(id) }));

/** Makes one. @param {Message} asked what `passkey` for `add` answered @param {string} handle @returns {Promise<Message>} */
export async function makePasskey(asked, handle) {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: decode(asked.challenge),
      rp: { id: asked.rp, name: asked.rp },
      user: { id: decode(asked.user), name: handle, displayName: handle },
      pubKeyCredParams: KINDS.map((alg) => ({ type: /** @type {const} */ ('public-key'), alg })),
      excludeCredentials: known(asked.ids),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
      timeout: WAIT_MS,
    },
  });
  const { response } = /** @type {PublicKeyCredential & {response: AuthenticatorAttestationResponse}} */ (made);
  return { client_data: encode(response.clientDataJSON), attestation: encode(response.attestationObject) };
}

/** Shows one. @param {Message} asked what `passkey` for `enter` or `proof` answered @returns {Promise<Message>} */
export async function showPasskey(asked) {
  const shown = await navigator.credentials.get({
    publicKey: {
      challenge: decode(asked.challenge),
      rpId: asked.rp,
      allowCredentials: known(asked.ids ?? []),
      userVerification: 'preferred',
      timeout: WAIT_MS,
    },
  });
  const { rawId, response } = /** @type {PublicKeyCredential & {response: AuthenticatorAssertionResponse}} */ (shown);
  const user = response.userHandle;
  return {
    id: encode(rawId),
    client_data: encode(response.clientDataJSON),
    auth_data: encode(response.authenticatorData),
    signature: encode(response.signature),
    ...(user?.byteLength ? { user: encode(user) } : {}),
  };
}

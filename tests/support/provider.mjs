// A provider of OpenID Connect on loopback, at which whoever comes is signed in at once: as `provider.person`. What it does wrong is
// said by `provider.faults`.
import {createHash, createPublicKey, generateKeyPairSync, randomBytes, sign} from 'node:crypto';
import {createServer} from 'node:http';

const base64 = (value) => Buffer.from(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString('base64url');

/** A key by which tokens can be signed. */
export function makeKey(alg, kid) {
  const kinds = {
    RS256: () => generateKeyPairSync('rsa', {modulusLength: 2048}),
    ES256: () => generateKeyPairSync('ec', {namedCurve: 'P-256'}),
    EdDSA: () => generateKeyPairSync('ed25519'),
  };
  const {privateKey} = kinds[alg]();
  const jwk = {...createPublicKey(privateKey).export({format: 'jwk'}), kid, alg, use: 'sig'};
  return {alg, kid, privateKey, jwk};
}

export function signToken(key, claims, header = {}) {
  const text = `${base64({alg: key.alg, kid: key.kid, typ: 'JWT', ...header})}.${base64(claims)}`;
  const hash = key.alg === 'EdDSA' ? null : 'sha256';
  return `${text}.${base64(sign(hash, Buffer.from(text), {key: key.privateKey, dsaEncoding: 'ieee-p1363'}))}`;
}

export class Provider {
  constructor() {
    this.person = 'someone';
    this.client = 'taluva';
    this.secret = 'very-secret:?&=';
    this.keys = [makeKey('RS256', 'first')];
    this.faults = {}; // claims, header, discovery: members in place of others; error: in place of a code; token: what is answered; status: of that; silent
    this.codes = new Map();
    this.asked = []; // what the server has asked for
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(port = 0) {
    const provider = new Provider();
    await provider.listen(port);
    return provider;
  }

  async listen(port) {
    await new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.port = this.server.address().port;
    this.issuer = `http://127.0.0.1:${this.port}`;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async answer(request, response) {
    const url = new URL(request.url, this.issuer);
    const json = (status, value) => response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(value));
    if (url.pathname !== '/authorize') this.asked.push(url.pathname);
    if (this.faults.silent) return;
    if (url.pathname === '/.well-known/openid-configuration') json(200, {...this.discovery(), ...this.faults.discovery});
    else if (url.pathname === '/jwks') json(200, {keys: this.keys.map((key) => key.jwk)});
    else if (url.pathname === '/authorize') this.authorize(url.searchParams, response);
    else if (url.pathname === '/token') json(...this.token(request, await body(request)));
    else json(404, {});
  }

  discovery() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  /** The person is there and says yes. */
  authorize(asked, response) {
    const back = new URL(asked.get('redirect_uri'));
    const code = randomBytes(12).toString('base64url');
    this.codes.set(code, {asked, person: this.person});
    if (this.faults.error) back.searchParams.set('error', this.faults.error);
    else back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state'));
    back.searchParams.set('iss', this.faults.iss ?? this.issuer);
    response.writeHead(302, {location: back.href}).end();
  }

  token(request, form) {
    if (this.faults.status) return [this.faults.status, {}];
    const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    const code = this.codes.get(form.get('code'));
    this.codes.delete(form.get('code'));
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
    if (given !== `${this.client}:${encodeURIComponent(this.secret)}`) return [401, {error: 'invalid_client'}];
    if (!code || code.asked.get('code_challenge') !== challenge || code.asked.get('redirect_uri') !== form.get('redirect_uri')) return [400, {error: 'invalid_grant'}];
    return [200, {access_token: 'unused', token_type: 'Bearer', id_token: this.faults.token ?? this.idToken(code)}];
  }

  idToken({asked, person}) {
    const now = Math.floor(Date.now() / 1000);
    const claims = {iss: this.issuer, aud: asked.get('client_id'), sub: person, iat: now, exp: now + 300, nonce: asked.get('nonce'), email: 'same@club.example'};
    return signToken(this.faults.key ?? this.keys.at(-1), {...claims, ...this.faults.claims}, this.faults.header);
  }
}

async function body(request) {
  let text = '';
  for await (const part of request) text += part;
  return new URLSearchParams(text);
}

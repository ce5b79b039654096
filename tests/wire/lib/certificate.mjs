// A certificate of the test's own, made by openssl.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {scratchFolder} from './server.mjs';

/** Files of a certificate and its key: {cert, key, make(name)}. */
export function certificate() {
  const folder = scratchFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const make = (name) => {
    const {status} = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
      '-subj', `/CN=${name}`, '-keyout', key, '-out', cert]);
    if (status !== 0) throw new Error('openssl cannot make a certificate');
  };
  return {cert, key, make};
}

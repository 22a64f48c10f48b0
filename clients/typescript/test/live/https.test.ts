/** The client in Node against a server with a certificate of its own: REST over https, the table over wss. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { certificate } from './certificate.ts';
import { House } from './house.ts';

const folder = mkdtempSync(join(tmpdir(), 'parlor-https-'));
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];

let house: House;
beforeAll(async () => {
  const { cert, key } = certificate();
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  house = await House.open(`tls_cert=${certFile}`, `tls_key=${keyFile}`);
});
afterAll(async () => {
  await house?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the example in the README plays a match over https and wss', async () => {
  expect(house.url).toMatch(/^https:/);
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, example] = /```js\n([^]*?)```/.exec(readme)!;
  const file = new URL('../../dist/example-https.mjs', import.meta.url);
  writeFileSync(file, example!);
  const play = (trusted: object) =>
    promisify(execFile)(process.execPath, [file.pathname], {
      env: { ...process.env, PARLOR_URL: house.url, ...trusted },
      timeout: 20_000,
    });
  const { stdout } = await play({ NODE_EXTRA_CA_CERTS: certFile });
  expect(stdout).toMatch(/(wins due to three in a row|Game ended in a draw — the board is full)\n$/);
  // Node does not take a certificate that nobody vouches for: the match before was over TLS indeed.
  await expect(play({})).rejects.toThrow();
});

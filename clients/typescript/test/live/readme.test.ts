import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { House } from './house.ts';

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house?.close());

test('the example in the README plays a match to its end, with the package as it is built', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, example] = /```js\n([^]*?)```/.exec(readme)!;
  // Inside the package, so that it finds itself by its own name.
  const file = new URL('../../dist/example.mjs', import.meta.url);
  writeFileSync(file, example!);
  const { stdout } = await promisify(execFile)(process.execPath, [file.pathname], {
    env: { ...process.env, PARLOR_URL: house.url },
    timeout: 20_000,
  });
  expect(stdout).toMatch(/type: 'taken'/);
  expect(stdout).toMatch(/(wins due to three in a row|Game ended in a draw — the board is full)\n$/);
});

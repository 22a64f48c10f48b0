// `cargo xtask test browser`: people at the real binary, in a real browser. A name as an argument runs that test alone.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, Server } from './lib.mjs';
import * as house from './house.mjs';
import * as again from './again.mjs';
import * as games from './games.mjs';
import * as keys from './keys.mjs';
import * as moves from './moves.mjs';
import * as rules from './rules.mjs';
import * as twins from './twins.mjs';

const only = process.argv.slice(2);
// Tests have names of several words; what they share with each other has not.
const tests = Object.entries({ ...house, ...games, ...again, ...rules, ...moves, ...keys, ...twins }).filter(([name]) =>
  name.includes('_'),
);
const all = tests.filter(([name]) => only.length === 0 || only.includes(name));
const chrome = await browser();
const server = await Server.start();
let failed = 0;
for (const [name, test] of all) {
  const began = Date.now();
  const contexts = [];
  const open = async (options = {}) => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB', ...options });
    context.setDefaultTimeout(30_000);
    contexts.push(context);
    return context;
  };
  try {
    const note = await test({ server, open });
    console.log(`ok      ${name} (${Date.now() - began} ms)${note ? `: ${note}` : ''}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack ?? error}`);
    for (const [n, context] of contexts.entries()) {
      for (const [m, page] of context.pages().entries()) {
        await page.screenshot({ path: join(tmpdir(), `parlor-failed-${name}-${n}-${m}.png`) }).catch(() => undefined);
        const state = await page
          .evaluate(() => JSON.stringify(globalThis.parlor?.table?.state ?? null))
          .catch(() => 'gone');
        console.log(`page ${n}.${m} at ${page.url()}: ${state.slice(0, 2000)}\n  ${(page.said ?? []).join('\n  ')}`);
      }
    }
  }
  for (const context of contexts) {
    for (const page of context.pages()) {
      if (page.complaints?.length) {
        failed++;
        console.log(`FAILED  ${name}: the page complained: ${page.complaints.join(' | ')}`);
      }
    }
    await context.close();
  }
}
await chrome.close();
await server.stop();
console.log(`browser: ${all.length} tests, ${failed} failed`);
process.exit(failed ? 1 : 0);

// `cargo xtask test browser`: people at the real binary, in a real browser, two tests at a time. A name as an argument
// runs that test alone; `--timed` runs those that measure time, and `--untimed` all others. `--soak` runs each of the
// others many times beside a process that burns one core, and runs none again that failed.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browser, root, Server } from './lib.mjs';
import { runPool, runTwice } from './pool.mjs';
import * as house from './house.mjs';
import * as again from './again.mjs';
import * as authors from './authors.mjs';
import * as keys from './keys.mjs';
import * as moves from './moves.mjs';
import * as pages from './pages.mjs';
import * as rules from './rules.mjs';
import * as tours from './tours.mjs';
import * as twins from './twins.mjs';

/** Tests that run beside each other. */
const WIDTH = 2;
/** Tests that measure time: nothing may run beside them, here or on the rest of the machine. */
const TIMED = ['play_now_leads_to_the_first_move_within_two_seconds'];
/** Tests that must run alone: anybody else in the queue would be found. */
const ALONE = ['two_strangers_find_each_other_in_the_queue', ...TIMED];

const options = process.argv.slice(2);
const only = options.filter((option) => !option.startsWith('--'));
/** The tests in the folders of games. */
const ofGames = await Promise.all(
  readdirSync(join(root, 'games'))
    .map((game) => join(root, 'games', game, 'web/browser.test.mjs'))
    .filter(existsSync)
    .map((path) => import(pathToFileURL(path).href)),
);
// Tests have names of several words; what they share with each other has not. The longest come first: none is left over
// at the end.
const tests = [twins, keys, ...ofGames, rules, authors, again, pages, house, moves, tours]
  .flatMap(Object.entries)
  .filter(([name]) => name.includes('_'));
const twice = tests.find(([name], n) => tests.findIndex(([other]) => other === name) !== n);
if (twice) throw new Error(`there are two tests ${twice[0]}`);
for (const name of [...ALONE, ...only])
  if (!tests.some(([other]) => other === name)) throw new Error(`there is no test ${name}`);

function wanted([name]) {
  if (only.length > 0) return only.includes(name);
  if (options.includes('--timed')) return TIMED.includes(name);
  const untimed = options.includes('--untimed') || options.includes('--soak');
  return !(untimed && TIMED.includes(name));
}

const all = tests.filter(wanted);
const chrome = await browser();
const server = await Server.start();

/** Where the pages of a failed test stood, in pictures and words. */
async function describe(name, contexts) {
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

/** Whether a test passes, and none of its pages complained. */
async function passes([name, test]) {
  const began = Date.now();
  const contexts = [];
  const open = async (options = {}) => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB', ...options });
    context.setDefaultTimeout(30_000);
    contexts.push(context);
    return context;
  };
  let passed = true;
  try {
    const note = await test({ server, open });
    console.log(`ok      ${name} (${Date.now() - began} ms)${note ? `: ${note}` : ''}`);
  } catch (error) {
    passed = false;
    console.log(`FAILED  ${name}: ${error.stack ?? error}`);
    await describe(name, contexts);
  }
  for (const context of contexts) {
    for (const page of context.pages()) {
      if (page.complaints?.length) {
        passed = false;
        console.log(`FAILED  ${name}: the page complained: ${page.complaints.join(' | ')}`);
      }
    }
    await context.close();
  }
  return passed;
}

/** How often each test is run in a long run, and after how long it stops to be gone on with later. */
const TIMES = Number(process.env.PARLOR_SOAK_TIMES ?? 20);
const SOAK_MS_MAX = 95 * 60_000;

/**
 * Every test many times over. With PARLOR_SOAK_DIR what has passed is noted there, and a later run goes on from it;
 * notes of another binary do not count.
 */
async function soak() {
  const noted = process.env.PARLOR_SOAK_DIR ? join(process.env.PARLOR_SOAK_DIR, 'browser.txt') : '';
  const built = statSync(process.env.PARLOR_BIN ?? process.execPath).mtimeMs;
  const line = (name) => `${name} ${built}`;
  const notes = noted && existsSync(noted) ? readFileSync(noted, 'utf8').split('\n') : [];
  const left = (name) => TIMES - notes.filter((note) => note === line(name)).length;
  const jobs = Array.from({ length: TIMES }, (_, round) => all.filter(([name]) => left(name) > round)).flat();
  const began = Date.now();
  let [done, failed] = [0, 0];
  const hog = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const one = async (job) => {
    if (Date.now() - began > SOAK_MS_MAX) return;
    const passed = await passes(job);
    done += 1;
    failed += passed ? 0 : 1;
    if (passed && noted) appendFileSync(noted, `${line(job[0])}\n`);
  };
  await runPool(jobs, WIDTH, one, ([name]) => ALONE.includes(name));
  hog.kill();
  const open = jobs.length - done;
  console.log(`browser: ${done} runs of ${all.length} tests, ${failed} failed, ${open} left for another run`);
  return failed === 0;
}

if (options.includes('--soak')) {
  const well = await soak();
  await chrome.close();
  await server.stop();
  process.exit(well ? 0 : 1);
}
const results = await runTwice(all, WIDTH, passes, ([name]) => ALONE.includes(name));
await chrome.close();
await server.stop();
const named = (wanted) => all.map(([name]) => name).filter((_, at) => results[at] === wanted);
const [failed, flaky] = [named('failed'), named('flaky')];
const flakyNote = flaky.length ? `, ${flaky.length} flaky: ${flaky.join(', ')}` : '';
console.log(`browser: ${all.length} tests, ${failed.length} failed${flakyNote}`);
process.exit(failed.length ? 1 : 0);

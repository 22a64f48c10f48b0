// Poker at the real server, in a real browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe, binary, page } from '../../../web/tests/browser/lib.mjs';

/** Nobody is hurried, and cards that only have to be dealt are dealt at once. */
const CALM = { profile: 'standard', timeLimitMs: 0, timeBankMs: 0, timeBankAddMs: 0, runOutMs: 0, handGapMs: 300 };

async function seated(server, open, { seats, settings = {} }) {
  const made = await server.post('/matches', {
    game: 'poker',
    seats,
    bots: seats - 1,
    settings: { ...CALM, ...settings },
  });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.locator('.pk').waitFor();
  return opened;
}

/** Answers every turn with this key until something is there. */
async function pressUntil(opened, key, wanted) {
  for (;;) {
    const turn = opened.locator('.pkbet[data-mine]');
    await turn.or(wanted).first().waitFor();
    if (await wanted.first().isVisible()) return;
    const before = await opened.locator('.pk').evaluate((table) => table.dataset.phase + table.dataset.hand);
    await opened.keyboard.press(key);
    // A key that comes while an answer is on its way is nobody's.
    await opened
      .waitForFunction(
        (was) => {
          const table = document.querySelector('.pk');
          return !document.querySelector('.pkbet[data-mine]') || table.dataset.phase + table.dataset.hand !== was;
        },
        before,
        { timeout: 2000 },
      )
      .catch(() => undefined);
  }
}

export async function a_poker_hand_to_its_showdown_is_copied_and_read_back({ server, open }) {
  const opened = await seated(server, open, { seats: 2, settings: { handGapMs: 60_000 } });
  await opened.evaluate(() => {
    globalThis.copied = [];
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: (text) => Promise.resolve(globalThis.copied.push(text)) },
    });
  });
  await opened.locator('.pkbet[data-mine]').waitFor();
  // Own cards are seen, the others' are not; what is typed is what is bet.
  assert.equal(await opened.locator('.pcards.own [data-card="??"]').count(), 0);
  assert.ok((await opened.locator('.pcards:not(.own) [data-card="??"]').count()) > 0);
  await opened.locator('.pkamt').fill('999999');
  assert.equal(await opened.locator('.pkamt').getAttribute('aria-invalid'), 'true');
  await opened.locator('[data-preset="min"]').click();
  assert.equal(await opened.locator('.pkamt').getAttribute('aria-invalid'), 'false');
  assert.deepEqual(await axe(opened), []);
  await pressUntil(opened, 'c', opened.locator('.pk[data-phase="over"]'));
  await opened.locator('[data-last="1"]').waitFor();
  await opened.getByRole('button', { name: 'Copy PHH' }).click();
  await opened.locator('.toast').waitFor();
  const [phh] = await opened.evaluate(() => globalThis.copied);
  assert.match(phh, /"Ada"/);
  const file = join(mkdtempSync(join(tmpdir(), 'parlor-hand-')), 'hand.phh');
  writeFileSync(file, phh);
  const report = JSON.parse(execFileSync(binary(), ['poker', 'replay', file]).toString());
  assert.equal(report.ok, true, report.error);
  assert.deepEqual(await axe(opened), []);
  // A page that is loaded again has the hand and its texts.
  await opened.reload();
  await opened.locator('[data-last="1"]').waitFor();
}

export async function a_poker_session_with_a_pause_a_return_and_a_leave({ server, open }) {
  const opened = await seated(server, open, { seats: 3 });
  const out = opened.getByRole('button', { name: 'Sit out next hand' });
  await out.first().click();
  await pressUntil(opened, 'f', opened.locator('[data-away="paused"]'));
  // Blinds that go by are owed, with the reason.
  const owed = opened.locator('.pkowe .sum dd');
  await owed.waitFor();
  const debt = await owed.innerText();
  assert.ok(Number(debt) > 0, debt);
  assert.match(await opened.locator('.pkowe').innerText(), /Missed (small|big) blind/);
  assert.match(await opened.locator('.pkway[data-intent="0"]').innerText(), /\d/);
  assert.deepEqual(await axe(opened), []);
  // What stands comes back with the page.
  await opened.reload();
  await opened.locator('[data-away="paused"]').waitFor();
  await opened.locator('.pkway[data-intent="0"]').click();
  await opened.locator('.pcards.own').waitFor();
  await opened.getByRole('button', { name: 'Leave after this hand' }).first().click();
  await pressUntil(opened, 'f', opened.locator('[data-player="0"] .seat.free, .state'));
}

// Poker at the real server, in a real browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe, binary, overflow, page } from '../../../web/tests/browser/lib.mjs';

/** Nobody is hurried, and cards that only have to be dealt are dealt at once. */
const CALM = { profile: 'standard', timeLimitMs: 0, timeBankMs: 0, timeBankAddMs: 0, runOutMs: 0, handGapMs: 300 };

async function seated(server, open, { seats, bot, bots = seats - 1, settings = {} }) {
  const made = await server.post('/matches', {
    game: 'poker',
    seats,
    bots: bot ? Array.from({ length: bots }, () => ({ bot })) : bots,
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
  // The log has the beginning of each hand, also of those that begin while the page is there.
  for (const line of ['Hand 1 ·', 'Hand 2 ·']) await opened.locator('.rail .log', { hasText: line }).waitFor();
  // What stands comes back with the page.
  await opened.reload();
  await opened.locator('[data-away="paused"]').waitFor();
  await opened.locator('.pkway[data-intent="0"]').click();
  await opened.locator('.pcards.own').waitFor();
  await opened.getByRole('button', { name: 'Leave after this hand' }).first().click();
  await pressUntil(opened, 'f', opened.locator('[data-player="0"] .seat.free, .state'));
}

/** Waits until an answer has been taken: the turn is gone, or another hand or phase has come. */
async function answered(opened, before) {
  const changed = (was) => {
    const table = document.querySelector('.pk');
    const state = table.dataset.phase + table.dataset.hand;
    return !document.querySelector('.pdock .mine') || state !== was;
  };
  await opened.waitForFunction(changed, before, { timeout: 2000 }).catch(() => undefined);
}

const stateOf = (opened) => opened.locator('.pk').evaluate(({ dataset }) => dataset.phase + dataset.hand);

/** All in where that is allowed, else a call. */
async function allIn(opened) {
  const before = await stateOf(opened);
  const most = opened.locator('[data-preset="max"]');
  if (await most.count()) {
    await most.click();
    await opened.keyboard.press('r');
  } else await opened.keyboard.press('c');
  await answered(opened, before);
}

/** Somebody who has no page: takes a seat with so many chips, and calls whatever it costs when it is their turn. */
async function caller(server, id, buyIn) {
  // A nickname is somebody's for good, also when the test runs again.
  const name = `Cem ${Date.now() % 1e6}`;
  const { token } = await server.post('/players/guest', { nickname: name });
  const joined = await server.post(`/matches/${id}/join`, { buyIn }, token);
  assert.ok(joined.seat !== undefined, JSON.stringify(joined));
  const at = `${server.url}/matches/${id}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async () => {
    const { snapshot } = await (await fetch(at, { headers })).json();
    if (snapshot.view.turn !== joined.seat) return;
    // The whole state with one more line, as the document's clients send it.
    const hand = await (await fetch(`${at}/hand`, { headers })).json();
    hand.actions.push(`p${hand.players.indexOf(name) + 1} cc`);
    await fetch(`${at}/hand`, { method: 'POST', headers, body: JSON.stringify(hand) });
  };
}

export async function an_all_in_of_three_runs_out_with_side_pots_and_chances({ server, open }) {
  const settings = { newcomers: 'free', runOutMs: 700, handGapMs: 1500 };
  const opened = await seated(server, open, { seats: 3, bot: 'call', bots: 1, settings });
  await opened.locator('.pkbet[data-mine]').waitFor();
  const cem = await caller(server, new URL(opened.url()).pathname.split('/').pop(), 60);
  await pressUntil(opened, 'f', opened.locator('.pk[data-hand="2"]'));
  const dealt = opened.locator('.pk[data-hand="2"][data-phase="deal"]');
  while (!(await dealt.count())) {
    if (await opened.locator('.pkbet[data-mine]').count()) await allIn(opened);
    await cem();
    await opened.waitForTimeout(50);
  }
  // All hands are open and each has its chance; Cem can win no more than three times their own.
  assert.equal(await opened.locator('[data-card="??"]').count(), 0);
  assert.match(await opened.locator('.pk').innerText(), /\d+ %/);
  const pots = await opened.locator('.pot').allInnerTexts();
  assert.equal(pots.length, 2, pots.join());
  assert.match(pots[0], /^Main · 3 players\s+180$/);
  assert.match(pots[1], /^Side · .*\s+\d+$/);
  assert.ok(!pots[1].includes('Cem'), pots[1]);
  await opened.locator('.pk[data-hand="2"][data-phase="over"]').waitFor();
  assert.equal(await opened.locator('.pboard [data-card]').count(), 5);
  assert.deepEqual(await overflow(opened), []);
}

export async function stud_and_draw_hands_are_played({ server, open }) {
  for (const variant of ['F7S', 'F2L3D']) {
    const settings = { variants: [variant], ante: 1, bringIn: 1, handGapMs: 60_000 };
    const opened = await seated(server, open, { seats: 3, bot: 'call', settings });
    const over = opened.locator('.pk[data-phase="over"]');
    let drew = 0;
    for (;;) {
      const turn = opened.locator('.pdock .mine');
      await turn.or(over).first().waitFor();
      if (await over.isVisible()) break;
      const before = await stateOf(opened);
      const draws = await opened.locator('.pk[data-phase="draw"]').count();
      if (draws) {
        // The first card of one's own is thrown away, the others stay.
        await opened.locator('.pcards.own [data-card]').first().click();
        await opened.getByRole('button', { name: 'Discard 1' }).click();
        drew += 1;
      } else {
        const bringIn = await opened.locator('.pkacts').getByText('Bring in').count();
        await opened.keyboard.press(bringIn ? 'b' : 'c');
      }
      await answered(opened, before);
    }
    assert.equal(drew, variant === 'F2L3D' ? 3 : 0);
    assert.deepEqual(await axe(opened), []);
    assert.deepEqual(await overflow(opened), []);
  }
}

export async function a_sit_and_go_is_played_to_its_end({ server, open }) {
  const made = await server.post('/matches', {
    game: 'poker',
    seats: 2,
    bots: 0,
    // Where tokens are staked nobody chooses the deal.
    seed: undefined,
    settings: { format: 'sitAndGo', buyIn: 10, timeLimitMs: 0, runOutMs: 0, handGapMs: 200 },
  });
  const people = [];
  // A nickname is somebody's for good, and no guest's any more: other tests have guests named Ada.
  for (const name of ['Sol', 'Tim'].map((each) => `${each} ${Date.now() % 1e6}`)) {
    const { token } = await server.post('/players/guest', { nickname: name });
    const opened = await page(await open(), name);
    await opened.addInitScript((kept) => localStorage.setItem('parlor.player', kept), token);
    await opened.goto(`${server.url}/t/${made.id}`);
    people.push({ opened, token });
  }
  for (const { opened } of people) await opened.locator('.pk').waitFor();
  assert.match(await people[0].opened.locator('.pklvl').innerText(), /Level 1/);
  const closed = people[0].opened.getByText('The table is closed');
  while (!(await closed.count())) {
    for (const { opened } of people) if (await opened.locator('.pkbet[data-mine]').count()) await allIn(opened);
    await people[0].opened.waitForTimeout(50);
  }
  // One has everything, and the pool: two thirds and one third of it are the prizes, in whole tokens.
  const owned = [];
  for (const { token } of people) {
    const response = await fetch(`${server.url}/players/me/balance`, { headers: { authorization: `Bearer ${token}` } });
    owned.push((await response.json()).balances.tokens);
  }
  assert.deepEqual(
    owned.sort((a, b) => b - a),
    [14, 6],
  );
  assert.deepEqual(await axe(people[0].opened), []);
}

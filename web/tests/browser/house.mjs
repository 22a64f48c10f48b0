// The house: how fast one plays, and what happens to tabs, connections and servers.

import assert from 'node:assert/strict';
import { axe, overflow, page, Server } from './lib.mjs';
import { cellsTaken, drafted, seatedPair, takeAnyCell, yourTurn } from './people.mjs';

const FIRST_MOVE_MS = 2000;
const LOBBY_MS = 1000;
const FIRST_LOAD_BYTES = 90_000;

/** Comes to the lobby for the first time and plays at once. */
async function firstVisit(server, open) {
  const opened = await page(await open(), 'Ada');
  const loaded = [];
  let asked = 0;
  opened.on(
    'request',
    (request) => (asked += /^\/(matches|catalog|players)/.test(new URL(request.url()).pathname) ? 1 : 0),
  );
  opened.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) loaded.push(response.allHeaders());
  });
  const began = Date.now();
  await opened.goto(server.url);
  const button = opened.getByRole('button', { name: /Play now: Battle/ });
  await button.waitFor();
  const lobby = Date.now() - began;
  await opened.waitForLoadState('load');
  await opened.waitForTimeout(400);
  const bytes = (await Promise.all(loaded)).reduce((sum, headers) => sum + Number(headers['content-length']), 0);
  assert.ok(bytes > 10_000 && bytes <= FIRST_LOAD_BYTES, `the first load is ${bytes} bytes of script and style`);
  assert.ok(asked <= 4, `the lobby asked ${asked} times before anything was pressed`);
  assert.deepEqual(await axe(opened), []);
  const pressed = Date.now();
  await button.click();
  await opened.locator('[data-hand=attack]').click();
  await opened.locator('.lane.own [data-slot="1"].bc').waitFor();
  return { lobby, move: Date.now() - pressed, bytes };
}

export async function play_now_leads_to_the_first_move_within_two_seconds({ server, open }) {
  // On a machine that is busy with other things the best of five visits says what ours takes.
  let best;
  for (let visit = 0; visit < 5 && !(best?.lobby < LOBBY_MS && best.move < FIRST_MOVE_MS); visit++) {
    const { lobby, move, bytes } = await firstVisit(server, open);
    best = { lobby: Math.min(lobby, best?.lobby ?? lobby), move: Math.min(move, best?.move ?? move), bytes };
  }
  const { lobby, move, bytes } = best;
  assert.ok(lobby < LOBBY_MS, `the lobby could be used after ${lobby} ms`);
  assert.ok(move < FIRST_MOVE_MS, `the first move came after ${move} ms`);
  return `lobby ${lobby} ms, first move ${move} ms, first load ${(bytes / 1000).toFixed(1)} kB packed`;
}

export async function everything_can_be_done_by_keyboard({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.getByText('For developers').waitFor();
  // From the address bar with Tab and Enter alone.
  for (const wanted of [/^For developers/, /^Play now: Oxo/]) {
    for (let n = 0; n < 60; n++) {
      await opened.keyboard.press('Tab');
      const text = await opened.evaluate(() => document.activeElement?.textContent ?? '');
      if (wanted.test(text.trim())) break;
    }
    await opened.keyboard.press('Enter');
  }
  for (let moves = 0; moves < 5; moves++) {
    const over = opened.getByRole('dialog');
    await Promise.race([yourTurn(opened), over.waitFor()]);
    if (await over.isVisible()) break;
    const free = await opened.locator('.cell.open').first().getAttribute('data-cell');
    const key = 'abc'.indexOf(free[0]) + 1 + (Number(free[1]) - 1) * 3;
    const before = await cellsTaken(opened);
    await opened.keyboard.press(String(key));
    await opened.waitForFunction((n) => document.querySelectorAll('.cell.taken').length > n, before);
  }
  await opened.getByRole('dialog').waitFor();
  assert.deepEqual(await axe(opened), []);
  await opened.keyboard.press('Escape');
  await opened.getByRole('dialog').waitFor({ state: 'detached' });
}

export async function a_reload_restores_the_prompt_and_the_draft({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Hearts/ }).click();
  await yourTurn(opened);
  const cards = () => opened.locator('.fan [data-card]').evaluateAll((all) => all.map((card) => card.dataset.card));
  const question = () => opened.locator('.prompt .q').innerText();
  const before = [await cards(), (await question()).split('\n')[0]];
  assert.equal(before[0].length, 13);
  await opened.reload();
  await yourTurn(opened);
  assert.deepEqual([await cards(), (await question()).split('\n')[0]], before);

  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Battle/ }).click();
  await opened.locator('[data-hand=heal]').click();
  await drafted(opened, 'heal');
  await opened.reload();
  await opened.locator('.lane.own [data-slot="1"].bc', { hasText: 'Heal' }).waitFor();
  await opened.locator('[data-mine]').waitFor();
  // What was told before the reload is in the log after it; that a draft is kept is nothing to tell.
  await opened.locator('.rail .log', { hasText: 'Round 1' }).waitFor();
  assert.equal(await opened.locator('.rail .log').innerText(), 'Round 1');
}

export async function a_second_tab_takes_over_and_the_first_says_so({ server, open }) {
  const context = await open();
  const first = await page(context, 'Ada');
  await first.goto(server.url);
  await first.getByRole('button', { name: /Play now: Hearts/ }).click();
  await yourTurn(first);
  const second = await page(context, 'Ada');
  await second.goto(first.url());
  await yourTurn(second);
  await first.locator('[data-state=taken_over]').waitFor();
  assert.deepEqual(await axe(first), []);
  // It does not come back by itself, but it may when it is told to.
  await first.waitForTimeout(1500);
  assert.ok(await first.locator('[data-state=taken_over]').isVisible());
  await first.getByRole('button', { name: 'Play here instead' }).click();
  await yourTurn(first);
  await second.locator('[data-state=taken_over]').waitFor();
}

export async function a_server_that_is_killed_comes_back_and_play_goes_on({ open }) {
  const own = await Server.start();
  try {
    const opened = await page(await open(), 'Ada');
    await opened.goto(own.url);
    await opened.getByText('For developers').click();
    await opened.getByRole('button', { name: /^Play now: Oxo/ }).click();
    await yourTurn(opened);
    await takeAnyCell(opened);
    await yourTurn(opened);
    const before = await cellsTaken(opened);
    await own.down('SIGKILL');
    await opened.locator('[data-banner=lost]').waitFor();
    assert.deepEqual(await overflow(opened), []);
    await own.up();
    await opened.locator('[data-banner]').waitFor({ state: 'detached', timeout: 15_000 });
    await yourTurn(opened);
    assert.equal(await cellsTaken(opened), before, 'what was on the board is on the board');
    await takeAnyCell(opened);

    // And politely: then it is said that the clocks stand still.
    await own.down('SIGTERM');
    await opened.locator('[data-banner=restarting]').waitFor();
    await own.up();
    await opened.locator('[data-banner]').waitFor({ state: 'detached', timeout: 15_000 });
  } finally {
    await own.stop();
  }
}

export async function an_undo_needs_the_other_players_consent({ server, open }) {
  const [a, b] = await seatedPair(server, open, 'oxo');
  const first = (await a.locator('[data-mine]').count()) > 0 ? a : b;
  const other = first === a ? b : a;
  await takeAnyCell(first);
  await yourTurn(other);
  await first.getByRole('button', { name: 'Undo' }).click();
  const asked = other.locator('[data-offer=undo]');
  await asked.getByRole('button', { name: 'no' }).click();
  await asked.waitFor({ state: 'detached' });
  assert.equal(await cellsTaken(first), 1, 'refused: the move stands');
  await first.getByRole('button', { name: 'Undo' }).click();
  await asked.waitFor();
  assert.deepEqual(await axe(other), []);
  await asked.getByRole('button', { name: 'yes' }).click();
  for (const page of [first, other])
    await page.waitForFunction(() => document.querySelectorAll('.cell.taken').length === 0);
  await yourTurn(first);
  await first.locator('.log .undone').waitFor();
  await first.reload();
  await first.locator('.log .undone').waitFor();
}

export async function whoever_is_waited_for_is_seen_and_for_how_long({ server, open }) {
  const [a, b] = await seatedPair(server, open, 'oxo');
  await Promise.race([a, b].map(yourTurn));
  const first = (await a.locator('[data-mine]').count()) > 0 ? a : b;
  const other = first === a ? b : a;
  const [his, mine] = [first.locator('.seat.turn .due'), other.locator('.seat .due')];
  // Seen by the page itself in the moment it comes: a test on a busy machine may look much later.
  const came = first.waitForFunction(() => {
    const due = document.querySelector('.seat.turn .due');
    return due && { arc: !!due.querySelector('.arc'), counted: !!due.querySelector('b') };
  });
  await takeAnyCell(first);
  assert.deepEqual(await (await came).jsonValue(), { arc: true, counted: false }, 'a quick move is not counted');
  // The one who is asked has his own clock beside the question, and nobody else is pointed at.
  await yourTurn(other);
  await mine.waitFor({ state: 'detached' });
  await his.locator('b', { hasText: /^\d:\d\d$/ }).waitFor();
  assert.match(await his.locator('b').getAttribute('aria-label'), /waiting, \d+ seconds so far/);
  assert.deepEqual(await axe(first), []);
  await takeAnyCell(other);
  await his.waitFor({ state: 'detached' });
  await other.locator('.seat.turn .due .arc').waitFor();
}

export async function an_invitation_waits_for_a_friend_or_for_bots({ server, open }) {
  const owner = await page(await open(), 'Ada');
  await owner.goto(server.url);
  await owner.getByRole('button', { name: 'Invite friends: Hearts', exact: true }).click();
  await owner.locator('[data-state=waiting]').waitFor();
  const friend = await page(await open(), 'Noor');
  await friend.goto(owner.url());
  await owner.locator('.wseats', { hasText: 'Noor' }).waitFor();
  assert.deepEqual(await axe(owner), []);
  await owner.getByRole('button', { name: 'Fill with bots' }).click();
  await Promise.all([yourTurn(owner), yourTurn(friend)]);
  // Somebody who comes later can only watch, and sees no hand.
  const late = await page(await open(), 'Kenji');
  await late.goto(owner.url());
  await late.locator('[data-state=game_started]').waitFor();
  await late.getByRole('link', { name: 'Watch' }).click();
  await late.locator('.hts').waitFor();
  assert.equal(await late.locator('.fan [data-card]').count(), 0);
}

export async function words_change_at_once_and_every_language_fits_a_small_phone({ server, open }) {
  const opened = await page(await open({ viewport: { width: 360, height: 740 } }), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Hearts/ }).click();
  await yourTurn(opened);
  for (const [button, word] of [
    ['日本語', '記録'],
    ['Русский', 'Журнал'],
    ['English', 'Log'],
  ]) {
    await opened.locator('header [data-open=settings]').click();
    await opened.getByRole('button', { name: button }).click();
    await opened.keyboard.press('Escape');
    await opened.waitForFunction(
      (text) =>
        document.querySelector('aside.rail h2')?.textContent !== undefined &&
        document.body.innerText !== '' &&
        [...document.querySelectorAll('aside.rail')].some((rail) => rail.getAttribute('aria-label') === text),
      word,
    );
    assert.deepEqual(await overflow(opened), [], button);
  }
}

export async function two_strangers_find_each_other_in_the_queue({ server, open }) {
  const pages = [];
  // The queue makes accounts, and a nickname is one player's: other tests at this server have others.
  const names = ['Ingrid', 'Tomas'].map((name) => `${name} ${Date.now() % 100_000}`);
  for (const name of names) {
    const opened = await page(await open(), name);
    await opened.goto(server.url);
    pages.push(opened);
  }
  const [first, second] = pages;
  const find = async (opened) => {
    await opened.getByRole('button', { name: 'Options: Battle', exact: true }).click();
    await opened.getByRole('button', { name: 'Find players: Battle' }).click();
  };
  await find(first);
  await first.locator('[data-queue=battle]').waitFor();
  assert.deepEqual(await axe(first), []);
  await first.getByRole('button', { name: 'Cancel' }).click();
  await first.locator('[data-queue]').waitFor({ state: 'detached' });
  await find(first);
  await find(second);
  await Promise.all(pages.map((opened) => opened.waitForURL(/\/t\//)));
  await Promise.all(pages.map(yourTurn));
  assert.equal(new URL(first.url()).pathname, new URL(second.url()).pathname);
  // The account that was made on the way is there, under the name the guest had.
  await first.goto(`${server.url}/me`);
  await first.getByText('Your account').waitFor();
  assert.equal(await first.locator('#app input').inputValue(), names[0]);
}

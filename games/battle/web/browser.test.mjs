// The battle at the real server, in a real browser.

import assert from 'node:assert/strict';
import { decode } from '@msgpack/msgpack';
import { axe, page } from '../../../web/tests/browser/lib.mjs';
import { drafted, over, seatedPair, tabInto, tabTo, yourTurn } from '../../../web/tests/browser/people.mjs';

/** Lays cards from left to right and confirms, until the match is over. */
async function fight(opened, order) {
  for (let round = 0; round < 12; round++) {
    await Promise.race([
      opened.locator('[data-mine]').waitFor({ timeout: 30_000 }),
      over(opened).waitFor({ timeout: 30_000 }),
    ]);
    if (await over(opened).isVisible()) return;
    for (const card of order) await opened.locator(`[data-hand=${card}]:not(.used)`).click();
    await opened.getByRole('button', { name: 'Confirm' }).click();
    await opened.locator('[data-mine]').waitFor({ state: 'detached' });
  }
}

/** Both have the same time: it is seen around the other's disc, and tells nothing of what they have done with it. */
async function theirTime(opened) {
  const [mine, theirs] = await opened.evaluate(() =>
    [document.querySelector('.prompt .ring b'), document.querySelector('.bt > .fig .due b')].map((each) =>
      Number(each.textContent),
    ),
  );
  assert.ok(theirs > 0 && Math.abs(mine - theirs) <= 1, `${mine} and ${theirs} seconds`);
  assert.equal(await opened.locator('.bt > .fig .due').count(), 1, 'and around nobody else');
}

export async function a_whole_battle_between_two_pages({ server, open }) {
  const [a, b] = await seatedPair(server, open, 'battle', { profile: 'standard', revealMs: 300 });
  // Nobody sees a card of the other before the reveal.
  await a.locator('[data-hand=attack]').click();
  assert.equal(await b.locator('.lane.opp .seal').count(), 3);
  await a.locator('.lane.own [data-slot="1"].bc').click();
  await theirTime(a);
  await Promise.all([
    fight(a, ['attack', 'attack', 'heal'].slice(0, 1).concat('heal', 'counter')),
    fight(b, ['heal', 'defense', 'attack']),
  ]);
  await Promise.all([over(a).waitFor(), over(b).waitFor()]);
  const heads = await Promise.all([a, b].map((opened) => over(opened).locator('h2').innerText()));
  const won = heads.filter((text) => text === 'You won').length;
  assert.ok(won === 1 || heads.every((text) => text === 'A draw'), heads.join(' / '));
  assert.deepEqual(await axe(a), []);
  // Afterwards everything is open: what the other had laid while it was sealed.
  await over(a).getByRole('link', { name: 'Replay' }).click();
  await a.getByRole('slider').waitFor();
  await a.locator('.rail .spk').first().click();
  await a.getByRole('button', { name: 'All hands' }).click();
  await a.keyboard.press('Home');
  const sealed = '.bt:not(.rv) .lane.opp .bc';
  for (let n = 0; n < 12 && (await a.locator(sealed).count()) === 0; n++) await a.keyboard.press('ArrowRight');
  assert.ok((await a.locator(sealed).count()) > 0, 'a layout that was sealed');
  return heads.join(' / ');
}

/** Every answer that a page sends over its sockets. */
function answers(opened) {
  const sent = [];
  opened.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const message = typeof payload === 'string' ? JSON.parse(payload) : decode(payload);
      if (message.type === 'game_action') sent.push(message.data);
    }),
  );
  return sent;
}

export async function a_draft_is_sent_when_the_player_acts_and_never_by_itself({ server, open }) {
  // cites 002-26
  const made = await server.post('/matches', {
    game: 'battle',
    bots: 1,
    settings: { profile: 'standard', prepMs: 9000, revealMs: 200, stake: 0 },
  });
  const opened = await page(await open(), 'Ada');
  const sent = answers(opened);
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.locator('[data-mine]').waitFor();
  assert.equal(await opened.locator('.lane.own .bslot').count(), 3, 'three empty slots to begin with');
  // A whole round and the reveal after it, untouched.
  await opened.locator('.rail .log').getByText('Round 2').waitFor();
  await opened.locator('[data-mine]').waitFor();
  assert.deepEqual(sent, [], 'nothing was done, nothing is sent');
  await opened.locator('[data-hand=heal]').click();
  await drafted(opened, 'heal');
  assert.deepEqual(sent, [{ layout: ['heal', null, null] }]);
  await opened.reload();
  await opened.locator('.lane.own [data-slot="1"].bc', { hasText: 'Heal' }).waitFor();
  await opened.waitForTimeout(300);
  assert.equal(sent.length, 1, 'a reload restores the draft and sends none');
  await opened.locator('.lane.own [data-slot="1"].bc').click();
  await opened.waitForFunction(() => document.querySelectorAll('.lane.own .bslot').length === 3);
  await opened.getByRole('button', { name: 'Confirm' }).click();
  await opened.locator('[data-mine]').waitFor({ state: 'detached' });
  assert.deepEqual(
    sent.slice(1),
    [{ layout: [null, null, null] }, { layout: [null, null, null] }],
    'taken back, then confirmed',
  );
}

export async function a_round_of_battle_by_keyboard({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Battle/ }).waitFor();
  await tabTo(opened, /^Play now: Battle/);
  await opened.keyboard.press('Enter');
  await yourTurn(opened);
  await tabInto(opened, '.bhand');
  await opened.keyboard.press('Enter');
  await opened.locator('.lane.own [data-slot="1"].bc').waitFor();
  // From now on Enter confirms, as the button says; Space lays another card.
  await opened.keyboard.press('ArrowRight');
  await opened.keyboard.press('Space');
  await opened.locator('.lane.own [data-slot="2"].bc').waitFor();
  await tabTo(opened, /^Confirm/, 'Shift+Tab');
  await opened.keyboard.press('Enter');
  await opened.locator('[data-mine]').waitFor({ state: 'detached' });
}

export async function who_lost_a_battle_by_leaving_the_page_is_told_so({ server, open }) {
  // The document's own profile: a lost connection loses.
  const made = await server.post('/matches', { game: 'battle', bots: 1 });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  await opened.goto(server.url);
  for (;;) {
    const { over: ended } = await (await fetch(`${server.url}/matches/${made.id}`)).json();
    if (ended) break;
  }
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.locator('[data-state=over]', { hasText: 'The match is over' }).waitFor();
  assert.deepEqual(await axe(opened), []);
  await opened.getByRole('link', { name: 'Replay' }).click();
  await opened.getByRole('slider').waitFor();
}

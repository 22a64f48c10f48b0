// Whole matches, played through the page.

import assert from 'node:assert/strict';
import { axe, overflow, page } from './lib.mjs';
import { answerFirst, seatedPair, yourTurn } from './people.mjs';

const over = (opened) => opened.getByRole('dialog');

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

/** Both have the same time: it is seen around the other's disc, and tells nothing of what he has done with it. */
async function hisTime(opened) {
  const [mine, his] = await opened.evaluate(() =>
    [document.querySelector('.prompt .ring b'), document.querySelector('.bt > .fig .due b')].map((each) =>
      Number(each.textContent),
    ),
  );
  assert.ok(his > 0 && Math.abs(mine - his) <= 1, `${mine} and ${his} seconds`);
  assert.equal(await opened.locator('.bt > .fig .due').count(), 1, 'and around nobody else');
}

export async function a_whole_battle_between_two_pages({ server, open }) {
  const [a, b] = await seatedPair(server, open, 'battle', { profile: 'standard', revealMs: 300 });
  // Nobody sees a card of the other before the reveal.
  await a.locator('[data-hand=attack]').click();
  assert.equal(await b.locator('.lane.opp .seal').count(), 3);
  await a.locator('.lane.own [data-slot="1"].bc').click();
  await hisTime(a);
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

export async function a_deal_of_hearts_from_the_pass_to_the_last_trick({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', bots: 3 });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  for (let n = 0; n < 3; n++) await opened.locator('.fan button.hot').last().click();
  assert.equal(await opened.locator('.tray [data-card]').count(), 3);
  // A chosen card can be taken back before anything is sent.
  await opened.locator('.tray [data-card]').first().click();
  assert.equal(await opened.locator('.tray [data-card]').count(), 2);
  await opened.locator('.fan button.hot').last().click();
  await opened.getByRole('button', { name: 'Pass 3 cards' }).click();
  // Until the cards have changed hands the old question stands; whoever has the two of clubs has led it by then.
  await opened.locator('.tray').waitFor({ state: 'detached' });
  let explained = false;
  for (let n = 0; n < 14; n++) {
    await Promise.race([yourTurn(opened), over(opened).waitFor()]);
    if (await over(opened).isVisible()) break;
    const before = await opened.locator('.fan [data-card]').count();
    const barred = opened.locator('.fan button.off');
    if (!explained && (await barred.count()) > 0) {
      // A card that may not be played says why, to the eye and to the ear.
      await barred.first().hover();
      await opened.locator('.why').waitFor();
      assert.match(await barred.first().getAttribute('aria-label'), /not possible: ./);
      assert.deepEqual(await axe(opened), []);
      await opened.mouse.move(10, 300);
      explained = true;
    }
    await opened.locator('.fan button.hot').first().click();
    await opened.locator('.prompt .pri').click();
    await Promise.race([
      opened.waitForFunction((count) => document.querySelectorAll('.fan [data-card]').length < count, before),
      over(opened).waitFor(),
    ]);
  }
  await over(opened).waitFor();
  assert.ok(explained, 'some card was barred in thirteen tricks');
  assert.match(await over(opened).locator('h2').innerText(), /You won|Place \d of 4/);
}

export async function the_score_of_every_deal_is_shown_and_comes_back_after_a_reload({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', bots: 3, settings: { until: 200 } });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  assert.equal(await opened.locator('.scr').getAttribute('data-deals'), '0');
  const token = await opened.evaluate(() => globalThis.parlor.table.state.token);
  // Two deals by script, while the page looks on.
  for (let n = 0; n < 2000 && (await answerFirst(server, made.id, token)).snapshot.view.deal < 2; n++);
  await opened.locator('.scr[data-deals="2"]').waitFor();
  const rows = () =>
    opened
      .locator('.scr tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => Number.parseInt(cell.textContent, 10))));
  const totals = await opened.evaluate(() => globalThis.parlor.table.state.view.scores);
  const told = await (
    await fetch(`${server.url}/matches/${made.id}/log?as=events`, { headers: { authorization: `Bearer ${token}` } })
  ).json();
  const costs = told.events
    .map(({ event }) => event)
    .filter((event) => event.type === 'scored')
    .map(({ points, moon }) => points.map((n, seat) => (moon === null ? n : seat === moon ? 0 : 26)));
  const wanted = costs.map((cost, n) => [n + 1, ...cost]);
  assert.deepEqual(await rows(), wanted);
  assert.deepEqual(
    totals,
    [0, 1, 2, 3].map((seat) => costs[0][seat] + costs[1][seat]),
  );
  await opened.reload();
  await opened.locator('.scr[data-deals="2"]').waitFor();
  assert.deepEqual(await rows(), wanted);
  assert.deepEqual(await axe(opened), []);
}

export async function a_draft_from_the_first_pick_to_the_decks({ server, open }) {
  const opened = await page(await open({ viewport: { width: 390, height: 844 }, hasTouch: true }), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Cube draft/ }).click();
  for (let n = 0; n < 14; n++) {
    await Promise.race([yourTurn(opened), over(opened).waitFor()]);
    if (await over(opened).isVisible()) break;
    if (n === 0) assert.deepEqual(await overflow(opened), []);
    const building = /Build/.test(await opened.locator('.prompt .q').innerText());
    const cards = opened.locator('.shelf button.wcard');
    for (let k = 0; k < (building ? 6 : 1); k++) await cards.nth(k).tap();
    await opened.locator('.prompt .pri').tap();
    await opened.waitForFunction(
      (was) =>
        document.querySelector('.prompt .pri') === null || document.querySelector('.prompt .q')?.textContent !== was,
      await opened.locator('.prompt .q').textContent(),
    );
  }
  await over(opened).waitFor();
}

export async function a_replay_is_scrubbed_and_a_link_opens_the_same_moment({ server, open }) {
  const opened = await page(await open(), 'Ada');
  const made = await server.post('/matches', { game: 'hearts', bots: 3 });
  await opened.goto(`${server.url}/t/${made.id}`);
  for (let n = 0; n < 15; n++) {
    await Promise.race([yourTurn(opened), over(opened).waitFor()]);
    if (await over(opened).isVisible()) break;
    const passing = await opened.locator('.tray').count();
    for (let k = 0; k < (passing ? 3 : 1); k++) await opened.locator('.fan button.hot:not(.sel)').first().click();
    await opened.locator('.prompt .pri').click();
    await opened.waitForFunction(() => document.querySelector('.prompt .pri') === null);
  }
  await over(opened).getByRole('link', { name: 'Replay' }).click();
  const slider = opened.getByRole('slider');
  await slider.waitFor();
  await opened.locator('[data-verified]').waitFor();
  assert.deepEqual(await axe(opened), []);
  assert.deepEqual(await overflow(opened), []);
  const last = Number(await slider.getAttribute('aria-valuemax'));
  const at = () => opened.locator('.pos').getAttribute('data-at').then(Number);
  await slider.focus();
  await opened.keyboard.press('End');
  assert.equal(await at(), last);
  await opened.keyboard.press('Home');
  await opened.keyboard.press('ArrowRight');
  assert.equal(await at(), 1);
  const box = await slider.boundingBox();
  await opened.mouse.move(box.x + box.width * 0.2, box.y + 22);
  await opened.mouse.down();
  await opened.mouse.move(box.x + box.width * 0.5, box.y + 22, { steps: 5 });
  await opened.mouse.up();
  assert.ok(Math.abs((await at()) - last / 2) <= 1, `half of ${last} is not ${await at()}`);
  // Through the eyes of a player: his hand, as he saw it.
  assert.equal(await opened.locator('.fan [data-card]').count(), 0);
  await opened.locator('.rail .spk', { hasText: 'Ada' }).click();
  await opened.locator('.fan [data-card]').first().waitFor();
  const seen = () => ({
    hand: [...document.querySelectorAll('.fan [data-card], .trick [data-card]')].map((card) => card.dataset.card),
    at: document.querySelector('.pos').dataset.at,
  });
  const moment = await opened.evaluate(seen);
  const stranger = await page(await open(), 'Noor');
  await stranger.goto(opened.url());
  await stranger.locator('.fan [data-card]').first().waitFor();
  assert.deepEqual(await stranger.evaluate(seen), moment);
  return `${last} steps`;
}

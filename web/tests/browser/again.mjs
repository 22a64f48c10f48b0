// After a match: its replay, once more with the same people, and once more from a moment of it.

import assert from 'node:assert/strict';
import { axe, overflow, page } from './lib.mjs';
import { answerFirst, over, seatedPair, takeAnyCell, yourTurn } from './people.mjs';

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
  // Through the eyes of a player: their hand, as they saw it.
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

export async function a_rematch_begins_when_both_want_it({ server, open }) {
  const [a, b, id] = await seatedPair(server, open, 'oxo');
  for (let n = 0; n < 10; n++) {
    await Promise.race([...[a, b].map(yourTurn), over(a).waitFor()]);
    if (await over(a).isVisible()) break;
    const mover = (await a.locator('[data-mine]').count()) > 0 ? a : b;
    const before = await mover.locator('.cell.taken').count();
    await takeAnyCell(mover);
    await Promise.race([
      ...[a, b].map((opened) =>
        opened.waitForFunction((k) => document.querySelectorAll('.cell.taken').length > k, before),
      ),
      over(a).waitFor(),
    ]);
    await a.waitForTimeout(50);
  }
  await Promise.all([a, b].map((opened) => over(opened).waitFor()));
  await over(a)
    .getByRole('button', { name: /Play again/ })
    .click();
  await over(b).getByText('agreed: Ada').waitFor();
  assert.match(a.url(), new RegExp(id), 'one alone does not begin');
  await over(b)
    .getByRole('button', { name: /Play again/ })
    .click();
  await Promise.all(
    [a, b].map((opened) => opened.waitForURL((url) => /\/t\//.test(url.pathname) && !url.pathname.includes(id))),
  );
  assert.equal(new URL(a.url()).pathname, new URL(b.url()).pathname);
  await Promise.race([a, b].map(yourTurn));
  assert.equal(await a.locator('.cell.taken').count(), 0);
}

/** A match against bots, by script: the id of one that is over. */
async function finished(server, game = 'hearts', seats = 4) {
  const made = await server.post('/matches', { game, seats, bots: seats - 1 });
  const { session_token: token } = await server.post(`/matches/${made.id}/join`, { player_name: 'Ada' });
  for (let n = 0; n < 400; n++) {
    const { snapshot, over: ended } = await answerFirst(server, made.id, token);
    if (ended) return made.id;
    if (game === 'skirmish' && snapshot.view.turn.turnNumber > 2)
      await server.post(`/matches/${made.id}/actions`, { type: 'system.control', control: 'concede' }, token);
  }
  throw new Error('the match is never over');
}

export async function a_match_is_played_on_from_a_moment_of_its_replay({ server, open }) {
  const id = await finished(server);
  const opened = await page(await open(), 'Noor');
  await opened.goto(`${server.url}/r/${id}`);
  const on = opened.getByRole('button', { name: /^Continue from here/ });
  await on.waitFor();
  // The gallery has no seat to take, and the end nothing to play.
  assert.match(await on.getAttribute('aria-label'), /First choose the player/);
  await opened.locator('.rail .spk', { hasText: 'Ada' }).click();
  await opened.keyboard.press('End');
  await opened.waitForFunction(() => /over here/.test(document.querySelector('.ctl .on').getAttribute('aria-label')));
  // A moment in the middle at which Ada is to play. A card that she must play was played by itself: not every trick has
  // one.
  const middle = (n) => n >= 4 && n <= 9;
  await opened.locator('.fan').waitFor();
  for (let n = 0; n < 60; n++) {
    await opened.keyboard.press('ArrowLeft');
    if (
      middle(await opened.locator('.fan [data-card]').count()) &&
      /To play: Ada/.test(await opened.locator('.prompt .q').innerText())
    )
      break;
  }
  const hand = () => opened.locator('.fan [data-card]').evaluateAll((all) => all.map((card) => card.dataset.card));
  const [before, moment] = [await hand(), Number(await opened.locator('.pos').getAttribute('data-at'))];
  assert.ok(middle(before.length), `${before.length} cards`);
  assert.deepEqual(await axe(opened), []);
  await on.click();
  await opened.waitForURL(/\/t\//);
  await yourTurn(opened);
  assert.deepEqual(await hand(), before, 'the hand is what it was');
  await opened.locator('[data-continued]', { hasText: `move ${moment}` }).waitFor();
  assert.ok((await opened.locator('aside .log li').count()) > 10, 'and what led here is in the log');
  assert.deepEqual(await overflow(opened), []);
  for (let n = 0; n < 10; n++) {
    await Promise.race([yourTurn(opened), over(opened).waitFor()]);
    if (await over(opened).isVisible()) break;
    const count = await opened.locator('.fan [data-card]').count();
    await opened.locator('.fan button.hot').first().click();
    await opened.locator('.prompt .pri').click();
    await Promise.race([
      opened.waitForFunction((k) => document.querySelectorAll('.fan [data-card]').length < k, count),
      over(opened).waitFor(),
    ]);
  }
  await over(opened).waitFor();
}

export async function all_hands_are_open_in_every_replay({ server, open }) {
  for (const [game, seats, shown] of [
    ['draft', 4, '.decks .wcard'],
    ['skirmish', 2, '.openrow div[data-card]:not(.back)'],
    ['hearts-rules', 4, '.openrow div[data-card]:not(.back)'],
  ]) {
    const id = await finished(server, game, seats);
    const opened = await page(await open(), 'Noor');
    await opened.goto(`${server.url}/r/${id}?at=2&seat=0`);
    await opened.getByRole('slider').waitFor();
    assert.equal(await opened.locator(shown).count(), 0, `${game}: as they saw it`);
    await opened.getByRole('button', { name: 'All hands' }).click();
    await opened.locator(shown).first().waitFor();
    assert.deepEqual(await overflow(opened), [], game);
    assert.deepEqual(await axe(opened), [], game);
    if (game !== 'hearts-rules') continue;
    // A whole trick is a moment of the replay, although no view has its last card on the table.
    for (let n = 0; n < 8 && (await opened.locator('.bf[data-zone=trick] [data-card]').count()) < 4; n++)
      await opened.keyboard.press('ArrowRight');
    assert.equal(await opened.locator('.bf[data-zone=trick] [data-card]').count(), 4, 'a whole trick');
    assert.equal(await opened.locator('.bf[data-zone=trick] .tagc').count(), 4, 'each with who laid it');
  }
}

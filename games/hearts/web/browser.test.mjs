// Hearts at the real server, in a real browser.

import assert from 'node:assert/strict';
import { axe, page } from '../../../web/tests/browser/lib.mjs';
import { answerFirst, focused, inside, over, tabInto, tabTo, yourTurn } from '../../../web/tests/browser/people.mjs';

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

export async function a_deal_of_hearts_by_keyboard_from_the_lobby_to_the_replay({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Hearts/ }).waitFor();
  await tabTo(opened, /^Play now: Hearts/);
  await opened.keyboard.press('Enter');
  await yourTurn(opened);
  // The hand is one stop: arrows walk in it, and the focus stays in it when a card has gone to the tray.
  await tabInto(opened, '.fan');
  const first = (await focused(opened)).text;
  await opened.keyboard.press('ArrowRight');
  assert.notEqual((await focused(opened)).text, first);
  await opened.keyboard.press('End');
  for (let n = 0; n < 3; n++) {
    assert.ok(await inside(opened, '.fan'), 'the focus is still in the hand');
    await opened.keyboard.press('Enter');
    await opened.waitForFunction((k) => document.querySelectorAll('.tray [data-card]').length === k, n + 1);
  }
  await tabTo(opened, /^Pass 3 cards/, 'Shift+Tab');
  await opened.keyboard.press('Enter');
  await opened.locator('.tray').waitFor({ state: 'detached' });
  for (let n = 0; n < 14; n++) {
    await Promise.race([yourTurn(opened), over(opened).waitFor()]);
    if (await over(opened).isVisible()) break;
    const before = await opened.locator('.fan [data-card]').count();
    if (!(await inside(opened, '.fan'))) await tabInto(opened, '.fan');
    for (
      let k = 0;
      k < 13 && (await opened.evaluate(() => document.activeElement.getAttribute('aria-disabled') === 'true'));
      k++
    )
      await opened.keyboard.press('ArrowRight');
    await opened.keyboard.press('Enter');
    // A key that comes while the last answer is on its way is nobody's: whoever sees nothing happen presses again.
    for (let k = 0; k < 8; k++) {
      await opened.keyboard.press('Enter');
      const played = opened.waitForFunction(
        (count) => document.querySelectorAll('.fan [data-card]').length < count,
        before,
        { timeout: 1500 },
      );
      if (
        await Promise.race([
          played.then(
            () => true,
            () => false,
          ),
          over(opened)
            .waitFor()
            .then(
              () => true,
              () => false,
            ),
        ])
      )
        break;
    }
  }
  await over(opened).waitFor();
  await tabTo(opened, /^Replay/);
  await opened.keyboard.press('Enter');
  await opened.getByRole('slider').waitFor();
  const at = () => opened.locator('.pos').getAttribute('data-at').then(Number);
  await opened.keyboard.press('Home');
  for (let n = 0; n < 3; n++) await opened.keyboard.press('ArrowRight');
  assert.equal(await at(), 3);
  await tabTo(opened, /Ada$/);
  await opened.keyboard.press('Enter');
  await opened.locator('.fan [data-card]').first().waitFor();
  await tabTo(opened, /^All hands/);
  await opened.keyboard.press('Enter');
  await opened.locator('.openh [data-card]').first().waitFor();
  assert.deepEqual(await axe(opened), []);
}

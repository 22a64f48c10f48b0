// Hints at somebody's first table of a game.

import assert from 'node:assert/strict';
import { axe, page } from './lib.mjs';
import { tabTo, yourTurn } from './people.mjs';

const hintOf = (opened) => opened.locator('.tour').getAttribute('data-hint');

/** A page that was never here, at a table with bots. */
async function newcomer(server, open, game, seats, options) {
  const made = await server.post('/matches', { game, bots: seats - 1 });
  const opened = await page(await open(options), 'Ada', { hints: true });
  await opened.goto(`${server.url}/t/${made.id}`);
  return opened;
}

/** Nothing that somebody may want to press lies under the hint. */
async function isFree(opened, what) {
  const under = await opened
    .locator(what)
    .evaluateAll((all) =>
      all
        .map((each) => each.getBoundingClientRect())
        .filter(({ left, top, width, height }) =>
          document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.tour'),
        ),
    );
  assert.deepEqual(under, [], what);
}

export async function the_first_table_of_each_game_is_explained_once({ server, open }) {
  const opened = await page(await open(), 'Ada', { hints: true });
  const developers = ['Oxo', 'Sharing', 'Orcain battle', 'Hearts by ruleset'];
  for (const title of ['Riichi', 'Poker', 'Battle', 'Skirmish', 'Cube draft', ...developers]) {
    await opened.goto(server.url);
    await opened.locator('.devs summary').click();
    await opened.getByRole('button', { name: `Play now: ${title}, with bots` }).click();
    await opened.locator('.tour[data-hint="1"]').waitFor();
    await isFree(
      opened,
      '.hand .tile, .bhand button, .rhand .rc, .pcards.own .card, .cell, .shelf .wcard, .prompt .btn',
    );
    const all = Number(/\d+$/.exec(await opened.locator('.tour .tourn').innerText())[0]);
    assert.ok(all >= 3 && all <= 6, `${title} has ${all}`);
    await opened.locator('[role=status]', { hasText: `First steps, 1 of ${all}: ` }).waitFor({ state: 'attached' });
    for (let n = 2; n <= all; n++) {
      await opened.locator('.tour').getByRole('button', { name: 'Next' }).click();
      await opened.locator(`.tour[data-hint="${n}"]`).waitFor();
    }
    await opened.locator('.tour').getByRole('button', { name: 'Got it' }).click();
    await opened.locator('.tour').waitFor({ state: 'detached' });
    await opened.reload();
    await opened.locator('main.table :is(.prompt, .pdock)').first().waitFor();
    await opened.waitForTimeout(200);
    assert.equal(await opened.locator('.tour').count(), 0, `${title}: not again`);
  }
}

export async function hints_are_in_nobodys_way({ server, open }) {
  const opened = await newcomer(server, open, 'hearts', 4);
  await yourTurn(opened);
  await opened.locator('.tour').waitFor();
  assert.deepEqual(await axe(opened), []);
  // Three cards are passed while the hint stays.
  for (const n of [0, 4, 9]) await opened.locator('.fan button').nth(n).click();
  await opened.keyboard.press('Enter');
  await opened.waitForFunction(() => globalThis.parlor.table.state.view.passing === false);
  assert.equal(await hintOf(opened), '1');
  // By keyboard alone: to the next one, and away with Escape; a card that is chosen stays chosen.
  await tabTo(opened, /^Next/);
  await opened.keyboard.press('Enter');
  await opened.locator('.tour[data-hint="2"]').waitFor();
  await yourTurn(opened);
  await opened.locator('.fan button.hot').first().click();
  await opened.keyboard.press('Escape');
  await opened.locator('.tour').waitFor({ state: 'detached' });
  assert.equal(await opened.locator('.fan .sel').count(), 1);
  await opened.reload();
  await yourTurn(opened);
  await opened.waitForTimeout(200);
  assert.equal(await opened.locator('.tour').count(), 0);
  // Help has them.
  await opened.keyboard.press('?');
  await opened.getByRole('button', { name: 'First steps again' }).click();
  await opened.locator('.tour[data-hint="1"]').waitFor();
  await opened.getByRole('button', { name: 'Skip' }).click();
  await opened.locator('.tour').waitFor({ state: 'detached' });
}

export async function hints_fit_a_phone_and_its_help_has_them({ server, open }) {
  const opened = await newcomer(server, open, 'riichi', 4, { viewport: { width: 320, height: 568 } });
  await yourTurn(opened);
  await opened.locator('.tour').waitFor();
  await isFree(opened, '.hand .tile, .prompt .btn');
  // What is asked next may need more room: the hint makes it.
  await opened.setViewportSize({ width: 568, height: 320 });
  await opened.locator('html[data-layout=low]').waitFor();
  await opened.waitForTimeout(300);
  await isFree(opened, '.hand .tile, .prompt .btn');
  await opened.setViewportSize({ width: 320, height: 568 });
  await opened.locator('.tour').getByRole('button', { name: 'Skip' }).click();
  await opened.getByRole('button', { name: 'Log and chat' }).click();
  await opened.getByRole('button', { name: 'How to play' }).click();
  await opened.getByRole('button', { name: 'First steps again' }).click();
  await opened.locator('.tour[data-hint="1"]').waitFor();
}

export async function the_help_of_each_game_has_its_rules_and_a_picture({ server, open }) {
  const opened = await page(await open(), 'Ada');
  for (const [game, seats, taught] of [
    ['riichi', 4, /All simples/],
    ['poker', 3, /Full house/],
    ['hearts', 4, /Shooting the moon/],
    ['battle', 2, /sends an attack back/],
    ['draft', 2, /Each pair of one color/],
    ['oxo', 2, /Three of your marks/],
    ['sharing', 3, /Lay a card open in front of you/],
    ['skirmish', 2, /Cast a spell from your hand/],
  ]) {
    const made = await server.post('/matches', { game, seats, bots: seats - 1 });
    await opened.goto(`${server.url}/t/${made.id}`);
    await opened.locator('main.table :is(.prompt, .pdock)').first().waitFor();
    await opened.keyboard.press('?');
    const sheet = opened.getByRole('dialog', { name: 'How to play' });
    await sheet.getByText(taught).first().waitFor();
    const picture = await sheet.locator('.hart').evaluate((art) => {
      const box = art.getBoundingClientRect();
      const pieces = [...art.querySelectorAll('svg, .tile, .card')].map((piece) => piece.getBoundingClientRect());
      return pieces.filter(({ height, top, bottom }) => height > 12 && top >= box.top - 1 && bottom <= box.bottom + 1)
        .length;
    });
    assert.ok(picture > 0, `${game}: no piece of the picture is whole`);
    assert.deepEqual(await axe(opened), [], game);
  }
  // Tiles and cards are drawn among the words.
  const made = await server.post('/matches', { game: 'riichi', bots: 3 });
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.locator('main.table .prompt').first().waitFor();
  await opened.keyboard.press('?');
  await opened.locator('.hpart .hshow .tile').first().waitFor();
}

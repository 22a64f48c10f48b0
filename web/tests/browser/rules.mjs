// Rulesets at the table that draws them all: nothing here is made for one of them.

import assert from 'node:assert/strict';
import { axe, crossings, overflow, page } from './lib.mjs';
import { canPass, passUntil, seatedPair } from './people.mjs';

const DECK = [...Array(8).fill('bolt'), ...Array(8).fill('deny'), ...Array(4).fill('bear')];
const turnOf = (opened) => opened.locator('.pbar:has(.bdg)').getAttribute('data-seat').then(Number);
const titles = (opened) => opened.locator('.stk .si b').allInnerTexts();
const logged = (opened, text) => opened.locator('aside .log', { hasText: text }).waitFor();

/** Two people at a table of skirmish; whoever sits in seat 0 comes first. */
export async function duel(server, open, settings = {}) {
  const [a, b, id] = await seatedPair(server, open, 'skirmish', { deck: DECK, handSize: 4, ...settings });
  const seat = await a.locator('.pbar.mep').getAttribute('data-seat');
  return seat === '0' ? [a, b, id] : [b, a, id];
}

/** Both pass until the first player is in his main step with so much mana. */
async function untilMana(first, second, mana) {
  await passUntil([first, second], async () => {
    const now = await first.locator('.pbar.mep [data-fact=mana] b').innerText();
    const main = (await first.locator('.ribbon [aria-current]').innerText()) === 'Main';
    return main && (await turnOf(first)) === 0 && now.startsWith(`${mana}/`) && (await canPass(first));
  });
}

export async function a_skirmish_turn_with_a_response_on_the_stack({ server, open }) {
  // cites 001-8
  const [first, second] = await duel(server, open);
  assert.deepEqual(await overflow(first), []);
  // A card that cannot be played says why, to the eye and to the ear.
  const barred = first.locator('.rhand button.off').first();
  await barred.waitFor();
  assert.match(await barred.textContent(), /not possible: ./);
  await barred.hover();
  await first.locator('.why').waitFor();
  await first.mouse.move(5, 5);
  await untilMana(first, second, 3);

  // A bolt, at the other player: what can be chosen glows, an arrow goes from the card to the target.
  await first.locator('.rhand button.hot[data-card=Bolt]').first().click();
  await first.getByRole('button', { name: /^Cast a spell: Bolt/ }).click();
  await first.locator('.pbar.hot[data-seat="1"] button').click();
  await first.locator('[data-arrows="1"]').waitFor();
  assert.deepEqual(await axe(first), []);
  await first.getByRole('button', { name: /^Choose Rook|^Choose Ada/ }).click();
  await second.locator('.stk .si', { hasText: 'Bolt' }).waitFor();
  // Whoever's turn it is may add to it first.
  await first.getByText('Respond to Bolt?').waitFor();
  await first.keyboard.press('p');
  await second.getByText('Respond to Bolt?').waitFor();
  const life = () => second.locator('.pbar.mep [data-fact=life] b').innerText();
  const before = await life();

  // Stopped before it lands: both wait, the answer on top, and each says what brought it there.
  await second.locator('.rhand button.hot[data-card=Deny]').first().click();
  await second.getByRole('button', { name: /^Cast a spell: Deny/ }).click();
  await second.locator('.stk button.si.hot').click();
  await second.getByRole('button', { name: 'Choose Bolt' }).click();
  for (const opened of [first, second]) {
    await opened.locator('.stk .si', { hasText: 'Deny' }).waitFor();
    assert.deepEqual(await titles(opened), ['Deny', 'Bolt']);
    assert.match(await opened.locator('.stk .si').first().locator('.cause').innerText(), /because of Bolt/);
    assert.ok((await opened.locator('[data-arrows]').count()) > 0, 'arrows from what waits to its targets');
    assert.deepEqual(await axe(opened), []);
    assert.deepEqual(await overflow(opened), []);
    assert.deepEqual(await crossings(opened), []);
  }
  await passUntil([first, second], async () => (await titles(first)).length === 0);
  for (const opened of [first, second]) await logged(opened, 'Prevented: Bolt');
  assert.equal(await life(), before, 'nothing has landed');
  for (const opened of [first, second])
    assert.equal(await opened.locator('.pbar [data-zone=graveyard] b').first().innerText(), '1');
}

export async function a_card_is_dragged_and_a_turn_is_passed_by_itself({ server, open }) {
  const [first, second] = await duel(server, open, { deck: Array(20).fill('bear') });
  await untilMana(first, second, 2);
  // Dropped onto the field it is played: the same move, by hand.
  await first.locator('.rhand .hot[data-card=Bear]').first().dragTo(first.locator('.bf[data-owner="0"]'));
  await second.locator('.stk .si', { hasText: 'Bear' }).waitFor();
  const bear = '.bf[data-owner="0"] [data-card=Bear]';
  await passUntil([second, first], async () => (await first.locator(bear).count()) > 0);
  await second.locator(bear).waitFor();
  assert.equal(await second.locator(bear).count(), 1);
  // Passing by itself is kept by the server: it holds after a reload.
  await second.getByRole('button', { name: 'My turn' }).click();
  await second.locator('[data-stops=my_turn]').waitFor();
  await second.reload();
  await second.locator('[data-stops=my_turn]').waitFor();
  await second.locator('aside .log li').nth(3).waitFor();
}

export async function a_ruleset_speaks_the_language_of_its_reader({ server, open }) {
  const made = await server.post('/matches', { game: 'orcain', settings: { prepMs: 20_000 } });
  const context = await open();
  await context.addInitScript(
    () =>
      localStorage.getItem('parlor.settings') ??
      localStorage.setItem('parlor.settings', JSON.stringify({ lang: 'ja', theme: 'dark', sound: false })),
  );
  const opened = await page(context, 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.getByRole('heading', { name: 'オーケインの戦い' }).waitFor();
  await opened.locator('.prompt', { hasText: '配置を決める' }).waitFor();
  await opened.locator('.rhand [data-card=攻撃]', { hasText: '防がれなければ 2 点。' }).click();
  await opened.locator('.places [data-card=攻撃]').waitFor();
  // Another language, at the same table: what was laid lies there by its other name.
  await opened.evaluate(() =>
    localStorage.setItem('parlor.settings', JSON.stringify({ lang: 'ru', theme: 'dark', sound: false })),
  );
  await opened.reload();
  await opened.locator('.places [data-card=Атака]').waitFor();
  await opened.goto(server.url);
  await opened.getByText('Стычка').first().waitFor();
}

export async function every_shipped_ruleset_is_played_against_bots_at_the_same_table({ server, open }) {
  for (const [game, name, settings] of [
    ['orcain', 'Orcain battle', { prepMs: 8000 }],
    ['hearts-rules', 'Hearts by ruleset', {}],
  ]) {
    const made = await server.post('/matches', { game, settings });
    const opened = await page(await open(), 'Ada');
    await opened.goto(`${server.url}/t/${made.id}`);
    await opened.locator('.rtb').waitFor();
    await opened.locator('[data-mine]').waitFor();
    assert.equal(await opened.locator('header h1').innerText(), name);
    if (game === 'orcain') {
      for (const card of ['Attack', 'Heal', 'Counter']) await opened.locator(`.rhand [data-card=${card}]`).click();
      assert.equal(await opened.locator('.places [data-card]').count(), 3);
      await opened.getByRole('button', { name: 'Confirm' }).click();
      await opened.locator('.places div[data-card]').first().waitFor();
      await logged(opened, 'against');
    } else {
      for (let n = 0; n < 3; n++) await opened.locator('.rhand button.hot').nth(n).click();
      await opened.getByRole('button', { name: 'Send', exact: true }).click();
      await opened.locator('.bf [data-card]').first().waitFor();
      await opened.locator('[data-mine]').waitFor();
      await opened.locator('.rhand button.hot').first().click();
      // The question asks for a card, and the button says which.
      await opened.getByRole('button', { name: /^Play \S/ }).click();
      await opened.waitForFunction(() => document.querySelectorAll('.rhand [data-card]').length < 13);
      // The last card of a trick goes with the trick in the same moment; it is seen all the same.
      await opened.waitForFunction(() => document.querySelectorAll('.bf[data-zone=trick] [data-card]').length === 4);
      await opened.waitForFunction(() => document.querySelectorAll('.bf[data-zone=trick] [data-card]').length < 4);
    }
    assert.deepEqual(await axe(opened), []);
    assert.deepEqual(await overflow(opened), []);
  }
}

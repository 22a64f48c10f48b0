// The pages as people meet them: in windows of every kind, under a finger, at the end of a match, and in the lobby.

import assert from 'node:assert/strict';
import { axe, overflow, page } from './lib.mjs';
import { lookAt } from './look.mjs';
import { answerFirst, seatedPair, takeAnyCell, yourTurn } from './people.mjs';

/** So long after a pointer came to rest nothing may open any more; what opens does so after 350 ms. */
const REST_MS = 700;

const sized = (width, height) => ({ viewport: { width, height } });

export async function the_lobby_can_be_used_in_low_windows({ server, open }) {
  for (const [width, height] of [
    [844, 390],
    [1280, 560],
  ]) {
    const opened = await page(await open(sized(width, height)), 'Ada');
    await opened.goto(server.url);
    const button = opened.getByRole('button', { name: /^Play now: Riichi/ });
    await button.waitFor();
    const box = await button.boundingBox();
    assert.ok(box.height >= 40 && box.y + box.height <= height, `${width}x${height}: the button is at ${box.y}`);
    await button.click({ trial: true });
  }
}

export async function a_hand_of_hearts_fits_every_window({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', bots: 3 });
  const opened = await page(await open(sized(768, 1024)), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  await opened.locator('[data-seeded]', { hasText: 'chosen seed' }).waitFor({ state: 'attached' });
  for (const [width, height, layout] of [
    [768, 1024, 'portrait'],
    [1024, 768, 'tablet'],
    [844, 390, 'low'],
    [320, 568, 'portrait'],
    [1280, 560, 'desk'],
  ]) {
    await opened.setViewportSize({ width, height });
    await opened.locator(`html[data-layout=${layout}]`).waitFor();
    const boxes = await opened
      .locator('.fan [data-card]')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
    assert.equal(boxes.length, 13);
    for (const { left, right, bottom } of boxes)
      assert.ok(
        left >= 0 && right <= width && bottom <= height,
        `${width}x${height}: a card reaches ${right},${bottom}`,
      );
    assert.deepEqual(await overflow(opened), [], `${width}x${height}`);
    if (layout !== 'portrait') continue;
    // A phone has no room for it beside the name of the table; its log says it.
    await opened.locator('[data-open=log]').click();
    await opened.locator('dialog [data-seeded]', { hasText: 'Chosen seed' }).waitFor();
    await opened.keyboard.press('Escape');
    await opened.locator('dialog').waitFor({ state: 'detached' });
  }
}

export async function a_full_poker_table_fits_small_phones({ server, open }) {
  const made = await server.post('/matches', {
    game: 'poker',
    seats: 9,
    bots: Array.from({ length: 8 }, () => ({ bot: 'call' })),
    settings: { profile: 'standard', timeLimitMs: 0, timeBankMs: 0 },
  });
  const opened = await page(await open({ ...sized(390, 844), reducedMotion: 'reduce' }), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.locator('.pkbet[data-mine]').waitFor();
  for (const [width, height, layout] of [
    [320, 568, 'portrait'],
    [375, 667, 'portrait'],
    [667, 375, 'low'],
    [768, 1024, 'portrait'],
  ]) {
    await opened.setViewportSize({ width, height });
    await opened.locator(`html[data-layout=${layout}]`).waitFor();
    assert.deepEqual(await opened.evaluate(lookAt, { scrolls: false }), [], `${width}x${height}`);
  }
}

export async function a_hand_keeps_its_size_while_cards_are_chosen({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', bots: 3 });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  const places = () =>
    opened
      .locator('.fan [data-card]')
      .evaluateAll((cards) => cards.map((card) => [card.dataset.card, card.offsetLeft, card.offsetWidth].join()));
  const before = await places();
  await opened.locator('.fan button.hot').nth(2).click();
  await opened.locator('.tray [data-card]').waitFor();
  const after = await places();
  assert.equal(after.length, before.length - 1);
  for (const card of after) assert.ok(before.includes(card), `${card} has moved`);
}

export async function cards_that_were_passed_do_not_come_back_to_the_hand({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', seats: 4, bots: 2 });
  const pages = [];
  for (const name of ['Ada', 'Rook']) {
    const opened = await page(await open(), name);
    await opened.goto(`${server.url}/t/${made.id}`);
    pages.push(opened);
    await opened.locator(pages.length === 1 ? '[data-state=waiting]' : '.prompt').waitFor();
  }
  const [first] = pages;
  await yourTurn(first);
  for (let n = 0; n < 3; n++) await first.locator('.fan button.hot').first().click();
  const chosen = await first
    .locator('.tray [data-card]')
    .evaluateAll((cards) => cards.map((card) => card.dataset.card));
  await first.getByRole('button', { name: 'Pass 3 cards' }).click();
  // The other has not passed yet: the rules still count the cards as this hand's.
  await first.locator('[data-mine]').waitFor({ state: 'detached' });
  const left = await first.locator('.fan [data-card]').evaluateAll((cards) => cards.map((card) => card.dataset.card));
  assert.equal(left.length, 10);
  for (const card of chosen) assert.ok(!left.includes(card), `${card} is back`);
}

export async function a_reason_opens_for_a_pointer_that_moves_and_not_for_one_that_rests({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', bots: 3 });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  for (let n = 0; n < 2; n++) await opened.locator('.fan button.hot').first().click();
  // The pointer lies on a card; then the third card is chosen without it, and what it lies on can no longer be had.
  const card = await opened.locator('.fan [data-card]').nth(5).elementHandle();
  const box = await card.boundingBox();
  await opened.mouse.move(box.x + 20, box.y + 40, { steps: 3 });
  await opened
    .locator('.fan button.hot')
    .last()
    .evaluate((last) => last.click());
  await opened.waitForFunction((each) => each.classList.contains('off'), card);
  await opened.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), REST_MS);
  assert.equal(await opened.locator('.why').count(), 0, 'nothing opens under a pointer at rest');
  await opened.mouse.move(box.x + 26, box.y + 46, { steps: 3 });
  await opened.locator('.why').waitFor();
  const [why, primary] = await Promise.all([
    opened.locator('.why').boundingBox(),
    opened.locator('.prompt .btn.pri').boundingBox(),
  ]);
  const beside =
    why.x >= primary.x + primary.width ||
    why.x + why.width <= primary.x ||
    why.y >= primary.y + primary.height ||
    why.y + why.height <= primary.y;
  assert.ok(beside, 'a reason never lies over the primary button');
}

export async function enter_does_what_is_printed_on_the_button({ server, open }) {
  const made = await server.post('/matches', { game: 'battle', bots: 1, settings: { profile: 'document' } });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  await opened.locator('[data-hand=attack]').click();
  await opened.locator('.lane.own [data-slot="1"].bc').waitFor();
  // A card has the focus, and the button says "Confirm, Enter".
  await opened.locator('[data-hand=heal]').focus();
  await opened.keyboard.press('Enter');
  await opened.locator('[data-mine]').waitFor({ state: 'detached' });
  assert.equal(await opened.evaluate(() => globalThis.parlor.table.state.view.confirmed), true);
  assert.equal(await opened.locator('.lane.own .bc').count(), 1, 'and no other card was laid');
}

export async function one_click_plays_for_whoever_wants_it_and_never_for_a_finger({ server, open }) {
  const made = await server.post('/matches', { game: 'draft', bots: 1 });
  const opened = await page(await open({ hasTouch: true }), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  const cards = opened.locator('.shelf button.wcard');
  const picked = (n) => opened.waitForFunction((many) => document.querySelectorAll('.pool .wcard').length === many, n);
  await cards.first().click();
  await opened.locator('.shelf .wcard.sel').waitFor();
  assert.equal(await opened.locator('.pool .wcard').count(), 0, 'a click alone only chooses');
  await cards.first().click();
  await picked(1);
  await opened.locator('[data-open=settings]').click();
  await opened.getByRole('button', { name: 'Play with one click' }).click();
  await opened.keyboard.press('Escape');
  await yourTurn(opened);
  await cards.first().tap();
  await opened.locator('.shelf .wcard.sel').waitFor();
  assert.equal(await opened.locator('.pool .wcard').count(), 1, 'a finger may slip');
  await cards.nth(1).click();
  await picked(2);
}

export async function the_last_beat_of_a_round_is_held({ server, open }) {
  const [a, b] = await seatedPair(server, open, 'battle', { profile: 'standard', revealMs: 100, firstRevealMs: 50 });
  for (const opened of [a, b]) {
    await opened.locator('[data-hand=heal]').click();
    await opened.getByRole('button', { name: 'Confirm' }).click();
  }
  // The next round has begun, and the third beat of this one is still to be seen.
  await a.waitForFunction(
    () =>
      globalThis.parlor.table.state.view.round === 2 &&
      document.querySelectorAll('.beats .beat').length === 3 &&
      document.querySelector('.beat:nth-child(3)').classList.contains('cur'),
  );
  await a.locator('.bt:not(.rv)').waitFor();
}

export async function a_replay_ends_with_the_result({ server, open }) {
  const made = await server.post('/matches', { game: 'hearts', bots: 3 });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  const token = await opened.evaluate(() => globalThis.parlor.table.state.token);
  for (let n = 0; n < 2000 && !(await answerFirst(server, made.id, token)).snapshot.over; n++);
  await opened.getByRole('dialog').waitFor();
  await opened.goto(`${server.url}/r/${made.id}`);
  await opened.getByRole('slider').waitFor();
  assert.equal(await opened.locator('[data-result]').count(), 0);
  await opened.keyboard.press('End');
  const result = opened.locator('[data-result]');
  await result.waitFor();
  assert.match(await result.innerText(), /won|tie/);
  const scores = await result.locator('li b').allInnerTexts();
  assert.equal(scores.length, 4);
  assert.equal(scores.reduce((sum, text) => sum + Number(text), 0) % 26, 0, 'and with everybody’s score');
}

export async function an_undo_is_a_step_of_the_replay({ server, open }) {
  const [a, b, id] = await seatedPair(server, open, 'oxo');
  const first = (await a.locator('[data-mine]').count()) > 0 ? a : b;
  const other = first === a ? b : a;
  await takeAnyCell(first);
  await yourTurn(other);
  await first.getByRole('button', { name: 'Undo' }).click();
  await other.locator('[data-offer=undo]').getByRole('button', { name: 'yes' }).click();
  await yourTurn(first);
  assert.equal(await first.locator('.log li.undone').count(), 1, 'exactly what was taken back is struck');
  for (let n = 0; n < 9 && !(await first.getByRole('dialog').count()); n++) {
    const mover = n % 2 ? other : first;
    await mover.locator('[data-mine], dialog').first().waitFor();
    if ((await mover.locator('.cell.open').count()) > 0) await takeAnyCell(mover);
  }
  await first.getByRole('dialog').waitFor();
  await first.goto(`${server.url}/r/${id}`);
  await first.getByRole('slider').waitFor();
  await first.locator('.rail .steps li', { hasText: 'Undone' }).waitFor();
}

export async function the_lobby_lists_games_for_people_first_and_remembers_their_options({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /^Play now: Riichi/ }).waitFor();
  const titles = await opened.locator('.game h2, .lm > section .rsb b').allInnerTexts();
  assert.deepEqual(titles.slice(0, 5), ['Riichi', 'Poker', 'Hearts', 'Battle', 'Skirmish']);
  assert.ok(!titles.includes('Oxo'), 'games for developers are folded away');
  await opened.getByText('For developers').click();
  await opened.getByRole('button', { name: /^Play now: Oxo/ }).waitFor();
  await opened.getByRole('button', { name: 'Options: Hearts', exact: true }).click();
  await opened.getByRole('button', { name: 'To 50' }).click();
  // The sheet itself opens a table, too.
  await opened.getByRole('dialog').getByRole('button', { name: 'Play now' }).click();
  await yourTurn(opened);
  await opened.goto(server.url);
  const sent = opened.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/matches'));
  await opened.getByRole('button', { name: /^Play now: Hearts/ }).click();
  assert.equal((await sent).postDataJSON().settings.until, 50);
  await yourTurn(opened);
}

export async function a_first_visit_leaves_nothing_in_the_console({ server, open }) {
  const context = await open();
  const opened = await context.newPage();
  const said = [];
  opened.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  await opened.goto(server.url);
  await opened
    .getByRole('button', { name: /^Play now: / })
    .first()
    .waitFor();
  await opened.waitForLoadState('networkidle');
  assert.deepEqual(said, []);
  // Guests and tables have names, and none is a number for machines.
  await opened.getByRole('button', { name: /^Play now: Hearts,/ }).click();
  await opened.waitForURL(/\/t\//);
  await opened.locator('.top .meta', { hasText: /table [A-Z][a-z]+ \d+/ }).waitFor();
  await opened.goto(`${server.url}/me`);
  assert.match(await opened.getByLabel('Your name at tables').inputValue(), /^Guest \d{4}$/);
}

export async function leaders_a_players_page_and_replays_tell_who_won({ server, open }) {
  const people = [];
  const run = Date.now().toString(36).slice(-6);
  for (const name of ['Win', 'Lou']) people.push(await server.post('/players/guest', { nickname: `${name} ${run}` }));
  const [winner, loser] = people;
  const settings = { profile: 'standard', stake: 0 };
  const made = await server.post('/matches', { game: 'battle', bots: 0, settings, seed: undefined });
  for (const { token } of people) await server.post(`/matches/${made.id}/join`, {}, token);
  await server.post(`/matches/${made.id}/leave`, {}, loser.token);
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/leaders`);
  const first = opened.locator('.leaders li').filter({ hasText: winner.nickname });
  await first.getByText('1 won, 0 lost, 0 drawn').waitFor();
  await first.getByRole('link').click();
  await opened.getByRole('heading', { level: 1, name: winner.nickname }).waitFor();
  // The rating went up with the match that is listed below it.
  await opened.getByRole('img', { name: 'Rating over the last 1 rated matches' }).waitFor();
  await opened.locator('.live').getByText('Won (+5)').waitFor();
  await opened.getByRole('link', { name: 'Replays' }).click();
  const row = opened.locator('.live li').filter({ hasText: `${winner.nickname} won` });
  await row.waitFor();
  // Of other games there is nothing of theirs.
  await opened.getByLabel('Game').selectOption('hearts');
  await row.waitFor({ state: 'detached' });
  await opened.getByLabel('Game').selectOption('battle');
  await row.waitFor();
}

export async function without_a_network_the_page_starts_and_says_so({ server, open }) {
  const context = await open();
  const opened = await page(context, 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /^Play now: Riichi/ }).waitFor();
  await opened.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active.state !== 'activated')
      await new Promise((done) => active.addEventListener('statechange', () => active.state === 'activated' && done()));
  });
  await context.setOffline(true);
  await opened.reload();
  await opened.getByText('You are offline').waitFor();
  await context.setOffline(false);
  await opened.getByRole('button', { name: 'Try again' }).click();
  await opened.getByRole('button', { name: /^Play now: Riichi/ }).waitFor();
  // What the browser says of requests that could not be made is meant here.
  opened.complaints.length = 0;
}

export async function who_is_muted_is_not_heard_and_the_chat_can_be_off({ server, open }) {
  const [ada, rook] = await seatedPair(server, open, 'oxo');
  const say = async (text) => {
    await rook.getByLabel('Write a message').fill(text);
    await rook.keyboard.press('Enter');
    await rook.locator('.chat li', { hasText: text }).waitFor();
  };
  /** Whether the page has heard it, whatever it shows. */
  const heard = (text) =>
    ada.waitForFunction((said) => globalThis.parlor?.table?.state.chat.some((line) => line.text === said), text);
  const shown = () => ada.locator('.rail .chat li').allInnerTexts();
  const people = () => ada.locator('.rail').getByRole('button', { name: 'Chat and people' }).click();
  await say('one');
  await ada.locator('.rail .chat li', { hasText: 'one' }).waitFor();
  await people();
  await ada.getByRole('button', { name: 'Mute Rook' }).click();
  await ada.getByRole('button', { name: 'Unmute Rook' }).waitFor();
  assert.deepEqual(await axe(ada), []);
  await ada.keyboard.press('Escape');
  await say('two');
  await heard('two');
  assert.deepEqual(await shown(), []);
  // It holds in the next page of this browser.
  await ada.reload();
  await ada.locator('.cell').first().waitFor();
  await say('three');
  await heard('three');
  assert.deepEqual(await shown(), []);
  await people();
  await ada.getByRole('button', { name: 'Unmute Rook' }).click();
  await ada.keyboard.press('Escape');
  await ada.locator('.rail .chat li', { hasText: 'three' }).waitFor();
  // Off as a whole: nothing is shown and nothing can be written, until it is on again.
  await people();
  await ada.getByRole('button', { name: 'Show the chat' }).click();
  await ada.keyboard.press('Escape');
  await ada.locator('.rail .chat', { hasText: 'The chat is off' }).waitFor();
  assert.deepEqual([await shown(), await ada.locator('.rail .chat input').count()], [[], 0]);
  await people();
  await ada.getByRole('button', { name: 'Show the chat' }).click();
  await ada.keyboard.press('Escape');
  await ada.locator('.rail .chat li', { hasText: 'three' }).waitFor();
}

export async function who_is_muted_in_one_browser_is_muted_in_the_next_of_the_same_player({ server, open }) {
  const { token } = await server.post('/players/guest', { nickname: `Mu ${Date.now().toString(36).slice(-6)}` });
  const made = await server.post('/matches', { game: 'oxo', seats: 2, bots: 0 });
  const signedIn = async () => {
    const opened = await page(await open(), 'Ada');
    await opened.addInitScript((kept) => localStorage.setItem('parlor.player', kept), token);
    await opened.goto(`${server.url}/t/${made.id}`);
    return opened;
  };
  const first = await signedIn();
  await first.locator('[data-state=waiting]').waitFor();
  const rook = await page(await open(), 'Rook');
  await rook.goto(`${server.url}/t/${made.id}`);
  await rook.locator('.prompt').waitFor();
  const people = (opened) => opened.locator('.rail').getByRole('button', { name: 'Chat and people' }).click();
  await people(first);
  const kept = first.waitForResponse((reply) => reply.url().endsWith('/players/me/mutes') && reply.ok());
  await first.getByRole('button', { name: 'Mute Rook' }).click();
  await first.getByText('Kept with your account.').waitFor();
  await kept;
  const second = await signedIn();
  await second.locator('.cell').first().waitFor();
  await people(second);
  await second.getByRole('button', { name: 'Unmute Rook' }).waitFor();
}

export async function the_list_of_live_tables_says_how_they_stand({ server, open }) {
  const settings = { profile: 'standard', stake: 0, revealMs: 50, firstRevealMs: 50 };
  const made = await server.post('/matches', { game: 'battle', bots: 1, settings });
  const name = `Sco ${Date.now().toString(36).slice(-6)}`;
  const player = await page(await open(), name);
  await player.goto(`${server.url}/t/${made.id}`);
  await yourTurn(player);
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.locator('.live li', { hasText: `${name}: 10, 1 bot` }).waitFor();
}

// Riichi at the real server, in a real browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { axe, overflow, page } from '../../../web/tests/browser/lib.mjs';
import { tabTo, yourTurn } from '../../../web/tests/browser/people.mjs';

/** Nobody is hurried, and nothing is waited for but the player. */
const CALM = {
  profile: 'standard',
  game_type: 'east',
  turnBaseMs: 600_000,
  callBaseMs: 600_000,
  roundAdvanceMs: 600_000,
  callWindowMinMs: 0,
  riichiDiscardMs: 0,
};
const bots = (bot) => [1, 2, 3].map((seat) => ({ seat, bot }));

/** A table with the page in seat 0 and three bots that take no time. */
async function seated(server, open, { bot = 'tsumogiri', seed = 'riichi', settings = {} } = {}) {
  const made = await server.post('/matches', {
    game: 'riichi',
    bots: bots(bot),
    botMs: 0,
    settings: { ...CALM, ...settings },
    seed,
  });
  const opened = await page(await open(), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  const token = await opened.evaluate(() => globalThis.parlor.table.state.token);
  return { id: made.id, opened, token };
}

async function shownTo(server, id, token) {
  const answer = await fetch(`${server.url}/matches/${id}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()).snapshot;
}

const kindOf = (tile) => tile >> 2;
/** How much a tile has to do with the others. */
function bound(tile, tiles) {
  const kind = kindOf(tile);
  return tiles
    .filter((other) => other !== tile)
    .reduce((sum, other) => {
      const apart = Math.abs(kindOf(other) - kind);
      if (apart === 0) return sum + 3;
      const sameSuit = kind < 27 && Math.floor(kindOf(other) / 9) === Math.floor(kind / 9);
      return sameSuit && apart < 3 ? sum + 3 - apart : sum;
    }, 0);
}
/** What somebody who keeps a closed hand answers. */
function choose(view, request) {
  const choices = request.choices.filter((choice) => !choice.whyNot);
  const named = (kind) => choices.find((choice) => choice.kind === kind);
  if (!named('discard')) return named('confirm') ?? named('pass');
  // A discard that leaves the hand tenpai comes first.
  const keeps = view.hints.discards[0]?.kind;
  const discards = choices.filter((choice) => choice.kind === 'discard');
  const tileOf = (choice) => Number(choice.id.split(':')[1]);
  const loose = [...discards].sort((a, b) => bound(tileOf(a), view.own.tiles) - bound(tileOf(b), view.own.tiles))[0];
  return discards.find((choice) => kindOf(tileOf(choice)) === keeps) ?? loose;
}

/** Plays the seat by script, while the page looks on, until something is so. */
async function playUntil(server, { id, token }, done) {
  for (let n = 0; n < 3000; n++) {
    const { view, requests } = await shownTo(server, id, token);
    const request = requests.find((each) => each.kind === 'request');
    if (request && done(view, request)) return view;
    assert.ok(!('over' in view.phase), 'the game was over before it came to that');
    if (!request) {
      await new Promise((next) => setTimeout(next, 10));
      continue;
    }
    const { title, id: choice } = choose(view, request);
    const answer = { title: request.title, inputId: request.inputId, selection: [{ title, id: choice }] };
    await server.post(`/matches/${id}/responses`, answer, token);
  }
  throw new Error('it never came to that');
}

const has = (request, kind) => request.choices.some((choice) => choice.kind === kind && !choice.whyNot);
/** The page is asked the same as the server says. */
const follows = (opened, { inputId }) =>
  opened.waitForFunction(
    (id) => globalThis.parlor.table.state.requests.some((request) => request.inputId === id),
    inputId,
  );
async function asked(server, table, done) {
  let found;
  const view = await playUntil(server, table, (seen, request) => done(seen, request) && (found = request));
  await follows(table.opened, found);
  return { view, request: found };
}

export async function a_hand_of_riichi_from_the_deal_to_the_end_sheet_with_a_call({ server, open }) {
  const table = await seated(server, open, { bot: 'greedy' });
  const { opened } = table;
  assert.equal(await opened.locator('.hand .tile').count(), 14, 'the dealer has fourteen');
  assert.deepEqual(await overflow(opened), []);
  // A tile of the hand goes to the river.
  const tile = await opened.locator('.hand .tile').first().getAttribute('data-tile');
  await opened.locator('.hand .tile').first().click();
  const send = opened.locator('.prompt .pri');
  if (await opened.locator(`.hand [data-tile="${tile}"].sel`).isVisible()) await send.click();
  await opened.locator(`.q0 .river [data-tile="${tile}"]`).waitFor();
  // The first call there is.
  const { request } = await asked(server, table, (_, asks) => has(asks, 'pon') || has(asks, 'chi'));
  const call = has(request, 'pon') ? 'Pon' : 'Chi';
  const names = await opened.locator('.prompt .acts .btn .bl').allInnerTexts();
  assert.deepEqual(names, ['Chi', 'Pon', 'Kan', 'Ron', 'Pass'], 'always in this order');
  assert.deepEqual(await axe(opened), []);
  await opened.getByRole('button', { name: new RegExp(`^${call}`) }).click();
  if (await opened.locator('.way').first().isVisible()) await opened.locator('.way').first().click();
  await opened.locator('.q0 .meld').waitFor();
  await playUntil(server, table, (_, asks) => has(asks, 'confirm'));
  const sheet = opened.locator('.eoh');
  await sheet.waitFor();
  const rows = sheet.locator('.pay tbody tr');
  assert.equal(await rows.count(), 4);
  const totals = await rows.evaluateAll((all) =>
    all.map((row) => Number(row.lastElementChild.textContent.replace(/[^\d-]/g, ''))),
  );
  const sticks = await opened.evaluate(() => globalThis.parlor.table.state.view.standing.sticks);
  assert.equal(totals.reduce((sum, n) => sum + n) + 1000 * sticks, 100_000);
  assert.deepEqual(await axe(opened), []);
  await opened.getByRole('button', { name: /^Next hand/ }).click();
  await sheet.waitFor({ state: 'detached' });
}

export async function calls_are_shown_large_for_a_moment_and_a_press_ends_them({ server, open }) {
  const table = await seated(server, open, { bot: 'greedy' });
  const { opened } = table;
  await opened.addInitScript(() => {
    globalThis.called = [];
    new MutationObserver(() => {
      for (const each of document.querySelectorAll('.called:not([data-noted])')) {
        each.dataset.noted = '';
        globalThis.called.push({
          word: each.textContent,
          side: each.className,
          motion: each.getAnimations()[0]?.effect.getComputedTiming().duration,
        });
      }
    }).observe(document, { subtree: true, childList: true });
  });
  await opened.reload();
  await yourTurn(opened);
  const { request } = await asked(server, table, (_, asks) => has(asks, 'pon') || has(asks, 'chi'));
  const call = has(request, 'pon') ? 'Pon' : 'Chi';
  // Any press ends it: here one in the moment in which it comes.
  const ended = opened.evaluate(
    () =>
      new Promise((done) => {
        const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
        const look = async () => {
          if (!document.querySelector('.called.c0')) return;
          watcher.disconnect();
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));
          await frame();
          await frame();
          done(document.querySelectorAll('.called').length);
        };
        const watcher = new MutationObserver(() => void look());
        watcher.observe(document, { subtree: true, childList: true });
      }),
  );
  await opened.getByRole('button', { name: new RegExp(`^${call}`) }).click();
  if (await opened.locator('.way').first().isVisible()) await opened.locator('.way').first().click();
  assert.equal(await ended, 0);
  const own = await opened.evaluate(() => globalThis.called.find(({ side }) => side === 'called c0'));
  assert.deepEqual(own, { word: call, side: 'called c0', motion: 250 });
  // The win is called before its sheet comes, and the sheet says who has seen it.
  await playUntil(server, table, (_, asks) => has(asks, 'confirm'));
  await opened.locator('.eoh').waitFor();
  const won = await opened.evaluate(() => 'wins' in globalThis.parlor.table.state.view.phase.round_end.result);
  const last = await opened.evaluate(() => globalThis.called.at(-1));
  if (won) assert.match(last.word, /^(Ron|Tsumo)$/);
  await opened.locator('.eoh .ready', { hasText: /^\d of 4 ready/ }).waitFor();
  // Whoever wants no motion gets none.
  await opened.emulateMedia({ reducedMotion: 'reduce' });
  const before = await opened.evaluate(() => globalThis.called.length);
  await opened.getByRole('button', { name: /^Next hand/ }).click();
  await playUntil(server, table, (_, asks) => has(asks, 'confirm'));
  assert.equal(await opened.evaluate(() => globalThis.called.length), before);
}

export async function riichi_is_chosen_in_two_steps_that_show_the_waits({ server, open }) {
  const table = await seated(server, open);
  const { opened } = table;
  const { view } = await asked(server, table, (seen, asks) => has(asks, 'riichi') && !has(asks, 'tsumo'));
  await opened.getByRole('button', { name: /^Riichi/ }).click();
  const hot = opened.locator('.hand .tile.hot');
  await hot.first().waitFor();
  const may = new Set(view.own.turn.riichi);
  assert.equal(await hot.count(), view.own.tiles.filter((tile) => may.has(kindOf(tile))).length);
  // The others say why not.
  assert.match(await opened.locator('.hand .tile.off').first().getAttribute('aria-label'), /not be tenpai/);
  // Pointing at one shows what it would wait for; Escape leaves the choice.
  const kind = Number(await hot.first().getAttribute('data-kind'));
  const waits = view.hints.discards.find((discard) => discard.kind === kind).waits;
  await hot.first().hover();
  await opened.waitForFunction(
    (n) => document.querySelectorAll('.prompt .q small .tile').length === n,
    waits.length + 1,
  );
  assert.deepEqual(await axe(opened), []);
  await opened.keyboard.press('Escape');
  await opened.locator('.hand .tile.off').first().waitFor({ state: 'detached' });
  await opened.keyboard.press('r');
  await opened.locator('.hand .tile.off').first().waitFor();
  const tile = await hot.first().getAttribute('data-tile');
  await hot.first().click();
  if (await opened.locator(`.hand [data-tile="${tile}"].sel`).isVisible()) await opened.locator('.prompt .pri').click();
  await opened.locator(`.q0 .river [data-tile="${tile}"].side`).waitFor();
  await opened.locator('.q0 .stick, .eoh').first().waitFor();
}

export async function furiten_is_explained_with_the_tile_that_causes_it({ server, open }) {
  const table = await seated(server, open);
  const { opened } = table;
  const furiten = ({ own: { furiten: why, waits } }) =>
    waits.length > 0 && (why.discards.length > 0 || why.missed !== null || why.missed_in_riichi !== null);
  await asked(server, table, (view, asks) => furiten(view) && has(asks, 'discard'));
  await opened.locator('.rail .tag.bad').waitFor();
  assert.match(await opened.locator('.rail .fur').innerText(), /Furiten: (you wait on|you let|went by)/);
  await opened.locator('.river .tile.cause').first().waitFor();
  assert.deepEqual(await axe(opened), []);
}

export async function a_reload_in_a_prompt_of_riichi_restores_it({ server, open }) {
  const table = await seated(server, open, { bot: 'greedy' });
  const { opened } = table;
  await asked(server, table, (_, asks) => has(asks, 'pass'));
  const looks = () =>
    opened.evaluate(() => ({
      acts: [...document.querySelectorAll('.prompt .acts .btn')].map((button) => [
        button.textContent,
        button.getAttribute('aria-label'),
        button.getAttribute('aria-disabled'),
      ]),
      hand: [...document.querySelectorAll('.hand .tile')].map((tile) => tile.dataset.tile),
      question: document.querySelector('.prompt .q').textContent,
      hot: document.querySelector('.river .hot')?.dataset.tile,
    }));
  await opened.locator('.prompt .acts .btn').first().waitFor();
  const before = await looks();
  assert.ok(before.hot, 'the tile that can be called is lit');
  await opened.reload();
  await opened.locator('.prompt .acts .btn').first().waitFor();
  assert.deepEqual(await looks(), before);
}

export async function what_the_server_does_by_itself_is_switched_on_and_survives_a_reload({ server, open }) {
  const { opened } = await seated(server, open);
  const chip = (name) => opened.locator('.rail .tog', { hasText: name });
  assert.equal(await chip('Win').getAttribute('aria-pressed'), 'false', 'automatic wins start off');
  await chip('No calls').click();
  await opened.locator('.rail .tog.on', { hasText: 'No calls' }).waitFor();
  await opened.reload();
  await opened.locator('.rail .tog.on', { hasText: 'No calls' }).waitFor();
  await chip('Discard drawn').click();
  await opened.locator('.rail .tog.on', { hasText: 'Discard drawn' }).waitFor();
  // The turn that stands is still the player's; the next ones are not. As long as the chip has the focus, keys are its.
  await opened.evaluate(() => document.activeElement?.blur());
  await opened.keyboard.press('Space');
  await opened.waitForFunction(() => globalThis.parlor.table.state.view.players[0].river.length > 3);
}

export async function an_east_only_game_of_riichi_by_keyboard_and_its_replay({ server, open }) {
  const opened = await page(await open({ reducedMotion: 'reduce' }), 'Ada');
  const made = await server.post('/matches', {
    game: 'riichi',
    bots: bots('tsumogiri'),
    botMs: 0,
    settings: { ...CALM, enchousen: 'none' },
  });
  await opened.goto(`${server.url}/t/${made.id}`);
  await yourTurn(opened);
  // Space lets go, Enter goes on: a game by two keys.
  for (let n = 0; n < 600; n++) {
    const { id, kind, over } = await opened.evaluate(() => {
      const { requests, view } = globalThis.parlor.table.state;
      const request = requests.find((each) => each.kind === 'request');
      const confirm = request?.choices?.some((choice) => choice.kind === 'confirm');
      const call = request?.choices?.some((choice) => choice.kind === 'pass');
      const drawn = view.own.drawn !== null;
      return {
        id: request?.inputId,
        kind: confirm ? 'Enter' : call || drawn ? 'Space' : '',
        over: 'over' in view.phase,
      };
    });
    if (over) break;
    if (id !== undefined) await opened.keyboard.press(kind);
    await opened.waitForFunction(
      (was) => {
        const { requests, view } = globalThis.parlor.table.state;
        const request = requests.find((each) => each.kind === 'request');
        return 'over' in view.phase || (request && request.inputId !== was);
      },
      id,
      { timeout: 20_000, polling: 15 },
    );
  }
  await opened.locator('[data-end=over]').waitFor();
  await tabTo(opened, /^Final standing/);
  await opened.keyboard.press('Enter');
  const sums = await opened
    .locator('.final tbody tr')
    .evaluateAll((all) => all.map((row) => Number(row.lastElementChild.textContent.replace('−', '-'))));
  assert.equal(sums.length, 4);
  assert.ok(Math.abs(sums.reduce((sum, n) => sum + n)) < 0.01, 'what one wins the others lose');
  assert.deepEqual(await axe(opened), []);
  // The replay shows every hand.
  await tabTo(opened, /^Replay/, 'Shift+Tab');
  await opened.keyboard.press('Enter');
  await opened.getByRole('slider').waitFor();
  await opened.keyboard.press('Home');
  for (let n = 0; n < 12; n++) await opened.keyboard.press('ArrowRight');
  await opened.getByRole('button', { name: 'All hands' }).first().click();
  await opened.locator('.backs.face').nth(2).waitFor();
  const seats = await opened.locator('.board .backs.face').count();
  assert.ok(seats >= 3, `${seats} hands lie open`);
  for (const tile of await opened.locator('.backs.face .tile').all())
    assert.notEqual(await tile.getAttribute('data-code'), 'back');
  // Every hand says how far it is from tenpai, or what it waits for.
  const subs = await opened.locator('.plates .seat .sub').allInnerTexts();
  assert.ok(subs.every((text) => /shanten|Tenpai/.test(text)) && subs.length >= 3, subs.join());
  assert.deepEqual(await axe(opened), []);
  await tenhou(opened, made.id);
}

/** The game as a file, and the round that is shown as a link, in Tenhou's notation. */
async function tenhou(opened, id) {
  await opened.getByRole('button', { name: 'Tenhou' }).click();
  assert.deepEqual(await axe(opened), []);
  const [file] = await Promise.all([
    opened.waitForEvent('download'),
    opened.getByRole('button', { name: 'Download the game' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), `${id}.tenhou6.json`);
  const game = JSON.parse(readFileSync(await file.path(), 'utf8'));
  assert.ok(game.log.length >= 4 && game.name.includes('Ada'), `${game.log.length} rounds of ${game.name}`);
  await opened.evaluate(() => {
    navigator.clipboard.writeText = (text) => Promise.resolve((globalThis.copied = text));
  });
  await opened.getByRole('button', { name: /^Copy a link to East 1/ }).click();
  await opened.waitForFunction(() => globalThis.copied !== undefined);
  const link = await opened.evaluate(() => globalThis.copied);
  const [page6, json] = link.split('#json=');
  assert.equal(page6, 'https://tenhou.net/6/');
  const round = JSON.parse(decodeURIComponent(json));
  assert.deepEqual(round.log, game.log.slice(0, 1), 'the round that is shown');
}

/** Where an element is. */
const middleOf = async (element) => {
  const box = await element.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

export async function a_sheet_that_a_table_opens_fits_a_tablet({ server, open }) {
  const made = await server.post('/matches', { game: 'riichi', bots: bots('tsumogiri'), botMs: 0, settings: CALM });
  const opened = await page(await open({ viewport: { width: 768, height: 1024 } }), 'Ada');
  await opened.goto(`${server.url}/t/${made.id}`);
  await opened.getByRole('button', { name: 'Auto' }).click();
  for (const what of ['.sheet', '.sheet .tog', '.sheet h2'])
    for (const each of await opened.locator(what).all()) {
      const { x, width } = await each.boundingBox();
      assert.ok(x >= 0 && x + width <= 768, `${what} reaches ${x + width}`);
    }
}

export async function a_tile_is_dragged_from_the_hand_to_the_table({ server, open }) {
  const { opened } = await seated(server, open);
  const tile = opened.locator('.hand .tile').nth(3);
  const id = await tile.getAttribute('data-tile');
  const [x, y] = await middleOf(tile);
  const [boardX, boardY] = await middleOf(opened.locator('.board'));
  // Let go over the hand, it stays, and nothing is chosen.
  await opened.mouse.move(x, y);
  await opened.mouse.down();
  await opened.mouse.move(x + 40, y, { steps: 4 });
  await opened.locator(`.hand [data-tile="${id}"].drag`).waitFor();
  await opened.mouse.up();
  await opened.locator(`.hand [data-tile="${id}"]:not(.drag)`).waitFor();
  assert.equal(await opened.locator('.hand .sel').count(), 0);
  assert.equal(await opened.locator('.q0 .river .tile').count(), 0);
  // Escape takes it back as well.
  await opened.mouse.down();
  await opened.mouse.move(boardX, boardY, { steps: 6 });
  await opened.locator('.rii.aim').waitFor();
  await opened.keyboard.press('Escape');
  await opened.locator('.rii.aim').waitFor({ state: 'detached' });
  await opened.mouse.up();
  assert.equal(await opened.locator('.q0 .river .tile').count(), 0);
  await opened.mouse.move(x, y);
  await opened.mouse.down();
  await opened.mouse.move(boardX, boardY, { steps: 6 });
  await opened.mouse.up();
  await opened.locator(`.q0 .river [data-tile="${id}"]`).waitFor();
}

export async function the_first_turn_is_explained_once({ server, open }) {
  const { opened } = await seated(server, open);
  const hint = opened.locator('.prompt .q small', { hasText: 'drag it onto the table' });
  await hint.waitFor();
  assert.deepEqual(await overflow(opened), []);
  assert.deepEqual(await axe(opened), []);
  await opened.keyboard.press('Space');
  await opened.waitForFunction(() => globalThis.parlor.table.state.view.players[0].river.length === 1);
  await yourTurn(opened);
  assert.equal(await hint.count(), 0);
  await opened.reload();
  await yourTurn(opened);
  assert.equal(await hint.count(), 0, 'not in this browser again');
}

export async function a_seat_that_a_bot_plays_is_marked_and_taken_back({ server, open }) {
  const made = await server.post('/matches', {
    game: 'riichi',
    bots: [2, 3].map((seat) => ({ seat, bot: 'tsumogiri' })),
    botMs: 0,
    settings: { ...CALM, awayGraceMs: 0 },
    awayGraceMs: 0,
    seed: 'riichi',
  });
  const ada = await page(await open(), 'Ada');
  // Sockets that the test can cut, and keep from coming back.
  await ada.addInitScript(() => {
    const Real = WebSocket;
    globalThis.sockets = [];
    globalThis.WebSocket = class extends Real {
      constructor(url, ...more) {
        super(globalThis.cut ? String(url).replace('/ws/', '/nowhere/') : url, ...more);
        globalThis.sockets.push(this);
      }
    };
  });
  await ada.goto(`${server.url}/t/${made.id}`);
  const ben = await page(await open(), 'Ben');
  await ben.goto(`${server.url}/t/${made.id}`);
  await ada.locator('.hand .tile').first().waitFor();
  await ben.locator('.hand .tile').first().waitFor();
  await ada.evaluate(() => {
    globalThis.cut = true;
    for (const socket of globalThis.sockets) socket.close();
  });
  await ben.locator('.plates .seat .sub', { hasText: 'Bot plays' }).waitFor();
  assert.deepEqual(await axe(ben), []);
  const back = ada.getByRole('button', { name: 'Take my seat back' });
  await back.waitFor();
  assert.match(await ada.locator('.prompt .q').innerText(), /A bot plays your seat/);
  assert.deepEqual(await overflow(ada), []);
  // In one go: the page tries by itself as well.
  await back.evaluate((button) => {
    globalThis.cut = false;
    button.click();
  });
  await back.waitFor({ state: 'detached' });
  await ben.locator('.plates .seat .sub', { hasText: 'Bot plays' }).waitFor({ state: 'detached' });
}

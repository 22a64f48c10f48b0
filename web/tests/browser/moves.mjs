// Cards of rulesets move when they enter or leave a zone, as far as the viewer may know them, and nothing else moves
// with them.

import assert from 'node:assert/strict';
import { passUntil } from './people.mjs';
import { duel } from './rules.mjs';

/** Notes every animation of a card: which card, what it shows, and by which properties it moves. */
const watched = (opened) =>
  opened.addInitScript(() => {
    globalThis.moved = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
      const { x, y } = this.getBoundingClientRect();
      const [dx = 0, dy = 0] = (frames.find((frame) => frame.translate && frame.translate !== '0 0')?.translate ?? '')
        .split(' ')
        .map(Number.parseFloat);
      globalThis.moved.push({
        gone: this.classList.contains('gone'),
        back: this.classList.contains('back'),
        text: this.textContent.trim(),
        zone: this.closest('[data-zone]')?.dataset.zone ?? '',
        far: Math.hypot(dx, dy),
        at: [x, y],
        props: [...new Set(frames.flatMap(Object.keys))].filter((name) => name !== 'offset'),
      });
      return animate.call(this, frames, options);
    };
  });
const moved = (opened) => opened.evaluate(() => globalThis.moved);
const forget = (opened) => opened.evaluate(() => void (globalThis.moved = []));
/** Where the things are that must not move with a card: the question, the names, the rows. */
const places = (opened) =>
  opened.evaluate(() =>
    JSON.stringify(
      [...document.querySelectorAll('.prompt, .pbar, .bf, .stk')].map((each) => each.getBoundingClientRect().toJSON()),
    ),
  );

export async function cards_of_a_ruleset_move_and_nothing_else_does({ server, open }) {
  const [first, second] = await duel(server, open, { deck: Array(20).fill('bear'), handSize: 4 });
  for (const opened of [first, second]) {
    await watched(opened);
    await opened.reload();
    await opened.locator('.rhand [data-card]').first().waitFor();
    assert.deepEqual(await moved(opened), [], 'what lies there when a page comes has not moved');
  }
  const main = async () =>
    (await first.locator('.ribbon [aria-current]').innerText()) === 'Main' &&
    (await first.locator('.pbar.mep .bdg').count()) > 0;
  await passUntil(
    [first, second],
    async () => (await main()) && (await first.locator('.rhand button.hot').count()) > 0,
  );

  // Drawn: his own card comes from his deck, the other sees a back go from a number to a number.
  assert.ok(
    (await moved(first)).some((move) => !move.gone && move.zone === 'hand' && move.far > 40),
    'a card was drawn into the hand',
  );
  const drawn = (await moved(second)).filter((move) => move.gone && move.back);
  assert.ok(drawn.length > 0, 'the other saw that one was drawn');
  assert.deepEqual(
    drawn.filter((move) => move.text !== ''),
    [],
    'and not which',
  );

  // Played: it leaves the hand for the stack, and comes onto the field from there, for both.
  await Promise.all([first, second].map(forget));
  await first.locator('.rhand button.hot').first().click();
  await first.keyboard.press('Enter');
  for (const opened of [first, second]) await opened.locator('.stk .si', { hasText: 'Bear' }).waitFor();
  const left = (await moved(first)).filter((move) => move.gone);
  assert.ok(
    left.length === 1 && /Bear/.test(left[0].text) && left[0].far > 40,
    `it left the hand: ${JSON.stringify(left)}`,
  );
  await Promise.all([first, second].map(forget));
  await passUntil(
    [second, first],
    async () => (await first.locator('.bf[data-owner="0"] [data-card=Bear]').count()) > 0,
  );
  for (const opened of [first, second]) {
    await opened.locator('.bf[data-owner="0"] [data-card=Bear]').waitFor();
    const before = await places(opened);
    const came = (await moved(opened)).filter((move) => move.zone === 'battlefield');
    assert.ok(came.length >= 1 && came[0].far > 40, `it came onto the field: ${JSON.stringify(await moved(opened))}`);
    // What moves is drawn by the compositor alone: no other thing has to be laid out for it.
    assert.deepEqual(
      [...new Set((await moved(opened)).flatMap((move) => move.props))].filter(
        (name) => !['translate', 'scale', 'opacity'].includes(name),
      ),
      [],
    );
    await opened.waitForFunction(() => document.querySelector('.gone') === null);
    assert.equal(await places(opened), before, 'nothing else has moved');
  }
}

export async function whoever_wants_no_motion_gets_none({ server, open }) {
  const [first, second] = await duel(server, (options) => open({ reducedMotion: 'reduce', ...options }), {
    deck: Array(20).fill('bear'),
    handSize: 4,
  });
  for (const opened of [first, second]) {
    await watched(opened);
    await opened.reload();
    await opened.locator('.rhand [data-card]').first().waitFor();
  }
  const cards = await first.locator('.rhand [data-card]').count();
  await passUntil([first, second], async () => (await first.locator('.rhand [data-card]').count()) > cards);
  for (const opened of [first, second]) assert.deepEqual(await moved(opened), []);
}

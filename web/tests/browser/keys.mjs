// Everything by keyboard: no test here touches the mouse.

import assert from 'node:assert/strict';
import { axe, page } from './lib.mjs';
import { canPass, pass, passUntil, yourTurn } from './people.mjs';
import { duel } from './rules.mjs';

const over = (opened) => opened.getByRole('dialog');
const TABS_MAX = 60;

/** What has the focus, and whether that can be seen. */
const focused = (opened) =>
  opened.evaluate(() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    return {
      text: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' '),
      tag: element.tagName,
      seen:
        element === document.body ||
        (element.matches(':focus-visible') &&
          style.outlineStyle !== 'none' &&
          Number.parseFloat(style.outlineWidth) > 0),
      box: element.getBoundingClientRect().toJSON(),
    };
  });

/** Tab until something has the focus that this is true of; every stop on the way can be seen. */
async function tabTo(opened, wanted, key = 'Tab') {
  const passed = [];
  for (let n = 0; n < TABS_MAX; n++) {
    await opened.keyboard.press(key);
    const at = await focused(opened);
    if (at.tag === 'BODY') continue;
    assert.ok(at.seen, `the focus on "${at.text}" cannot be seen`);
    if (wanted.test(at.text)) return passed;
    passed.push(at.text);
  }
  throw new Error(`Tab never comes to ${wanted}: ${passed.join(' | ')}`);
}

const inside = (opened, selector) => opened.evaluate((within) => !!document.activeElement?.closest(within), selector);
/** Tab until the focus is inside. */
async function tabInto(opened, selector) {
  for (let n = 0; n < TABS_MAX; n++) {
    if (await inside(opened, selector)) return;
    await opened.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes into ${selector}`);
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

export async function a_round_of_battle_and_a_pick_of_a_draft_by_keyboard({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Battle/ }).waitFor();
  await tabTo(opened, /^Play now: Battle/);
  await opened.keyboard.press('Enter');
  await yourTurn(opened);
  await tabInto(opened, '.bhand');
  await opened.keyboard.press('Enter');
  await opened.locator('.lane.own [data-slot="1"].bc').waitFor();
  await opened.keyboard.press('ArrowRight');
  await opened.keyboard.press('Enter');
  await opened.locator('.lane.own [data-slot="2"].bc').waitFor();
  await tabTo(opened, /^Confirm/, 'Shift+Tab');
  await opened.keyboard.press('Enter');
  await opened.locator('[data-mine]').waitFor({ state: 'detached' });

  await opened.goto(server.url);
  await opened.getByRole('button', { name: /Play now: Cube draft/ }).waitFor();
  await tabTo(opened, /^Play now: Cube draft/);
  await opened.keyboard.press('Enter');
  await yourTurn(opened);
  await tabInto(opened, '.shelf');
  await opened.keyboard.press('ArrowRight');
  await opened.keyboard.press('Enter');
  await opened.keyboard.press('Enter');
  await opened.waitForFunction(() => document.querySelectorAll('.pool .wcard').length === 1);
}

export async function a_turn_of_skirmish_by_keyboard({ server, open }) {
  const [first, second] = await duel(server, open, { deck: Array(20).fill('bear') });
  const field = first.locator('.bf[data-owner="0"] [data-card]');
  let attacked = false;
  for (const until = Date.now() + 60_000; Date.now() < until && !attacked;) {
    const step = await first.locator('.ribbon [aria-current]').innerText();
    const mine = (await first.locator('.pbar.mep .bdg').count()) > 0;
    if (await canPass(first)) {
      if (
        mine &&
        step === 'Main' &&
        (await field.count()) === 0 &&
        (await first.locator('.rhand button.hot').count()) > 0
      ) {
        await tabInto(first, '.rhand');
        await first.keyboard.press('Enter');
        await first.keyboard.press('Enter');
        await second.locator('.stk .si', { hasText: 'Bear' }).waitFor();
        continue;
      }
      if (mine && step === 'Combat' && (await first.locator('.bf[data-owner="0"] button.hot').count()) > 0) {
        await tabInto(first, '.bf[data-owner="0"]');
        await first.keyboard.press('Enter');
        await first.keyboard.press('Enter');
        // Whom: the other player is a button like any card.
        await first.locator('.pbar.hot').waitFor();
        await tabTo(first, /^[AR] (Ada|Rook)|^(Ada|Rook)/);
        await first.keyboard.press('Enter');
        await first.keyboard.press('Enter');
        await second.locator('.stk .si', { hasText: 'Attack' }).waitFor();
        attacked = true;
        continue;
      }
      await pass(first);
    } else if (await canPass(second)) await pass(second);
    else await first.waitForTimeout(60);
  }
  assert.ok(attacked, 'a bear has attacked');
  await passUntil([first, second], async () => (await first.locator('.stk .si').count()) === 0);
  await first.locator('aside .log', { hasText: 'takes 2' }).waitFor();
  assert.equal(await second.locator('.pbar.mep [data-fact=life] b').innerText(), '10');
}

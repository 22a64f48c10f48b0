// Everything by keyboard: no test here touches the mouse.

import assert from 'node:assert/strict';
import { canPass, pass, passUntil, tabInto, tabTo } from './people.mjs';
import { duel } from './rules.mjs';

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

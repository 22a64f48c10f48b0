// The cube draft at the real server, in a real browser.

import assert from 'node:assert/strict';
import { overflow, page } from '../../../web/tests/browser/lib.mjs';
import { over, tabInto, tabTo, yourTurn } from '../../../web/tests/browser/people.mjs';

export async function a_draft_from_the_first_pick_to_the_decks({ server, open }) {
  const opened = await page(await open({ viewport: { width: 390, height: 844 }, hasTouch: true }), 'Ada');
  await opened.goto(server.url);
  await opened.locator('.rsb', { hasText: 'Cube draft' }).click();
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

export async function a_pick_of_a_draft_by_keyboard({ server, open }) {
  const opened = await page(await open(), 'Ada');
  await opened.goto(server.url);
  await opened.locator('.rsb', { hasText: 'Cube draft' }).waitFor();
  await tabTo(opened, /Cube draft/);
  await opened.keyboard.press('Enter');
  await yourTurn(opened);
  await tabInto(opened, '.shelf');
  await opened.keyboard.press('ArrowRight');
  await opened.keyboard.press('Enter');
  await opened.keyboard.press('Enter');
  await opened.waitForFunction(() => document.querySelectorAll('.pool .wcard').length === 1);
  // The pick stands in the log once, and by its name.
  const own = opened.locator('.rail .log li', { hasText: 'You: ' });
  await own.first().waitFor();
  assert.equal(await own.count(), 1, (await own.allInnerTexts()).join(' | '));
  assert.doesNotMatch(await own.innerText(), /a card/);
}

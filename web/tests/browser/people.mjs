// What people do at tables, as seen by a test.

import assert from 'node:assert/strict';
import { page } from './lib.mjs';

/** How long a busy machine may take for a few turns. */
const PATIENCE_MS = 60_000;
/** Stops of Tab after which whatever is looked for is not on the page. */
const TABS_MAX = 60;

export const yourTurn = (opened) => opened.locator('[data-mine]').waitFor();
/** The sheet that lies over a table, as its result does. */
export const over = (opened) => opened.getByRole('dialog');
export const cellsTaken = (opened) => opened.locator('.cell.taken').count();

/** Waits until the server has a draft of a battle that begins with this card. */
export const drafted = (opened, card) =>
  opened.waitForFunction((first) => globalThis.parlor.table.state.view?.layout?.[0] === first, card);

export async function takeAnyCell(opened) {
  const before = await cellsTaken(opened);
  await opened.locator('.cell.open').first().click();
  await opened.waitForFunction((n) => document.querySelectorAll('.cell.taken').length > n, before);
}

/** Two people at one table: one invites, the other follows the link. */
export async function seatedPair(server, open, game, settings) {
  const made = await server.post('/matches', { game, seats: 2, bots: 0, ...(settings && { settings }) });
  const pages = [];
  for (const name of ['Ada', 'Rook']) {
    const opened = await page(await open(), name);
    await opened.goto(`${server.url}/t/${made.id}`);
    pages.push(opened);
    await opened.locator(pages.length === 1 ? '[data-state=waiting]' : '.prompt').waitFor();
  }
  await pages[0].locator('.prompt').waitFor();
  return [...pages, made.id];
}

/** What a seat is asked, answered by script with whatever comes first. Says what the table showed before. */
export async function answerFirst(server, id, token) {
  const shown = await (
    await fetch(`${server.url}/matches/${id}`, { headers: { authorization: `Bearer ${token}` } })
  ).json();
  const asked = shown.over ? undefined : shown.snapshot.requests.find((request) => request.kind === 'request');
  if (asked)
    await server.post(
      `/matches/${id}/responses`,
      {
        title: asked.title,
        inputId: asked.inputId,
        selection: asked.choices
          .filter((choice) => !choice.whyNot)
          .slice(0, asked.count ?? asked.min ?? 1)
          .map((choice) => choice.title),
      },
      token,
    );
  else await new Promise((done) => setTimeout(done, 20));
  return shown;
}

/** Whether a table of rules waits for this page to act or pass. */
export const canPass = (opened) => opened.locator('.prompt .pass').isVisible();

/** Passes by the key for it. A key that comes while something is on its way is nobody's: then it is pressed again. */
export async function pass(opened) {
  const was = await opened.locator('.rtb').getAttribute('data-asked');
  for (;;) {
    await opened.keyboard.press('p');
    const moved = opened.waitForFunction((asked) => document.querySelector('.rtb')?.dataset.asked !== asked, was, {
      timeout: 3000,
    });
    if (
      await moved.then(
        () => true,
        () => false,
      )
    )
      return;
    if (!(await canPass(opened))) return;
  }
}

/** Whoever is asked passes, until something is so. */
export async function passUntil(pages, done) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    if (await done()) return;
    let passed = false;
    for (const opened of pages) {
      if (!passed && (await canPass(opened))) {
        await pass(opened);
        passed = true;
      }
    }
    if (!passed) await pages[0].waitForTimeout(40);
  }
  throw new Error('they passed, and it never came to that');
}

// ---- by keyboard ----

/** What has the focus, and whether that can be seen. */
export const focused = (opened) =>
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
export async function tabTo(opened, wanted, key = 'Tab') {
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

export const inside = (opened, selector) =>
  opened.evaluate((within) => !!document.activeElement?.closest(within), selector);
/** Tab until the focus is inside. */
export async function tabInto(opened, selector) {
  for (let n = 0; n < TABS_MAX; n++) {
    if (await inside(opened, selector)) return;
    await opened.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes into ${selector}`);
}

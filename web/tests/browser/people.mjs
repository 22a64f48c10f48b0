// What people do at tables, as seen by a test.

import { page } from './lib.mjs';

export const yourTurn = (opened) => opened.locator('[data-mine]').waitFor();
export const cellsTaken = (opened) => opened.locator('.cell.taken').count();

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

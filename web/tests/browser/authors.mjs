// People who write games: a ruleset in a file that is played while it is edited, and one that is published.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe, binary, overflow, page, Server } from './lib.mjs';

/** A race: on a turn a seat goes one or two fields; the first at the goal wins. */
const race = (prompt, goal = 20) => ({
  ir: 'parlor-ir/1',
  id: 'sprint',
  name: 'Sprint',
  author: 'test',
  players: { min: 2, max: 2 },
  vars: { at: { owner: 'player', type: 'int', default: 0 } },
  flow: [
    {
      turns: {
        max: 100,
        do: [
          { ask: { id: 'step', who: 'active', prompt, as: 'n', number: { min: 1, max: 2 } } },
          { add: { var: ['active', 'at'], by: 'n' } },
          { if: [{ '>=': [{ var: ['active', 'at'] }, goal] }, [{ win: { who: 'active' } }]] },
        ],
      },
    },
  ],
});

const asked = (opened, prompt) => opened.locator('.prompt', { hasText: prompt }).waitFor();

/** `parlor play FILE`: its process, its address, and when it was started. */
async function playFile(file) {
  const began = Date.now();
  const args = ['play', file, '--listen', '127.0.0.1:0'];
  const child = spawn(binary(), args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      const found = /plays at (http:\S+)/.exec(String(data));
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  return { child, url, began };
}

export async function a_table_is_opened_anew_when_the_file_is_saved({ open }) {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-author-'));
  const file = join(folder, 'sprint.json');
  writeFileSync(file, JSON.stringify(race('How far?')));
  const { child, url, began } = await playFile(file);
  try {
    const opened = await page(await open(), 'Ada');
    await opened.goto(url);
    await asked(opened, 'How far?');
    const took = Date.now() - began;
    const first = opened.url();
    assert.match(first, /\/t\//);
    // A mistake is told where it is, and the table stays.
    writeFileSync(file, JSON.stringify(race('How far?'), null, 1).replace('"active"', '"activ"'));
    const mistakes = opened.locator('[data-banner=mistakes]');
    await mistakes.waitFor();
    assert.match(await mistakes.innerText(), /\d+:\d+ there is no name 'activ'.*active/s);
    assert.equal(opened.url(), first);
    assert.deepEqual(await axe(opened), []);
    assert.deepEqual(await overflow(opened), []);
    // A file that is mended is a new table, in its own words; the mistake is gone.
    writeFileSync(file, JSON.stringify(race('How many fields?')));
    await asked(opened, 'How many fields?');
    assert.notEqual(opened.url(), first);
    assert.equal(await mistakes.count(), 0);
    return `a table ${took} ms after the command`;
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function a_published_game_is_played_and_keeps_its_version({ open }) {
  const server = await Server.start({ publish_open: true });
  try {
    const { token } = await server.post('/players/guest', { nickname: 'Ann' });
    const publish = async (ruleset) => (await server.post('/rulesets', ruleset, token)).version;
    assert.equal(await publish(race('How far?', 3)), 1);
    const ada = await page(await open(), 'Ada');
    await ada.goto(server.url);
    await ada.getByText('by Ann · version 1').waitFor();
    const made = await server.post('/matches', { game: 'sprint', bots: 0 });
    const rook = await page(await open(), 'Rook');
    await ada.goto(`${server.url}/t/${made.id}`);
    await ada.locator('[data-state=waiting]').waitFor();
    await rook.goto(`${server.url}/t/${made.id}`);
    await Promise.race([asked(ada, 'How far?'), asked(rook, 'How far?')]);
    // The next version is for new tables; the one that runs goes on as it was, also over a restart.
    assert.equal(await publish(race('How many fields?', 3)), 2);
    await server.down();
    await server.up();
    for (const opened of [ada, rook]) {
      await opened.locator('.conn i.off').waitFor({ state: 'detached' });
      await opened.reload();
    }
    await Promise.race([asked(ada, 'How far?'), asked(rook, 'How far?')]);
    for (;;) {
      const ended = ada.getByRole('dialog');
      await Promise.race([
        ended.waitFor(),
        ada.locator('[data-mine]').waitFor(),
        rook.locator('[data-mine]').waitFor(),
      ]);
      if (await ended.isVisible()) break;
      const mover = (await ada.locator('[data-mine]').count()) > 0 ? ada : rook;
      await mover.keyboard.press('2');
      await mover.keyboard.press('Enter');
      await mover.locator('[data-mine]').waitFor({ state: 'detached' });
    }
    await ada.keyboard.press('Escape');
    await ada.getByRole('button', { name: 'How to play' }).click();
    assert.equal(await ada.locator('[data-ruleset]').innerText(), 'by Ann · version 1');
    await ada.goto(`${server.url}/r/${made.id}`);
    await ada.locator('[data-ruleset]', { hasText: 'version 1' }).waitFor();
    await ada.goto(server.url);
    await ada.getByText('by Ann · version 2').waitFor();
    await ada.getByRole('button', { name: /Play now: Sprint/ }).click();
    await asked(ada, 'How many fields?');
  } finally {
    await server.stop();
  }
}

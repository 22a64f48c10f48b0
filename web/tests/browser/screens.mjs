// `cargo xtask screens`: a picture of every fixture in every size, theme and language, into docs/screens. Those that
// the docs show are kept by git; the others lie in docs/screens/every, with a page to look through them. Along the way
// each is checked: axe finds nothing, and no table sticks out of its window or scrolls.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe, browser, crossings, overflow, page, root, serveFolder } from './lib.mjs';
import { runPool } from './pool.mjs';

/** Pages that are looked at beside each other. */
const PAGES = 2;
const checking = process.argv.includes('--check');
const [WIDE, DESK, PHONE, SMALL] = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
];
/** A check alone looks at everything on a desk and on a small phone, once in each theme; the rest takes its time. */
const ROUNDS = [
  { size: DESK, theme: 'dark' },
  { size: SMALL, theme: 'light' },
  ...(checking
    ? []
    : [
        { size: DESK, theme: 'light' },
        { size: SMALL, theme: 'dark' },
        { size: WIDE, theme: 'dark' },
        { size: PHONE, theme: 'dark' },
        { size: PHONE, theme: 'light' },
        ...['ja', 'ru'].flatMap((lang) => [
          { size: SMALL, theme: 'dark', lang },
          { size: DESK, theme: 'light', lang },
        ]),
      ]),
];
/** What the docs show. */
const KEPT = new Set([
  ...['battle-prep', 'hearts-trick', 'lobby', 'skirmish-respond'].flatMap((name) =>
    ['dark', 'light'].flatMap((theme) => ['1280x720', '390x844'].map((size) => `${name}-${size}-${theme}`)),
  ),
  ...[
    'battle-reveal',
    'draft',
    'generic',
    'hearts-pass',
    'replay',
    'skirmish-main',
    'skirmish-target',
    'orcain',
    'hearts-rules-trick',
  ].flatMap((name) => ['1280x720', '390x844'].map((size) => `${name}-${size}-dark`)),
  'me-390x844-dark',
  'state-waiting-390x844-dark',
  'hearts-taken-1280x720-dark',
  'battle-over-390x844-dark',
  'lobby-first-390x844-light',
  'replays-1280x720-light',
  'undo-asked-390x844-light',
  'replay-skirmish-1280x720-dark',
  'skirmish-respond-1920x1080-dark',
  'skirmish-respond-1280x720-light-ja',
  'hearts-trick-1280x720-light-ru',
]);
const web = join(root, 'web');
const only = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const kept = join(root, 'docs/screens');
const every = join(kept, 'every');

if (!process.argv.includes('--no-build')) {
  execFileSync('npx', ['vite', 'build', '--mode', 'fixtures', '--outDir', 'dist-fixtures', '--logLevel', 'error'], {
    cwd: web,
    stdio: 'inherit',
  });
}
if (!checking && only.length === 0) rmSync(every, { recursive: true, force: true });
if (!checking) mkdirSync(every, { recursive: true });
const site = await serveFolder(join(web, 'dist-fixtures'));
const chrome = await browser();
/** Those of the shell, and those that lie with the games. */
const fixtures = ['web/fixtures', ...readdirSync(join(root, 'games')).map((game) => `games/${game}/web/fixtures`)]
  .map((folder) => join(root, folder))
  .filter(existsSync)
  .flatMap((folder) => readdirSync(folder));
const names = fixtures
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5))
  .filter((name) => only.length === 0 || only.includes(name))
  .sort();
const faults = [];
const shots = [];

async function look(opened, name, { size, theme, lang = 'en' }) {
  const full = `${name}-${size.width}x${size.height}-${theme}${lang === 'en' ? '' : `-${lang}`}`;
  await opened.goto(`${site.url}/dev/fixtures/${name}?theme=${theme}&lang=${lang}`);
  await opened.waitForSelector('.app, .page');
  await opened.waitForTimeout(name.startsWith('state') ? 450 : name.startsWith('skirmish') ? 320 : 140);
  for (const fault of await axe(opened)) faults.push(`${full}: axe ${fault}`);
  // The lobby may be scrolled; a table never.
  if (!/^(lobby|watch|me|replays|statement)/.test(name))
    for (const fault of await overflow(opened)) faults.push(`${full}: ${fault}`);
  for (const fault of await crossings(opened)) faults.push(`${full}: ${fault}`);
  faults.push(...opened.complaints.splice(0).map((text) => `${full}: ${text}`));
  if (checking) return;
  const file = KEPT.has(full) ? `../${full}.png` : `${full}.png`;
  await opened.screenshot({ path: join(every, file) });
  shots.push({ name, full, file, narrow: size.width < 600 });
}

// A few pages at a time share out the fixtures of a round; then the next round has pages of its size and theme.
for (const round of ROUNDS) {
  const { size, theme } = round;
  const options = {
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    hasTouch: size.width < 600,
  };
  const contexts = await Promise.all(Array.from({ length: PAGES }, () => chrome.newContext(options)));
  const free = await Promise.all(contexts.map((context) => page(context, 'Guest 4821')));
  await runPool(names, PAGES, async (name) => {
    const opened = free.pop();
    await look(opened, name, round);
    free.push(opened);
  });
  await Promise.all(contexts.map((context) => context.close()));
}
await chrome.close();
site.close();
if (!checking) {
  const pictures = (name) =>
    shots
      .filter((shot) => shot.name === name)
      .map(
        ({ full, file, narrow }) =>
          `<a href="${file}" title="${full}">` +
          `<img src="${file}" alt="${full}" loading="lazy" height="${narrow ? 420 : 300}"></a>`,
      )
      .join('\n');
  const sections = names.map((name) => `<h2 id="${name}">${name}</h2>\n${pictures(name)}`).join('\n');
  writeFileSync(
    join(every, 'index.html'),
    '<!doctype html><meta charset="utf-8"><title>Every screen</title>' +
      `<style>body{background:#777;font:16px system-ui}img{margin:4px}</style>\n${sections}\n`,
  );
}
for (const fault of faults.sort()) console.log(fault);
console.log(
  `screens: ${names.length} fixtures, ${ROUNDS.length} rounds of size, theme and language, ` +
    `${shots.length} pictures, ${faults.length} faults`,
);
process.exit(faults.length ? 1 : 0);

// Every fixture in every window. In the test command (`--check`) each is looked at in all ten sizes, and on a small
// phone in both themes and three languages; `--every` looks at all sizes, themes and languages of
// each, and goes on where it was stopped; `cargo xtask screens` draws pictures into docs/screens. Those that the docs
// show are kept by git; the others lie in docs/screens/every, with a page to look through them.
//
// A page is loaded once: fixtures are changed in it, and its window is resized. What is looked for is in look.mjs; axe
// judges each fixture once in each theme on a phone and on a desk.

import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AXE, audit, browser, crossings, page, root, serveFolder } from './lib.mjs';
import { hintsOver, lookAt, openFixture } from './look.mjs';
import { runPool } from './pool.mjs';

/** Pages that are looked at beside each other. */
const PAGES = 2;
const checking = process.argv.includes('--check');
const everything = process.argv.includes('--every');
const drawing = !checking && !everything;
const sized = (text) => {
  const [width, height] = text.split('x').map(Number);
  return { width, height };
};
const SIZES = [
  '1280x720',
  '1280x560',
  '2560x1440',
  '1920x1080',
  '1024x768',
  '768x1024',
  '844x390',
  '667x375',
  '320x568',
  '360x780',
];
const [DESK, PHONE, PHONE_LARGER] = ['1280x720', '360x780', '390x844'];
if (everything) SIZES.push(PHONE_LARGER);
const LANGS = ['en', 'ja', 'ru'];
const THEMES = ['dark', 'light'];
/** What is looked at of each fixture: in this order, so that it is opened anew for each language alone. */
const VIEWS = LANGS.map((lang) => ({
  lang,
  looks: SIZES.flatMap((size) => THEMES.map((theme) => ({ size, theme }))).filter(({ size, theme }) => {
    if (everything) return true;
    return size === PHONE || (lang === 'en' && theme === 'dark') || (drawing && size === DESK);
  }),
}));
/** axe needs nothing between phone and desk, and in the test command no third language. */
const audited = (size, theme, lang) => {
  if (everything) return [DESK, PHONE, PHONE_LARGER].includes(size);
  return lang === 'en' && (size === PHONE || (size === DESK && (theme === 'dark' || !checking)));
};
/** What the docs show. */
const KEPT = new Set([
  ...['battle-prep', 'hearts-trick', 'lobby', 'skirmish-respond'].flatMap((name) =>
    ['dark', 'light'].flatMap((theme) => ['1280x720', '360x780'].map((size) => `${name}-${size}-${theme}`)),
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
    'riichi-turn',
    'riichi-end',
    'poker-preflop',
    'poker-side-pots',
  ].flatMap((name) => ['1280x720', '360x780'].map((size) => `${name}-${size}-dark`)),
  'me-360x780-dark',
  'state-waiting-360x780-dark',
  'hearts-taken-1280x720-dark',
  'battle-over-360x780-dark',
  'lobby-first-360x780-light',
  'replays-1280x720-light',
  'undo-asked-360x780-light',
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
if (drawing && only.length === 0) rmSync(every, { recursive: true, force: true });
if (drawing) mkdirSync(every, { recursive: true });
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
let looks = 0;

/** Where a long run notes what it has seen: a fixture is looked at again only when the build has changed. */
const noted = everything && process.env.PARLOR_SOAK_DIR ? join(process.env.PARLOR_SOAK_DIR, 'screens.txt') : '';
const build = readdirSync(join(web, 'dist-fixtures/assets')).sort().join();
const done = new Set(noted && existsSync(noted) ? readFileSync(noted, 'utf8').split('\n') : []);
const doneAs = (name) => `${name} ${Buffer.from(build).toString('base64url').length} ${hash(build)}`;
function hash(text) {
  let sum = 0;
  for (const letter of text) sum = (Math.imul(sum, 31) + letter.codePointAt(0)) | 0;
  return (sum >>> 0).toString(36);
}

/** A page that is loaded once, and the session by which its window is resized. */
async function opened() {
  const context = await chrome.newContext({ viewport: sized(DESK), reducedMotion: 'reduce', locale: 'en-GB' });
  const made = await page(context, 'Guest 4821');
  await made.goto(`${site.url}/dev/fixtures/lost`);
  await made.waitForSelector('.lostpage, .page');
  await made.evaluate(
    `${AXE};globalThis.lookAt=${lookAt};globalThis.openFixture=${openFixture};globalThis.hintsOver=${hintsOver}`,
  );
  return { page: made, session: await context.newCDPSession(made), size: DESK };
}

async function resize(window, size) {
  if (window.size === size) return;
  window.size = size;
  // A picture has the size that the driver knows.
  if (drawing) return window.page.setViewportSize(sized(size));
  await window.session.send('Emulation.setDeviceMetricsOverride', {
    ...sized(size),
    deviceScaleFactor: 1,
    mobile: false,
  });
}

async function look(window, name) {
  const began = faults.length;
  for (const { lang, looks: wanted } of VIEWS) {
    await resize(window, wanted[0].size);
    await window.page.evaluate((what) => globalThis.openFixture(what), { name, theme: wanted[0].theme, lang });
    for (const { size, theme } of wanted) {
      const full = `${name}-${size}-${theme}${lang === 'en' ? '' : `-${lang}`}`;
      await resize(window, size);
      // The lobby may be scrolled; a table never.
      const found = await window.page.evaluate(
        ({ theme: shade, scrolls }) => {
          document.documentElement.dataset.theme = shade;
          return globalThis.lookAt({ scrolls });
        },
        { theme, scrolls: /^(lobby|watch|me|replays|statement)/.test(name) },
      );
      looks += 1;
      if (/-tour$/.test(name) && lang === 'en' && theme === 'dark') {
        await window.page.evaluate((what) => globalThis.openFixture(what), { name, theme, lang });
        found.push(...(await window.page.evaluate(() => globalThis.hintsOver())));
        await window.page.evaluate((what) => globalThis.openFixture(what), { name, theme, lang });
      }
      faults.push(...found.map((fault) => `${full}: ${fault}`));
      if (size === DESK || size === PHONE)
        for (const fault of await crossings(window.page)) faults.push(`${full}: ${fault}`);
      if (audited(size, theme, lang))
        for (const fault of await audit(window.page)) faults.push(`${full}: axe ${fault}`);
      faults.push(...window.page.complaints.splice(0).map((text) => `${full}: ${text}`));
      if (!drawing) continue;
      const file = KEPT.has(full) ? `../${full}.png` : `${full}.png`;
      await window.page.screenshot({ path: join(every, file) });
      shots.push({ name, full, file, narrow: sized(size).width < 600 });
    }
  }
  if (noted && faults.length === began) appendFileSync(noted, `${doneAs(name)}\n`);
}

const began = Date.now();
const windows = await Promise.all(Array.from({ length: PAGES }, opened));
const left = names.filter((name) => !done.has(doneAs(name)));
await runPool(left, PAGES, async (name) => {
  const window = windows.pop();
  await look(window, name);
  windows.push(window);
});
await chrome.close();
site.close();
if (drawing) {
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
const seconds = ((Date.now() - began) / 1000).toFixed(0);
console.log(
  `screens: ${left.length} fixtures, ${looks} looks in ${seconds} s, ${shots.length} pictures, ` +
    `${faults.length} faults`,
);
process.exit(faults.length ? 1 : 0);

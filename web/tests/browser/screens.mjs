// `cargo xtask screens`: a picture of every fixture in every size and theme, into docs/screens. Along the way each is
// checked: axe finds nothing, and no table sticks out of its window or scrolls.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { axe, browser, overflow, page, root, serveFolder } from './lib.mjs';

const checking = process.argv.includes('--check');
// A phone of 360 x 740 is checked, not kept: it looks like the one above. A check alone needs only the two ends.
const SIZES = [{ width: 1280, height: 720 }, { width: 390, height: 844 }, { width: 360, height: 740 }].filter((size) => !checking || size.width !== 390);
const THEMES = ['dark', 'light'];
const web = join(root, 'web');
const only = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const out = process.env.PARLOR_SCREENS ?? join(root, 'docs/screens');
const pictures = !checking;

if (!process.argv.includes('--no-build')) {
  execFileSync('npx', ['vite', 'build', '--mode', 'fixtures', '--outDir', 'dist-fixtures', '--logLevel', 'warn'], { cwd: web, stdio: 'inherit' });
}
mkdirSync(out, { recursive: true });
const site = await serveFolder(join(web, 'dist-fixtures'));
const chrome = await browser();
const names = readdirSync(join(web, 'fixtures')).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5)).filter((name) => only.length === 0 || only.includes(name));
const faults = [];
let shots = 0;
for (const theme of THEMES) {
  for (const size of SIZES) {
    const context = await chrome.newContext({ viewport: size, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB', hasTouch: size.width < 600 });
    const opened = await page(context, 'Guest 4821');
    for (const name of names) {
      await opened.goto(`${site.url}/dev/fixtures/${name}?theme=${theme}`);
      await opened.waitForSelector('.app, .page');
      await opened.waitForTimeout(name.startsWith('state') ? 450 : 120);
      const where = `${name} ${size.width}x${size.height} ${theme}`;
      const lobby = /^(lobby|watch|me)/.test(name);
      for (const fault of await axe(opened)) faults.push(`${where}: axe ${fault}`);
      if (!lobby) for (const fault of await overflow(opened)) faults.push(`${where}: ${fault}`);
      faults.push(...opened.complaints.splice(0).map((text) => `${where}: ${text}`));
      if (pictures && size.width !== 360) {
        await opened.screenshot({ path: join(out, `${name}-${size.width}x${size.height}-${theme}.png`) });
        shots++;
      }
    }
    await context.close();
  }
}
await chrome.close();
site.close();
for (const fault of faults) console.log(fault);
console.log(`screens: ${names.length} fixtures, ${SIZES.length} sizes, ${THEMES.length} themes, ${shots} pictures, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);

// temporary
import { browser, serveFolder, page, root } from './lib.mjs';
import { openFixture } from './look.mjs';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
const [out, names, sizes, theme = 'dark', lang = 'en', scale = '0.5'] = process.argv.slice(2);
const site = await serveFolder(join(root, 'web/dist-fixtures'));
const chrome = await browser();
const ctx = await chrome.newContext({
  viewport: { width: 1280, height: 720 },
  reducedMotion: 'reduce',
  locale: 'en-GB',
});
const p = await page(ctx, 'Guest 4821');
await p.goto(site.url + '/dev/fixtures/lost');
await p.waitForSelector('.lostpage, .page');
await p.evaluate(`globalThis.openFixture=${openFixture}`);
const imgs = [];
for (const name of names.split(','))
  for (const size of sizes.split(',')) {
    const [width, height] = size.split('x').map(Number);
    await p.setViewportSize({ width, height });
    await p.evaluate((w) => globalThis.openFixture(w), { name, theme, lang });
    await p.waitForTimeout(60);
    const b = await p.screenshot();
    imgs.push(
      `<figure><img src="data:image/png;base64,${b.toString('base64')}" width="${width * Number(scale)}"><figcaption>${name} ${size}</figcaption></figure>`,
    );
  }
const q = await ctx.newPage();
await q.setViewportSize({ width: 1560, height: 800 });
await q.setContent(
  `<style>body{margin:4px;background:#888;font:12px sans-serif;display:flex;flex-wrap:wrap;gap:6px}figure{margin:0}</style>${imgs.join('')}`,
);
await q.screenshot({ path: out, fullPage: true });
await chrome.close();
site.close();

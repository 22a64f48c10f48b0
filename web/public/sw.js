// The shell without a network. What was fetched once starts again, and the page says by itself that it is offline. Only
// the page and what it is built from are kept: nothing of a table, and nothing that the server says.

const KEPT = 'parlor-shell';
const FILES_MAX = 80;
const SHELL = ['/theme.js', '/icon.svg', '/manifest.webmanifest'];

/** Keeps the page as it is now, with every file that it names. */
async function keepPage() {
  const cache = await caches.open(KEPT);
  const page = await fetch('/', { cache: 'no-cache' });
  if (!page.ok) return;
  const files = (await page.clone().text()).match(/\/assets\/[\w.-]+/g) ?? [];
  await cache.put('/', page);
  await cache.addAll([...SHELL, ...new Set(files)]);
}

/** A file of a build never changes under its name. */
async function file(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept) return kept;
  const found = await fetch(request);
  if (found.ok) {
    await cache.put(request, found.clone());
    const names = await cache.keys();
    for (const old of names.filter(({ url }) => url.includes('/assets/')).slice(0, names.length - FILES_MAX))
      await cache.delete(old);
  }
  return found;
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match('/');
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepPage());
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/') || SHELL.includes(pathname)) event.respondWith(file(request));
});

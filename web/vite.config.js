import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Beside each file of the build the same file, packed: the server hands it out as it is. */
function packed() {
  const pack = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) pack(path);
      else if (/\.(js|css|html|svg)$/.test(entry.name)) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  };
  return { name: 'packed', apply: 'build', closeBundle: () => pack(here('./dist')) };
}

// The server this page talks to while it is developed; a built page talks to whoever served it.
const server = process.env.PARLOR_URL ?? 'http://127.0.0.1:8001';

export default defineConfig({
  plugins: [svelte(), packed()],
  resolve: {
    alias: {
      '@parlor/client': here('../clients/typescript/src/index.ts'),
      '@msgpack/msgpack': here('./node_modules/@msgpack/msgpack'),
    },
  },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    fs: { allow: [here('..')] },
    proxy: {
      '/ws': { target: server.replace(/^http/, 'ws'), ws: true },
      ...Object.fromEntries(['/matches', '/games', '/players', '/queue', '/catalog', '/status', '/rooms'].map((path) => [path, server])),
    },
  },
  test: { include: ['tests/unit/**/*.test.ts'], environment: 'node' },
});

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What the client is made from, seen from the root of the repository: one path per line, in which `*` stands for any
 * one name. Also read by build.rs.
 */
const SOURCES = readFileSync(here('./sources.txt'), 'utf8').split('\n').filter(Boolean);

/** The words of one language, of the shell or of a game. */
const LANGUAGE = /\/i18n\/([a-z]{2})\.ts|\/web\/words\.([a-z]{2})\.ts/;

/** Files of the build that are fetched together: what the page has of every game from the start, and each language. */
const GROUPS = [
  { name: 'games', test: /\/games\/[^/]+\/web\/(screen\.ts|words\.en\.ts|Art\.svelte)|\/rulesets\/art\// },
  { name: (id) => LANGUAGE.exec(id).slice(1).join(''), test: LANGUAGE },
];

/** Notes in the build what it was made from: a cargo build takes it only if these are still the sources. */
function stamped() {
  const root = here('..');
  /** The paths that a pattern stands for and that there are. */
  const expand = (pattern) => pattern.split('/').reduce((paths, part) => paths.flatMap(named(part)), ['']);
  const named = (part) => (path) =>
    (part === '*' ? readdirSync(join(root, path)) : [part])
      .map((name) => (path ? `${path}/${name}` : name))
      .filter((found) => existsSync(join(root, found)));
  const gather = (path) =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path)).flatMap((name) => gather(`${path}/${name}`))
      : [path];
  // The order of bytes, as in Rust.
  const files = () =>
    SOURCES.flatMap(expand)
      .flatMap(gather)
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return {
    name: 'stamped',
    apply: 'build',
    closeBundle() {
      const hash = createHash('sha256');
      for (const file of files())
        hash
          .update(file)
          .update('\0')
          .update(readFileSync(join(root, file)))
          .update('\0');
      writeFileSync(here('./dist/.sources'), hash.digest('hex'));
    },
  };
}

/** Beside each file of the build the same file, packed in two ways: the server hands them out as they are. */
function packed() {
  const pack = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) pack(path);
      else if (/\.(js|css|html|svg)$/.test(entry.name)) {
        const plain = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(plain));
      }
    }
  };
  return { name: 'packed', apply: 'build', closeBundle: () => pack(here('./dist')) };
}

// The server this page talks to while it is developed; a built page talks to whoever served it.
const server = process.env.PARLOR_URL ?? 'http://127.0.0.1:8001';

export default defineConfig(({ mode }) => ({
  // A build of fixtures lies elsewhere: what is packed and stamped is the real one.
  plugins: [svelte(), ...(mode === 'fixtures' ? [] : [packed(), stamped()])],
  // The sources of @parlor/client, not a build of it; unit tests resolve as a server does.
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    // The screens of games lie in their own folders and take pieces of the shell by this name.
    alias: { $shell: here('./src') },
  },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: {
    port: 5173,
    fs: { allow: [here('..')] },
    proxy: {
      '/ws': { target: server.replace(/^http/, 'ws'), ws: true },
      ...Object.fromEntries(
        ['/matches', '/games', '/players', '/me/ledger', '/queue', '/catalog', '/status', '/rooms'].map((path) => [
          path,
          server,
        ]),
      ),
    },
  },
  test: { include: ['tests/unit/**/*.test.ts', '../games/*/web/**/*.test.ts'], environment: 'node' },
}));

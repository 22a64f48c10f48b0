import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** What a page that imports these names loads for it, minified and compressed. */
async function bytes(names: string): Promise<number> {
  const plugin = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? '\0entry' : null),
    load: (id: string) => (id === '\0entry' ? `export ${names} from ${JSON.stringify(`${root}src/index.ts`)}` : null),
  };
  const built = await build({
    root,
    logLevel: 'error',
    configFile: false,
    plugins: [plugin],
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rollupOptions: { input: 'entry', preserveEntrySignatures: 'strict' },
    },
  });
  const { output } = built as unknown as { output: { code: string }[] };
  return gzipSync(output[0]!.code, { level: 9 }).length;
}

test('the whole of it is at most 12 kB, both codecs with it; what is not used is not loaded', async () => {
  expect(await bytes('*')).toBeLessThanOrEqual(12_000);
  expect(await bytes('{ Api }')).toBeLessThanOrEqual(2_000);
  expect(await bytes('{ pickOf }')).toBeLessThanOrEqual(1_500);
});

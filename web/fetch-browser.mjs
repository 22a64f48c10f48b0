// `node web/fetch-browser.mjs FOLDER`: a browser for machines on which nothing can be installed. Chromium for 64-bit
// Linux and a font with Japanese characters come from the npm registry, pinned by version and hash. The last line it
// prints names the program to start. It changes nothing outside the folder.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * Chromium as a headless shell, the libraries that a bare system lacks, and a Latin font. 70 MB; MIT, Chromium itself
 * BSD.
 */
const CHROMIUM = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity: 'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};
/** One Japanese font. 1 MB; Open Font License. */
const FONT = {
  name: '@expo-google-fonts/sawarabi-gothic',
  version: '0.4.2',
  integrity: 'sha512-Dgj0eOnoEQ8dFy0+0Rpx7R2/YA8AQO96fHoSG9+quamonABPBQ1CGhB94STOp+9TOwDvBFI48v5d4S8tg8uM2Q==',
};

/** Downloads a package, compares its hash, and unpacks it. Says where. */
function unpack({ name, version, integrity }, into) {
  mkdirSync(into, { recursive: true });
  const args = ['pack', `${name}@${version}`, '--pack-destination', into, '--json', '--fetch-retries=1'];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', args, { cwd: into, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const file = join(into, filename);
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name} ${version} is not the package that was pinned: ${found}`);
  untar(file, into);
  return join(into, 'package');
}

function untar(file, into) {
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['xf', file, '-C', into, '--no-same-owner']);
}

/** One of the package's compressed archives, unpacked. */
function unpackArchive(file, into) {
  writeFileSync(`${file}.tar`, brotliDecompressSync(readFileSync(file)));
  untar(`${file}.tar`, into);
}

const SYSTEM_LIBRARIES = '/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64';

/** Its libraries come last: those of the system are used where there are any. */
const start = (folder) => `#!/bin/sh
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${SYSTEM_LIBRARIES}:${folder}/lib"
export FONTCONFIG_FILE="${folder}/fonts.conf"
exec "${folder}/chromium-bin" "$@"
`;

const fonts = (folder) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
</fontconfig>
`;

/**
 * Fills a folder under its last name, so that the paths in it are right, and moves nothing into sight before all is
 * there.
 */
function fill(work, folder) {
  const chromium = join(unpack(CHROMIUM, join(work, 'a')), 'bin');
  const font = unpack(FONT, join(work, 'b'));
  const made = join(work, 'made');
  mkdirSync(join(made, 'fonts'), { recursive: true });
  writeFileSync(join(made, 'chromium-bin'), brotliDecompressSync(readFileSync(join(chromium, 'chromium.br'))), {
    mode: 0o755,
  });
  unpackArchive(join(chromium, 'al2023.tar.br'), made);
  unpackArchive(join(chromium, 'swiftshader.tar.br'), made);
  unpackArchive(join(chromium, 'fonts.tar.br'), made);
  copyFileSync(join(font, '400Regular/SawarabiGothic_400Regular.ttf'), join(made, 'fonts/SawarabiGothic.ttf'));
  writeFileSync(join(made, 'fonts.conf'), fonts(folder));
  writeFileSync(join(made, 'chromium'), start(folder));
  chmodSync(join(made, 'chromium'), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}

const folder = resolve(process.argv[2] ?? 'target/browser', CHROMIUM.version);
const program = join(folder, 'chromium');
if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error('the browser of the npm registry is for 64-bit Linux on x86');
if (!existsSync(program)) {
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(join(dirname(folder), 'unpacking-'));
  try {
    fill(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
execFileSync(program, ['--version'], { stdio: ['ignore', 'ignore', 'inherit'] });
console.log(`browser: ${program}`);

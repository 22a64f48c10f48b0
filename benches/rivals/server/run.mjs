// Every server under the same load, one after the other in one run; prints a table with ratios.
// Usage: node run.mjs PARLOR PARLOR_LOAD [MATCHES MOVES], with the paths of the two release binaries.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const here = import.meta.dirname;
const [parlor, load, matches = '200', moves = '100'] = process.argv.slice(2);
if (!parlor || !load) {
  console.error('usage: node run.mjs PARLOR PARLOR_LOAD [MATCHES MOVES]');
  process.exit(2);
}

// The last JSON value that a command prints, or why there is none.
function measure(command, args) {
  const ran = spawnSync(command, args, { cwd: here, encoding: 'utf8', timeout: 180_000 });
  const text = ran.stdout ?? '';
  const from = text.indexOf('{');
  if (ran.status !== 0 || from < 0) {
    const said = (ran.stderr ?? '').trim().split('\n');
    return { why: ran.error?.message ?? said.find((line) => /error/i.test(line)) ?? said.at(-1) ?? 'it failed' };
  }
  return JSON.parse(text.slice(from));
}

const size = ['--matches', matches, '--moves', moves];
const relay = `${here}/relay/target/release/relay`;
const installed = existsSync(`${here}/node_modules`);
const notInstalled = { why: 'not installed: npm install --no-save' };
const rows = [
  ['parlor', () => measure(load, ['play', '--server', parlor, ...size])],
  ['relay', () => existsSync(relay)
    ? measure(load, ['relay', '--server', relay, ...size])
    : { why: 'not built: cargo build --release --manifest-path relay/Cargo.toml --target-dir relay/target' }],
  ['colyseus', () => installed ? measure('node', ['drive.mjs', 'colyseus', matches, moves]) : notInstalled],
  ['boardgame.io', () => installed ? measure('node', ['drive.mjs', 'boardgame', matches, moves]) : notInstalled],
].map(([name, run]) => [name, run()]);

const own = rows[0][1].moves_per_cpu_second;
console.log(`${matches} matches x ${moves} moves, node ${process.version}\n`);
console.log('server          moves/CPU s   parlor is   p50 ms   p99 ms');
for (const [name, row] of rows) {
  if (row.why) {
    console.log(`${name.padEnd(14)}  UNCOMPARED: ${row.why}`);
    continue;
  }
  const cells = [row.moves_per_cpu_second, `${(own / row.moves_per_cpu_second).toFixed(2)} x`, row.p50_ms.toFixed(1), row.p99_ms.toFixed(1)];
  console.log(`${name.padEnd(14)}${cells.map((cell, n) => String(cell).padStart([13, 12, 9, 9][n])).join('')}`);
}

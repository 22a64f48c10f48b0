// Every server under the same load, one after the other, in rounds; prints a table of medians. One round alone says
// little on a machine that does other things too: the ratio of two servers is taken in each round, and its range is
// printed. Usage: node run.mjs PARLOR PARLOR_LOAD [MATCHES MOVES ROUNDS], with the paths of the two release binaries.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const here = import.meta.dirname;
const [parlor, load, matches = '200', moves = '100', rounds = '5'] = process.argv.slice(2);
if (!parlor || !load) {
  console.error('usage: node run.mjs PARLOR PARLOR_LOAD [MATCHES MOVES ROUNDS]');
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
const servers = [
  ['parlor', () => measure(load, ['play', '--server', parlor, ...size])],
  [
    'relay',
    () =>
      existsSync(relay)
        ? measure(load, ['relay', '--server', relay, ...size])
        : { why: 'not built: cargo build --release --manifest-path relay/Cargo.toml --target-dir relay/target' },
  ],
  ['colyseus', () => (installed ? measure('node', ['drive.mjs', 'colyseus', matches, moves]) : notInstalled)],
  ['boardgame.io', () => (installed ? measure('node', ['drive.mjs', 'boardgame', matches, moves]) : notInstalled)],
];
const runs = Array.from({ length: Math.max(1, Number(rounds)) }, (_, n) => {
  console.error(`round ${n + 1} of ${rounds}`);
  return servers.map(([, run]) => run());
});
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[numbers.length >> 1];

console.log(`${matches} matches x ${moves} moves, medians of ${runs.length} rounds, node ${process.version}\n`);
console.log('server          moves/CPU s   parlor is           (from, to)   p50 ms   p99 ms   p99 against parlor');
for (const [n, [name]] of servers.entries()) {
  const failed = runs.flatMap((run) => [run[0], run[n]]).filter((row) => row.why);
  const good = runs.filter((run) => !run[0].why && !run[n].why);
  if (failed.length)
    console.log(`${name.padEnd(14)}  UNCOMPARED in ${runs.length - good.length} rounds: ${failed[0].why}`);
  if (!good.length) continue;
  const of = (what) => median(good.map((run) => run[n][what]));
  const ratios = sorted(good.map((run) => run[0].moves_per_cpu_second / run[n].moves_per_cpu_second));
  const range = `(${ratios[0].toFixed(2)}, ${ratios.at(-1).toFixed(2)})`;
  const late = median(good.map((run) => run[0].p99_ms / run[n].p99_ms));
  const cells = [
    of('moves_per_cpu_second'),
    `${median(ratios).toFixed(2)} x`,
    range,
    of('p50_ms').toFixed(1),
    of('p99_ms').toFixed(1),
    `${late.toFixed(2)} x`,
  ];
  console.log(`${name.padEnd(14)}${cells.map((cell, k) => String(cell).padStart([13, 12, 21, 9, 9, 21][k])).join('')}`);
}

// Plays N matches of M moves against one server and prints what that cost the server, as JSON.
// Usage: node drive.mjs NAME MATCHES MOVES, where NAME-server.mjs and NAME-client.mjs exist.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [name, matchesText, movesText] = process.argv.slice(2);
const [matches, moves] = [Number(matchesText), Number(movesText)];
const server = spawn(process.execPath, [`${import.meta.dirname}/${name}-server.mjs`], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

// utime and stime of the process, which Linux counts in hundredths of a second.
const cpuSeconds = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const rssBytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) * 1024;

try {
  let url;
  for await (const line of createInterface({ input: server.stdout })) {
    url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) break;
  }
  if (!url) throw new Error('the server did not start');
  const { seat } = await import(`./${name}-client.mjs`);
  const rssIdle = rssBytes();
  const tables = await seat(url, matches);
  const latencies = [];
  const [began, cpuBegan] = [performance.now(), cpuSeconds()];
  await Promise.all(
    tables.map(async (table) => {
      for (let turn = 0; turn < moves; turn += 1) {
        const sent = performance.now();
        await table.move(turn % 2, turn % 64);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuSeconds() - cpuBegan;
  latencies.sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      matches,
      moves: latencies.length,
      seconds,
      server_cpu_seconds: cpu,
      moves_per_cpu_second: Math.round(latencies.length / cpu),
      p50_ms: latencies[Math.floor(latencies.length * 0.5)],
      p99_ms: latencies[Math.floor(latencies.length * 0.99)],
      rss_idle: rssIdle,
      rss_running: rssBytes(),
      bytes_per_match: Math.round((rssBytes() - rssIdle) / matches),
    }),
  );
} catch (error) {
  console.error(`${name}: ${error.stack ?? error}`);
  process.exitCode = 1;
} finally {
  server.kill('SIGKILL');
}
process.exit();

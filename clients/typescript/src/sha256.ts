/**
 * SHA-256 (FIPS 180-4). The browser's own is asynchronous, which would let a second update in before the first is
 * checked, and is missing on pages without TLS.
 */

/**
 * The first 32 bits of the fractional part of each of the first primes' roots, which is how the standard gives them.
 */
function fractions(count: number, power: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate += 1) {
    let prime = true;
    for (let by = 2; by * by <= candidate && prime; by += 1) prime = candidate % by !== 0;
    if (prime) {
      const root = candidate ** power;
      words[found++] = (root - Math.floor(root)) * 2 ** 32;
    }
  }
  return words;
}

const START = fractions(8, 1 / 2);
const ROUNDS = fractions(64, 1 / 3);
const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function block(state: Uint32Array, schedule: Uint32Array, bytes: DataView, at: number): void {
  for (let n = 0; n < 16; n += 1) schedule[n] = bytes.getUint32(at + 4 * n);
  for (let n = 16; n < 64; n += 1) {
    const [x, y] = [schedule[n - 15]!, schedule[n - 2]!];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    schedule[n] = schedule[n - 16]! + s0 + schedule[n - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < 64; n += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + ROUNDS[n]! + schedule[n]!) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = state[n]! + word));
}

export function sha256(message: Uint8Array): Uint8Array {
  // Padding: a one bit, zeros, and the length in bits as 64 bits.
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const bytes = new DataView(padded.buffer);
  bytes.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  bytes.setUint32(padded.length - 4, message.length << 3);
  const [state, schedule] = [START.slice(), new Uint32Array(64)];
  for (let at = 0; at < padded.length; at += 64) block(state, schedule, bytes, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => digest.setUint32(4 * n, word));
  return new Uint8Array(digest.buffer);
}

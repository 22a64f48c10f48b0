import { sha256 } from './sha256.ts';

/** Keys in the order of their code points, as UTF-8 sorts them. The language's own order is that of UTF-16. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let n = 0; n < length; n += 1) {
    const [x, y] = [a.charCodeAt(n), b.charCodeAt(n)];
    if (x !== y) {
      // Surrogates stand for what lies beyond the rest of the 16-bit range: they come last.
      const [high, low] = [x >= 0xd800 && x < 0xe000, y >= 0xd800 && y < 0xe000];
      return high === low ? x - y : high ? 1 : -1;
    }
  }
  return a.length - b.length;
}

/** Canonical JSON: keys sorted, integers, no spaces. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const map = value as Record<string, unknown>;
    const keys = Object.keys(map)
      .filter((key) => map[key] !== undefined)
      .sort(byCodePoint);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(map[key])}`).join(',')}}`;
  }
  // A large integer must not turn into 1e21; -0 is 0.
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : JSON.stringify(value);
  return JSON.stringify(value) ?? 'null';
}

/** `viewHash`: the first 16 hexadecimal digits of SHA-256 over the canonical view. */
export function viewHash(view: unknown): string {
  const digest = sha256(new TextEncoder().encode(canonical(view)));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

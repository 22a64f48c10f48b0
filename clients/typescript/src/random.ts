/** 32 hexadecimal digits that nobody can guess. `getRandomValues` is there without TLS too; `randomUUID` is not. */
export function secret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

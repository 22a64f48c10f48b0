/** A server that says what the test tells it to. */

import type { SocketLike } from '../../src/index.ts';

type Message = { type: string; [key: string]: unknown };

export class FakeSocket implements SocketLike {
  binaryType = '';
  readyState = 0;
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code?: number; reason?: string }) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  readonly sent: Message[] = [];
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  send(data: string | Uint8Array): void {
    this.sent.push(JSON.parse(data as string) as Message);
  }

  close(): void {
    this.readyState = 3;
  }

  // ---- the server's side ----

  opens(): this {
    this.readyState = 1;
    this.onopen?.({});
    return this;
  }

  says(...messages: Message[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  dies(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}

export function fakes(): { sockets: FakeSocket[]; last: () => FakeSocket; socket: (url: string) => SocketLike } {
  const sockets: FakeSocket[] = [];
  const socket = (url: string) => {
    const made = new FakeSocket(url);
    sockets.push(made);
    return made;
  };
  return { sockets, last: () => sockets.at(-1)!, socket };
}

export function storage(): {
  kept: Map<string, string>;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
} {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

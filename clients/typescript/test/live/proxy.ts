/** Stands between clients and the server and does to frames what networks do, and worse. */

import type { AddressInfo } from 'node:net';

import WebSocket, { WebSocketServer, type RawData } from 'ws';

import { decode, encode } from '../../src/msgpack.ts';

type Message = { type: string; [key: string]: unknown };

/** A frame on its way. */
export interface Frame {
  readonly to: 'server' | 'client';
  readonly message: Message;
  /** The number of the connection, from 0. */
  readonly connection: number;
}

/** What becomes of a frame; nothing: it goes on as it is. */
export type Fault =
  | { readonly kind: 'delay'; readonly ms: number }
  /** Swallowed. The connection dies a little later: no network loses one frame and keeps the next for ever. */
  | { readonly kind: 'drop' }
  /** Swallowed, and nothing else happens: for tests that send something else behind it. */
  | { readonly kind: 'swallow' }
  | { readonly kind: 'twice' }
  /** The connection dies instead of it, or right behind it. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'cutBehind' }
  /** From here on nothing goes through in either direction, and nobody is told. */
  | { readonly kind: 'halfOpen' }
  /** Another frame in its place. */
  | { readonly kind: 'replace'; readonly message: Message };

/** How long a connection lives after a frame was lost. */
const DROP_MS = 120;

interface Pipe {
  client: WebSocket;
  server: WebSocket;
  halfOpen: boolean;
  number: number;
  text: boolean;
  /** What is on its way keeps its order, delayed or not. */
  queues: { server: Promise<void>; client: Promise<void> };
}

export class Proxy {
  readonly #server: WebSocketServer;
  readonly #target: () => string;
  readonly #pipes = new Set<Pipe>();
  #count = 0;
  /** Decides about each frame. */
  fault: (frame: Frame) => Fault | undefined = () => undefined;
  /** Decides whether a connection is let in. */
  admit: () => boolean = () => true;
  /** Every frame that a client sent. */
  readonly sent: { connection: number; message: Message }[] = [];

  private constructor(server: WebSocketServer, target: () => string) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (client, request) => this.#connect(client, request.url ?? '/'));
  }

  static async open(target: () => string): Promise<Proxy> {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      handleProtocols: (offered) => [...offered][0] ?? false,
    });
    await new Promise((ready) => server.once('listening', ready));
    return new Proxy(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#count;
  }

  /** Cuts every connection there is. */
  cutAll(): void {
    for (const pipe of this.#pipes) this.#cut(pipe);
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((done) => this.#server.close(done));
  }

  #connect(client: WebSocket, path: string): void {
    client.on('error', () => {});
    const number = this.#count++;
    if (!this.admit()) return client.terminate();
    const server = new WebSocket(
      this.#target().replace(/^http/, 'ws') + path,
      client.protocol ? [client.protocol] : [],
    );
    const text = client.protocol.endsWith('json');
    const ready = new Promise<void>((open) => server.once('open', open));
    const pipe: Pipe = {
      client,
      server,
      halfOpen: false,
      number,
      text,
      queues: { server: ready, client: Promise.resolve() },
    };
    this.#pipes.add(pipe);
    client.on('message', (data) => this.#pass(pipe, 'server', data));
    server.on('message', (data) => this.#pass(pipe, 'client', data));
    server.on('error', () => this.#cut(pipe));
    client.on('close', (code, reason) => this.#closed(pipe, 'server', code, reason));
    server.on('close', (code, reason) => this.#closed(pipe, 'client', code, reason));
  }

  #pass(pipe: Pipe, to: 'server' | 'client', data: RawData): void {
    const bytes = data as Buffer;
    const message = (pipe.text ? JSON.parse(bytes.toString()) : decode(new Uint8Array(bytes))) as Message;
    if (to === 'server') this.sent.push({ connection: pipe.number, message });
    const fault = this.fault({ to, message, connection: pipe.number });
    const send = (frame: Message) => {
      const socket = to === 'server' ? pipe.server : pipe.client;
      if (!pipe.halfOpen && socket.readyState === WebSocket.OPEN)
        socket.send(pipe.text ? JSON.stringify(frame) : encode(frame));
    };
    const queue = (then: () => void, ms = 0) => {
      const wait = ms > 0 ? () => new Promise((done) => setTimeout(done, ms)) : () => {};
      pipe.queues[to] = pipe.queues[to].then(wait).then(then);
    };
    switch (fault?.kind) {
      case undefined:
        return queue(() => send(message));
      case 'delay':
        return queue(() => send(message), fault.ms);
      case 'twice':
        return queue(() => (send(message), send(message)));
      case 'replace':
        return queue(() => send(fault.message));
      case 'swallow':
        return;
      case 'drop':
        return void setTimeout(() => this.#cut(pipe), DROP_MS);
      case 'cut':
        return queue(() => this.#cut(pipe));
      case 'cutBehind':
        return queue(() => (send(message), setTimeout(() => this.#cut(pipe), 5)));
      case 'halfOpen':
        return void (pipe.halfOpen = true);
    }
  }

  #cut(pipe: Pipe): void {
    this.#pipes.delete(pipe);
    pipe.client.terminate();
    pipe.server.terminate();
  }

  /** One side has closed: the other is told why, behind everything that is still on its way. */
  #closed(pipe: Pipe, side: 'server' | 'client', code: number, reason: Buffer): void {
    if (pipe.halfOpen) return;
    const other = side === 'client' ? pipe.client : pipe.server;
    pipe.queues[side] = pipe.queues[side].then(() => {
      this.#pipes.delete(pipe);
      if (code === 1005 || code === 1006) other.terminate();
      else other.close(code, reason.toString());
    });
  }
}

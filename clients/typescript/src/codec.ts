import { decode, encode } from '@msgpack/msgpack';

import type { CodecName } from './types.ts';

/** A message of either side: a flat map with a type. */
export type Message = { type: string; [key: string]: unknown };

/** One of the two ways to write a message. */
export interface Codec {
  readonly protocol: string;
  write(message: Message): string | Uint8Array;
  /** The message in a frame, or nothing where it is none. */
  read(frame: unknown): Message | undefined;
}

const isMessage = (value: unknown): value is Message =>
  value !== null && typeof value === 'object' && typeof (value as Message).type === 'string';

const msgpack: Codec = {
  protocol: 'parlor.v1.msgpack',
  write: (message) => encode(message, { ignoreUndefined: true }),
  read: (frame) => (typeof frame === 'string' ? undefined : decode(frame as ArrayBuffer)) as Message | undefined,
};

const json: Codec = {
  protocol: 'parlor.v1.json',
  write: (message) => JSON.stringify(message),
  read: (frame) => (typeof frame === 'string' ? (JSON.parse(frame) as Message) : undefined),
};

/** A codec by its name. Whatever cannot be read is nothing: the connection decides what that means. */
export function codecOf(name: CodecName = 'msgpack'): Codec {
  const codec = name === 'json' ? json : msgpack;
  const read = (frame: unknown) => {
    try {
      const value = codec.read(frame);
      return isMessage(value) ? value : undefined;
    } catch {
      return undefined;
    }
  };
  return { ...codec, read };
}

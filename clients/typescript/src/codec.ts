import { decode, encode } from './msgpack.ts';
import type { CodecName } from './types.ts';

/** A message of either side: a flat map with a type. */
export type Message = { type: string; [key: string]: unknown };

/** One of the two ways to write a message. */
export interface Codec {
  readonly protocol: string;
  write(message: object): string | Uint8Array;
  read(frame: unknown): unknown;
}

const isMessage = (value: unknown): value is Message =>
  value !== null && typeof value === 'object' && typeof (value as Message).type === 'string';

const msgpack: Codec = {
  protocol: 'parlor.v1.msgpack',
  write: (message) => encode(message),
  read: (frame) => (typeof frame === 'string' ? undefined : decode(new Uint8Array(frame as ArrayBuffer))),
};

const json: Codec = {
  protocol: 'parlor.v1.json',
  write: (message) => JSON.stringify(message),
  read: (frame) => (typeof frame === 'string' ? (JSON.parse(frame) as unknown) : undefined),
};

export const codecOf = (name: CodecName = 'msgpack'): Codec => (name === 'json' ? json : msgpack);

/** The message in a frame. Whatever cannot be read is nothing: the connection decides what that means. */
export function readFrame(codec: Codec, frame: unknown): Message | undefined {
  try {
    const value = codec.read(frame);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import { decode as theirDecode, encode as theirEncode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';

import { codecOf, readFrame } from '../../src/codec.ts';
import { decode, encode } from '../../src/msgpack.ts';
import { rows } from '../rows.ts';

test('frames that the server has written are read as it meant them', () => {
  for (const { message, msgpack } of rows<{ message: unknown; msgpack: string }>('frames')) {
    expect(decode(Uint8Array.from(Buffer.from(msgpack, 'hex')))).toEqual(message);
    expect(decode(encode(message))).toEqual(message);
  }
});

const VALUES = [
  null,
  true,
  false,
  0,
  1,
  127,
  128,
  255,
  256,
  65_535,
  65_536,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  -1,
  -32,
  -33,
  -128,
  -129,
  -32_769,
  -(2 ** 31),
  -(2 ** 31) - 1,
  -(2 ** 53) + 1,
  0.5,
  -1e300,
  '',
  'a'.repeat(31),
  'a'.repeat(32),
  'é'.repeat(200),
  '😀'.repeat(20_000),
  [],
  Array(15).fill(1),
  Array(16).fill('x'),
  Array(70_000).fill(0),
  {},
  Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`k${n}`, n])),
  { a: { b: [{ c: null }] } },
];

test('another implementation reads what is written, and is read', () => {
  for (const value of VALUES) {
    expect(theirDecode(encode(value))).toEqual(value);
    expect(decode(theirEncode(value))).toEqual(value);
  }
  expect(decode(theirEncode(1.5, { forceFloat32: true }))).toBe(1.5);
});

test('what is no message is none: cut short, too long, too deep, with bytes, or with a name behind the object', () => {
  const codec = codecOf('msgpack');
  const frame = (bytes: Uint8Array) => bytes.slice().buffer;
  const whole = encode({ type: 'chat', text: 'hello', list: [1, 2, 3] });
  expect(readFrame(codec, frame(whole))).toEqual({ type: 'chat', text: 'hello', list: [1, 2, 3] });
  for (let cut = 0; cut < whole.length; cut += 1) {
    expect(readFrame(codec, frame(whole.subarray(0, cut)))).toBeUndefined();
  }
  expect(readFrame(codec, frame(Uint8Array.of(...whole, 0)))).toBeUndefined();
  let deep: unknown = 1;
  for (let n = 0; n < 100; n += 1) deep = [deep];
  for (const value of [{ type: 'x', deep }, { type: 'x', b: new Uint8Array(3) }, { type: 7 }, [1], 'text', null]) {
    expect(readFrame(codec, frame(theirEncode(value, { maxDepth: 200 })))).toBeUndefined();
  }
  const evil = Uint8Array.of(
    0x82,
    ...encode('type'),
    ...encode('x'),
    ...encode('__proto__'),
    ...encode({ polluted: 1 }),
  );
  expect(readFrame(codec, frame(evil))).toBeUndefined();
  expect(readFrame(codec, 'text')).toBeUndefined();
});

test('JSON is text, and nothing else', () => {
  const codec = codecOf('json');
  expect(readFrame(codec, codec.write({ type: 'ping', gone: undefined }))).toEqual({ type: 'ping' });
  for (const frame of ['{', 'null', '[]', '{"type":1}', new ArrayBuffer(3)])
    expect(readFrame(codec, frame)).toBeUndefined();
});

test('what JSON cannot say is not sent', () => {
  for (const value of [1n, Symbol('x'), () => 1]) expect(() => encode({ value })).toThrow(TypeError);
  expect(decode(encode({ a: undefined, b: [undefined] }))).toEqual({ b: [null] });
});

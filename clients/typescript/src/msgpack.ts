/**
 * MessagePack, as far as messages need it: what JSON can say. Written here because the packages there are weigh more
 * than the rest of this client together. Bytes and extension types are refused: no message has them.
 */

/** Levels of nesting that are read; the server's own messages have far fewer. */
const DEPTH_MAX = 64;

class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Makes room for so many more bytes, and says where they begin. */
  #room(count: number): number {
    const at = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#at, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  #u8(value: number): void {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
  }

  /** A tag and a number behind it: one, two or four bytes. */
  #tagged(tag: number, bytes: 1 | 2 | 4, value: number): void {
    this.#u8(tag);
    const at = this.#room(bytes);
    if (bytes === 1) this.#view.setUint8(at, value);
    else if (bytes === 2) this.#view.setUint16(at, value);
    else this.#view.setUint32(at, value);
  }

  /** The head of a list or a map. */
  #head(small: number, tag: number, count: number): void {
    if (count < 16) this.#u8(small | count);
    else if (count < 0x1_0000) this.#tagged(tag, 2, count);
    else this.#tagged(tag + 1, 4, count);
  }

  #number(value: number): void {
    if (Number.isInteger(value) && value >= -0x8000_0000 && value <= 0xffff_ffff) {
      if (value >= 0 && value < 0x80) this.#u8(value);
      else if (value < 0 && value >= -32) this.#u8(value & 0xff);
      else if (value < 0) this.#tagged(0xd2, 4, value);
      else this.#tagged(0xce, 4, value);
      return;
    }
    this.#u8(Number.isSafeInteger(value) ? 0xd3 : 0xcb);
    const at = this.#room(8);
    if (Number.isSafeInteger(value)) this.#view.setBigInt64(at, BigInt(value));
    else this.#view.setFloat64(at, value);
  }

  #text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    const { length } = bytes;
    if (length < 32) this.#u8(0xa0 | length);
    else if (length < 0x100) this.#tagged(0xd9, 1, length);
    else if (length < 0x1_0000) this.#tagged(0xda, 2, length);
    else this.#tagged(0xdb, 4, length);
    const at = this.#room(length);
    this.#bytes.set(bytes, at);
  }

  put(value: unknown): void {
    if (value === null || value === undefined) this.#u8(0xc0);
    else if (typeof value === 'boolean') this.#u8(value ? 0xc3 : 0xc2);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'string') this.#text(value);
    else if (Array.isArray(value)) {
      this.#head(0x90, 0xdc, value.length);
      for (const each of value) this.put(each);
    } else if (typeof value === 'object') {
      // As in JSON, what is undefined is not there.
      const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
      this.#head(0x80, 0xde, entries.length);
      for (const [key, inner] of entries) {
        this.#text(key);
        this.put(inner);
      }
    } else throw new TypeError(`a ${typeof value} cannot be sent`);
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #text = new TextDecoder('utf-8', { fatal: true });
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Steps over so many bytes, and says where they begin; reading past the end throws by itself. */
  #step(count: number): number {
    const at = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) throw new RangeError('the message ends too early');
    return at;
  }

  #size(bytes: number): number {
    const at = this.#step(bytes);
    return bytes === 1 ? this.#view.getUint8(at) : bytes === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #string(length: number): string {
    const at = this.#step(length);
    return this.#text.decode(this.#bytes.subarray(at, at + length));
  }

  #list(count: number, depth: number): unknown[] {
    const items = [];
    for (let n = 0; n < count; n += 1) items.push(this.take(depth + 1));
    return items;
  }

  #map(count: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let n = 0; n < count; n += 1) {
      const key = this.take(depth + 1);
      // That name would reach behind the object instead of into it.
      if (typeof key !== 'string' || key === '__proto__') throw new TypeError('a name must be text');
      map[key] = this.take(depth + 1);
    }
    return map;
  }

  take(depth = 0): unknown {
    if (depth > DEPTH_MAX) throw new RangeError('nested too deeply');
    const tag = this.#size(1);
    if (tag < 0x80) return tag;
    if (tag < 0x90) return this.#map(tag & 15, depth);
    if (tag < 0xa0) return this.#list(tag & 15, depth);
    if (tag < 0xc0) return this.#string(tag & 31);
    if (tag >= 0xe0) return tag - 0x100;
    const view = this.#view;
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return view.getFloat32(this.#step(4));
      case 0xcb:
        return view.getFloat64(this.#step(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#size(1 << (tag - 0xcc));
      case 0xcf:
        return Number(view.getBigUint64(this.#step(8)));
      case 0xd0:
        return view.getInt8(this.#step(1));
      case 0xd1:
        return view.getInt16(this.#step(2));
      case 0xd2:
        return view.getInt32(this.#step(4));
      case 0xd3:
        return Number(view.getBigInt64(this.#step(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#string(this.#size(1 << (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#size(2 << (tag - 0xdc)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#size(2 << (tag - 0xde)), depth);
      default:
        throw new TypeError(`0x${tag.toString(16)} has no place in a message`);
    }
  }

  get whole(): boolean {
    return this.#at === this.#bytes.length;
  }
}

export function encode(value: unknown): Uint8Array {
  const writer = new Writer();
  writer.put(value);
  return writer.done();
}

/** Throws where the bytes are not exactly one value. */
export function decode(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.take();
  if (!reader.whole) throw new RangeError('something follows the message');
  return value;
}

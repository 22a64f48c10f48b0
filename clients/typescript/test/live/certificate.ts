/** A certificate that has signed itself: Node makes keys, but no certificates. */

import { generateKeyPairSync, sign } from 'node:crypto';

function element(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: Uint8Array[]) => element(0x30, ...parts);
const hex = (tag: number, digits: string) => element(tag, Buffer.from(digits, 'hex'));
const text = (tag: number, letters: string) => element(tag, Buffer.from(letters));

/** One for 127.0.0.1 and its key, both in PEM. */
export function certificate(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(hex(0x06, '2a8648ce3d040302'));
  const name = sequence(element(0x31, sequence(hex(0x06, '550403'), text(0x0c, 'a test'))));
  const alternativeNames = sequence(hex(0x06, '551d11'), element(0x04, sequence(hex(0x87, '7f000001'))));
  const about = sequence(
    element(0xa0, hex(0x02, '02')),
    hex(0x02, '01'),
    ecdsaWithSha256,
    name,
    sequence(text(0x17, '200101000000Z'), text(0x18, '20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(alternativeNames)),
  );
  const der = sequence(about, ecdsaWithSha256, element(0x03, Buffer.from([0]), sign('sha256', about, privateKey)));
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

import { readFileSync } from 'node:fs';

/** Examples that the Rust side has written (`cargo test -p parlor-wire` compares them). */
export function rows<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as Row[];
}

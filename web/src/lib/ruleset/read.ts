// Reads what a ruleset sends where its types leave a choice: a field that only some shapes have, and an author's hints.

import type { CardRef, JsonValue, Named, SeatRef, SeenTarget } from './types.ts';

type FieldsOf<U> = U extends unknown ? keyof U : never;
type ValueOf<U, F> = U extends unknown ? (F extends keyof U ? U[F] : never) : never;
/** One of several shapes, with the fields of all: those that it does not have are undefined. */
export type Any<U> = { readonly [F in FieldsOf<U>]?: ValueOf<U, F> };

/** A thing as a view, an event or a target names it; an item of the stack by its id. */
export type AnyThing = string | Any<SeatRef | CardRef | SeenTarget>;

/** What an author writes for screens under a name. */
export function hint(of: Pick<Named, 'ui'> | undefined, name: string): JsonValue | undefined {
  const ui = of?.ui;
  return typeof ui === 'object' && ui !== null && !Array.isArray(ui) ? ui[name] : undefined;
}

// What the cube draft shows and tells, as its rules write it.

export interface DraftView {
  readonly round: number;
  readonly pack: readonly string[];
  readonly picked: readonly string[];
  readonly counts: readonly number[];
  readonly decks: readonly (readonly string[])[];
}

export type DraftEvent =
  | { readonly type: 'round'; readonly round: number }
  | { readonly type: 'pack' }
  | { readonly type: 'picked'; readonly card: string }
  | { readonly type: 'took'; readonly seat: number }
  | { readonly type: 'decks'; readonly scores: readonly number[] };

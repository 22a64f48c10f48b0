// What hearts shows and tells, as its rules write it.

export interface HeartsView {
  /** Deals that are over. */
  readonly deal: number;
  readonly scores: readonly number[];
  readonly passing: boolean;
  readonly hand: readonly string[];
  readonly counts: readonly number[];
  readonly trick: readonly string[];
  readonly leader: number | null;
  readonly turn: number | null;
  readonly points: readonly number[];
  readonly tricks: number;
  readonly broken: boolean;
  readonly gone: readonly string[];
}

export type HeartsEvent =
  | { readonly type: 'dealt'; readonly deal: number }
  | { readonly type: 'passed'; readonly to: number; readonly cards: readonly string[] }
  | { readonly type: 'leads'; readonly seat: number }
  | { readonly type: 'played'; readonly seat: number; readonly card: string }
  | { readonly type: 'took'; readonly seat: number; readonly points: number }
  | HeartsScored;

/** As a deal ends: who took how many points, everybody's total, and who took them all. */
export interface HeartsScored {
  readonly type: 'scored';
  readonly points: readonly number[];
  readonly scores: readonly number[];
  readonly moon?: number | null;
}

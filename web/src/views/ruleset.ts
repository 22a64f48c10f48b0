// What any ruleset shows, tells and asks, as the engine writes it.

/** A card as a view has it. One that is not known has no id and no name. */
export interface SeenCard {
  readonly id?: string;
  readonly card?: string;
  readonly by?: number;
  readonly counters?: Record<string, number>;
  readonly keywords?: readonly string[];
  readonly [attr: string]: unknown;
}
export interface SeenZone {
  readonly count?: number;
  readonly cards?: readonly (SeenCard | null)[];
}
export interface SeenPlayer {
  readonly vars: Record<string, unknown>;
  readonly zones: Record<string, SeenZone>;
  readonly lost?: boolean;
}
/** A seat, a card or an item, as views name them. */
export type Thing = null | string | { readonly seat?: number; readonly id?: string; readonly card?: string };
export interface SeenItem {
  readonly id: string;
  readonly kind: string;
  readonly refId: string;
  readonly title?: string;
  readonly controller: Thing;
  readonly source: Thing;
  readonly targets: readonly Thing[];
  readonly mode?: string;
  readonly event?: number;
  readonly causedBy?: { readonly id?: string | null; readonly title?: string; readonly kind?: string } | null;
}
export interface RulesetView {
  readonly you: number | null;
  readonly turn?: {
    readonly phase?: string;
    readonly step?: string;
    readonly activePlayer: number;
    readonly turnNumber: number;
  };
  readonly vars: Record<string, unknown>;
  readonly zones: Record<string, SeenZone>;
  readonly players: readonly SeenPlayer[];
  readonly stack?: readonly SeenItem[];
  readonly priority?: number | null;
  readonly passes?: readonly number[];
  readonly waitingFor?: readonly number[];
  readonly passUntil?: { readonly until?: string; readonly through?: boolean; readonly stops?: readonly string[] };
  readonly answer?: { readonly ask: string; readonly said: readonly (Thing | number)[]; readonly sealed: boolean };
}

export interface RulesetEvent {
  readonly type: string;
  readonly id?: number;
  readonly status?: string;
  readonly title?: string;
  readonly counteredBy?: { readonly title?: string; readonly seat?: number | null };
  /** What an event carries is up to its ruleset. */
  readonly payload?: { readonly [field: string]: unknown };
}
/** The payload of `ZoneMoved`, which every ruleset has. */
export interface ZoneMoved {
  readonly card?: { readonly id?: string; readonly card?: string } | null;
  readonly from?: string;
  readonly to?: string;
  readonly fromSeat?: number | null;
  readonly toSeat?: number | null;
}

/** What a request of a ruleset carries for the screen. */
export interface AskMeta {
  readonly kind?: string;
  readonly ask?: string;
  /** The thing that asks, and what was chosen for it before. */
  readonly source?: string | null;
  readonly chosen?: readonly (string | null)[];
  readonly slots?: number;
  readonly sum?: number;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly { readonly id: string; readonly title: string }[];
}
/** What a choice of a ruleset carries for the screen. */
export interface ChoiceMeta {
  readonly ref?: string;
  readonly action?: string;
  readonly cost?: string | number;
}

// What the battle shows and tells, as its rules write it.

export type BattleCard = 'attack' | 'defense' | 'heal' | 'counter';
export type Slot = BattleCard | null;

export interface BattleView {
  readonly seat: number | null;
  readonly round: number;
  readonly phase: 'PREP' | 'REVEAL' | 'END';
  readonly suddenDeath: boolean;
  readonly hp: [number, number];
  readonly pot: number;
  readonly hand: BattleCard[] | null;
  readonly layout: Slot[] | null;
  readonly confirmed: boolean;
  readonly shown: [Slot, Slot][];
  readonly last: [Slot, Slot][];
  readonly end: { readonly reason: string; readonly verdict: unknown } | null;
}

export type BattleEvent =
  | { readonly type: 'prep_start'; readonly round: number; readonly suddenDeath: boolean }
  | { readonly type: 'drafted' | 'confirmed'; readonly layout: readonly Slot[] }
  | { readonly type: 'present' }
  | { readonly type: 'reveal_start'; readonly round: number }
  | {
      readonly type: 'step_reveal';
      readonly step: number;
      readonly cards: [Slot, Slot];
      readonly hp: [number, number];
    }
  | { readonly type: 'round_end'; readonly round: number; readonly suddenDeath: boolean }
  | { readonly type: 'match_end'; readonly reason: string };

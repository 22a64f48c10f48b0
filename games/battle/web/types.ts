// What the battle shows and tells, as its rules write it.

export type Card = 'attack' | 'defense' | 'heal' | 'counter';
export type Slot = Card | null;

export type View = {
  seat: number | null;
  round: number;
  phase: 'PREP' | 'REVEAL' | 'END';
  suddenDeath: boolean;
  hp: [number, number];
  pot: number;
  hand: Array<Card> | null;
  layout: Array<Slot> | null;
  confirmed: boolean;
  shown: Array<[Slot, Slot]>;
  last: Array<[Slot, Slot]>;
  end: { reason: string; verdict: unknown } | null;
};

export type Event =
  | { type: 'prep_start'; round: number; suddenDeath: boolean }
  | { type: 'drafted'; layout: Array<Slot> }
  | { type: 'confirmed'; layout: Array<Slot> }
  | { type: 'present' }
  | { type: 'reveal_start'; round: number }
  | { type: 'step_reveal'; round: number; step: number; cards: [Slot, Slot]; hp: [number, number] }
  | { type: 'round_end'; round: number; suddenDeath: boolean }
  | { type: 'match_end'; reason: string };

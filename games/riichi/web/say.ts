// Sentences about waits and furiten, for the prompt, the side and the reasons of buttons. `tile` says how a tile is put
// into a sentence: drawn, or in words.

import { words } from '$shell/lib/i18n/index.svelte.ts';
import { codeOf, codeOfKind, hasReds, riverOf, turnOf } from './model.ts';
import type { OwnView, View, WaitHint } from './types.ts';
import { w } from './words.en.ts';

type Put = (code: string) => string;

/** What a wait is worth on a discard, or why it cannot be won so; with riichi, where that is what is chosen. */
export function worthText({ ron: plain, tsumo, riichi }: WaitHint, declared = false): string {
  const ron = (declared && riichi) || plain;
  if (ron) return w('worth', { n: ron.han, points: words.number(ron.points) });
  return w(tsumo ? 'drawOnly' : 'noYaku');
}

/** Waits in one line. */
export function waitsText(waits: readonly WaitHint[], tile: Put, declared = false): string {
  return waits
    .map((wait) => `${w('waitOf', { tile: tile(codeOfKind(wait.kind)), n: wait.left })}, ${worthText(wait, declared)}`)
    .join(' · ');
}

/** Why no discard can win, with the tile that makes it so. */
export function furitenText(view: View, own: OwnView, tile: Put): string {
  const reds = hasReds(view);
  const { discards, missed, missed_in_riichi: locked } = own.furiten;
  const thrown = turnOf(riverOf(view, own.seat), discards);
  if (thrown)
    return w('furiten.discard', {
      waits: own.waits.map((kind) => tile(codeOfKind(kind))).join(' '),
      tile: tile(codeOf(thrown.tile, reds)),
      n: String(thrown.turn),
    });
  if (locked !== null) return w('furiten.riichi', { tile: tile(codeOf(locked, reds)) });
  return missed === null ? '' : w('furiten.missed', { tile: tile(codeOf(missed, reds)) });
}

/** How far a hand is from tenpai. */
export function shantenText(shanten: number | undefined): string {
  if (shanten === undefined) return '';
  if (shanten < 0) return w('complete');
  return shanten === 0 ? w('tenpai') : w('shanten', { n: shanten });
}
